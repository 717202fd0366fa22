import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { submitExport } from '@zhugong/contract/exports/endpoints'
import { listTodos } from '@zhugong/contract/home/endpoints'
import { changeRectify, createRectify } from '@zhugong/contract/rectify/calls'
import { changeStop, createStop, getStop, listStops, removeStop, stopStart } from '@zhugong/contract/stops/calls'
import { resumeItems, type StopAction, stopMoves } from '@zhugong/contract/stops/moves'
import { signStop } from '@zhugong/contract/stops/seats'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest'
import { newId } from '#kit/ids'
import { createLog } from '#kit/log'
import { createSecrets } from '#kit/secret'
import { type CityWorld, openCity, settleCity } from '../../../test/city.ts'
import { storedFile, strokes } from '../../../test/givens.ts'
import { type Caller, testSecretKey, type World } from '../../../test/world.ts'
import { findStates } from '../attendance/facts-store.ts'
import { runExport } from '../exports/run-export.ts'
import { climbLadders } from '../process/public.ts'
import { beginComing, stopLadder, watchStopped } from './public.ts'

let world: World
let settled: CityWorld
let projectCode = ''
let contractorCode = ''
/** The owner of a site, its supervisor, its authority's head, and everybody who may not. */
const cast = {
  owner: 'weijian-xia',
  supervisor: 'hospital-jl',
  head: 'bj-wu',
  city: 'city-fang',
  officer: 'bj-zhao',
  site: 'hospital-pm',
  contractor: 'yunze-lu',
  subcontractor: 'dingli-cheng',
  otherOwner: 'jiangtan-he',
  otherDistrict: 'yd-wang',
  stranger: 'zhigu-pm',
} as const
type Who = keyof typeof cast
const everybody = Object.keys(cast) as Who[]
const as = {} as Record<Who, Caller>
const files = {} as Record<Who, string>
const query = () => ({ projectCode })

beforeAll(async () => {
  world = await openCity(inject('postgresUrl'))
  settled = await settleCity(world)
  projectCode = settled.city.personas.find((p) => p.account === 'hospital-pm')?.projectCode ?? ''
  contractorCode = settled.city.personas.find((p) => p.account === 'yunze-lu')?.corpCode ?? ''
  const db = world.database.kysely
  for (const [who, account] of Object.entries(cast) as [Who, string][]) {
    as[who] = await settled.as(account)
    const { rows } = await sql<{ id: string }>`select t.id from app_user u join member m on m.user_id = u.id
      join tenant t on t.id = m.group_id where u.account = ${account} and m.is_default`.execute(db)
    files[who] = await storedFile(world, rows[0]?.id ?? '')
  }
  // The neighbouring district has the right, but not for this project.
  await sql`insert into member_role (member_id, role_id) select m.id, r.id from member m join app_user u on u.id = m.user_id and u.account = 'yd-wang',
    role r where r.groups_type = 1 and r.name = '科室负责人' and r.group_id is null on conflict do nothing`.execute(db)
})
afterAll(() => world.close())

/** A project under construction, without stops, notices, teams or people that stand in a way. */
async function fresh(state = '003'): Promise<void> {
  const db = world.database.kysely
  for (const table of ['project_stop', 'stopapply', 'rectify'])
    await sql`delete from ${sql.table(table)} where project_code = ${projectCode}`.execute(db)
  await sql`delete from process_todo where project_code = ${projectCode}`.execute(db)
  await sql`update project set prj_status = ${state} where project_code = ${projectCode}`.execute(db)
  if (state === '005')
    await sql`insert into project_stop (id, project_code, source, source_id, from_day) values ('before', ${projectCode}, 'former', 'before', current_date - 30)`.execute(
      db,
    )
}
beforeEach(() => fresh())

const later = (days: number) => new Date(Date.now() + 8 * 3_600_000 + days * 86_400_000).toISOString().slice(0, 10)
const prjStatus = async () => {
  const { rows } = await sql<{ prjStatus: string }>`select prj_status from project where project_code = ${projectCode}`.execute(
    world.database.kysely,
  )
  return rows[0]?.prjStatus
}

