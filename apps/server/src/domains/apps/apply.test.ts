import * as contract from '@zhugong/contract/apps/apply-endpoints'
import { login } from '@zhugong/contract/identity/endpoints'
import * as approvals from '@zhugong/contract/workflow/endpoints'
import { afterAll, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest'
import { createLog } from '#kit/log'
import { createSecrets } from '#kit/secret'
import { type CityWorld, openCity, settleCity } from '../../../test/city.ts'
import { type Caller, testSecretKey, type World } from '../../../test/world.ts'
import { turnLate } from '../workflow/public.ts'

let now = Date.parse('2026-11-20T10:00:00+08:00')
let world: World
let city: CityWorld
const callers = new Map<string, Caller>()
const as = (account: string) => callers.get(account)!
const people = ['hospital-pm', 'hospital-labour', 'yunze-lu', 'city-fang', 'admin', 'admin-two'] as const
let app: { id: string; name: string }
let groupId: string

beforeAll(async () => {
  world = await openCity(inject('postgresUrl'), { clock: { now: () => now } })
  city = await settleCity(world)
  // A second operator with the rights and password of the first.
  await world.database.pool.query(`
    with u as (insert into app_user (id, account, name, password_hash, must_change) select 'admin-two', 'admin-two', '第二管理员', password_hash, false
        from app_user where account = 'admin' returning id),
      m as (insert into member (id, user_id, group_id) select 'member-two', u.id, m.group_id from u, member m join app_user a on a.id = m.user_id
        where a.account = 'admin' returning id)
    insert into member_role (member_id, role_id) select 'member-two', mr.role_id from member_role mr join member m on m.id = mr.member_id
      join app_user a on a.id = m.user_id, m as made where a.account = 'admin'`)
  for (const account of people) callers.set(account, account === 'admin-two' ? await second() : await city.as(account))
  const { rows } = await world.database.pool.query<{ id: string; name: string }>(
    `select id, name from app where not base and enable = '1' and 3 = any (group_types) and prerequisites = '{}' order by sort limit 1`,
  )
  app = rows[0]!
  const { rows: groups } = await world.database.pool.query<{ id: string }>(
    `select m.group_id as id from member m join app_user u on u.id = m.user_id where u.account = 'hospital-pm'`,
  )
  groupId = groups[0]!.id
})
afterAll(() => world.close())

async function second(): Promise<Caller> {
  const password = city.accounts.find((one) => one.account === 'admin')!.password
  const { token } = await world.anonymous.call(login, { body: { account: 'admin-two', password } })
  return world.caller(token)
}
beforeEach(async () => {
  await world.database.pool.query(`delete from app_apply`)
  await world.database.pool.query(`delete from work_item where kind = 'appApply'`)
  await world.database.pool.query(`delete from app_grant where group_id = $1 and app_id = $2`, [groupId, app.id])
})

const everywhere = { projectCode: '*' }
const file = (more: object = {}, account = 'hospital-pm') =>
  as(account).ask(contract.applyForApps, {
    query: everywhere,
    body: { appIds: [app.id], deadline: '2027-11-20', reason: '塔机进场需要监测', ...more },
  })
const filed = async (more: object = {}): Promise<string> => {
  const answer = await file(more)
  expect(answer).toMatchObject({ status: 0 })
  return answer.data!.id
}
const decide = async (account: string, id: string, action: 'pass' | 'reject' | 'withdraw', more: object = {}) => {
  const { rows } = await world.database.pool.query<{ version: number }>('select version from app_apply where id = $1', [id])
  return as(account).ask(contract.decideAppApply, {
    params: { id },
    query: everywhere,
    body: { action, opinion: '如实办理', version: rows[0]?.version ?? 1, ...more },
  })
}
const current = async () =>
  (
    await world.database.pool.query<{ deadline: string }>(
      `select deadline::text from app_grant where group_id = $1 and app_id = $2 and revoked_at is null`,
      [groupId, app.id],
    )
  ).rows.map((row) => row.deadline)

test('what is asked for is granted with the decision, until the day asked for or the one that is decided', async () => {
  const id = await filed()
  expect(await file()).toMatchObject({ message: `“${app.name}”的申请正在审批` })
  expect((await as('admin').call(contract.listAppApplies, { query: everywhere })).waiting).toBe(1)
  expect(await current()).toEqual([])
  expect(await decide('admin', id, 'pass', { deadline: '2027-06-30' })).toMatchObject({ status: 0 })
  expect(await current()).toEqual(['2027-06-30'])
  const { list } = await as('hospital-pm').call(contract.listAppApplies, { query: everywhere })
  expect(list[0]).toMatchObject({ state: '1', deadline: '2027-06-30', mayDecide: false, mayWithdraw: false })
  // A later end is applied for in the same way; an earlier one is not a renewal.
  expect(await file({ deadline: '2027-01-01' })).toMatchObject({ message: `“${app.name}”已开通到 2027-06-30，续期应更晚` })
  await decide('admin', await filed({ deadline: '2028-06-30' }), 'pass')
  expect(await current()).toEqual(['2028-06-30'])
})

test('a decision that cannot grant decides nothing', async () => {
  const id = await filed()
  await world.database.pool.query(`update app set enable = '0' where id = $1`, [app.id])
  expect(await decide('admin', id, 'pass')).toMatchObject({ message: `“${app.name}”已下架，不能再授权` })
  await world.database.pool.query(`update app set enable = '1' where id = $1`, [app.id])
  const { rows } = await world.database.pool.query(`select state from work_item where object_id = $1`, [id])
  expect(rows).toEqual([{ state: '1' }])
  expect(await current()).toEqual([])
})

/** Derived from the trade: the platform decides applications of other groups; members who may apply may withdraw them while they wait. */
const allowed = (account: string, action: string, state: string): boolean =>
  state === 'waiting' && (action === 'withdraw' ? account === 'hospital-pm' : account === 'admin' || account === 'admin-two')

describe('every state, act and person', () => {
  test.each(['waiting', 'passed', 'refused'])('an application that is %s', async (state) => {
    const wrong: string[] = []
    for (const account of people) {
      for (const action of ['pass', 'reject', 'withdraw'] as const) {
        await world.database.pool.query(`delete from app_apply`)
        await world.database.pool.query(`delete from work_item where kind = 'appApply'`)
        await world.database.pool.query(`delete from app_grant where group_id = $1 and app_id = $2`, [groupId, app.id])
        const id = await filed()
        if (state !== 'waiting') await decide('admin', id, state === 'passed' ? 'pass' : 'reject')
        const before = await current()
        const answer = await decide(account, id, action)
        if ((answer.status === 0) !== allowed(account, action, state))
          wrong.push(`${account} ${action} when ${state}: ${answer.status} ${answer.message}`)
        const granted = action === 'pass' && answer.status === 0 ? 1 : before.length
        if ((await current()).length !== granted) wrong.push(`${account} ${action} when ${state} granted otherwise`)
      }
    }
    expect(wrong).toEqual([])
  })
})

test('of two at the same moment one decides, and it is granted once', async () => {
  const id = await filed()
  const body = { action: 'pass' as const, opinion: '', version: 1 }
  const both = await Promise.all(
    ['admin', 'admin-two'].map((account) => as(account).ask(contract.decideAppApply, { params: { id }, query: everywhere, body })),
  )
  expect(both.filter((one) => one.status === 0)).toHaveLength(1)
  expect(both.find((one) => one.status !== 0)?.message).toMatch(/已审定|已由|请刷新后再改/)
  expect(await current()).toHaveLength(1)
})

test('a flow that changed while an item runs lets it end as it began; the next goes the new way', async () => {
  const id = await filed()
  const saved = await as('admin').ask(approvals.saveFlowSetting, {
    body: {
      bizType: 'appApply',
      mode: 'own',
      nodes: [
        { key: 'platform', name: '平台', places: ['platform'], by: { kind: 'code', code: 'grant.create' }, hours: 72 },
        { key: 'again', name: '复核', places: ['platform'], by: { kind: 'users', userIds: ['admin-two'] } },
      ],
      version: 0,
    },
  })
  expect(saved).toMatchObject({ status: 0 })
  expect(
    (await as('hospital-pm').ask(approvals.saveFlowSetting, { body: { bizType: 'appApply', mode: 'upper', nodes: [], version: 0 } }))
      .status,
  ).not.toBe(0)
  await decide('admin', id, 'pass')
  expect(await current()).toHaveLength(1)
  await world.database.pool.query(`delete from app_grant where group_id = $1 and app_id = $2`, [groupId, app.id])
  const next = await filed()
  await decide('admin', next, 'pass')
  expect(await current()).toEqual([])
  await decide('admin-two', next, 'pass')
  expect(await current()).toHaveLength(1)
  await world.database.pool.query(`delete from flow_setting where kind = 'appApply'`)
})

test('a step whose time is over is told of once', async () => {
  const id = await filed()
  const deps = {
    db: world.database.kysely,
    clock: { now: () => now },
    secrets: createSecrets(testSecretKey),
    log: createLog('test', 'warn'),
  }
  // 72 hours of working days from Friday, with the weekend between.
  now += 121 * 3_600_000
  await turnLate(deps)
  expect(await turnLate(deps)).toBe(0)
  now -= 121 * 3_600_000
  const { rows } = await world.database.pool.query(
    `select 1 from work_event e join work_item i on i.id = e.item_id where i.object_id = $1 and e.action = 'late'`,
    [id],
  )
  expect(rows).toHaveLength(1)
})

test('whom somebody names while he is away decides in his place', async () => {
  await world.database.pool.query(
    `insert into flow_setting (id, group_id, kind, version, mode, nodes, create_by, create_name, create_time)
    select 'named', t.id, 'appApply', 1, 'own', $1::jsonb, 'admin', '平台管理员', now() from tenant t where t.type = 0`,
    [JSON.stringify([await namedStep()])],
  )
  const id = await filed()
  expect((await decide('admin-two', id, 'pass')).status).not.toBe(0)
  await as('admin').call(approvals.appointDeputy, {
    body: { deputyId: 'admin-two', fromTime: '2026-11-20 09:00:00', toTime: '2026-11-21 09:00:00' },
  })
  now += 1_000
  expect(await decide('admin-two', id, 'pass')).toMatchObject({ status: 0 })
  expect(await current()).toHaveLength(1)
})

async function namedStep() {
  const { rows } = await world.database.pool.query<{ id: string }>(`select id from app_user where account = 'admin'`)
  return {
    key: 'platform',
    name: '平台',
    places: ['platform'],
    by: { kind: 'users', userIds: [rows[0]!.id] },
    mode: 'any',
    beside: false,
    when: [],
    hours: null,
    late: 'remind',
    handTo: null,
    mayTransfer: true,
    sign: false,
    copyTo: [],
    locked: true,
  }
}
