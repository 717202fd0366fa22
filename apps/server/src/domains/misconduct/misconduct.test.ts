import { listTodos } from '@zhugong/contract/home/endpoints'
import {
  changeBadAction,
  createBadAction,
  exportBadAction,
  getBadAction,
  listBadActions,
  listExpertMisconduct,
  previewBadAction,
  removeBadAction,
} from '@zhugong/contract/misconduct/calls'
import type { BadAction } from '@zhugong/contract/misconduct/moves'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest'
import { createLog } from '#kit/log'
import { createSecrets } from '#kit/secret'
import { type CityWorld, openCity, settleCity } from '../../../test/city.ts'
import { storedFile } from '../../../test/givens.ts'
import { type Caller, testSecretKey, type World } from '../../../test/world.ts'
import { climbLadders } from '../process/public.ts'
import { rectifyLadder } from '../rectify/public.ts'
import { monthsLater } from './days.ts'
import { endPublications, suggestForLateNotices } from './public.ts'

let world: World
let settled: CityWorld
let projectCode = ''
let contractor = ''
const cast = {
  officer: 'bj-zhao',
  second: 'bj-qian',
  head: 'bj-wu',
  city: 'city-fang',
  contractor: 'yunze-lu',
  subcontractor: 'dingli-cheng',
  site: 'hospital-pm',
  supervisor: 'hospital-jl',
  owner: 'weijian-xia',
  otherDistrict: 'yd-wang',
  stranger: 'zhigu-pm',
} as const
type Who = keyof typeof cast
const as = {} as Record<Who, Caller>
const files = {} as Record<Who, string>

beforeAll(async () => {
  world = await openCity(inject('postgresUrl'))
  settled = await settleCity(world)
  projectCode = settled.city.personas.find((p) => p.account === 'hospital-pm')?.projectCode ?? ''
  contractor = settled.city.personas.find((p) => p.account === 'yunze-lu')?.corpCode ?? ''
  for (const [who, account] of Object.entries(cast) as [Who, string][]) {
    as[who] = await settled.as(account)
    const { rows } = await sql<{
      id: string
    }>`select m.group_id as id from app_user u join member m on m.user_id = u.id where u.account = ${account}
      and m.is_default`.execute(world.database.kysely)
    files[who] = await storedFile(world, rows[0]?.id ?? '')
  }
  const give = (account: string, type: number, role: string) =>
    sql`insert into member_role (member_id, role_id) select m.id, r.id from member m join app_user u on u.id = m.user_id and u.account = ${account},
    role r where r.groups_type = ${type} and r.name = ${role} and r.group_id is null on conflict do nothing`.execute(world.database.kysely)
  await give('yd-wang', 1, '科室负责人')
  await give('dingli-cheng', 2, '企业管理员')
}, 180_000)
afterAll(() => world.close())
beforeEach(async () => {
  await sql`delete from misconduct`.execute(world.database.kysely)
  await sql`delete from process_todo where kind = 'badaction'`.execute(world.database.kysely)
  await sql`update corporation set credit_score = 100 where corp_code = ${contractor}`.execute(world.database.kysely)
  await sql`delete from message where kind = 'badaction'`.execute(world.database.kysely)
  await sql`delete from worker_bad where misconduct_id is not null`.execute(world.database.kysely)
})

const day = (days = 0) => new Date(Date.now() + 8 * 3_600_000 + days * 86_400_000).toISOString().slice(0, 10)
const record = (who: Who, more: object = {}) => ({
  action: 'submit' as const,
  projectCode,
  targetType: '3' as const,
  target: contractor,
  type: '8',
  level: '2',
  degree: '4',
  occurrenceDate: day(-1),
  fact: '整改通知逾期未完成，三层临边防护仍缺失',
  basis: '《中华人民共和国安全生产法》第一百零二条',
  score: 8,
  source: '1' as const,
  files: [files[who]],
  ...more,
})
const propose = async (who: Who = 'officer', more: object = {}) => (await as[who].call(createBadAction, { body: record(who, more) })).id
const versionOf = async (id: string) => {
  const { rows } = await sql<{ version: number; state: string }>`select version, state from misconduct where id = ${id}`.execute(
    world.database.kysely,
  )
  return rows[0] ?? { version: 0, state: '' }
}
const bodyOf = async (id: string, action: BadAction, more: object = {}) =>
  ({ id, action, version: (await versionOf(id)).version, ...more }) as never
