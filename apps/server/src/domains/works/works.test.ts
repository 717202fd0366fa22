import { listTodos } from '@zhugong/contract/home/endpoints'
import { getRectify } from '@zhugong/contract/rectify/calls'
import { stopStart } from '@zhugong/contract/stops/calls'
import { changeWork, createWork, getWork, listWorks, removeWork, workChoices } from '@zhugong/contract/works/calls'
import { type WorkAction, workMoves } from '@zhugong/contract/works/moves'
import { sizeKeys } from '@zhugong/contract/works/scale'
import { signWork } from '@zhugong/contract/works/seats'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest'
import { newId } from '#kit/ids'
import { openCity, settleCity } from '../../../test/city.ts'
import { storedFile, strokes } from '../../../test/givens.ts'
import type { Caller, World } from '../../../test/world.ts'

let world: World
let projectCode = ''
let contractor = ''
let sub = ''
const cast = {
  site: 'hospital-pm',
  safety: 'hospital-safety',
  labour: 'hospital-labour',
  supervisor: 'hospital-jl',
  contractor: 'yunze-lu',
  subcontractor: 'dingli-cheng',
  owner: 'weijian-xia',
  officer: 'bj-zhao',
  head: 'bj-wu',
  otherDistrict: 'yd-wang',
  stranger: 'zhigu-pm',
} as const
type Who = keyof typeof cast
const everybody = Object.keys(cast) as Who[]
const as = {} as Record<Who, Caller>
const files = {} as Record<Who, string>
const query = () => ({ projectCode })
const db = () => world.database.kysely

beforeAll(async () => {
  world = await openCity(inject('postgresUrl'))
  const settled = await settleCity(world)
  const persona = (account: string) => settled.city.personas.find((one) => one.account === account)
  projectCode = persona('hospital-pm')?.projectCode ?? ''
  contractor = persona('yunze-lu')?.corpCode ?? ''
  sub = persona('dingli-cheng')?.corpCode ?? ''
  for (const [who, account] of Object.entries(cast) as [Who, string][]) {
    as[who] = await settled.as(account)
    const { rows } = await sql<{ id: string }>`select t.id from app_user u join member m on m.user_id = u.id
      join tenant t on t.id = m.group_id where u.account = ${account} and m.is_default`.execute(db())
    files[who] = await storedFile(world, rows[0]?.id ?? '')
  }
})
afterAll(() => world.close())
beforeEach(async () => {
  for (const table of ['bigproject', 'rectify', 'process_todo'])
    await sql`delete from ${sql.table(table)} where project_code = ${projectCode}`.execute(db())
  await sql`delete from expert_activity where about_project = ${projectCode}`.execute(db())
})

const later = (days: number) => new Date(Date.now() + 8 * 3_600_000 + days * 86_400_000).toISOString().slice(0, 10)
const noSizes = Object.fromEntries(Object.keys(sizeKeys).map((key) => [key, null])) as Record<keyof typeof sizeKeys, number | null>
const fields = (more: object = {}) => ({
  name: '主楼落地脚手架',
  category: '401',
  overScale: false,
  riskLevel: '3',
  unitId: null,
  placeId: null,
  part: '主楼四周',
  sizes: { ...noSizes, height: 30 },
  constructionCorp: contractor,
  subCorp: null,
  planStartDate: later(0),
  planEndDate: later(30),
  actualStartDate: null,
  ...more,
})
const create = (who: Who, more: object = {}) => as[who].ask(createWork, { query: query(), body: fields(more) as never })
const given = async (more: object = {}) => (await as.site.call(createWork, { query: query(), body: fields(more) as never })).id
const read = (who: Who, id: string) => as[who].call(getWork, { params: { id }, query: query() })
const stateOf = async (id: string) =>
  (await sql<{ state: string }>`select state from bigproject where id = ${id}`.execute(db())).rows[0]?.state
async function act(who: Who, id: string, action: WorkAction, more: object = {}) {
  const { rows } = await sql<{ version: number }>`select version from bigproject where id = ${id}`.execute(db())
  return as[who].ask(changeWork, { params: { id }, query: query(), body: { version: rows[0]?.version ?? 0, action, ...more } as never })
}
const done = async (who: Who, id: string, action: WorkAction, more: object = {}) =>
  expect(await act(who, id, action, more), action).toMatchObject({ status: 0 })