const stop = (who: Who, more: object = {}) => ({
  action: 'submit' as const,
  type: '1' as const,
  reasonType: '3',
  reason: '春节放假，主体作业面全部停工',
  stopDate: later(0),
  planResumeDate: later(20),
  ongoingParts: '主体结构三层，临边防护已封闭',
  guardPersons: '周大勇',
  attachments: [files[who]],
  ...more,
})
const resume = (who: Who, more: object = {}) => ({
  action: 'submit' as const,
  type: '2' as const,
  reason: '节后人员已返场，申请恢复施工',
  checks: resumeItems.map(({ item }) => ({ item, passed: true, photos: [files[who]] })),
  attachments: [files[who]],
  ...more,
})
const end = (who: Who, more: object = {}) => ({
  action: 'submit' as const,
  type: '3' as const,
  reason: '工程已完工并通过竣工验收',
  completeCert: [files[who]],
  attachments: [files[who]],
  ...more,
})
type Given = ReturnType<typeof stop> | ReturnType<typeof resume> | ReturnType<typeof end>
const ask = (who: Who, body: object) => as[who].ask(createStop, { query: query(), body: body as never })
const apply = async (body: Given) => (await as.owner.call(createStop, { query: query(), body: body as never })).id
const read = (who: Who, id: string) => as[who].call(getStop, { params: { id }, query: query() })
async function act(who: Who, id: string, action: StopAction, more: object = {}) {
  const { rows } = await sql<{ version: number }>`select version from stopapply where id = ${id}`.execute(world.database.kysely)
  return as[who].ask(changeStop, { params: { id }, query: query(), body: { version: rows[0]?.version ?? 0, action, ...more } as never })
}
const allGood = { findings: resumeItems.map(({ item }) => ({ item, passed: true })) }
const decided = async (body: Given, last: StopAction = 'approve') => {
  const id = await apply(body)
  expect((await act('supervisor', id, 'agree', { opinion: '属实' })).status).toBe(0)
  expect(await act('head', id, last, { opinion: '同意' })).toMatchObject({ status: 0 })
  return id
}
const resumed = async () => {
  const id = await apply(resume('owner'))
  await act('supervisor', id, 'agree', {})
  await act('head', id, 'arrange', { checkDate: later(1), officer: '吴静', second: '赵启明' })
  return { id, answer: await act('head', id, 'pass', allGood) }
}

