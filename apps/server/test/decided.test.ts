import * as alarms from '@zhugong/contract/alarms/endpoints'
import * as notices from '@zhugong/contract/alarms/notices'
import * as devices from '@zhugong/contract/equipment/endpoints'
import { listApprovals, listTodos } from '@zhugong/contract/home/endpoints'
import { login } from '@zhugong/contract/identity/endpoints'
import * as projects from '@zhugong/contract/organisation/projects'
import * as approvals from '@zhugong/contract/workflow/endpoints'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { adoptWaiting, turnLate } from '#domains/workflow/public'
import { createLog } from '#kit/log'
import { createSecrets } from '#kit/secret'
import { type CityWorld, openCity, settleCity } from './city.ts'
import { type Answer, type Caller, testSecretKey, type World } from './world.ts'

/**
 * Devices, suppressions, states of projects and notices, each through its own call and through the general approval call. Who may do what
 * in which state is derived below from the trade and the city, and tried for every account.
 */
let now = Date.parse('2026-11-20T10:00:00+08:00')
const clock = { now: () => now }
let world: World
let city: CityWorld
let site: string
const callers = new Map<string, Caller>()
const as = (account: string) => callers.get(account)!
const everywhere = { projectCode: '*' }
const two = (account: string) => `${account}-two`
const accounts = [
  'hospital-pm',
  'hospital-safety',
  'hospital-labour',
  'hospital-jl',
  'yunze-lu',
  'dingli-cheng',
  'chuyuan-li',
  'zhigu-pm',
  'bj-zhao',
  'city-fang',
  'admin',
] as const
type Account = (typeof accounts)[number]
const verbs = ['pass', 'reject', 'withdraw'] as const
type Verb = (typeof verbs)[number]

const query = async <T>(text: string, values: unknown[] = []): Promise<T[]> => (await world.database.pool.query(text, values)).rows as T[]

/** A second account with the rights and password of the given one. */
async function double(account: string): Promise<Caller> {
  await query(
    `with u as (insert into app_user (id, account, name, password_hash, must_change)
        select $2, $2, name || '乙', password_hash, false from app_user where account = $1 returning id),
      m as (insert into member (id, user_id, group_id, is_default) select $2, u.id, m.group_id, true from u, member m join app_user a on a.id = m.user_id
        where a.account = $1 limit 1 returning id)
    insert into member_role (member_id, role_id) select m.id, mr.role_id from m, member_role mr join member o on o.id = mr.member_id
      join app_user a on a.id = o.user_id where a.account = $1`,
    [account, two(account)],
  )
  const password = city.accounts.find((one) => one.account === account)!.password
  const { token } = await world.anonymous.call(login, { body: { account: two(account), password } })
  return world.caller(token)
}

interface Kind {
  kind: string
  applicant: Account
  /** Accounts that may withdraw it: the applicant, or members of the applicant's group. */
  withdraws: readonly string[]
  deciders: () => readonly Account[]
  /** The account that saves a flow with a second step, and the place of that step. */
  settler: Account
  place: 'platform' | 'site'
  begin(): Promise<string>
  fixed(account: string, id: string, verb: Verb): Promise<Answer>
  /** State of the business record: waiting, passed, refused. */
  standing(id: string): Promise<string>
  stands: { waiting: string; passed: string; refused: string }
  /** A record without an item, as before the engine existed. */
  old(): Promise<string>
  /** Changes the document of a waiting record. */
  alter(id: string): Promise<unknown>
}

let made = 0
const opinion = '按现场情况办理'
const parentOf = (code: string): string | null => city.city.governments.find((one) => one.govCode === code)?.parentGovCode ?? null
/** The accounts of the authorities above the site. */
const authorities = (): Account[] => {
  const project = city.city.projects.find((one) => one.projectCode === site)!
  const line = new Set<string>()
  for (let code: string | null = project.superviseOrg; code; code = parentOf(code)) line.add(code)
  return accounts.filter((one) => line.has(city.city.personas.find((p) => p.account === one)?.govCode ?? ''))
}
const heads = (account: Account): boolean => city.city.personas.some((p) => p.account === account && p.title.includes('处长'))
const leads = (account: Account): boolean => {
  const corpCode = city.city.personas.find((p) => p.account === account)?.corpCode
  return corpCode !== null && city.city.projects.some((p) => p.projectCode === site && p.contractorCorpCode === corpCode)
}

