import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { submitExport } from '@zhugong/contract/exports/endpoints'
import { listApprovals, listTodos } from '@zhugong/contract/home/endpoints'
import type { InputFor } from '@zhugong/contract/kit/endpoint'
import * as calls from '@zhugong/contract/workflow/endpoints'
import type { FlowNodeInput } from '@zhugong/contract/workflow/flow'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { formatInstant } from '#kit/clock'
import { type Database, openDatabase } from '#kit/db'
import { createLog } from '#kit/log'
import { greyPng } from '#kit/png'
import { createSecrets } from '#kit/secret'
import { type CityWorld, openCity, settleCity } from '../../../test/city.ts'
import { type Caller, testSecretKey, type World } from '../../../test/world.ts'
import { runExport } from '../exports/run-export.ts'
import { inTheNameOf } from './context-for-test.ts'
import { registerKind } from './kinds.ts'
import { turnLate } from './late.ts'
import type { Decision } from './model.ts'
import { startFlow } from './start.ts'

/**
 * A test kind whose records are entries of a map. It exercises every rule of the engine through the real endpoints. Who may do what in
 * which state is derived below from the specification and tried for every account.
 */
let now = Date.parse('2026-11-20T10:00:00+08:00')
const clock = { now: () => now }
let world: World
let settled: CityWorld
let databases: { requests: Database; system: Database }
let projectCode: string

const things = new Map<string, { text: string; state: string; heard: Decision[] }>()
const accounts = ['hospital-labour', 'hospital-pm', 'yunze-lu', 'hospital-jl', 'city-fang', 'admin'] as const
type Account = (typeof accounts)[number]
const callers = new Map<string, Caller>()
const as = (account: Account) => callers.get(account)!
const users = new Map<string, { userId: string; groupId: string; name: string }>()

const site: FlowNodeInput = { key: 'site', name: '项目', places: ['site'], by: { kind: 'code', code: 'attendance.approve' }, hours: 24 }
const company: FlowNodeInput = { key: 'company', name: '企业', places: ['leader'], by: { kind: 'code', code: 'attendance.approve' } }
const review: FlowNodeInput = { key: 'review', name: '监理', places: ['supervisor'], by: { kind: 'code', code: 'attendance.approve' } }

function kindOf(kind: string, flow: FlowNodeInput[], more: object = {}) {
  registerKind({
    kind,
    name: kind,
    prefix: kind.toUpperCase(),
    facts: { days: { label: '天数', type: 'number' } },
    flow,
    reads: ['project.view'],
    link: () => '/main',
    document: async (_, id) => {
      const thing = things.get(id)
      return thing && { fields: [{ label: '内容', value: thing.text }] }
    },
    decided: async (_, item, decision) => {
      const thing = things.get(item.objectId)!
      thing.heard.push(decision)
      thing.state = decision.state
    },
    ...more,
  })
}

let made = 0
async function begin(kind: string, by: Account = 'hospital-labour', facts = {}): Promise<string> {
  const objectId = `thing-${++made}`
  things.set(objectId, { text: '原文', state: '1', heard: [] })
  const who = users.get(by)!
  const started = await inTheNameOf(databases, clock, who, (ctx) =>
    startFlow(ctx, { kind, groupId: who.groupId, projectCode, objectId, title: `${kind} ${objectId}`, facts }),
  )
  return started.itemId
}
const thingOf = async (id: string) => {
  const { rows } = await world.database.pool.query<{ o: string }>('select object_id as o from work_item where id = $1', [id])
  return things.get(rows[0]!.o)!
}
const look = (account: Account, id: string) => as(account).call(calls.getApproval, { params: { id } })
type Body = Partial<InputFor<typeof calls.actOnApproval>['body']> & Pick<InputFor<typeof calls.actOnApproval>['body'], 'result'>
async function act(account: Account, id: string, body: Body) {
  const { rows } = await world.database.pool.query<{ version: number }>('select version from work_item where id = $1', [id])
  return as(account).ask(calls.actOnApproval, { params: { id }, body: { version: rows[0]!.version, ...body } })
}
const state = async (id: string) =>
  (await world.database.pool.query<{ state: string; node: string }>('select state, node from work_item where id = $1', [id])).rows[0]!