const sign = (who: Who, id: string, seat: string, name?: string) =>
  as[who].ask(signWork, {
    params: { id },
    query: query(),
    body: { action: 'sign', id: newId(), seat, name: name ?? '', image: strokes() } as never,
  })
const signed = async (who: Who, id: string, seat: string, name?: string) =>
  expect(await sign(who, id, seat, name), seat).toMatchObject({ status: 0 })

const planned = async (id: string) => {
  await done('site', id, 'plan')
  await done('site', id, 'savePlan', { planName: '专项施工方案', planFiles: [files.site] })
  await signed('site', id, 'tech', '余志强')
  await done('site', id, 'submit')
}
const passed = async (more: object = {}) => {
  const id = await given(more)
  await planned(id)
  await signed('supervisor', id, 'chief')
  await done('supervisor', id, 'pass', { opinion: '同意' })
  return id
}
const prepared = async (id: string) => {
  await done('site', id, 'prepare', {
    disclosureDate: later(0),
    discloser: '余志强',
    disclosureText: '按方案搭设，连墙件两步三跨',
    receivers: [{ name: '刘铁柱', post: '架子班' }],
    inspectors: [{ name: '孙安全', post: '安全员' }],
    warnPhotos: [files.site],
  })
  await signed('site', id, 'discloser', '余志强')
  await signed('site', id, 'receiver.1', '刘铁柱')
}
const running = async (more: object = {}) => {
  const id = await passed(more)
  await prepared(id)
  await done('site', id, 'start', { actualStartDate: later(0) })
  return id
}

/** A concluded review of a plan of the site: what domain experts leaves behind. */
async function givenReview(result: 'passed' | 'changed' | 'failed', { experts = 5, unit = '江城大学' } = {}): Promise<string> {
  const id = newId()
  const groupId = 'library-of-works'
  await sql`insert into expert_library (group_id, name, area_front) values (${groupId}, '样例专家库', '42') on conflict do nothing`.execute(
    db(),
  )
  await sql`insert into expert_activity (id, code, library_group, organiser_group, organiser_name, groups, shown_at, about_project, activity_type,
      title, date, half, place, content, over_scale, result, conclusion, state, create_by, create_time)
    values (${id}, ${id.slice(0, 8)}, ${groupId}, ${groupId}, '样例', ${[groupId]}::text[], now(), ${projectCode}, '1', '基坑论证', current_date, 'am',
      '会议室', '论证', true, ${result}, '结论', '3', 'nobody', now())`.execute(db())
  for (let i = 0; i < experts; i++) {
    const expert = newId()
    await sql`insert into expert (id, library_group, name, gender, birthday, id_card_number, id_card_hash, id_card_mask, phone, phone_hash, phone_mask,
        work_unit, title, title_major, specialties, degree, work_years, resume, written_by, state, create_time)
      values (${expert}, ${groupId}, ${`专家${i}`}, '1', '1970-01-01', '\\x00', ${expert}, '4201', '\\x00', ${expert}, '139', ${i === 0 ? unit : '江城大学'}, '1', '结构', '{}', '1',
        30, '简历', 'nobody', '2', now())`.execute(db())
    await sql`insert into expert_activity_seat (id, activity_id, groups, shown_at, expert_id, expert_name, work_unit, phone_hash, role, date, half, sign_at)
      values (${newId()}, ${id}, ${[groupId]}::text[], now(), ${expert}, ${`专家${i}`}, ${i === 0 ? unit : '江城大学'}, '', '成员', current_date, 'am', now())`.execute(
      db(),
    )
  }
  return id
}
const overScale = { name: '深基坑', category: '101', riskLevel: '1', sizes: { ...noSizes, depth: 9 } }

describe('the scale', () => {
  test('sizes raise the category, and neither a save nor the flag lowers it again', async () => {
    const id = await given({ ...overScale, overScale: false })
    expect(await read('site', id)).toMatchObject({ category: '103', overScale: true })
    await done('site', id, 'save', { ...fields({ ...overScale, category: '101', sizes: { ...noSizes, depth: 2 }, overScale: false }) })
    expect(await read('site', id)).toMatchObject({ category: '101', overScale: true })
  })

  test('what does not fit is refused at its field', async () => {
    expect((await create('site', { ...overScale, riskLevel: '3' })).data).toMatchObject({ field: 'riskLevel' })
    expect((await create('site', { planEndDate: later(-3) })).data).toMatchObject({ field: 'planEndDate' })
    expect((await create('site', { actualStartDate: later(2) })).data).toMatchObject({ field: 'actualStartDate' })
    expect((await create('site', { category: '4' })).status).toBe(2)
    expect((await create('site', { unitId: 'f'.repeat(32) })).data).toMatchObject({ field: 'unitId' })
  })
})