describe('from stop to end', () => {
  test('a stop goes from the owner over 监理 to the authority, and the project stops with its attendance', async () => {
    const id = await apply(stop('owner'))
    const submitted = await read('supervisor', id)
    expect(submitted.code).toMatch(/-TFG-\d{4}-\d{3}$/)
    expect(submitted.effects.map((one) => one.label)).toEqual(expect.arrayContaining(['项目状态', '考勤', '起重机械', '文书']))
    expect(submitted.actions.map((one) => one.action).toSorted()).toEqual(['agree', 'reject'])
    expect(await prjStatus()).toBe('003')
    await act('supervisor', id, 'agree', { opinion: '措施到位' })
    expect((await read('head', id)).actions.map((one) => one.action).toSorted()).toEqual(['approve', 'reject'])
    await act('head', id, 'approve', { opinion: '同意' })
    expect(await prjStatus()).toBe('005')
    const passed = await read('owner', id)
    expect([passed.state, passed.stopping, passed.actions, passed.effects]).toEqual(['4', true, [], []])
    expect(passed.docCode).toMatch(/中止〔\d{4}〕第\d{4}号$/)
    expect(passed.timeline.map((one) => one.action)).toEqual(['submit', 'agree', 'approve'])
    expect((await findStates(world.database.kysely, projectCode)).at(-1)?.state).toBe('005')
  })

  test('a stop that keeps the attendance stops the project, not its attendance', async () => {
    await decided(stop('owner', { affectAttendance: false }))
    expect(await prjStatus()).toBe('005')
    expect((await findStates(world.database.kysely, projectCode)).at(-1)?.state).toBe('003')
    // A notice stops the attendance as well, until it has ended.
    const notice = await orderStop()
    expect((await findStates(world.database.kysely, projectCode)).at(-1)?.state).toBe('005')
    await closeNotice(notice)
    expect((await findStates(world.database.kysely, projectCode)).at(-1)?.state).toBe('003')
  })

  test('resuming needs two officers, all six groups, and ends the stop', async () => {
    const stopId = await decided(stop('owner'))
    const id = await apply(resume('owner'))
    expect((await act('supervisor', id, 'agree', { opinion: '' })).status).toBe(0)
    expect((await act('head', id, 'approve', {})).message).toContain('现场核查')
    const officers = { checkDate: later(1), officer: '吴静', second: '吴静' }
    expect((await act('head', id, 'arrange', officers)).data).toMatchObject({ field: 'second' })
    expect((await act('head', id, 'arrange', { ...officers, checkDate: later(-1), second: '赵启明' })).data).toMatchObject({
      field: 'checkDate',
    })
    expect((await act('head', id, 'arrange', { ...officers, second: '赵启明' })).status).toBe(0)
    const found = { findings: [{ item: '2', passed: false, note: '塔机未检测' }] }
    expect((await act('head', id, 'saveCheck', found)).status).toBe(0)
    expect((await read('owner', id)).checks[1]).toMatchObject({ passed: true, sitePassed: false, siteNote: '塔机未检测' })
    expect((await act('head', id, 'pass', { findings: [] })).message).toContain('起重机械')
    expect((await act('head', id, 'fail', { findings: [{ item: '2', passed: true }], opinion: '不合格项见表' })).message).toContain(
      '不合格',
    )
    expect((await act('head', id, 'pass', { ...allGood, opinion: '合格' })).status).toBe(0)
    expect(await prjStatus()).toBe('003')
    expect((await read('owner', id)).docCode).toContain('恢复〔')
    expect(await read('owner', stopId)).toMatchObject({ stopping: false, resumedDay: later(0) })
  })

  test('a project ends when nothing is open, and says what is', async () => {
    const refused = await ask('owner', end('owner'))
    expect(refused.message).toMatch(/还不能终止监督：.*班组未退场.*人未退场/)
    const db = world.database.kysely
    await sql`update team set exit_time = now() where project_code = ${projectCode} and exit_time is null`.execute(db)
    await sql`update project_worker set exit_time = now() where project_code = ${projectCode} and exit_time is null`.execute(db)
    await sql`update device_latest l set online = false from device d where d.id = l.device_id and d.project_code = ${projectCode}`.execute(
      db,
    )
    expect((await ask('owner', end('owner', { completeCert: [] }))).data).toMatchObject({ field: 'completeCert' })
    const notice = await issue('2')
    expect((await ask('owner', end('owner'))).message).toContain('1 份整改通知未闭合')
    await sql`update rectify set state = '7' where id = ${notice}`.execute(db)
    const id = await apply(end('owner'))
    await act('supervisor', id, 'agree', { opinion: '' })
    expect((await act('head', id, 'approve', {})).message).toBe(
      '监督资料不齐，还不能终止监督：缺少监督工作计划或方案；缺少监督交底记录；缺少监督抽查记录',
    )
    expect((await read('head', id)).effects.filter((one) => one.label === '监督资料').length).toBe(3)
    expect((await read('owner', id)).effects.some((one) => one.label === '监督资料')).toBe(false)
    for (const docType of ['101', '102', '103'])
      await sql`insert into manualsheet (id, code, project_code, shown_at, groups, group_id, group_name, doc_type, check_date, author_name, state, create_by, create_time)
        values (${`sheet ${docType}`}, ${docType}, ${projectCode}, now(), '{}', 'nobody', '样例', ${docType}, '2026-11-02', '样例', '2', 'nobody', now())`.execute(
        db,
      )
    expect((await act('head', id, 'approve', {})).status).toBe(0)
    expect(await prjStatus()).toBe('007')
    expect((await read('owner', id)).docCode).toContain('终止〔')
  })

  test('a stop of a later day begins on that day', async () => {
    const id = await decided(stop('owner', { stopDate: later(3) }))
    expect(await prjStatus()).toBe('003')
    await beginComing(deps(2))
    expect(await prjStatus()).toBe('003')
    await beginComing(deps(3))
    expect(await prjStatus()).toBe('005')
    expect((await read('owner', id)).timeline.at(-1)?.label).toBe('停工生效')
  })
})