beforeAll(async () => {
  world = await openCity(inject('postgresUrl'), { clock })
  settled = await settleCity(world)
  databases = { requests: openDatabase(world.config.databaseUrl ?? ''), system: openDatabase(world.config.databaseUrl ?? '') }
  projectCode = settled.city.personas.find((p) => p.account === 'hospital-pm')!.projectCode!
  for (const account of accounts) callers.set(account, await settled.as(account))
  const { rows } = await world.database.pool.query<{ account: string; userId: string; groupId: string; name: string }>(
    `select u.account, u.id as "userId", u.name, s.group_id as "groupId" from app_user u join session s on s.user_id = u.id where u.account = any ($1)`,
    [accounts],
  )
  for (const row of rows) users.set(row.account, row)
  kindOf('chain', [site, company, review])
  kindOf('together', [site, { ...company, beside: true }], { apart: true })
  kindOf('drawn', [{ ...site, sign: true }], { again: true })
  kindOf('nobody', [{ key: 'n', name: '无人', places: ['site'], by: { kind: 'post', post: '没有这个岗位' } }])
  kindOf('late', [{ ...site, hours: 2, late: 'raise' }])
  kindOf('one', [site, { ...site, key: 'again', name: '复核' }, company])
  kindOf('batch', [site], { batch: true })
})
afterAll(async () => {
  await databases.requests.close()
  await databases.system.close()
  await world.close()
})

/** The approver of each seat in `chain`, derived from the city's data, not from the engine. */
const seats: Readonly<Record<string, Account>> = { site: 'hospital-pm', company: 'yunze-lu', review: 'hospital-jl' }
const places = ['site', 'company', 'review'] as const
const verbs = ['pass', 'reject', 'transfer', 'addSign', 'withdraw', 'urge'] as const

test('an item goes through its steps, is told of, listed, counted, and ends with what was written', async () => {
  const id = await begin('chain')
  const before = await as('hospital-pm').call(listApprovals, { query: { box: 'todo' } })
  expect(before.list.map((r) => r.id)).toContain(id)
  expect(before.counts.todo).toBe(before.total)
  expect((await as('hospital-pm').call(listTodos, { query: { kind: 'approval', size: 100 } })).list.map((t) => t.id)).toContain(
    `approval:${id}`,
  )
  const seen = await look('hospital-pm', id)
  // Steps not yet open are listed too.
  expect(seen.steps.map((s) => [s.name, s.state])).toEqual([
    ['项目', '1'],
    ['企业', '0'],
    ['监理', '0'],
  ])
  expect(seen.steps[1]!.seats[0]!.name).toContain(users.get('yunze-lu')!.name)
  for (const place of places) await act(seats[place]!, id, { result: 'pass', opinion: '属实' })
  expect(await state(id)).toEqual({ state: '2', node: '' })
  expect(await thingOf(id)).toMatchObject({ state: '2' })
  const after = await as('hospital-pm').call(listApprovals, { query: { box: 'todo' } })
  expect(after.list.map((r) => r.id)).not.toContain(id)
  expect((await as('hospital-pm').call(listApprovals, { query: { box: 'done' } })).list[0]).toMatchObject({ id })
  expect((await as('hospital-labour').call(listApprovals, { query: { box: 'mine', state: '2' } })).list.map((r) => r.id)).toContain(id)
  const { rows } = await world.database.pool.query<{ n: number }>(
    `select count(*)::int as n from message where link = $1 and user_id = $2`,
    [`/workbench/approvalDetail?id=${id}`, users.get('hospital-labour')!.userId],
  )
  expect(rows[0]!.n).toBe(1)
})

