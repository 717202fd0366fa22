import { ownGroups } from '@zhugong/contract/identity/endpoints'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { addDays, formatDay } from '#kit/clock'
import { type CityWorld, openCity, settleCity } from '../../../test/city.ts'
import { groupNamed, roleOf, somebody } from '../../../test/members.ts'
import type { World } from '../../../test/world.ts'

let world: World
let settled: CityWorld
beforeAll(async () => {
  world = await openCity(inject('postgresUrl'))
  settled = await settleCity(world)
})
afterAll(() => world.close())

const inDays = (days: number) => addDays(formatDay(Date.now()), days)

test('what has ended stays in sight for thirty days, with its last day and whom to ask; then it is gone', async () => {
  const { pool } = world.database
  const [first, second] = await Promise.all([0, 1].map((n) => groupNamed(world, 3, settled.city.projects[n]?.projectCode ?? '')))
  if (!first || !second) throw new Error('there are no sites')
  const roles = await Promise.all([-3, -40].map(async (days) => ({ id: await roleOf(world, first, ['home.view']), until: inDays(days) })))
  const one = await somebody(world, first, [await roleOf(world, first, ['home.view']), ...roles])
  const id = `${one.userId.slice(0, -1)}x`
  await pool.query('insert into member (id, user_id, group_id, deadline) values ($1, $2, $3, $4)', [id, one.userId, second, inDays(-3)])
  const cards = async () => new Map((await one.caller.call(ownGroups)).list.map((card) => [card.id, card]))
  const seen = await cards()
  expect(seen.get(first)).toMatchObject({ enabled: true, offReason: null, endedRoles: [{ until: inDays(-3) }] })
  expect(seen.get(first)?.roleNames).toHaveLength(1)
  expect(seen.get(first)?.ask.length).toBeGreaterThan(0)
  expect(seen.get(second)).toMatchObject({ enabled: false, offReason: `已于 ${inDays(-3)} 到期` })
  await pool.query('update member set deadline = $2 where id = $1', [id, inDays(-40)])
  expect((await cards()).has(second)).toBe(false)
  // A disabled membership shows the reason and names no administrator.
  await pool.query(`update member set deadline = null, enable = '0' where id = $1`, [id])
  expect((await cards()).get(second)).toMatchObject({ enabled: false, offReason: '您在此机构已被停用', ask: [] })
})