const kinds: Kind[] = [
  {
    kind: 'deviceAccess',
    applicant: 'hospital-pm',
    withdraws: ['hospital-pm'],
    settler: 'admin',
    place: 'platform',
    // Devices are admitted by heads of authorities, not by their officers.
    deciders: () => [...accounts.filter(leads), ...authorities().filter(heads), 'admin'],
    begin: async () => {
      const name = `验收电表 ${++made}`
      const body = { name, deviceSn: `DEC-${made}`, projectCode: site, family: 'electricMeter', access: { protocol: 'http' as const } }
      return (await as('hospital-pm').call(devices.createDevice, { body: { ...body, params: {} } })).id
    },
    fixed: (account, id, verb) =>
      verb === 'withdraw'
        ? general(account, 'deviceAccess', id, verb)
        : as(account).ask(devices.updateDevice, {
            params: { id },
            body: { auditState: verb === 'pass' ? '1' : '2', auditRemark: verb === 'pass' ? undefined : opinion },
          }),
    standing: async (id) => (await query<{ status: string }>('select status from device where id = $1', [id]))[0]!.status,
    stands: { waiting: '0', passed: '1', refused: '2' },
    old: async () => {
      const id = await kinds[0]!.begin()
      await query(`delete from work_item where object_id = $1`, [id])
      return id
    },
    alter: (id) => query(`update device set device_sn = device_sn || 'X' where id = $1`, [id]),
  },
  {
    kind: 'deviceSuppress',
    applicant: 'hospital-pm',
    withdraws: ['hospital-pm'],
    settler: 'hospital-pm',
    place: 'site',
    deciders: () => ['hospital-safety'],
    begin: async () => {
      const deviceId = city.city.devices.find((d) => d.projectCode === site && d.family === 'towerCrane')!.id
      const until = new Date(now + 4 * 3_600_000).toISOString()
      const body = { deviceId, alarmKeys: ['tiltAlarm'], kind: 'jacking' as const, reason: '顶升作业', personName: '周工', until }
      return (await as('hospital-pm').call(alarms.startSuppression, { query: everywhere, body })).id
    },
    fixed: (account, id, verb) =>
      as(account).ask(alarms.actOnSuppression, { params: { id }, query: everywhere, body: { action: verb, opinion } }),
    standing: async (id) => (await query<{ state: string }>('select state from device_suppress where id = $1', [id]))[0]!.state,
    stands: { waiting: '1', passed: '2', refused: '3' },
    old: async () => {
      const id = await kinds[1]!.begin()
      await query(`delete from work_item where object_id = $1`, [id])
      return id
    },
    alter: (id) => query(`update device_suppress set reason = '改了' where id = $1`, [id]),
  },
  {
    kind: 'projectState',
    applicant: 'yunze-lu',
    withdraws: ['yunze-lu'],
    settler: 'admin',
    place: 'platform',
    deciders: () => [...authorities(), 'admin'],
    begin: async () => {
      await query(`delete from work_item where kind = 'projectState'`)
      await query(`delete from project_state_apply`)
      await query(`update project set prj_status = '006', version = 0 where project_code = $1`, [site])
      const body = { projectCode: site, action: 'rework' as const, reason: '幕墙返工重做', version: 0 }
      expect(await as('yunze-lu').call(projects.changeProjectState, { body })).toMatchObject({ prjStatus: '006', waiting: true })
      return (await query<{ id: string }>(`select id from project_state_apply where state = '1'`))[0]!.id
    },
    fixed: async (account, id, verb) => {
      const [row] = await query<{ version: number }>('select version from project_state_apply where id = $1', [id])
      return as(account).ask(projects.decideStateApply, { params: { id }, body: { action: verb, opinion, version: row!.version } })
    },
    standing: async (id) =>
      (
        await query<{ at: string }>(
          `select p.prj_status || x.state as at from project_state_apply x join project p using (project_code) where x.id = $1`,
          [id],
        )
      )[0]!.at,
    stands: { waiting: '0061', passed: '0032', refused: '0063' },
    old: async () => {
      const id = await kinds[2]!.begin()
      await query(`delete from work_item where object_id = $1`, [id])
      return id
    },
    alter: (id) => query(`update project_state_apply set reason = '改了原因' where id = $1`, [id]),
  },
  {
    kind: 'notice',
    applicant: 'city-fang',
    withdraws: ['city-fang'],
    settler: 'hospital-pm',
    place: 'site',
    deciders: () => ['hospital-pm', 'hospital-safety'],
    begin: async () => {
      const deviceId = city.city.devices.find((d) => d.projectCode === site && d.family === 'environment')!.id
      const deadline = new Date(now + 4 * 3_600_000).toISOString()
      const targets = [{ projectCode: site, deviceId, alarmId: null, subject: '1# 扬尘站 PM10 超标' }]
      const body = { kind: 'dust' as const, text: '立即开启喷淋并停止土方作业', deadline, targets }
      return (await as('city-fang').call(notices.sendNotice, { query: { projectCode: '*' }, body })).ids[0]!
    },
    fixed: (account, id, verb) =>
      as(account).ask(notices.actOnNotice, {
        params: { id },
        query: everywhere,
        body: { action: verb === 'pass' ? 'answer' : verb === 'reject' ? 'return' : 'withdraw', text: opinion },
      }),
    standing: async (id) => (await query<{ state: string }>('select state from site_notice where id = $1', [id]))[0]!.state,
    stands: { waiting: '1', passed: '2', refused: '3' },
    old: async () => {
      const id = await kinds[3]!.begin()
      await query(`delete from work_item where object_id = $1`, [id])
      return id
    },
    alter: (id) => query(`update site_notice set text = '改了内容' where id = $1`, [id]),
  },
]