test('a stop of a later day is called off before that day, and not after', async () => {
  const id = await decided(stop('owner', { stopDate: later(3) }))
  expect((await act('owner', id, 'cancel', { opinion: '改期另行申请' })).status).not.toBe(0)
  expect((await act('head', id, 'cancel', { opinion: '改期另行申请' })).status).toBe(0)
  expect((await read('owner', id)).state).toBe('6')
  await beginComing(deps(3))
  expect(await prjStatus()).toBe('003')
  const begun = await decided(stop('owner'))
  expect((await act('head', begun, 'cancel', { opinion: '改期另行申请' })).message).toContain('尚未开始')
  expect(await prjStatus()).toBe('005')
})

const deps = (daysLater: number) => ({
  db: world.database.kysely,
  clock: { now: () => Date.now() + daysLater * 86_400_000 },
  secrets: createSecrets(testSecretKey),
  log: createLog('test', 'warn'),
})

const issue = async (noticeType: string) =>
  (
    await as.head.call(createRectify, {
      body: {
        projectCode,
        action: 'issue',
        corpCode: contractorCode,
        sourceType: '01',
        noticeType,
        category: '01',
        level: '1',
        checkDate: later(0),
        deadline: later(7),
        responsiblePerson: '周大勇',
        lines: [{ description: '基坑支护变形超限', part: '基坑东侧', requirement: '立即停工加固', photos: [files.head] }],
      },
    })
  ).id
const orderStop = () => issue('4')
/** Takes a notice to its recheck and passes it, or revokes it. */
async function closeNotice(id: string, action: 'recheckPass' | 'revoke' = 'recheckPass') {
  const state = action === 'revoke' ? '2' : '5'
  const db = world.database.kysely
  const { rows } = await sql<{ version: number }>`update rectify set state = ${state} where id = ${id} returning version`.execute(db)
  await sql`update rectify_line set state = 'answered' where rectify_id = ${id}`.execute(db)
  const body = { id, version: rows[0]?.version ?? 0, action, opinion: '合格', second: '赵启明', onSite: true, reason: '情况有变，撤销通知' }
  expect(await as.head.ask(changeRectify, { body } as never)).toMatchObject({ status: 0 })
}