describe('every state, act and person', () => {
  test.each([...places, 'passed', 'rejected', 'withdrawn'] as const)(
    'an item at %s allows what its seat allows, to nobody else',
    async (at) => {
      const wrong: string[] = []
      for (const account of accounts) {
        for (const verb of verbs) {
          const id = await begin('chain')
          for (const place of places) {
            if (place === at || at === 'rejected' || at === 'withdrawn') break
            expect(await act(seats[place]!, id, { result: 'pass' })).toMatchObject({ status: 0 })
          }
          if (at === 'rejected') await act('hospital-pm', id, { result: 'reject', opinion: '不属实' })
          if (at === 'withdrawn') await act('hospital-labour', id, { result: 'withdraw' })
          const runs = at in seats
          const sits = runs && seats[at] === account
          const requested = account === 'hospital-labour'
          const { rows: people } = await world.database.pool.query<{ id: string }>(
            `select m.user_id as id from member m where m.group_id = $1 and m.user_id <> $2 and m.user_id <> $3 and m.enable = '1'
             and not exists (select 1 from work_approver a where a.user_id = m.user_id and a.item_id = $4) limit 1`,
            [users.get(account)!.groupId, users.get(account)!.userId, users.get('hospital-labour')!.userId, id],
          )
          const other = people[0]?.id ?? users.get(account)!.userId
          const expected =
            (sits && ['pass', 'reject'].includes(verb)) ||
            (sits && ['transfer', 'addSign'].includes(verb) && people.length > 0) ||
            (runs && requested && (verb === 'urge' || (verb === 'withdraw' && at === 'site')))
          const answer = await act(account, id, { result: verb, opinion: '如实办理', transferTo: other, addSign: [other] })
          if ((answer.status === 0) !== expected) wrong.push(`${account} ${verb} at ${at}: ${answer.status} ${answer.message}`)
          if (answer.status !== 0 && !/\p{Script=Han}{4}/u.test(answer.message))
            wrong.push(`${account} ${verb} at ${at} says ${answer.message}`)
          // The actions shown must be exactly those permitted.
          if (answer.status !== 0 && runs) {
            const { data } = await as(account).ask(calls.getApproval, { params: { id } })
            if (data?.actions?.includes(verb) && !(people.length === 0)) wrong.push(`${account} is offered ${verb} at ${at} in vain`)
          }
          if (expected && verb === 'pass') expect((await thingOf(id)).heard.at(-1)).toMatchObject({ act: 'pass', node: { key: at } })
        }
      }
      expect(wrong).toEqual([])
    },
  )
})

test('of two at the same moment one wins, and the other is told by whom it was done', async () => {
  const id = await begin('chain')
  const { userId, groupId } = users.get('hospital-labour')!
  expect(groupId).toBe(users.get('hospital-pm')!.groupId)
  expect(userId).not.toBe(users.get('hospital-pm')!.userId)
  const both = await Promise.all(
    [1, 2].map(() => as('hospital-pm').ask(calls.actOnApproval, { params: { id }, body: { result: 'pass', version: 0 } })),
  )
  expect(both.map((a) => a.status).sort()).toEqual([0, 4])
  const lost = both.find((a) => a.status !== 0)!
  expect(lost.message).toBe(`已由 ${users.get('hospital-pm')!.name} 于 ${formatInstant(now).slice(11, 16)} 同意，请刷新后再办理`)
  expect((await thingOf(id)).heard).toHaveLength(1)
})

test('steps beside each other run at once, and nobody speaks twice', async () => {
  const id = await begin('together')
  expect((await state(id)).node).toBe('项目、企业')
  expect(await act('yunze-lu', id, { result: 'pass' })).toMatchObject({ status: 0 })
  expect((await state(id)).node).toBe('项目')
  expect(await act('hospital-pm', id, { result: 'pass' })).toMatchObject({ status: 0, data: { state: '2' } })
})

test('whoever would be asked at once again is passed, and it is noted', async () => {
  const id = await begin('one')
  await act('hospital-pm', id, { result: 'pass' })
  const { steps } = await look('hospital-pm', id)
  expect(steps[1]).toMatchObject({ name: '复核', state: '4', note: `与上一步同为 ${users.get('hospital-pm')!.name}，已合并` })
  expect((await state(id)).node).toBe('企业')
})

