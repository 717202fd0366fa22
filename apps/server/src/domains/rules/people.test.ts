import type pg from 'pg'
import { expect, test } from 'vitest'
import { People } from './people.ts'

test('who has left or is on the black list is known, everybody else is in order, and before the first look nobody is', async () => {
  const rows = [
    { project_code: 'P1', worker_id: 'gone', black: false, gone: true },
    { project_code: 'P1', worker_id: 'black', black: true, gone: false },
  ]
  let asked = 0
  const pool = {
    query: async () => {
      asked++
      if (asked === 2) throw new Error('away')
      return { rows }
    },
  } as unknown as pg.Pool
  const people = new People()
  expect(people.isListed('P1', 'laborBlack', 'black')).toBeUndefined()
  await people.refresh(pool, 0)
  await people.refresh(pool, 1000)
  expect(asked).toBe(1)
  expect(['black', 'gone', 'fine'].map((id) => people.isListed('P1', 'laborBlack', id))).toEqual([true, false, false])
  expect(['black', 'gone', 'fine'].map((workerId) => people.is('P1', 'exited', { workerId }))).toEqual([false, true, false])
  expect(people.is('P2', 'exited', { workerId: 'gone' })).toBe(false)
  expect(people.is('P1', 'expired', { workerId: 'gone' })).toBeUndefined()
  expect(people.isListed('P1', 'vehicleBlack', 'x')).toBeUndefined()
  await people.refresh(pool, 600_000)
  expect(people.isListed('P1', 'laborBlack', 'black')).toBe(true)
})