describe('signatures', () => {
  const put = (who: Who, id: string, seat: string, more: object = {}) =>
    as[who].ask(signStop, {
      params: { id },
      query: { projectCode: '*' },
      body: { action: 'sign', id: newId(), seat, image: strokes(), ...more },
    } as never)
  const seats = async (who: Who, id: string) => (await read(who, id)).signatures.map(({ seat, state }) => `${seat} ${state}`)

  test('监理, whoever decided and the owner sign their own seat, nobody another’s', async () => {
    const id = await apply(stop('owner'))
    expect(await seats('owner', id)).toEqual([])
    expect((await put('head', id, 'decider')).data).toMatchObject({ field: 'seat' })
    await act('supervisor', id, 'agree', { opinion: '属实' })
    await act('head', id, 'approve', { opinion: '同意' })
    expect(await seats('site', id)).toEqual(['supervisor named', 'decider named', 'receiver waiting'])
    for (const who of everybody.filter((one) => one !== 'head')) expect((await put(who, id, 'decider')).status, who).not.toBe(0)
    for (const who of everybody.filter((one) => one !== 'supervisor')) expect((await put(who, id, 'supervisor')).status, who).not.toBe(0)
    for (const who of everybody.filter((one) => one !== 'owner')) expect((await put(who, id, 'receiver')).status, who).not.toBe(0)
    expect((await put('head', id, 'decider')).status).toBe(0)
    expect((await put('supervisor', id, 'supervisor')).status).toBe(0)
    expect((await put('owner', id, 'receiver')).status).toBe(0)
    expect(await seats('site', id)).toEqual(['supervisor signed', 'decider signed', 'receiver signed'])
  })

  test('a 告知书 that the owner does not want to sign for is delivered before a witness', async () => {
    const id = await apply(stop('owner'))
    await act('supervisor', id, 'agree', { opinion: '属实' })
    await act('head', id, 'approve', { opinion: '同意' })
    const refuse = (more: object) =>
      as.head.ask(signStop, {
        params: { id },
        query: { projectCode: '*' },
        body: { action: 'refuse', id: newId(), seat: 'receiver', name: '夏经办', reason: '对停工日期有异议', witness: '', ...more },
      } as never)
    expect((await refuse({})).data).toMatchObject({ field: 'witness' })
    expect((await refuse({ witness: '夏经办' })).data).toMatchObject({ field: 'witness' })
    const { rows } = await sql<{ name: string }>`select u.name from app_user u join member m on m.user_id = u.id
      where m.group_id = (select m2.group_id from member m2 join app_user u2 on u2.id = m2.user_id where u2.account = ${cast.head} limit 1)
        and u.account <> ${cast.head} limit 1`.execute(world.database.kysely)
    expect((await refuse({ witness: rows[0]?.name })).status).toBe(0)
    expect(await seats('owner', id)).toContain('receiver refused')
    expect((await put('owner', id, 'receiver')).message).toContain('拒签')
  })
})

describe('several stops', () => {
  test('a full stop-work notice stops the project, its recheck or revocation lets it resume', async () => {
    for (const action of ['recheckPass', 'revoke'] as const) {
      const id = await orderStop()
      expect(await prjStatus()).toBe('005')
      const { list, counts } = await as.owner.call(listStops, { query: { ...query(), size: 100, stopping: true } })
      expect(list).toMatchObject([{ kind: 'order', noticeId: id, typeName: '责令全面停工', stateName: '停工中' }])
      expect(counts.stopping).toBe(1)
      await closeNotice(id, action)
      expect(await prjStatus()).toBe('003')
    }
  })

  test('the project resumes with the last of its stops, and the notice says which remain', async () => {
    await decided(stop('owner'))
    const notice = await orderStop()
    expect((await ask('owner', resume('owner'))).message).toContain('全面停工整改通知')
    const { types } = await as.owner.call(stopStart, { query: query() })
    expect(types.find((one) => one.type === '2')?.refusal).toContain('未复查合格')
    await closeNotice(notice)
    expect(await prjStatus()).toBe('005')
    const { rows } = await sql<{
      opinion: string
    }>`select opinion from process_log where object_id = ${notice} and action = 'resume'`.execute(world.database.kysely)
    expect(rows[0]?.opinion).toMatch(/仍有 1 项停工（.+-TFG-.+），项目继续停工/)
    expect((await resumed()).answer).toMatchObject({ status: 0 })
    expect(await prjStatus()).toBe('003')
  })

  test('a notice issued while a resumption is checked keeps the project stopped', async () => {
    await fresh('005')
    const id = await apply(resume('owner'))
    await act('supervisor', id, 'agree', {})
    await act('head', id, 'arrange', { checkDate: later(0), officer: '吴静', second: '赵启明' })
    await orderStop()
    expect((await act('head', id, 'pass', allGood)).message).toContain('不能复工')
    expect(await prjStatus()).toBe('005')
  })

  test('only an authority orders a full stop', async () => {
    const { noticeType } = { noticeType: '4' }
    const body = { projectCode, action: 'issue', corpCode: contractorCode, sourceType: '12', noticeType, category: '01', level: '1' }
    const rest = { checkDate: later(0), deadline: later(7), responsiblePerson: '周大勇' }
    const lines = [{ description: '基坑支护变形超限', part: '东侧', requirement: '停工', photos: [files.site] }]
    expect((await as.site.ask(createRectify, { body: { ...body, ...rest, lines } as never })).data).toMatchObject({ field: 'noticeType' })
    expect(await prjStatus()).toBe('003')
  })
})