const itemOf = async (id: string) =>
  (
    await query<{ id: string; state: string; version: number }>(
      `select id, state, version from work_item where object_id = $1 order by create_time desc, id desc limit 1`,
      [id],
    )
  )[0]!

/** Decides through the general approval call. */
async function general(account: string, _kind: string, id: string, verb: Verb, more: object = {}): Promise<Answer> {
  const item = await itemOf(id)
  return as(account).ask(approvals.actOnApproval, {
    params: { id: item.id },
    body: { result: verb, opinion, version: item.version, ...more },
  })
}

/** Saves the delivered flow with a second step for one person. */
async function secondStep(bizType: string, settler: string, place: 'platform' | 'site', account: string): Promise<Answer> {
  const [second] = await query<{ id: string }>('select id from app_user where account = $1', [account])
  const { setting } = await as(settler).call(approvals.getFlowSettings, { query: { bizType } })
  const again = { key: 'again', name: '复核', places: [place], by: { kind: 'users' as const, userIds: [second!.id] } }
  return as(settler).ask(approvals.saveFlowSetting, { body: { bizType, mode: 'own', nodes: [...setting!.upper, again], version: 0 } })
}

const deps = () => ({
  db: world.database.kysely,
  clock,
  secrets: createSecrets(testSecretKey),
  log: createLog('test', 'warn'),
})

beforeAll(async () => {
  world = await openCity(inject('postgresUrl'), { clock })
  city = await settleCity(world)
  site = city.city.personas.find((p) => p.account === 'hospital-pm')!.projectCode!
  for (const account of accounts) callers.set(account, await city.as(account))
  for (const account of ['admin', 'hospital-safety']) callers.set(two(account), await double(account))
  // The contractor is made the developer as well, because only the developer applies for states.
  const corpCode = city.city.personas.find((p) => p.account === 'yunze-lu')!.corpCode
  await query('update project set build_corp_code = $2 where project_code = $1', [site, corpCode])
})
afterAll(() => world.close())