test('sent back to an earlier step it goes on from there, and what was said stays', async () => {
  const id = await begin('chain')
  await act('hospital-pm', id, { result: 'pass', opinion: '第一次' })
  expect(await act('yunze-lu', id, { result: 'reject', opinion: '再核一次', returnTo: 'review' })).toMatchObject({
    status: 2,
    message: '只能退回到之前的步骤',
  })
  expect(await act('yunze-lu', id, { result: 'reject', opinion: '再核一次', returnTo: 'site' })).toMatchObject({ status: 0 })
  expect(await state(id)).toEqual({ state: '1', node: '项目' })
  const { events } = await look('hospital-pm', id)
  expect(events.map((e) => [e.actionName, e.opinion])).toEqual([
    ['发起', null],
    ['同意', '第一次'],
    ['退回', '再核一次'],
  ])
  for (const place of places) expect(await act(seats[place]!, id, { result: 'pass' })).toMatchObject({ status: 0 })
  expect((await state(id)).state).toBe('2')
})

test('a name drawn by hand holds for the document it was drawn under, and for no other', async () => {
  const png = `data:image/png;base64,${greyPng(new Uint8Array(40 * 20).fill(200), 40, 20).toString('base64')}`
  const id = await begin('drawn')
  expect((await look('hospital-pm', id)).sign).toBe(true)
  expect(await act('hospital-pm', id, { result: 'pass' })).toMatchObject({ status: 2, message: '此步骤须手写签名' })
  for (const broken of [`data:image/png;base64,${Buffer.alloc(100).toString('base64')}`, png.slice(0, -12)])
    expect(await act('hospital-pm', id, { result: 'pass', signature: broken })).toMatchObject({ message: '签名图片不正确，请重新签名' })
  ;(await thingOf(id)).text = '改了'
  const changed = await act('hospital-pm', id, { result: 'pass', signature: png })
  expect(changed).toMatchObject({ status: 4, message: '单据在提交后已有变化，请由发起人重新提交' })
  expect(changed.data).toMatchObject({ differences: [{ label: '内容', before: '原文', after: '改了' }] })
  expect((await look('hospital-pm', id)).changed).toEqual([{ label: '内容', before: '原文', after: '改了' }])
  await act('hospital-pm', id, { result: 'reject', opinion: '请重新提交' })
  const { version } = await look('hospital-labour', id)
  const again = { params: { id }, body: { action: 'resubmit' as const, version } }
  expect(await as('hospital-pm').ask(calls.changeApproval, again)).toMatchObject({ message: '只有申请人可以重新提交' })
  await as('hospital-labour').call(calls.changeApproval, again)
  expect(await act('hospital-pm', id, { result: 'pass', signature: png })).toMatchObject({ status: 0, data: { state: '2' } })
  expect((await look('hospital-labour', id)).signatures).toMatchObject([{ valid: true, name: users.get('hospital-pm')!.name }])
  await world.database.pool.query(`update work_item set hash = repeat('0', 64) where id = $1`, [id])
  expect((await look('hospital-labour', id)).signatures).toMatchObject([{ valid: false }])
})

test('what happened and what was signed are added to, never changed', async () => {
  for (const table of ['work_event', 'work_signature'])
    for (const text of [`update ${table} set user_name = 'x'`, `delete from ${table}`])
      await expect(databases.requests.pool.query(text)).rejects.toThrow('permission denied')
})

test('a step without anybody goes to the administrators, and says so', async () => {
  const id = await begin('nobody')
  const [step] = (await look('hospital-labour', id)).steps
  expect(step).toMatchObject({ state: '1', note: '未找到审批人，已转管理员' })
  expect(step!.seats.every((s) => s.origin === 'fallback')).toBe(true)
  const { rows } = await world.database.pool.query<{ n: number }>('select count(*)::int as n from work_approver where item_id = $1', [id])
  expect(rows[0]!.n).toBeGreaterThan(0)
})

