import { getAdvice, listAdvice } from '@zhugong/contract/advice/calls'
import { complaint } from '@zhugong/contract/advice/moves'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { type CityWorld, openCity, settleCity } from '../../test/city.ts'
import type { World } from '../../test/world.ts'
import { seedAdvice } from './seed-advice.ts'

const now = Date.parse('2026-11-20T10:00:00+08:00')
let world: World
let settled: CityWorld
beforeAll(async () => {
  world = await openCity(inject('postgresUrl'), { clock: { now: () => now } })
  settled = await settleCity(world)
  await world.database.kysely.transaction().execute((tx) => seedAdvice(tx, settled.city, now))
})
afterAll(() => world.close())

const query = { projectCode: '*', size: 100 }
const rowsOf = async <T>(text: string) => (await sql.raw<T>(text).execute(world.database.kysely)).rows

test('twenty items, two of them complaints, in every state; each institution has something to answer', async () => {
  const rows = await rowsOf<{ state: string; type: string }>('select state, type from advice')
  expect(rows).toHaveLength(20)
  expect(rows.filter((one) => one.type === complaint)).toHaveLength(2)
  expect(new Set(rows.map((one) => one.state))).toEqual(new Set(['0', '1', '2']))
  for (const account of ['admin', 'bj-zhao', 'yd-wang'])
    expect((await (await settled.as(account)).call(listAdvice, { query })).counts.waiting, account).toBeGreaterThan(0)
  const district = await (await settled.as('bj-zhao')).call(listAdvice, { query })
  expect(district.counts).toMatchObject({ complaints: 2, late: 1 })
})

test('the site knows nothing of the complaints about it, and nothing happened after now or out of order', async () => {
  const { list } = await (await settled.as('hospital-pm')).call(listAdvice, { query })
  expect(list.length).toBeGreaterThan(0)
  expect(list.filter((one) => one.type === complaint)).toEqual([])
  const own = await (await settled.as('hospital-labour')).call(listAdvice, { query: { ...query, type: complaint } })
  const { thread } = await (await settled.as('hospital-labour')).call(getAdvice, {
    params: { id: own.list[0]?.id ?? '' },
    query: { projectCode: '*' },
  })
  expect(thread.map((one) => one.byName)).toEqual(['我'])
  expect(await rowsOf(`select from advice_entry e where e.at > '${new Date(now).toISOString()}'`)).toEqual([])
  expect(await rowsOf('select from advice where replied_at < create_time or closed_at < replied_at')).toEqual([])
  // A week after the answer it would have been closed by itself.
  expect(await rowsOf(`select from advice where state = '1' and replied_at < '${new Date(now - 7 * 86_400_000).toISOString()}'`)).toEqual(
    [],
  )
})