describe.each(kinds)('$kind', (k) => {
  const decider = () => k.deciders().at(-1)!
  test.each(['waiting', 'passed', 'refused'] as const)('every act of everybody on one that is %s, by either call', async (state) => {
    const wrong: string[] = []
    for (const way of ['fixed', 'general'] as const)
      for (const account of accounts)
        for (const verb of verbs) {
          const id = await k.begin()
          if (state !== 'waiting') expect(await k.fixed(decider(), id, state === 'passed' ? 'pass' : 'reject')).toMatchObject({ status: 0 })
          const before = await k.standing(id)
          const answer = way === 'fixed' ? await k.fixed(account, id, verb) : await general(account, k.kind, id, verb)
          const may = state === 'waiting' && (verb === 'withdraw' ? k.withdraws.includes(account) : k.deciders().includes(account))
          const reported = `${account} ${verb} ${way} when ${state}`
          if ((answer.status === 0) !== may) wrong.push(`${reported}: ${answer.http} ${answer.status} ${answer.message}`)
          if (answer.status !== 0 && !/\p{Script=Han}{4}/u.test(answer.message)) wrong.push(`${reported} says ${answer.message}`)
          const after = await k.standing(id)
          if (!may && after !== before) wrong.push(`${reported} changed it`)
          if (may && verb === 'pass' && after !== k.stands.passed) wrong.push(`${reported} left it ${after}`)
          if (may && verb === 'reject' && after !== k.stands.refused) wrong.push(`${reported} left it ${after}`)
          if (may && verb === 'withdraw' && after === k.stands.passed) wrong.push(`${reported} left it in force`)
          if (may && (await itemOf(id)).state === '1') wrong.push(`${reported} left its item running`)
        }
    expect(wrong).toEqual([])
  })

  test('it is told of in the list and the to-do of whoever decides, of nobody else, and counted once', async () => {
    await query('delete from work_item')
    const id = await k.begin()
    const item = await itemOf(id)
    for (const account of accounts) {
      const box = await as(account).ask(listApprovals, { query: { box: 'todo', size: 100 } })
      const listed = box.data?.list?.some((one) => one.id === item.id) ?? false
      expect([account, listed]).toEqual([account, k.deciders().includes(account)])
      if (box.status === 0) expect(box.data.counts.todo).toBe(box.data.total)
      if (listed) {
        const { list } = await as(account).call(listTodos, { query: { kind: 'approval', size: 100 } })
        expect([account, list.filter((one) => one.id === `approval:${item.id}`).length]).toEqual([account, 1])
      }
    }
  })

  test('of two at the same moment one decides; the other is told by whom', async () => {
    const id = await k.begin()
    const both = await Promise.all([k.fixed(decider(), id, 'pass'), k.fixed(two(decider()), id, 'reject')])
    expect(both.filter((one) => one.status === 0)).toHaveLength(1)
    expect(both.find((one) => one.status !== 0)?.message).toMatch(/已由 .+ 于 .+ (同意|驳回)|请刷新后再改/)
    expect([k.stands.passed, k.stands.refused]).toContain(await k.standing(id))
  })

  test('a flow that changed while it runs lets it end as it began; the next goes the new way', async () => {
    const id = await k.begin()
    expect(await secondStep(k.kind, k.settler, k.place, two(decider()))).toMatchObject({ status: 0 })
    expect(await k.fixed(decider(), id, 'pass')).toMatchObject({ status: 0 })
    expect(await k.standing(id)).toBe(k.stands.passed)
    const next = await k.begin()
    expect(await k.fixed(decider(), next, 'pass')).toMatchObject({ status: 0 })
    expect(await k.standing(next)).toBe(k.stands.waiting)
    expect(await k.fixed(two(decider()), next, 'pass')).toMatchObject({ status: 0 })
    expect(await k.standing(next)).toBe(k.stands.passed)
    await query('delete from flow_setting where kind = $1', [k.kind])
  })

  test('what waited before there was a flow begins one, once, and is decided as the others are', async () => {
    const id = await k.old()
    await adoptWaiting(deps())
    const item = await itemOf(id)
    expect(item).toMatchObject({ state: '1' })
    await adoptWaiting(deps())
    expect((await itemOf(id)).id).toBe(item.id)
    // Applicants do not decide their own items, whether adopted or not.
    expect((await k.fixed(k.applicant, id, 'pass')).status).not.toBe(0)
    expect(await k.fixed(decider(), id, 'pass')).toMatchObject({ status: 0 })
    expect(await k.standing(id)).toBe(k.stands.passed)
    // The first decision also starts the flow.
    const other = await k.old()
    expect(await k.fixed(decider(), other, 'pass')).toMatchObject({ status: 0 })
    expect(await k.standing(other)).toBe(k.stands.passed)
  })

  test('nobody agrees to another thing than was asked for', async () => {
    const id = await k.begin()
    await k.alter(id)
    expect(await k.fixed(decider(), id, 'pass')).toMatchObject({ message: '单据在提交后已有变化，请由发起人重新提交' })
    expect(await k.standing(id)).toBe(k.stands.waiting)
    expect(await k.fixed(decider(), id, 'reject')).toMatchObject({ status: 0 })
  })

  test('it is handed on, asked for besides, urged and late as every other', async () => {
    const id = await k.begin()
    const [other] = await query<{ id: string }>('select id from app_user where account = $1', [two(decider())])
    expect(await general(k.applicant, k.kind, id, 'pass', { result: 'urge' })).toMatchObject({ status: 0 })
    expect(await general(decider(), k.kind, id, 'pass', { result: 'addSign', addSign: [other!.id] })).toMatchObject({ status: 0 })
    expect(await general(decider(), k.kind, id, 'pass')).toMatchObject({ status: 0 })
    expect(await k.standing(id)).toBe(k.stands.waiting)
    now += 130 * 3_600_000
    await turnLate(deps())
    now -= 130 * 3_600_000
    const { events } = await as(decider()).call(approvals.getApproval, { params: { id: (await itemOf(id)).id } })
    expect(events.map((one) => one.action)).toEqual(expect.arrayContaining(['submit', 'urge', 'addSign', 'pass', 'late']))
    expect(await general(two(decider()), k.kind, id, 'pass')).toMatchObject({ status: 0 })
    expect(await k.standing(id)).toBe(k.stands.passed)
  })
})