describe('what is asked for stands at its field', () => {
  test.each([
    ['reason', { reason: '太短' }],
    ['reasonType', { reasonType: null }],
    ['stopDate', { stopDate: null }],
    ['planResumeDate', { planResumeDate: null }],
    ['planResumeDate', { stopDate: '2099-02-01', planResumeDate: '2099-01-01' }],
    ['ongoingParts', { ongoingParts: null }],
    ['guardPersons', { guardPersons: '' }],
    ['attachments', { attachments: [] }],
    ['attachments', { attachments: ['00000000000000000000000000000000'] }],
  ])('%s', async (field, more) => {
    const answer = await ask('owner', stop('owner', more))
    expect([answer.status === 0, (answer.data as { field?: string } | null)?.field]).toEqual([false, field])
  })
  test('a draft may lack all of it, a resumption every group', async () => {
    expect((await ask('owner', { action: 'save', type: '1' })).status).toBe(0)
    expect((await ask('owner', resume('owner'))).data).toMatchObject({ field: 'type' })
    await fresh('005')
    const checks = resume('owner').checks
    const failing = checks.map((one) => (one.item === '2' ? { ...one, passed: false } : one))
    expect((await ask('owner', resume('owner', { checks: failing }))).data).toMatchObject({ field: 'checks.1.passed' })
    expect((await ask('owner', resume('owner', { checks: checks.slice(0, 5) }))).message).toContain('方案与交底')
    const bare = checks.map((one) => (one.item === '5' ? { ...one, photos: [] } : one))
    expect((await ask('owner', resume('owner', { checks: bare }))).data).toMatchObject({ field: 'checks.4.photos' })
    expect((await ask('owner', stop('owner'))).message).toContain('现为停工')
  })
})

test('a repeated creation with the id of the device creates nothing more, and of two at once one is told', async () => {
  const id = '0123456789abcdef0123456789abcdee'
  const body = stop('owner', { id }) as never
  const first = await as.owner.call(createStop, { query: query(), body })
  expect(await as.owner.call(createStop, { query: query(), body })).toEqual(first)
  await fresh()
  const both = await Promise.all([ask('owner', stop('owner')), ask('owner', stop('owner'))])
  expect(both.filter((one) => one.status === 0)).toHaveLength(1)
  expect(both.find((one) => one.status !== 0)?.message).toContain('已有在办的')
})

test('the loser of a race learns who acted and when', async () => {
  const id = await apply(stop('owner'))
  const { version } = await read('supervisor', id)
  const body = { version, action: 'agree' as const }
  expect((await as.supervisor.ask(changeStop, { params: { id }, query: query(), body })).status).toBe(0)
  expect((await as.supervisor.ask(changeStop, { params: { id }, query: query(), body })).message).toMatch(/申请已由.+监理同意/)
})

test('a draft is known to its group alone, and deleted by it alone', async () => {
  const id = await apply({ ...stop('owner'), action: 'save' as never })
  for (const who of everybody.filter((one) => one !== 'owner')) {
    expect((await as[who].ask(getStop, { params: { id }, query: { projectCode: '*' } })).message, who).toContain('不存在')
    expect((await as[who].ask(removeStop, { params: { id }, query: { projectCode: '*' } })).status, who).not.toBe(0)
  }
  expect((await as.owner.ask(removeStop, { params: { id }, query: query() })).status).toBe(0)
  const sent = await apply(stop('owner'))
  expect((await as.owner.ask(removeStop, { params: { id: sent }, query: query() })).message).toContain('只有草稿')
})