describe('from registration to the end', () => {
  test('an ordinary work needs plan, signatures, instruction, acceptance', async () => {
    const id = await given()
    await done('site', id, 'plan')
    expect((await act('site', id, 'submit')).message).toContain('专项方案未上传')
    await done('site', id, 'savePlan', { planName: '方案', planFiles: [files.site] })
    expect((await act('site', id, 'submit')).message).toContain('技术负责人未签字')
    await signed('site', id, 'tech', '余志强')
    await done('site', id, 'savePlan', { planName: '方案二版', planFiles: [files.site] })
    expect((await act('site', id, 'submit')).message, 'a changed plan is not the signed one').toContain('技术负责人未签字')
    await signed('site', id, 'tech', '余志强')
    await done('site', id, 'submit')
    expect((await act('supervisor', id, 'pass')).message).toContain('总监理工程师未签字')
    expect((await sign('site', id, 'chief')).status, 'the site does not sign for 监理').not.toBe(0)
    await signed('supervisor', id, 'chief')
    await done('supervisor', id, 'pass')
    expect(await stateOf(id)).toBe('5')
    const blocked = (await read('site', id)).blocked.find((one) => one.action === 'start')
    expect(blocked?.missing.map((one) => one.text)).toEqual(['安全技术交底未登记', '公告牌和警示标志照片未上传', '现场监督人员未登记'])
    expect((await act('site', id, 'start', { actualStartDate: later(0) })).message).toContain('安全技术交底未登记')
    await prepared(id)
    expect((await act('site', id, 'start', { actualStartDate: later(-1) })).data).toMatchObject({ field: 'actualStartDate' })
    await done('site', id, 'start', { actualStartDate: later(0) })
    await done('site', id, 'finish', { actualEndDate: later(0) })
    expect((await act('supervisor', id, 'accept')).message).toContain('验收标识牌')
    await done('site', id, 'saveAccept', { acceptDate: later(0), acceptPhotos: [files.site] })
    expect((await act('supervisor', id, 'accept')).message).toContain('项目技术负责人未签字')
    await signed('site', id, 'acceptTech', '余志强')
    await signed('supervisor', id, 'acceptChief')
    await done('supervisor', id, 'accept')
    await done('site', id, 'close')
    const end = await read('officer', id)
    expect([end.state, end.gaps]).toEqual(['9', []])
    expect(end.stages.map((one) => one.state)).toEqual(['done', 'done', 'done', 'skipped', 'done', 'done', 'done', 'done'])
  })

  test('work that needs monitoring does not begin without its monitoring party', async () => {
    const id = await given(overScale)
    await planned(id)
    await signed('supervisor', id, 'chief')
    await done('supervisor', id, 'pass')
    await done('site', id, 'review', { activityId: await givenReview('passed') })
    await prepared(id)
    expect((await act('site', id, 'start', { actualStartDate: later(0) })).message).toContain('第三方监测')
    await done('site', id, 'monitor', { monitorOrg: '江城勘测', monitorFiles: [files.site], deviceIds: [] })
    await done('site', id, 'start', { actualStartDate: later(0) })
  })

  test('a device of another site is not linked', async () => {
    const id = await passed()
    const { rows } = await sql<{ id: string }>`select id from device where project_code <> ${projectCode} limit 1`.execute(db())
    const body = { monitorOrg: null, monitorFiles: [], deviceIds: [rows[0]?.id] }
    expect((await act('site', id, 'monitor', body)).data).toMatchObject({ field: 'deviceIds' })
  })
})