const act = async (who: Who, id: string, action: BadAction, more: object = {}) =>
  as[who].call(changeBadAction, { body: await bodyOf(id, action, more) })
const refused = async (who: Who, id: string, action: BadAction, more: object = {}) => {
  const before = await versionOf(id)
  const answer = await as[who].ask(changeBadAction, { body: await bodyOf(id, action, more) })
  expect(answer.status, `${who} ${action}`).not.toBe(0)
  expect(await versionOf(id)).toEqual(before)
  return String(answer.message)
}
const decision = { opinion: '事实清楚', level: '2', score: 8, months: 6, appealDays: 15 }
const credit = async () => {
  const { rows } = await sql<{
    score: number
  }>`select credit_score::float8 as score from corporation where corp_code = ${contractor}`.execute(world.database.kysely)
  return rows[0]?.score ?? 0
}
const deps = () => ({
  db: world.database.kysely,
  clock: { now: () => Date.now() },
  secrets: createSecrets(testSecretKey),
  log: createLog('test', 'warn'),
})

test('months are counted to the last day of a shorter one', () => {
  expect(monthsLater('2026-11-30', 3)).toBe('2027-02-28')
  expect(monthsLater('2026-01-15', 12)).toBe('2027-01-15')
  expect(monthsLater('2027-11-30', 3)).toBe('2028-02-29')
})

describe('a company', () => {
  test('an appeal that wins: points are taken at the decision and given back by the cancellation', async () => {
    const before = await credit()
    const id = await propose()
    expect(await credit()).toBe(before)
    await act('head', id, 'decide', decision)
    expect(await credit()).toBe(before - 8)
    expect(await refused('contractor', id, 'appeal', { reason: '防护已于期限前补齐，附验收照片' })).toContain('未签收')
    const unpublished = await as.officer.call(getBadAction, { params: { id } })
    expect(unpublished).toMatchObject({ publishStart: null, publishEnd: null })
    await act('contractor', id, 'receive')
    const published = await as.contractor.call(getBadAction, { params: { id } })
    expect(published).toMatchObject({ publishStart: day(), publishEnd: monthsLater(day(), 6), appealUntil: day(15) })
    await act('contractor', id, 'appeal', { reason: '防护已于期限前补齐，附验收照片', files: [files.contractor] })
    expect(await refused('head', id, 'uphold', { opinion: '原认定事实清楚' })).toContain('认定人不能维持')
    await act('head', id, 'cancel', { opinion: '经核实已按期整改' })
    expect(await credit()).toBe(before)
    const after = await as.contractor.call(getBadAction, { params: { id } })
    expect(after).toMatchObject({ state: '7', pleas: [{ kind: 'appeal', granted: true, opinion: '经核实已按期整改' }], actions: [] })
    const { rows } = await sql<{ kind: string }>`select kind from corp_event where corp_code = ${contractor} and kind = 'score'`.execute(
      world.database.kysely,
    )
    expect(rows.length).toBeGreaterThanOrEqual(2)
  })

  test('an appeal is heard by another person or the authority above, once', async () => {
    const id = await propose()
    await act('head', id, 'decide', decision)
    await act('contractor', id, 'receive')
    await act('contractor', id, 'appeal', { reason: '防护已于期限前补齐，附验收照片' })
    await refused('otherDistrict', id, 'uphold', { opinion: '原认定事实清楚' })
    await act('city', id, 'uphold', { opinion: '原认定事实清楚' })
    expect(await versionOf(id)).toMatchObject({ state: '2' })
    expect(await refused('contractor', id, 'appeal', { reason: '再次请求撤销本次认定' })).toContain('已有结论')
  })

  test('after the period nobody appeals; after the publication the points come back', async () => {
    const before = await credit()
    const id = await propose()
    await act('head', id, 'decide', decision)
    await act('contractor', id, 'receive')
    await sql`update misconduct set appeal_until = current_date - 2 where id = ${id}`.execute(world.database.kysely)
    expect(await refused('contractor', id, 'appeal', { reason: '防护已于期限前补齐，附验收照片' })).toContain('届满')
    expect(await endPublications(deps())).toBe(0)
    await sql`update misconduct set publish_start = publish_start - 200, publish_end = current_date - 2 where id = ${id}`.execute(
      world.database.kysely,
    )
    expect(await endPublications(deps())).toBe(1)
    expect(await versionOf(id)).toMatchObject({ state: '6' })
    expect(await credit()).toBe(before)
    expect(await endPublications(deps())).toBe(0)
    expect(await credit()).toBe(before)
  })

  test('a repair is applied for after three months, with proof, and decided', async () => {
    const before = await credit()
    const id = await propose()
    await act('head', id, 'decide', decision)
    await act('contractor', id, 'receive')
    const plea = { reason: '已完成整改并培训管理人员', files: [files.contractor] }
    expect(await refused('contractor', id, 'applyRepair', plea)).toContain('3 个月')
    await sql`update misconduct set publish_start = publish_start - 100 where id = ${id}`.execute(world.database.kysely)
    expect(await refused('contractor', id, 'applyRepair', { ...plea, files: [] })).toContain('整改证明')
    expect(await refused('head', id, 'repair', { opinion: '' })).toContain('没有待处理')
    await act('contractor', id, 'applyRepair', plea)
    const todo = await as.head.call(listTodos, { query: { page: 1, size: 100 } as never })
    expect(JSON.stringify(todo)).toContain('处理修复申请')
    expect(await refused('contractor', id, 'appeal', { reason: '防护已于期限前补齐，附验收照片' })).toContain('待处理')
    await act('head', id, 'repair', { opinion: '整改到位' })
    expect(await versionOf(id)).toMatchObject({ state: '5' })
    expect(await credit()).toBe(before)
  })

  test('points are not taken below zero, and only what was taken is given back', async () => {
    await sql`update corporation set credit_score = 5 where corp_code = ${contractor}`.execute(world.database.kysely)
    const id = await propose()
    await act('head', id, 'decide', decision)
    expect(await credit()).toBe(0)
    await act('contractor', id, 'receive')
    await act('contractor', id, 'appeal', { reason: '防护已于期限前补齐，附验收照片' })
    await act('head', id, 'cancel', { opinion: '经核实已按期整改' })
    expect(await credit()).toBe(5)
  })
})