test('what is changed while it waits begins again, over what it is now; gone, it waits for nobody', async () => {
  const id = await kinds[0]!.begin()
  const { id: item } = await itemOf(id)
  await as('hospital-pm').call(devices.updateDevice, { params: { id }, body: { params: { ratio: 40 } } })
  const seen = await as('admin').call(approvals.getApproval, { params: { id: item } })
  expect(seen.changed).toEqual([])
  expect(seen.events.map((one) => one.action)).toEqual(['submit', 'renew'])
  // A reviewer who corrects the record decides on the corrected record.
  expect(await as('admin').ask(devices.updateDevice, { params: { id }, body: { auditState: '1', installPlace: '配电房' } })).toMatchObject({
    status: 0,
  })
  expect(await kinds[0]!.standing(id)).toBe('1')
  const gone = await kinds[0]!.begin()
  const { id: last } = await itemOf(gone)
  await as('hospital-pm').call(devices.removeDevice, { params: { id: gone } })
  expect((await query<{ state: string }>('select state from work_item where id = $1', [last]))[0]).toEqual({ state: '4' })
})

test('an order is written with its item, and with two steps it waits for the second', async () => {
  await kinds[2]!.begin()
  await query(`delete from work_item where kind = 'projectState'`)
  await query(`delete from project_state_apply`)
  const order = (action: 'rework' | 'accept', version: number) =>
    as('admin').call(projects.changeProjectState, { body: { projectCode: site, action, reason: '按监督要求办理', version } })
  expect(await order('rework', 0)).toEqual({ prjStatus: '003', version: 1 })
  const [item] = await query<{ id: string; state: string }>(`select id, state from work_item where kind = 'projectState'`)
  expect(item).toMatchObject({ state: '2' })
  const { events, steps } = await as('admin').call(approvals.getApproval, { params: { id: item!.id } })
  expect(events.map((one) => one.action)).toEqual(['submit', 'order'])
  expect(steps).toMatchObject([{ state: '2', seats: [{ state: '2' }] }])
  await secondStep('projectState', 'admin', 'platform', 'admin-two')
  await query(`update project set prj_status = '006' where project_code = $1`, [site])
  expect(await order('accept', 1)).toEqual({ prjStatus: '006', version: 1, waiting: true })
})
