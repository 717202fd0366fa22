import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { inTheNameOf } from '#domains/workflow/context-for-test'
import { registerKind } from '#domains/workflow/kinds'
import { copyToPlace, startFlow } from '#domains/workflow/public'
import { reachItems } from '#domains/workflow/record-items'
import { type Database, openDatabase } from '#kit/db'
import { type CityWorld, openCity, settleCity } from '../city.ts'
import { viewers } from '../tenants.ts'
import type { World } from '../world.ts'

/**
 * Which groups the database shows an approval item to, by plain SQL under the role and scope of each caller. An authority's internal item
 * about a site must not be readable by the site, its companies or its supervisor, although all of them see the project.
 */
const now = Date.parse('2026-11-20T10:00:00+08:00')
const clock = { now: () => now }
const kind = 'internalForTest'
const tables = ['work_step', 'work_approver', 'work_copy', 'work_event', 'work_comment', 'work_signature'] as const
let world: World
let settled: CityWorld
let databases: { requests: Database; system: Database }
let projectCode: string
/** Ids of two items of one authority: one that stays among authorities, one with a copy for the general contractor. */
let internal: string
let copied: string

type Who = { userId: string; groupId: string; type: number; code: string }
async function whoIs(account: string): Promise<Who> {
  const { rows } = await world.database.pool.query<Who>(
    `select u.id as "userId", m.group_id as "groupId", t.type, t.code from app_user u join member m on m.user_id = u.id
       join tenant t on t.id = m.group_id where u.account = $1 order by m.is_default desc limit 1`,
    [account],
  )
  return rows[0]!
}

async function begin(objectId: string, copyTo: boolean): Promise<string> {
  const officer = await whoIs('bj-zhao')
  return inTheNameOf(databases, clock, officer, async (ctx) => {
    const { itemId } = await startFlow(ctx, { kind, groupId: officer.groupId, projectCode, objectId, title: `拟处罚 ${objectId}` })
    if (copyTo) await copyToPlace(ctx, itemId, 'leader', 'project.view')
    return itemId
  })
}

/** Numbers of rows of the item that the caller's database role reads, by table. */
const readable = (who: Who, itemId: string) =>
  inTheNameOf(databases, clock, who, async ({ db }) => {
    const counted: Record<string, number> = {}
    for (const [table, column] of [['work_item', 'id'], ...tables.map((one) => [one, 'item_id'])] as [string, string][]) {
      const found = await db
        .selectFrom(table as 'workItem')
        .select(({ fn }) => fn.countAll<number>().as('n'))
        .where(column as 'id', '=', itemId)
        .executeTakeFirstOrThrow()
      counted[table] = Number(found.n)
    }
    return counted
  })

beforeAll(async () => {
  world = await openCity(inject('postgresUrl'), { clock })
  settled = await settleCity(world)
  databases = { requests: openDatabase(world.config.databaseUrl ?? ''), system: openDatabase(world.config.databaseUrl ?? '') }
  projectCode = settled.city.personas.find((p) => p.account === 'hospital-pm')!.projectCode!
  registerKind({
    kind,
    name: '内部事项',
    prefix: 'NB',
    facts: {},
    flow: [{ key: 'above', name: '上级', places: ['above'], by: { kind: 'code', code: 'project.state' } }],
    reads: ['project.view'],
    link: () => '/main',
    document: async (_, objectId) => ({ fields: [{ label: '事项', value: objectId }] }),
    decided: async () => undefined,
  })
  internal = await begin('internal', false)
  copied = await begin('copied', true)
  for (const id of [internal, copied]) {
    await world.database.pool.query(
      `insert into work_comment (id, item_id, at, user_id, user_name, group_name, text) values ($1 || ' said', $1, now(), 'x', 'x', 'x', '尚未告知工地')`,
      [id],
    )
    await world.database.pool.query(
      `insert into work_signature (id, item_id, user_id, user_name, at, image, hash) values ($1 || ' sign', $1, 'x', 'x', now(), decode(repeat('00', 80), 'hex'), repeat('0', 64))`,
      [id],
    )
    await world.database.pool.query(
      `insert into work_copy (item_id, user_id, group_id, create_time) select $1, 'x', group_id, now() from work_item where id = $1 on conflict do nothing`,
      [id],
    )
  }
})
afterAll(async () => {
  await databases.requests.close()
  await databases.system.close()
  await world.close()
})

test('an authority’s item is read by its own group, its deciders, its carbon copies and the platform, and by nobody else', async () => {
  const project = settled.city.projects.find((one) => one.projectCode === projectCode)!
  const own = (await whoIs('bj-zhao')).code
  const line = new Set([own])
  // The deciders sit in the authorities above the project.
  for (let code: string | null | undefined = project.superviseOrg; code; ) {
    line.add(code)
    code = settled.city.governments.find((one) => one.govCode === code)?.parentGovCode
  }
  const leader = settled.city.projectCorps.find((one) => one.projectCode === projectCode && one.corpType === '009')!.corpCode
  let refused = 0
  for (const { account } of viewers(settled.city)) {
    const who = await whoIs(account)
    const ofAuthority = who.type === 0 || (who.type === 1 && line.has(who.code))
    const sees = { internal: ofAuthority, copied: ofAuthority || (who.type === 2 && who.code === leader) }
    for (const [name, id] of [
      ['internal', internal],
      ['copied', copied],
    ] as const) {
      const counted = await readable(who, id)
      expect([account, name, counted.work_item]).toEqual([account, name, sees[name] ? 1 : 0])
      for (const table of tables) expect([account, name, table, counted[table]! > 0]).toEqual([account, name, table, sees[name]])
      if (!sees[name]) refused++
    }
  }
  // The site, its general contractor and its supervisor see the project and are among those refused.
  expect(refused).toBeGreaterThan(10)
})

test('the site reads no title of it in any list, count or search, and changes nothing of it', async () => {
  const site = await whoIs('hospital-pm')
  await inTheNameOf(databases, clock, site, async ({ db }) => {
    const { numUpdatedRows } = await db.updateTable('workItem').set({ title: '改了' }).where('id', '=', internal).executeTakeFirst()
    expect(numUpdatedRows).toBe(0n)
    const rows = await db.selectFrom('workItem').select('title').where('title', 'like', '拟处罚%').execute()
    expect(rows).toEqual([])
  })
})

test('the engine opens the items of one record to a transaction, and only to that one', async () => {
  const site = await whoIs('hospital-pm')
  const titles = (open: boolean) =>
    inTheNameOf(databases, clock, site, async (ctx) => {
      if (open) await reachItems(ctx, kind, 'internal')
      return ctx.db.selectFrom('workItem').select('objectId').where('kind', '=', kind).orderBy('objectId').execute()
    })
  expect(await titles(true)).toEqual([{ objectId: 'internal' }])
  expect(await titles(false)).toEqual([])
})