describe('who may', () => {
  test('whoever proposes never decides, nor hears the appeal', async () => {
    const id = await propose('head')
    expect(await refused('head', id, 'decide', decision)).toContain('提出人')
    expect(await refused('head', id, 'reject', { opinion: '证据不足退回' })).toContain('提出人')
    await refused('officer', id, 'decide', decision)
    await refused('city', id, 'decide', decision)
    await refused('otherDistrict', id, 'decide', decision)
  })

  test('nobody decides on his own company: people of the contractor go to the authority', async () => {
    const stay = await stayOf(contractor)
    const own = { targetType: '1', target: stay.workerId, type: '04', score: 3, degree: '5', occurrenceDate: stay.day }
    const answer = await as.site.ask(createBadAction, { body: record('site', own) as never })
    expect(answer).toMatchObject({ message: expect.stringContaining('总包单位自己的人员') })
    const id = await propose('site', { ...own, degree: '4' })
    const { rows } = await sql<{
      decideGroup: string
      code: string
    }>`select m.decide_group, t.code from misconduct m join tenant t on t.id = m.decide_group
      where m.id = ${id}`.execute(world.database.kysely)
    expect(rows[0]?.code).not.toBe(contractor)
    await refused('contractor', id, 'decide', { ...decision, score: 3 })
  })

  test('the general contractor decides on people of a subcontractor at its own level', async () => {
    const sub = settled.city.personas.find((p) => p.account === 'dingli-cheng')?.corpCode ?? ''
    const stay = await stayOf(sub)
    const id = await propose('site', {
      targetType: '1',
      target: stay.workerId,
      type: '04',
      score: 3,
      degree: '5',
      occurrenceDate: stay.day,
    })
    await refused('subcontractor', id, 'decide', { ...decision, score: 3 })
    await refused('head', id, 'decide', { ...decision, score: 3 })
    await act('contractor', id, 'decide', { ...decision, score: 3 })
    const { rows } = await sql<{
      auditStatus: string
      score: number
    }>`select audit_status, score from worker_bad where misconduct_id = ${id}`.execute(world.database.kysely)
    expect(rows).toHaveLength(1)
    expect(rows[0]).toMatchObject({ score: 3 })
    await act('subcontractor', id, 'receive')
    await act('subcontractor', id, 'appeal', { reason: '该工人当日不在作业面，附考勤记录' })
    await act('contractor', id, 'cancel', { opinion: '考勤记录属实，撤销认定' })
    const after = await sql<{
      revoked: boolean
    }>`select revoked_at is not null as revoked from worker_bad where misconduct_id = ${id}`.execute(world.database.kysely)
    expect(after.rows).toEqual([{ revoked: true }])
  })

  test('an old version, a state passed, and a stranger’s file are refused', async () => {
    const id = await propose()
    const old = await bodyOf(id, 'decide', decision)
    await act('head', id, 'decide', decision)
    expect(await as.head.ask(changeBadAction, { body: old })).not.toMatchObject({ status: 0 })
    await refused('head', id, 'decide', decision)
    await refused('officer', id, 'withdraw')
    const foreign = await as.officer.ask(createBadAction, {
      body: record('officer', { files: [files.stranger], fact: '另一事实，另一处临边防护缺失', apart: true }),
    })
    expect(foreign).toMatchObject({ message: expect.stringContaining('附件不存在') })
  })

  test('the paper is served with proof when the party does not sign', async () => {
    const id = await propose()
    await act('head', id, 'decide', decision)
    await refused('officer', id, 'serve', { receiver: '收发室', receiveDate: day(), files: [files.officer] })
    expect(await refused('head', id, 'serve', { receiver: '收发室', receiveDate: day(-3), files: [files.head] })).toContain('送达日期')
    await act('head', id, 'serve', { receiver: '收发室', receiveDate: day(), files: [files.head] })
    expect(await refused('contractor', id, 'receive')).toContain('签收')
  })
})