test('who stands in decides for him as long as it is agreed, and it is said for whom', async () => {
  const { rows } = await world.database.pool.query<{ id: string; account: string }>(
    `select u.id, u.account from member m join app_user u on u.id = m.user_id where m.group_id = $1 and u.account <> all ($2) and m.enable = '1' limit 1`,
    [users.get('hospital-pm')!.groupId, accounts],
  )
  const deputy = rows[0]!
  const caller = await settled.as(deputy.account)
  const id = await begin('chain')
  const pass = () => caller.ask(calls.actOnApproval, { params: { id }, body: { result: 'pass', version: 0 } })
  expect((await pass()).status).not.toBe(0)
  const from = '2026-11-20 09:00:00'
  await as('hospital-pm').call(calls.appointDeputy, { body: { deputyId: deputy.id, fromTime: from, toTime: '2026-11-21 09:00:00' } })
  expect(
    await as('hospital-pm').ask(calls.appointDeputy, { body: { deputyId: deputy.id, fromTime: from, toTime: '2026-11-22 09:00:00' } }),
  ).toMatchObject({
    message: '此时间内已有委托，请先结束',
  })
  // A deputy needs the permission to decide, and acts for the person replaced.
  const { groupId, userId, name } = users.get('hospital-pm')!
  const { pool } = world.database
  await pool.query(`insert into role (id, group_id, groups_type, name, codes) values ('stand-in', $1, 3, '办理', $2)`, [
    groupId,
    ['project.view', 'approval.view', 'approval.audit'],
  ])
  await pool.query(
    `insert into member_role (member_id, role_id) select m.id, 'stand-in' from member m where m.user_id = $1 and m.group_id = $2`,
    [deputy.id, groupId],
  )
  // Nobody decides on behalf of someone who has lost the right or left, whatever the term of the deputation.
  const roleOff = (enable: string) =>
    pool.query(`update member_role set enable = $1 where member_id = (select id from member where user_id = $2 and group_id = $3)`, [
      enable,
      userId,
      groupId,
    ])
  await roleOff('0')
  now += 1_000
  expect((await pass()).status).not.toBe(0)
  await roleOff('1')
  now += 1_000
  expect(await pass()).toMatchObject({ status: 0 })
  expect((await look('hospital-labour', id)).events.map((one) => one.note)).toContainEqual(expect.stringContaining(`代 ${name}`))
  const { list } = await as('hospital-pm').call(calls.listDeputies)
  await as('hospital-pm').call(calls.endDeputy, { params: { id: list[0]!.id } })
  expect((await as('hospital-pm').call(calls.listDeputies)).list[0]!.running).toBe(false)
})

test('a step whose time is over is reminded of once and raised', async () => {
  const id = await begin('late')
  const deps = { db: databases.system.kysely, clock, secrets: createSecrets(testSecretKey), log: createLog('test', 'warn') }
  now += 3 * 3_600_000
  await turnLate(deps)
  expect(await turnLate(deps)).toBe(0)
  now -= 3 * 3_600_000
  const { events, steps } = await look('hospital-labour', id)
  expect(events.filter((e) => e.action === 'late')).toHaveLength(1)
  expect(steps[0]!.seats.some((s) => s.origin === 'late')).toBe(true)
})

test('it comes as a list and as a sheet of paper', async () => {
  const id = await begin('batch')
  await act('hospital-pm', id, { result: 'pass', opinion: '同意' })
  const folder = mkdtempSync(join(tmpdir(), 'zg-approval-'))
  const deps = { database: world.database, clock, secrets: createSecrets(testSecretKey), log: createLog('test', 'warn'), folder }
  for (const [feature, exportType, query] of [
    ['approvalSheet', 'pdf', { id }],
    ['approval', 'xlsx', { box: 'done' }],
  ] as const) {
    const task = await as('hospital-pm').call(submitExport, { body: { feature, exportType, query } })
    await runExport(deps, task.id)
    expect(readFileSync(join(folder, `${task.id}.${exportType}`)).length).toBeGreaterThan(2_000)
  }
  rmSync(folder, { recursive: true })
})

