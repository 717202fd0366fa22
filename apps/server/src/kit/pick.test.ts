import { expect, test } from 'vitest'
import { pick } from './pick.ts'

const row = { id: 't1', name: '钢筋一班', leader: null, secret: 'x' }

test('only the named values are copied', () => {
  expect(pick(row, 'id', 'leader')).toStrictEqual({ id: 't1', leader: null })
})

test('a name that the object does not have does not compile', () => {
  // @ts-expect-error: a row has no `phone`
  pick(row, 'id', 'phone')
  // @ts-expect-error: `secret` was not picked
  expect(pick(row, 'id').secret).toBeUndefined()
})