describe('review by experts', () => {
  const atReview = async () => {
    const id = await given(overScale)
    await planned(id)
    await signed('supervisor', id, 'chief')
    await done('supervisor', id, 'pass')
    expect(await stateOf(id)).toBe('3')
    return id
  }

  test('an over-scale work does not pass without the conclusion of five experts of no company of the site', async () => {
    const id = await atReview()
    expect((await act('supervisor', id, 'passRevised')).status).not.toBe(0)
    expect((await act('site', id, 'review', { activityId: 'f'.repeat(32) })).data).toMatchObject({ field: 'activityId' })
    const few = await givenReview('passed', { experts: 4 })
    expect((await act('site', id, 'review', { activityId: few })).message).toContain('5 名以上')
    const units = await sql<{ name: string }>`select corp_name as name from corporation where corp_code = ${contractor}`.execute(db())
    const related = await givenReview('passed', { unit: units.rows[0]?.name })
    expect((await act('site', id, 'review', { activityId: related })).message).toContain('专家0属于参建单位')
    const good = await givenReview('passed')
    await done('site', id, 'review', { activityId: good })
    expect(await read('officer', id)).toMatchObject({ state: '5', reviewResult: 'passed' })
    const other = await atReview()
    expect((await act('site', other, 'review', { activityId: good })).message).toContain('已用于')
  })

  test('修改后通过 stays until the revision is signed a second time', async () => {
    const id = await atReview()
    await done('site', id, 'review', { activityId: await givenReview('changed') })
    expect(await stateOf(id)).toBe('3')
    expect((await act('supervisor', id, 'passRevised')).message).toContain('方案修改未提交')
    await done('site', id, 'revise', { note: '补充降水计算书', planFiles: [files.site] })
    expect((await act('supervisor', id, 'passRevised')).message).toContain('修改后')
    await signed('site', id, 'tech2', '余志强')
    await signed('supervisor', id, 'chief2')
    await done('supervisor', id, 'passRevised')
    expect(await stateOf(id)).toBe('5')
  })

  test('不通过 goes back to a new plan', async () => {
    const id = await atReview()
    await done('site', id, 'review', { activityId: await givenReview('failed') })
    expect(await stateOf(id)).toBe('4')
    await done('site', id, 'redo')
    expect(await read('site', id)).toMatchObject({ state: '1', reviewResult: null })
  })
})

describe('notices', () => {
  test('an open notice keeps a work from being finished, and the refusal links to it', async () => {
    const id = await running()
    await done('site', id, 'finish', { actualEndDate: later(0) })
    const body = { opinion: '连墙件缺失三处', requirement: '按方案补设连墙件', responsiblePerson: '刘铁柱', deadline: later(3) }
    const rejected = await act('supervisor', id, 'reject', body)
    expect(rejected).toMatchObject({ status: 0 })
    const noticeId = (rejected.data as { noticeId: string }).noticeId
    expect(await as.site.call(getRectify, { params: { id: noticeId }, query: {} } as never)).toMatchObject({ sourceKind: 'bigproject' })
    expect(await stateOf(id)).toBe('6')
    expect((await act('site', id, 'finish', { actualEndDate: later(0) })).message).toContain('未闭合')
    expect((await read('site', id)).blocked[0]?.missing[0]?.link).toContain(noticeId)
    await sql`update rectify set state = '7' where id = ${noticeId}`.execute(db())
    await done('site', id, 'finish', { actualEndDate: later(0) })
  })

  test('a stop that the officer drafts is nobody else’s business until he issues it', async () => {
    const id = await running()
    const made = await act('officer', id, 'requireStop', { opinion: '支撑体系与方案不符' })
    expect(made).toMatchObject({ status: 0 })
    for (const who of ['site', 'supervisor', 'contractor', 'owner'] as const) {
      const seen = await read(who, id)
      expect([seen.notices, seen.openRectify, seen.timeline.some((one) => one.action === 'requireStop')], who).toEqual([[], 0, false])
    }
    await done('site', id, 'finish', { actualEndDate: later(0) })
    expect((await act('site', id, 'requireStop', { opinion: '支撑体系与方案不符' })).status).not.toBe(0)
  })

  test('the supervision of a project does not end while a work runs', async () => {
    await running()
    const start = await as.owner.call(stopStart, { query: query() })
    expect(start.open.map((one) => one.label)).toContain('危大工程')
    expect(start.types.find((one) => one.type === '3')?.refusal).toContain('危大工程')
  })
})

