import type pg from 'pg'
import { expect, test } from 'vitest'
import { People } from './people.ts'

const at = Date.parse('2026-11-21T08:00:00+08:00')
const hour = 3_600_000

function poolOf(tables: Record<string, object[]>) {
  let requests = 0
  const pool = {
    query: async (text: string) => {
      if (text.includes('bool_or(black_hit)')) requests++
      if (requests === 2) throw new Error('away')
      return { rows: tables[text.includes('attendance_presence') ? 'inside' : text.includes('worker_cert') ? 'papers' : 'standings'] ?? [] }
    },
  } as unknown as pg.Pool
  return { pool, asked: () => requests }
}

test('who has left or is on the black list is known, everybody else is in order, and before the first look nobody is', async () => {
  const { pool, asked } = poolOf({
    standings: [
      { project_code: 'P1', worker_id: 'gone', black: false, gone: true },
      { project_code: 'P1', worker_id: 'black', black: true, gone: false },
    ],
  })
  const people = new People()
  expect(people.isListed('P1', 'laborBlack', 'black')).toBeUndefined()
  expect(people.is('P1', 'exited', { workerId: 'gone' }, at)).toBeUndefined()
  expect(people.since('P1', 'onSite', { workerId: 'gone' }, at)).toBeUndefined()
  expect(await people.refresh(pool, 0)).toBe(true)
  expect(await people.refresh(pool, 1000)).toBe(false)
  expect(asked()).toBe(1)
  expect(['black', 'gone', 'fine'].map((id) => people.isListed('P1', 'laborBlack', id))).toEqual([true, false, false])
  expect(['black', 'gone', 'fine'].map((workerId) => people.is('P1', 'exited', { workerId }, at))).toEqual([false, true, false])
  expect(people.is('P2', 'exited', { workerId: 'gone' }, at)).toBe(false)
  expect(people.is('P1', 'asleep', { workerId: 'gone' }, at)).toBeUndefined()
  expect(people.is('P1', 'exited', {}, at)).toBeUndefined()
  // Vehicle lists are in `plates.ts`.
  expect(people.isListed('P1', 'vehicleBlack', 'x')).toBeUndefined()
  expect(await people.refresh(pool, 600_000)).toBe(false)
  expect(people.isListed('P1', 'laborBlack', 'black')).toBe(true)
})

test('papers count to the end of their last day', async () => {
  const people = new People()
  await people.refresh(poolOf({ papers: [{ project_code: 'P1', worker_id: 'w', ends: '2026-11-20' }] }).pool, at)
  const expired = (workerId: string, when: number) => people.is('P1', 'expired', { workerId }, when)
  expect(expired('w', Date.parse('2026-11-20T23:59:59+08:00'))).toBe(false)
  expect(expired('w', Date.parse('2026-11-21T00:00:00+08:00'))).toBe(true)
  expect(expired('other', at)).toBe(false)
})

test('who is inside follows the passages as they come, at whichever gate', async () => {
  const people = new People()
  const [west, east] = [
    { id: 'west', projectCode: 'P1' },
    { id: 'east', projectCode: 'P1' },
  ]
  const known = { project_code: 'P1', worker_id: 'early', time: new Date(at - hour), device_id: 'west' }
  await people.refresh(poolOf({ inside: [known] }).pool, at)
  const since = (workerId: string, state = 'onSite', when = at) => people.since('P1', state, { workerId }, when)
  expect([since('early'), since('w'), since('w', 'asleep')]).toEqual([at - hour, null, undefined])
  people.passed(west, { workerId: 'w', direction: '0' }, at)
  people.passed(west, { workerId: 'w', direction: '0' }, at + 1000)
  people.passed(east, { direction: '0' }, at)
  // The last entry counts, for 24 hours.
  expect(since('w')).toBe(at + 1000)
  expect(since('w', 'onSite', at + 24 * hour + 1000)).toBe(at + 1000)
  expect(since('w', 'onSite', at + 24 * hour + 1001)).toBeNull()
  expect([...people.everybodyInside()].map((i) => [i.workerId, i.deviceId])).toEqual([
    ['early', 'west'],
    ['w', 'west'],
  ])
  // An older passage does not change the current state.
  people.passed(east, { workerId: 'w', direction: '1' }, at)
  expect(since('w')).toBe(at + 1000)
  people.passed(east, { workerId: 'w', direction: '1' }, at + 2000)
  expect(since('w')).toBeNull()
  // Attendance may not have processed the exit yet: passages just received take precedence over the table.
  await people.refresh(poolOf({ inside: [{ ...known, worker_id: 'w', time: new Date(at + 1000) }] }).pool, at + 600_000)
  expect([since('w'), since('early')]).toEqual([null, null])
})