test('who may apply, and who sees it', async () => {
  for (const who of everybody.filter((one) => one !== 'owner')) {
    const own = await as[who].ask(createStop, { query: query(), body: stop(who) as never })
    expect(own.status, who).not.toBe(0)
  }
  const id = await apply(stop('owner'))
  for (const who of everybody) {
    const answer = await as[who].ask(getStop, { params: { id }, query: { projectCode: '*' } })
    const sees = !['subcontractor', 'otherOwner', 'otherDistrict', 'stranger'].includes(who)
    expect([who, answer.status === 0]).toEqual([who, sees])
  }
})

/** Whose turn an action is, by the practice of the trade; everybody else is refused whatever the state. */
const hands: Record<StopAction, (state: string) => readonly Who[]> = {
  save: () => ['owner'],
  submit: () => ['owner'],
  agree: () => ['supervisor'],
  reject: (state) => (state === '1' ? ['supervisor'] : ['head', 'city']),
  approve: () => ['head', 'city'],
  arrange: () => ['head', 'city'],
  saveCheck: () => ['head', 'city'],
  pass: () => ['head', 'city'],
  fail: () => ['head', 'city'],
  cancel: () => ['head', 'city'],
  withdraw: () => ['owner'],
}
const resumeOnly: readonly StopAction[] = ['arrange', 'saveCheck', 'pass', 'fail']

/** Every state x action x caller: whoever may, changes the state as the table says; all others change nothing. */
describe.each(Object.keys(stopMoves) as StopAction[])('%s', (action) => {
  test.each(['0', '1', '2', '3', '4', '5', '6'])('in state %s', async (state) => {
    const isResume = resumeOnly.includes(action)
    for (const who of everybody) {
      await fresh(isResume ? '005' : '003')
      const given = isResume ? resume('owner') : stop('owner')
      const id = await apply({ ...given, action: 'save' as never })
      const db = world.database.kysely
      const shown = state === '0' ? null : new Date()
      await sql`update stopapply set state = ${state}, shown_at = ${shown}, version = 3 where id = ${id}`.execute(db)
      await sql`update stopapply_check set shown_at = ${shown} where apply_id = ${id}`.execute(db)
      if (action === 'cancel')
        await sql`insert into project_stop (id, project_code, source, source_id, ordered_by, reason, affect_attendance, from_day, begun, create_time)
          values (md5(${id}), ${projectCode}, 'stopapply', ${id}, '样例', '样例', true, ${later(3)}::date, false, now())`.execute(db)
      const answer = await act(who, id, action, inputOf(action, who, isResume))
      const { rows } = await sql<{ state: string; version: number }>`select state, version from stopapply where id = ${id}`.execute(db)
      const move = stopMoves[action]
      const allowed = hands[action](state).includes(who) && (move.from as readonly string[]).includes(state)
      const where = `${who}: ${answer.message}`
      if (allowed) {
        expect(answer.status, where).toBe(0)
        expect(move.to === null ? [state] : [move.to].flat(), where).toContain(rows[0]?.state)
      } else {
        expect(answer.status, where).not.toBe(0)
        expect(rows[0], where).toEqual({ state, version: 3 })
      }
    }
  })
})

function inputOf(action: StopAction, who: Who, isResume: boolean): object {
  const { action: _action, ...fields } = isResume ? resume(who) : stop(who)
  switch (action) {
    case 'save':
    case 'submit':
      return fields
    case 'reject':
      return { opinion: '材料不全，请补正' }
    case 'arrange':
      return { checkDate: later(1), officer: '吴静', second: '赵启明' }
    case 'saveCheck':
    case 'pass':
      return allGood
    case 'cancel':
      return { opinion: '改期另行申请' }
    case 'fail':
      return { findings: [{ item: '2', passed: false, note: '塔机未检测' }], opinion: '不合格项须整改' }
    default:
      return {}
  }
}