describe('settings', () => {
  const saved = (account: Account, body: object) =>
    as(account).ask(calls.saveFlowSetting, { body: { bizType: 'chain', mode: 'own', version: 0, nodes: [], ...body } as never })

  test('a flow that changed while an item runs lets it end as it began; the next goes the new way', async () => {
    const running = await begin('chain')
    expect(await saved('hospital-labour', { nodes: [site] })).toMatchObject({ http: 403 })
    expect(await saved('hospital-pm', { nodes: [] })).toMatchObject({ message: '请至少设置一个步骤' })
    expect(await saved('hospital-pm', { nodes: [{ ...site, when: [{ fact: 'price', op: '>', value: 3 }] }] })).toMatchObject({
      message: '项目：条件所用的内容在此业务中没有',
    })
    expect(await saved('hospital-pm', { nodes: [{ ...site, when: [{ fact: 'days', op: '>', value: 3 }] }] })).toMatchObject({
      message: '至少有一个步骤不设条件，否则可能无人审批',
    })
    expect(await saved('hospital-pm', { mode: 'none' })).toMatchObject({ message: '此业务不能免审' })
    expect(await saved('hospital-pm', { nodes: [site] })).toMatchObject({ status: 0, data: { version: 1 } })
    expect(await saved('hospital-pm', { nodes: [company] })).toMatchObject({ status: 4, message: expect.stringContaining('保存为第 1 版') })
    await act('hospital-pm', running, { result: 'pass' })
    expect((await state(running)).node).toBe('企业')
    const fresh = await begin('chain')
    expect(await act('hospital-pm', fresh, { result: 'pass' })).toMatchObject({ data: { state: '2' } })
    const { setting } = await as('hospital-pm').call(calls.getFlowSettings, { query: { bizType: 'chain' } })
    expect(setting).toMatchObject({ mode: 'own', version: 1, nodes: [{ key: 'site' }], from: null })
    expect(setting!.resolved[0]!.people.map((p) => p.name)).toContain(users.get('hospital-pm')!.name)
  })

  test('what is locked above stays below, whoever saved what before', async () => {
    expect(await saved('admin', { nodes: [{ ...site }, { ...company, locked: true }] })).toMatchObject({ status: 0 })
    const { setting } = await as('hospital-pm').call(calls.getFlowSettings, { query: { bizType: 'chain' } })
    expect(setting!.locked).toEqual(['company'])
    expect(await saved('hospital-pm', { version: 1, nodes: [site] })).toMatchObject({ message: '不能去掉上级锁定的步骤：企业' })
    expect(await saved('hospital-pm', { version: 1, nodes: [site, { ...company, places: ['site'], locked: true }] })).toMatchObject({
      message: '不能改动上级锁定的步骤：企业',
    })
    // The site's older setting was saved before the lock, which applies all the same.
    const id = await begin('chain')
    await act('hospital-pm', id, { result: 'pass' })
    expect((await state(id)).node).toBe('企业')
  })

  test('who would be asked is tried with a sample, and nothing is begun', async () => {
    const { rows: before } = await world.database.pool.query('select count(*)::int as n from work_item')
    const { steps } = await as('hospital-pm').call(calls.tryFlow, {
      body: {
        bizType: 'chain',
        nodes: [site, { ...company, when: [{ fact: 'days', op: '>', value: 3 }] }] as never,
        applicantId: users.get('hospital-pm')!.userId,
        facts: { days: 2 },
      },
    })
    expect(steps.map((s) => [s.key, s.meant])).toEqual([
      ['site', true],
      ['company', false],
    ])
    // Applicants do not decide on their own items.
    expect(steps[0]!.people.map((p) => p.name)).not.toContain(users.get('hospital-pm')!.name)
    expect((await world.database.pool.query('select count(*)::int as n from work_item')).rows).toEqual(before)
  })

  test('a company copies its setting to the sites it runs, and to no other', async () => {
    const { rows } = await world.database.pool.query<{ code: string }>(
      `select project_code as code from project p where not exists (select 1 from project_corp pc join tenant t on t.code = pc.corp_code
         where pc.project_code = p.project_code and t.id = $1) limit 1`,
      [users.get('yunze-lu')!.groupId],
    )
    await world.database.pool.query(
      `insert into member_role (member_id, role_id) select m.id, r.id from member m, role r where m.user_id = $1 and m.group_id = $2 and r.name = '企业管理员' and r.group_id is null on conflict do nothing`,
      [users.get('yunze-lu')!.userId, users.get('yunze-lu')!.groupId],
    )
    now += 1_000
    expect(await saved('yunze-lu', { bizType: 'batch', nodes: [site], copyTo: [rows[0]!.code] })).toMatchObject({
      status: 2,
    })
    expect(await saved('yunze-lu', { bizType: 'batch', nodes: [site], copyTo: [projectCode] })).toMatchObject({
      status: 0,
      data: { copied: 1 },
    })
    const { setting } = await as('hospital-pm').call(calls.getFlowSettings, { query: { bizType: 'batch' } })
    expect(setting).toMatchObject({ mode: 'own', version: 1 })
  })
})