describe('secrecy', () => {
  test('the target learns of it at the decision: not of the proposal, its count, its to-do or its like', async () => {
    const count = async (who: Who) => (await as[who].call(listBadActions, { query: {} })).counts.waiting
    const id = await propose()
    for (const who of ['contractor', 'site', 'subcontractor', 'supervisor', 'owner', 'otherDistrict', 'stranger', 'city'] as const) {
      expect((await as[who].ask(getBadAction, { params: { id } })).status, who).not.toBe(0)
      expect(await count(who), who).toBe(0)
      expect((await as[who].ask(changeBadAction, { body: await bodyOf(id, 'receive') })).status, who).not.toBe(0)
    }
    expect(await count('head')).toBe(1)
    const like = await as.site.call(previewBadAction, {
      query: { projectCode, targetType: '3', target: contractor, type: '8', occurrenceDate: day(-1) },
    })
    expect(like.likes).toEqual([])
    const { rows } =
      await sql`select from message where kind = 'badaction' and user_id in (select user_id from member m join tenant t on t.id = m.group_id
      where t.type in (2, 3))`.execute(world.database.kysely)
    expect(rows).toHaveLength(0)
  })

  test('others of the project see name and fact only while it is published', async () => {
    const id = await propose()
    await act('head', id, 'decide', decision)
    expect((await as.owner.ask(getBadAction, { params: { id } })).status).not.toBe(0)
    await act('contractor', id, 'receive')
    const shown = await as.owner.call(getBadAction, { params: { id } })
    expect(shown).toMatchObject({ files: [], pleas: [], timeline: [], decideOpinion: null, receiver: null, proposeName: null, actions: [] })
    expect(shown.fact).toContain('临边防护')
    expect((await as.owner.ask(exportBadAction, { params: { id } })).status).not.toBe(0)
    await sql`update misconduct set publish_end = current_date - 2, publish_start = current_date - 100 where id = ${id}`.execute(
      world.database.kysely,
    )
    expect((await as.owner.ask(getBadAction, { params: { id } })).status).not.toBe(0)
    expect((await as.contractor.ask(getBadAction, { params: { id } })).status).toBe(0)
    expect((await as.stranger.ask(getBadAction, { params: { id } })).status).not.toBe(0)
  })

  test('a person’s name is masked outside the institution that decides, in the fact as well', async () => {
    const stay = await stayOf(contractor)
    const fact = `${stay.name}未系安全带在三层临边作业`
    const id = await propose('officer', { targetType: '1', target: stay.workerId, type: '05', score: 3, fact, occurrenceDate: stay.day })
    await act('head', id, 'decide', { ...decision, score: 3 })
    await act('site', id, 'receive')
    expect(JSON.stringify(await as.head.call(getBadAction, { params: { id } }))).toContain(stay.name)
    for (const who of ['owner', 'city'] as const) {
      const seen = JSON.stringify(await as[who].call(getBadAction, { params: { id } }))
      expect(seen, who).not.toContain(stay.name)
      const found = await as[who].call(listBadActions, { query: { targetName: stay.name } })
      expect(found.total, who).toBe(0)
    }
  })
})

