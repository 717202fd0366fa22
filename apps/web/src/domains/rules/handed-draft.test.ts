import { expect, test } from 'vitest'
import { forgetHanded, handDraft, handedFor } from './handed-draft.ts'

test('what was typed goes to the editor of its own rule, and only until that stands', () => {
  const draft = { levels: [], execIds: ['e1'] }
  handDraft('r1', draft)
  expect(handedFor('r2')).toBeUndefined()
  expect(handedFor(undefined)).toBeUndefined()
  expect(handedFor('r1')).toBe(draft)
  forgetHanded()
  expect(handedFor('r1')).toBeUndefined()
  expect(handedFor(undefined)).toBeUndefined()
})
