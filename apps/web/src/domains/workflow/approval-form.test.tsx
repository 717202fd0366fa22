import type { ApprovalDetail } from '@zhugong/contract/workflow/endpoints'
import { expect, test } from 'vitest'
import { bodyOf, followItem, isBehind, newForm, problemsOf, sendForm, write } from './approval-form.ts'
import { ApprovalHandling } from './approval-handling.tsx'

const item = (part: Partial<ApprovalDetail> = {}) =>
  ({
    id: 'a',
    version: 1,
    actions: ['pass', 'reject', 'transfer', 'addSign'],
    returnTo: [{ key: 'site', name: '项目' }],
    colleagues: [{ id: 'zhou', name: '周工' }],
    hash: 'h1',
    sign: false,
    ...part,
  }) as ApprovalDetail

test('what was typed stays when the item is refetched with a higher version', () => {
  const typed = write(newForm(item()), { verdict: 'reject', opinion: '尺寸与图纸不符', returnTo: 'site' })
  const shown = followItem(typed, item({ version: 2 }))
  expect(shown).toEqual(typed)
  expect(isBehind(shown, item({ version: 2 }))).toBe(true)
  // React keeps the state of a component by its type and key.
  const element = (file: ApprovalDetail) => ApprovalHandling({ file, onNext: () => undefined })
  expect(element(item({ version: 2 })).key).toBe(element(item()).key)
  expect(element(item({ version: 2 })).type).toBe(element(item()).type)
  expect(element(item({ id: 'b' })).key).not.toBe(element(item()).key)
})

test('a form without entries follows the item', () => {
  const shown = followItem(newForm(item()), item({ version: 2, actions: ['reject'] }))
  expect(shown).toMatchObject({ version: 2, verdict: 'reject', touched: false })
  expect(isBehind(shown, item({ version: 2 }))).toBe(false)
})

test('it is sent with the version it was written about; a refusal keeps it, and after a check it goes with the new one', async () => {
  const typed = write(newForm(item()), { opinion: '同意施工' })
  const latest = item({ version: 2 })
  const sent: number[] = []
  // As `useAct`: shows the message of the conflict and answers undefined.
  const refuseOld = async ({ version }: { version: number }) => {
    sent.push(version)
    return version === latest.version ? { data: {} } : undefined
  }
  const refused = await sendForm(refuseOld, followItem(typed, latest), latest)
  expect(refused).toEqual({ form: typed, done: false })
  const accepted = await sendForm(refuseOld, { ...refused.form, version: latest.version }, latest)
  expect(accepted).toEqual({ form: newForm(latest), done: true })
  expect(sent).toEqual([1, 2])
})

test('choices that the item no longer offers are reset, and a signature ends with its document', () => {
  const typed = write(newForm(item()), { verdict: 'transfer', people: ['zhou'], opinion: '请周工看' })
  expect(followItem(typed, item({ colleagues: [] })).people).toEqual([])
  expect(followItem(typed, item({ actions: ['pass'] }))).toMatchObject({ verdict: 'pass', people: [], opinion: '请周工看' })
  const signed = write(newForm(item({ sign: true })), { signature: { image: 'data:', hash: 'h1' } })
  expect(problemsOf(signed, { sign: true }).signature).toBeUndefined()
  const changed = followItem(signed, item({ sign: true, hash: 'h2', version: 2 }))
  expect(problemsOf(changed, { sign: true }).signature).toBe('此步骤须手写签名')
  expect(bodyOf(changed).signature).toBeUndefined()
})