describe('findings', () => {
  test('a start before the plan passed is registered, never taken, and stands on top', async () => {
    const early = await given({ name: '悬挑脚手架', actualStartDate: later(-5) })
    await given({ ...overScale, name: '一级风险基坑' })
    const { list, counts } = await as.officer.call(listWorks, { query: { ...query(), page: 1, size: 20 } } as never)
    expect(list[0]).toMatchObject({ id: early, grave: '开工早于方案通过' })
    expect(list[0]?.gaps).toContain('plan')
    const lacking = await as.officer.call(listWorks, { query: { ...query(), lacking: 'true' } } as never)
    expect(lacking.total).toBe(counts.lacking)
  })

  test('a site with devices of a pit and no registered pit is suspected', async () => {
    const { rows } = await sql<{
      n: number
    }>`select count(*)::int as n from device where project_code = ${projectCode} and family = 'foundationPit'
      and status = '1'`.execute(db())
    const suspects = async () =>
      (await as.officer.call(listWorks, { query: query() } as never)).suspects.filter((one) => one.what === '深基坑')
    if ((rows[0]?.n ?? 0) === 0)
      await sql`update device set family = 'foundationPit' where id = (select id from device where project_code = ${projectCode} order by id limit 1)`.execute(
        db(),
      )
    expect(await suspects()).toHaveLength(1)
    await given(overScale)
    expect(await suspects()).toEqual([])
  })
})

describe('who may', () => {
  const builders: readonly Who[] = ['site', 'safety', 'contractor']
  test('every action is refused to all who have no part in it', async () => {
    const tries: [WorkAction, string, object, readonly Who[]][] = [
      ['plan', '0', {}, builders],
      ['return', '2', { opinion: '计算书不完整' }, ['supervisor']],
      ['superviseNote', '6', { opinion: '请加强巡视检查' }, ['officer', 'head']],
      ['close', '8', { opinion: '' }, builders],
    ]
    for (const [action, state, body, may] of tries)
      for (const who of everybody) {
        const id = await given()
        await sql`update bigproject set state = ${state} where id = ${id}`.execute(db())
        const { status } = await act(who, id, action, body)
        expect(status === 0, `${action} by ${who}`).toBe(may.includes(who))
        if (!may.includes(who)) expect(await stateOf(id)).toBe(state)
      }
  })

  test('a subcontractor works on its own works and sees no other', async () => {
    const others = await given()
    const own = await given({ subCorp: sub })
    expect((await as.subcontractor.ask(getWork, { params: { id: others }, query: query() })).status).not.toBe(0)
    const list = await as.subcontractor.call(listWorks, { query: query() } as never)
    expect(list.list.map((one) => one.id)).toEqual([own])
    expect((await create('subcontractor')).status).not.toBe(0)
  })

  test('a wrong state, an old version and a foreign project are refused', async () => {
    const id = await given()
    for (const action of Object.keys(workMoves) as WorkAction[])
      if (!(workMoves[action].from as readonly string[]).includes('0')) {
        const { status } = await act('site', id, action, {})
        expect(status, action).not.toBe(0)
      }
    const old = await as.site.ask(changeWork, { params: { id }, query: query(), body: { version: 7, action: 'plan' } as never })
    expect(old.message).toContain('刷新')
    expect((await as.stranger.ask(getWork, { params: { id }, query: { projectCode: '*' } })).status).not.toBe(0)
    expect((await as.stranger.ask(workChoices, { query: query() })).status).not.toBe(0)
    expect((await create('officer')).status).not.toBe(0)
  })

  test('a file of somebody else is no plan', async () => {
    const id = await given()
    await done('site', id, 'plan')
    expect((await act('site', id, 'savePlan', { planName: '方案', planFiles: [files.stranger] })).data).toMatchObject({
      field: 'planFiles',
    })
  })

  test('only what has no plan yet is deleted', async () => {
    const id = await given()
    expect((await as.supervisor.ask(removeWork, { params: { id }, query: query() })).status).not.toBe(0)
    const ready = await passed()
    expect((await as.site.ask(removeWork, { params: { id: ready }, query: query() })).status).not.toBe(0)
    expect((await as.site.ask(removeWork, { params: { id }, query: query() })).status).toBe(0)
  })

  test('the to-do stands with who has the next step', async () => {
    const id = await given()
    const waits = async (who: Who) => (await as[who].call(listTodos, { query: {} } as never)).list.some((one) => one.link?.includes(id))
    expect([await waits('site'), await waits('supervisor')]).toEqual([true, false])
    await planned(id)
    expect([await waits('site'), await waits('supervisor')]).toEqual([false, true])
  })
})