describe('what it is about', () => {
  test('a day outside the time on the project, a foreign target and a missing proof are refused at their fields', async () => {
    const ask = async (more: object) => as.officer.ask(createBadAction, { body: record('officer', more) as never })
    expect(await ask({ occurrenceDate: '2001-01-01' })).toMatchObject({ message: expect.stringContaining('在场期') })
    expect(await ask({ occurrenceDate: day(2) })).toMatchObject({ message: expect.stringContaining('不能晚于今天') })
    expect(await ask({ target: 'nobody' })).toMatchObject({ message: expect.stringContaining('不在本项目') })
    expect(await ask({ files: [] })).toMatchObject({ message: expect.stringContaining('证据') })
    expect(await ask({ score: 25 })).toMatchObject({ message: expect.stringContaining('20') })
    expect(await ask({ targetType: '1', target: 'nobody', type: '77' })).toMatchObject({ message: expect.stringContaining('行为类别') })
    expect(await ask({ rectifyId: 'nothing' })).toMatchObject({ message: expect.stringContaining('整改单') })
  })

  test('the same fact is found, shown, and submitted again only when it is said to be another', async () => {
    await propose()
    const again = await as.officer.ask(createBadAction, { body: record('officer', { occurrenceDate: day(-2) }) })
    expect(again).toMatchObject({ message: expect.stringContaining('同一事实') })
    const like = await as.officer.call(previewBadAction, {
      query: { projectCode, targetType: '3', target: contractor, type: '8', occurrenceDate: day(-2), score: 8 },
    })
    expect(like.likes).toHaveLength(1)
    expect(like.effect).toMatchObject({ before: await credit(), after: (await credit()) - 8 })
    await propose('officer', { occurrenceDate: day(-2), apart: true })
  })

  test('a draft is its group’s own, and is deleted by nobody else', async () => {
    const id = await propose('officer', { action: 'save', fact: '' })
    expect((await as.site.ask(removeBadAction, { params: { id } })).status).not.toBe(0)
    expect(await refused('officer', id, 'drop', { opinion: '不采纳这份草稿' })).toContain('系统建议')
    await as.second.call(removeBadAction, { params: { id } })
    expect(await versionOf(id)).toMatchObject({ state: '' })
  })

  test('a repeated request makes one record', async () => {
    const id = 'a'.repeat(32)
    const first = await as.officer.call(createBadAction, { body: record('officer', { id }) })
    const second = await as.officer.call(createBadAction, { body: record('officer', { id }) })
    expect(second).toEqual(first)
    expect((await as.second.ask(createBadAction, { body: record('second', { id, apart: true }) })).status).not.toBe(0)
  })
})

test('a notice seven days late brings about one draft, which the officer submits or drops with a reason', async () => {
  suggestForLateNotices()
  const db = world.database.kysely
  await sql`delete from rectify where project_code = ${projectCode}`.execute(db)
  await sql`insert into rectify (id, code, origin, project_code, corp_code, shown_at, groups, issuer_group, issuer_group_name, issuer_id, issuer_name, source_type,
      notice_type, category, level, check_date, deadline, responsible_person, issue_time, state, create_by, create_time)
    select 'late-notice', '样例〔2026〕9号', 'gov', ${projectCode}, ${contractor}, now(), array[m.group_id], m.group_id, '区站', u.id, u.name, '01', '2', '01', '1',
      current_date - 20, current_date - 8, '周大勇', now(), '3', u.id, now()
    from app_user u join member m on m.user_id = u.id where u.account = 'bj-zhao' and m.is_default`.execute(db)
  await sql`insert into process_todo (id, kind, object_id, project_code, corp_code, shown_at, groups, turn, codes, title, link, since, due, step, next_at)
    values ('late-todo', 'rectify', 'late-notice', ${projectCode}, ${contractor}, now(), '{}', 'responsible', '{inspection.rectifyReply}', '整改', '/', now(),
      current_date - 8, 2, now() - interval '1 minute')`.execute(db)
  await climbLadders(deps(), [rectifyLadder])
  const { rows } = await sql<{
    id: string
    system: boolean
    state: string
  }>`select id, system, state from misconduct where source_id = 'late-notice'`.execute(db)
  expect(rows).toMatchObject([{ system: true, state: '0' }])
  const id = rows[0]?.id ?? ''
  for (const who of ['contractor', 'site', 'supervisor'] as const)
    expect((await as[who].ask(getBadAction, { params: { id } })).status, who).not.toBe(0)
  expect((await as.officer.ask(removeBadAction, { params: { id } })).status).not.toBe(0)
  await refused('head', id, 'decide', decision)
  await act('officer', id, 'drop', { opinion: '已约谈，暂不提出' })
  expect(await versionOf(id)).toMatchObject({ state: '3' })
})

