import { expect, test } from 'vitest'
import { type Draft, draftStore, type Outcome } from './mobile-drafts.ts'

const draft = (key: string): Omit<Draft, 'state' | 'message'> => ({
  key,
  name: key,
  consentPersonal: true,
  consentFace: false,
  place: { projectCode: 'p', corpCode: 'c', teamId: 't', workType: '020' },
})

test('without a net drafts wait in order, and go once each when it is back', async () => {
  let online = false
  const sent: string[] = []
  const queue = draftStore(async (d): Promise<Outcome> => {
    if (!online) return { state: 'later' }
    sent.push(d.key)
    return d.key === 'b' ? { state: 'refused', message: '该号码已登记' } : { state: 'done', message: '已登记' }
  })
  for (const key of ['a', 'b', 'c']) await queue.add(draft(key))
  expect(queue.store.getState().drafts.map((d) => d.state)).toEqual(['waiting', 'waiting', 'waiting'])
  expect(queue.holds()).toBe(true)
  online = true
  await Promise.all([queue.flush(), queue.flush()])
  expect([...sent].sort()).toEqual(['a', 'b', 'c'])
  expect(queue.store.getState().drafts.find((d) => d.key === 'b')).toMatchObject({ state: 'refused', message: '该号码已登记' })
  // A refused draft is corrected and sent again.
  await queue.add({ ...draft('b'), idCardNumber: 'x' })
  expect(sent.filter((key) => key === 'b')).toHaveLength(2)
  queue.remove('b')
  expect(queue.holds()).toBe(false)
})
