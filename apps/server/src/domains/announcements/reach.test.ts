import { changeAnnouncement, createAnnouncement, listReceipts, previewRecipients } from '@zhugong/contract/announcements/calls'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import type { Group } from '#kit/context'
import { inScope } from '#kit/db'
import { newId } from '#kit/ids'
import { type CityWorld, openCity, settleCity } from '../../../test/city.ts'
import type { World } from '../../../test/world.ts'
import { findScope } from '../access/public.ts'
import { reachOf } from './reach.ts'

/** Whom a sender reaches is decided by his session, whatever a statement hands in. */
let world: World
let settled: CityWorld
beforeAll(async () => {
  world = await openCity(inject('postgresUrl'))
  settled = await settleCity(world)
})
afterAll(() => world.close())

const db = () => world.database.kysely
async function groupOf(account: string): Promise<{ group: Group; userId: string; memberId: string }> {
  const { rows } = await sql<
    Group & { userId: string; memberId: string }
  >`select t.id, t.type, t.code, t.name, t.area_code, u.id as user_id,
      m.id as member_id from app_user u join member m on m.user_id = u.id join tenant t on t.id = m.group_id
    where u.account = ${account} order by m.is_default desc limit 1`.execute(db())
  const [row] = rows
  if (!row) throw new Error(account)
  const { userId, memberId, ...group } = row
  return { group, userId, memberId }
}
const everything = [{ kind: 'all', areas: [], groups: [], members: [], roles: [], except: [] }]
/** Groups that the function answers for a reach and a sender, inside the scope of an account. */
async function answered(
  account: string,
  reach: readonly string[],
  sender: string,
  lines: readonly object[] = everything,
): Promise<string[]> {
  const { group, userId } = await groupOf(account)
  const scope = await findScope(db(), group, userId)
  const { rows } = await inScope(db(), scope, (tx) =>
    sql<{
      groupId: string
    }>`select distinct n.group_id from zg_notice_people(${sender}, ${[...reach]}::text[], ${JSON.stringify(lines)}::jsonb,
      current_date) n`.execute(tx),
  )
  return rows.map((one) => one.groupId).sort()
}

const cast = ['hospital-pm', 'dingli-cheng', 'yunze-lu', 'hospital-jl', 'bj-wu', 'city-fang'] as const
test.each(cast)('%s reaches the groups of its own reach, and no others that it names', async (account) => {
  const { group, userId } = await groupOf(account)
  const scope = await findScope(db(), group, userId)
  const own = (await reachOf({ system: db(), group, scope })).map((one) => one.id)
  const { rows } = await sql<{ id: string }>`select t.id from tenant t`.execute(db())
  const all = rows.map((one) => one.id)
  expect(all.length).toBeGreaterThan(own.length)
  const inOwn = await answered(account, own, group.id)
  expect(inOwn.length).toBeGreaterThan(0)
  expect(await answered(account, all, group.id)).toEqual(inOwn)
})

test('nobody writes to the people of another group in its name', async () => {
  const other = await groupOf('zhigu-pm')
  const lines = [{ kind: 'person', areas: [], groups: [], members: [other.memberId], roles: [], except: [] }]
  expect(await answered('hospital-pm', [other.group.id], other.group.id, lines)).toEqual([])
  expect(await answered('city-fang', [other.group.id], other.group.id, lines)).toEqual([])
})

test('a line leaves out people of the own group by name', async () => {
  const head = await settled.as('bj-wu')
  const left = await groupOf('bj-zhao')
  const other = await groupOf('zhigu-pm')
  const query = { projectCode: '*' }
  const line = (except: string[]) => [{ kind: 'government' as const, groups: [left.group.id], except }]
  const whole = await head.call(previewRecipients, { query, body: { lines: line([]) } })
  const fewer = await head.call(previewRecipients, { query, body: { lines: line([left.memberId]) } })
  expect(fewer.people).toBe(whole.people - 1)
  const body = { id: newId(), title: '内部通知', type: '1', content: '<p>请查阅。</p>', lines: line([left.memberId]) }
  await head.call(createAnnouncement, { query, body })
  await head.call(changeAnnouncement, { params: { id: body.id }, query, body: { action: 'publish', version: 0 } })
  const { list } = await head.call(listReceipts, { query: { ...query, noticeId: body.id, size: 100 } })
  expect(list.map((one) => one.name)).not.toContain('赵启明')
  expect(list).toHaveLength(fewer.people)
  const refused = await head.ask(createAnnouncement, { query, body: { ...body, id: newId(), lines: line([other.memberId]) } })
  expect(refused.message).toBe('所选单位或人员不在您的管辖范围内')
})