describe('an expert', () => {
  test('is not drawn while the case is open, and his library alone knows of it', async () => {
    const db = world.database.kysely
    const { rows } = await sql<{
      id: string
      groupId: string
    }>`select t.id as group_id, 'x' as id from tenant t join member m on m.group_id = t.id join app_user u
      on u.id = m.user_id where u.account = 'city-xu' and m.is_default`.execute(db)
    const groupId = rows[0]?.groupId ?? ''
    await sql`insert into expert_library (group_id, name, area_front) values (${groupId}, '市专家库', '4202') on conflict do nothing`.execute(
      db,
    )
    await sql`insert into expert (id, library_group, name, gender, birthday, id_card_number, id_card_hash, id_card_mask, phone, phone_hash, phone_mask, work_unit, title,
        title_major, specialties, degree, work_years, resume, written_by, state, valid_end, create_time)
      values ('bad-expert', ${groupId}, '纪常明', '1', '1970-01-01', '', 'h', 'm', '', 'h', 'm', '某设计院', '1', '结构', '{01}', '1', 20, '', 'nobody', '2', current_date + 300, now())
      on conflict do nothing`.execute(db)
    const clerk = await settled.as('city-xu')
    const file = await storedFile(world, groupId)
    const { id } = await clerk.call(createBadAction, {
      body: {
        ...record('officer'),
        projectCode: '*',
        targetType: '4',
        target: 'bad-expert',
        type: '4',
        score: 3,
        degree: '3',
        files: [file],
        rectifyId: null,
      } as never,
    })
    const frozen = async () => (await sql<{ id: string }>`select zg_expert_frozen('{bad-expert}') as id`.execute(db)).rows.length
    expect(await frozen()).toBe(1)
    const listed = await clerk.call(listExpertMisconduct, { query: { projectCode: '*' } })
    expect(listed.list).toMatchObject([{ id, expert: '纪常明', state: '1' }])
    expect((await as.city.call(listBadActions, { query: {} })).list.map((one) => one.id)).not.toContain(id)
    for (const who of ['head', 'site', 'contractor'] as const)
      expect((await as[who].ask(getBadAction, { params: { id } })).status, who).not.toBe(0)
    expect((await clerk.ask(changeBadAction, { body: await bodyOf(id, 'decide', { ...decision, score: 3 }) })).message).toContain('提出人')
    await act('city', id, 'reject', { opinion: '请假手续齐全，不予认定' })
    expect(await frozen()).toBe(0)
  })
})

test('the paper is there for the party from the decision on, and not before', async () => {
  const id = await propose()
  expect((await as.officer.ask(exportBadAction, { params: { id } })).status).not.toBe(0)
  await act('head', id, 'decide', decision)
  const pdf = await as.contractor.ask(exportBadAction, { params: { id } })
  expect(Buffer.isBuffer(pdf.data)).toBe(true)
})

async function stayOf(corpCode: string): Promise<{ workerId: string; name: string; day: string }> {
  const { rows } = await sql<{
    workerId: string
    name: string
    day: string
  }>`select s.worker_id, w.name, (s.entry_time at time zone 'Asia/Shanghai')::date::text as day
    from project_worker s join worker w on w.id = s.worker_id where s.project_code = ${projectCode} and s.corp_code = ${corpCode} and s.exit_time is null
    and s.entry_time < now() - interval '2 days' order by s.id limit 1`.execute(world.database.kysely)
  return rows[0] ?? { workerId: '', name: '', day: '' }
}