test('what waits for somebody is on his desk, and on nobody else’s', async () => {
  const desks = async (id: string) => {
    const found: Who[] = []
    for (const who of everybody) {
      const { list } = await as[who].call(listTodos, { query: { group: '*', kind: 'stopapply', size: 1000 } })
      if (list.some(({ link }) => link.endsWith(id))) found.push(who)
    }
    return found
  }
  const id = await apply(stop('owner'))
  expect(await desks(id)).toEqual(['supervisor'])
  await act('supervisor', id, 'agree', {})
  expect(await desks(id)).toEqual(['head'])
  await act('head', id, 'approve', {})
  // Until it resumes, the owner has to apply for that in time.
  expect(await desks(id)).toEqual(['owner'])
  await climbLadders(deps(21.5), [stopLadder])
  expect((await read('owner', id)).timeline.at(-1)).toMatchObject({ label: '逾期未复工', opinion: '停工逾期未复工 1 天' })
  expect((await resumed()).answer).toMatchObject({ status: 0 })
  expect(await desks(id)).toEqual([])
})

test('figures of the strip are those of the lists behind them', async () => {
  await decided(stop('owner'))
  await orderStop()
  for (const who of ['owner', 'head', 'supervisor', 'site', 'contractor'] as const) {
    const filters = { projectCode: '*', size: 1000 }
    const { counts } = await as[who].call(listStops, { query: filters })
    const total = async (more: object) => (await as[who].call(listStops, { query: { ...filters, ...more } })).total
    expect([who, counts]).toEqual([
      who,
      {
        mine: await total({ tab: 'mine' }),
        stopping: await total({ stopping: true }),
        overdue: await total({ overdue: true }),
        resumed: await total({ resumed: true }),
      },
    ])
  }
})

test('a crane that works on a stopped site raises an alarm, which ends when it rests', async () => {
  const db = world.database.kysely
  const crane = settled.city.devices.find((d) => d.projectCode === projectCode && d.family === 'towerCrane')?.id ?? ''
  const now = Date.now() + 3 * 86_400_000
  const works = (at: number) =>
    sql`insert into device_record (device_id, project_code, ts, id, record, data, received_at)
      values (${crane}, ${projectCode}, ${new Date(at)}, ${`cycle ${at}`}, 'workingCycle', '{}', now())`.execute(db)
  const alarms = async () =>
    (
      await sql<{
        active: boolean
        level: number
      }>`select active, level from alarm where device_id = ${crane} and alarm_key = 'workWhileStopped'`.execute(db)
    ).rows
  await works(now - 600_000)
  await watchStopped(world.database, now)
  expect(await alarms()).toEqual([])
  await decided(stop('owner'))
  await watchStopped(world.database, now)
  await watchStopped(world.database, now)
  expect(await alarms()).toEqual([{ active: true, level: 2 }])
  await watchStopped(world.database, now + 3_600_000)
  expect(await alarms()).toEqual([{ active: false, level: 2 }])
})

test('the application prints as a form, the decision as a numbered paper once there is one', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'zg-stops-'))
  const paper = async (who: Who, id: string, which: 'form' | 'decision') => {
    const query = { id, paper: which }
    const { id: task } = await as[who].call(submitExport, { body: { feature: 'stopPaper', exportType: 'pdf' as const, query } })
    await runExport({ ...deps(0), database: world.database, folder }, task)
    const { rows } = await sql<{ message: string; path: string | null }>`select message, path from export_task where id = ${task}`.execute(
      world.database.kysely,
    )
    return { message: rows[0]?.message, bytes: rows[0]?.path ? statSync(rows[0].path).size : 0 }
  }
  const id = await apply(stop('owner'))
  for (const who of ['owner', 'supervisor', 'head'] as const) {
    const form = await paper(who, id, 'form')
    expect([who, form.message, form.bytes > 10_000]).toEqual([who, '', true])
  }
  expect((await paper('owner', id, 'decision')).message).toContain('尚未通过')
  await act('supervisor', id, 'agree', {})
  await act('head', id, 'approve', { opinion: '同意' })
  expect((await paper('owner', id, 'decision')).message).toBe('')
  const resumption = await resumed()
  expect((await paper('head', resumption.id, 'decision')).bytes).toBeGreaterThan(10_000)
  expect((await paper('subcontractor', id, 'form')).message).toContain('不存在')
  rmSync(folder, { recursive: true })
})
