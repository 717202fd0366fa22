import {
  changeDayCheck,
  createDayCheck,
  dayCheckStart,
  getDayCheck,
  listDayChecks,
  removeDayCheckUnit,
} from '@zhugong/contract/daychecks/calls'
import type { DayCheckAction } from '@zhugong/contract/daychecks/moves'
import { signDayCheck } from '@zhugong/contract/daychecks/seats'
import { listTodos } from '@zhugong/contract/home/endpoints'
import { checkPaper } from '@zhugong/contract/process/papers'
import { listRectify } from '@zhugong/contract/rectify/calls'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest'
import { newId } from '#kit/ids'
import { type CityWorld, openCity, settleCity } from '../../../test/city.ts'
import { storedFile, strokes } from '../../../test/givens.ts'
import { printed, tokenIn } from '../../../test/printed.ts'
import type { Caller, World } from '../../../test/world.ts'

let world: World
let settled: CityWorld
let projectCode = ''
let contractor = ''
const cast = {
  officer: 'bj-zhao',
  second: 'bj-qian',
  head: 'bj-wu',
  city: 'city-fang',
  site: 'hospital-pm',
  supervisor: 'hospital-jl',
  contractor: 'yunze-lu',
  owner: 'weijian-xia',
  subcontractor: 'dingli-cheng',
  otherDistrict: 'yd-wang',
  stranger: 'zhigu-pm',
} as const
type Who = keyof typeof cast
/** Everybody who must not learn of a check before it is submitted. */
const siteSide = ['site', 'supervisor', 'contractor', 'owner', 'subcontractor', 'stranger'] as const
const as = {} as Record<Who, Caller>
const ids = {} as Record<Who, { id: string; name: string; groupId: string }>
let photo = ''
const query = () => ({ projectCode })

beforeAll(async () => {
  world = await openCity(inject('postgresUrl'))
  settled = await settleCity(world)
  projectCode = settled.city.personas.find((p) => p.account === 'hospital-pm')?.projectCode ?? ''
  contractor = settled.city.personas.find((p) => p.account === 'yunze-lu')?.corpCode ?? ''
  for (const [who, account] of Object.entries(cast) as [Who, string][]) {
    as[who] = await settled.as(account)
    const { rows } = await sql<{ id: string; name: string; groupId: string }>`select u.id, u.name, m.group_id from app_user u
      join member m on m.user_id = u.id and m.is_default where u.account = ${account}`.execute(world.database.kysely)
    if (rows[0]) ids[who] = rows[0]
  }
  photo = await storedFile(world, ids.officer.groupId)
})
afterAll(() => world.close())
beforeEach(async () => {
  const db = world.database.kysely
  await sql`delete from rectify where project_code = ${projectCode}`.execute(db)
  await sql`delete from site_check where kind = 'daycheck'`.execute(db)
  await sql`delete from process_todo where project_code = ${projectCode}`.execute(db)
  await sql`update project set prj_status = '003' where project_code = ${projectCode}`.execute(db)
})

const later = (days: number) => new Date(Date.now() + 8 * 3_600_000 + days * 86_400_000).toISOString().slice(0, 10)
const task = (more: object = {}) => ({
  inspectType: '01',
  discipline: ['1'],
  plannedDate: later(0),
  checkers: [ids.officer, ids.second].map(({ id, name }) => ({ id, name })),
  template: ['01', '07'],
  ...more,
})
const plan = async (more: object = {}) => (await as.head.call(createDayCheck, { query: query(), body: task(more) as never })).id
const read = (who: Who, id: string) => as[who].call(getDayCheck, { params: { id }, query: query() })
async function act(who: Who, id: string, action: DayCheckAction, more: object = {}) {
  const { rows } = await sql<{ version: number }>`select version from day_check where id = ${id}`.execute(world.database.kysely)
  return as[who].ask(changeDayCheck, { params: { id }, query: query(), body: { version: rows[0]?.version ?? 0, action, ...more } as never })
}
const arrive = (id: string, more: object = {}) =>
  act('officer', id, 'checkIn', { lng: null, lat: null, abnormalReason: '地下室无定位信号', progress: '3', photos: [photo], ...more })

/** Everything in order, except what `failed` names by item code. */
async function judge(id: string, failed: Readonly<Record<string, number>> = {}, who: Who = 'officer'): Promise<void> {
  for (const unit of (await read(who, id)).units) {
    const items = unit.sheets.flatMap((sheet) =>
      sheet.items.map(({ itemCode }) => {
        const lost = failed[itemCode]
        const wrong = { result: '2', deduction: lost, note: '现场不符合要求', photos: [photo] }
        return { sheetId: sheet.id, itemCode, ...(lost ? wrong : { result: '1', deduction: 0, photos: [] }) }
      }),
    )
    expect(await act(who, id, 'saveUnit', { taskId: unit.id, version: unit.version, items, done: true })).toMatchObject({ status: 0 })
  }
}
const problem = (more: object = {}) => ({
  description: '配电箱未上锁，无漏电保护',
  part: '1#楼',
  dangerLevel: '1',
  requirement: '立即整改并加锁',
  corpCode: contractor,
  deadline: later(7),
  photos: [photo],
  noticeType: null,
  ...more,
})
const signatures = () =>
  [ids.officer, ids.second].map(({ name }, i) => ({ id: newId(), seat: `checker${i + 1}`, name, place: null, image: strokes() }))
const submit = (id: string, more: object = {}) =>
  act('officer', id, 'submit', { conclusion: '1', problems: [], signatures: signatures(), ...more })
const started = async (more: object = {}) => {
  const id = await plan(more)
  expect(await arrive(id)).toMatchObject({ status: 0 })
  return id
}
const addUnit = async (id: string) =>
  expect(await act('officer', id, 'addUnit', { unitId: null, name: '1#楼', sheets: ['06'] })).toMatchObject({ status: 0 })
const listed = async (who: Who) =>
  (await as[who].call(listDayChecks, { query: { projectCode: '*', page: 1, size: 100 } })).list.map((one) => one.id)

describe('from plan to closing', () => {
  test('a clean check goes from plan over arrival and units to its end, with score and number', async () => {
    const id = await started()
    await judge(id)
    const before = await read('officer', id)
    expect(before).toMatchObject({ state: '1', score: 100, code: null })
    expect(await submit(id)).toMatchObject({ status: 0 })
    const after = await read('site', id)
    expect(after).toMatchObject({ state: '2', score: 100, gradeName: '优良', conclusion: '1' })
    expect(after.code).toMatch(/监查〔\d{4}〕第\d{4}号$/)
    expect(after.signatures.filter((one) => one.state === 'signed').map((one) => one.name)).toEqual([ids.officer.name, ids.second.name])
    expect(after.presence.length).toBeGreaterThan(3)
  })

  test('problems become notices by company, deadline and kind; the check follows them to its closing', async () => {
    const id = await started()
    await judge(id)
    const problems = [
      problem(),
      problem({ part: '2#楼' }),
      problem({ part: '3#楼', noticeType: '3', dangerLevel: '2', majorClause: '判定标准第四条', deadline: later(15) }),
      problem({ part: '大门', mended: '已当场加锁', mendedPhotos: [await storedFile(world, ids.officer.groupId)] }),
    ]
    expect(await submit(id, { problems, conclusion: '4' })).toMatchObject({ status: 0 })
    const after = await read('officer', id)
    expect(after.state).toBe('3')
    expect(after.notices.map((one) => [one.noticeTypeName, one.stateName]).sort()).toEqual([
      ['局部停工整改通知书', '待签收'],
      ['责令立即改正', '已闭合'],
      ['限期整改通知书', '待签收'],
    ])
    const db = world.database.kysely
    await sql`update rectify set state = '5' where source_id = ${id} and state = '1'`.execute(db)
    expect((await read('site', id)).state).toBe('4')
    await sql`update rectify set state = '7' where source_id = ${id} and state = '5'`.execute(db)
    expect((await read('site', id)).state).toBe('5')
    const { list } = await as.site.call(listRectify, { query: { projectCode, page: 1, size: 50 } })
    expect(list.length).toBe(3)
  })

  test('the printed record has every figure of the record; a stranger learns from its code only what its head says', async () => {
    const id = await started()
    const [first] = (await read('officer', id)).units.flatMap((unit) => unit.sheets.flatMap((sheet) => sheet.items))
    const lost = first?.itemCode ?? ''
    await judge(id, { [lost]: 1 })
    const problems = [problem(), problem({ part: '2#楼', mended: '已当场加锁', mendedPhotos: [photo] })]
    expect(await printed(world, as.officer, 'daycheckRecord', { id })).toContain('提交以后才能打印')
    expect(await submit(id, { problems, conclusion: '3' })).toMatchObject({ status: 0 })
    const file = await read('officer', id)
    const text = await printed(world, as.officer, 'daycheckRecord', { id })
    const lines = text.split('\n')
    const marks = (value: number | null) => (value === null ? '缺项' : value.toFixed(2))
    const said = [
      ...[file.code, file.projectName, file.checkerGroupName, file.inspectTypeName, file.disciplineNames.join('、'), file.checkTime],
      ...[file.checkers.join('、'), file.progressName, file.conclusionName, marks(file.score), file.gradeName],
      ...file.categories.flatMap((one) => [one.name, String(one.weight), marks(one.points)]),
      ...file.problems.flatMap((one) => [String(one.seq), one.part, one.description, one.corpName]),
      ...file.problems.map((one) => (one.mended ? `当场改正：${one.mended}` : `${one.notice?.code} 期限 ${one.deadline}`)),
      ...file.presence.flatMap((one) => [one.postName, one.name, one.at]),
    ]
    expect(said.filter((one) => one && !lines.some((line) => line.includes(one)))).toEqual([])
    expect(text).toContain('现场不符合要求')
    expect(await printed(world, as.stranger, 'daycheckRecord', { id })).toContain('不存在')

    const verified = await world.anonymous.ask(checkPaper, { query: { t: tokenIn(text) } })
    expect(Object.keys(verified.data as object).sort()).toEqual([
      'date',
      'digest',
      'issuer',
      'number',
      'projectName',
      'revoked',
      'same',
      'title',
    ])
    expect(verified.data).toMatchObject({ number: file.code, projectName: file.projectName, issuer: file.checkerGroupName, same: true })
    await sql`update check_score set score = 12.34 where check_id = ${id}`.execute(world.database.kysely)
    await sql`update day_check set conclusion = '1' where id = ${id}`.execute(world.database.kysely)
    expect((await world.anonymous.ask(checkPaper, { query: { t: tokenIn(text) } })).data).toMatchObject({ same: false })
  })

  test('what is mended on the spot closes the check at once', async () => {
    const id = await started()
    await judge(id)
    const mended = problem({ mended: '已当场加锁', mendedPhotos: [await storedFile(world, ids.officer.groupId)] })
    expect(await submit(id, { problems: [mended], conclusion: '2' })).toMatchObject({ status: 0 })
    expect((await read('site', id)).state).toBe('5')
  })

  test('a 保证项目 without points fails the check, whatever the score', async () => {
    const id = await started()
    const sheets = (await read('officer', id)).units.flatMap((unit) => unit.sheets)
    const zero = sheets.flatMap((sheet) => sheet.items).find((item) => item.guarantee)
    if (!zero) throw new Error('no guarantee item')
    await judge(id, { [zero.itemCode]: zero.maxScore })
    expect(await submit(id)).toMatchObject({ status: 2 })
    expect(await submit(id, { problems: [problem({ itemCode: zero.itemCode })], conclusion: '3' })).toMatchObject({ status: 0 })
    expect(await read('officer', id)).toMatchObject({ gradeName: '不合格', reason: expect.stringContaining('零分') })
  })
})

describe('what a check asks for', () => {
  test('a position outside needs a reason and is marked', async () => {
    const id = await plan()
    expect(await arrive(id, { lng: 100, lat: 30, abnormalReason: null })).toMatchObject({ status: 2 })
    expect(await arrive(id, { lng: 100, lat: 30, abnormalReason: '围栏坐标有误' })).toMatchObject({ status: 0 })
    const after = await read('officer', id)
    expect(after).toMatchObject({ locationAbnormal: true, checkIn: { abnormalReason: '围栏坐标有误' } })
    expect(after.checkIn?.outsideM).toBeGreaterThan(500)
  })

  test('a failed item needs a photo or words; two officers in two units do not meet, two in one do', async () => {
    const id = await started()
    await addUnit(id)
    const { units } = await read('officer', id)
    const [first, other] = units
    if (!first || !other) throw new Error('two units expected')
    const bare = first.sheets.flatMap((sheet) =>
      sheet.items.slice(0, 1).map(({ itemCode }) => ({ sheetId: sheet.id, itemCode, result: '2', deduction: 2, photos: [] })),
    )
    expect(await act('officer', id, 'saveUnit', { taskId: first.id, version: 0, items: bare })).toMatchObject({ status: 2 })
    const items = bare.map((one) => ({ ...one, note: '无交底记录' }))
    expect(await act('officer', id, 'saveUnit', { taskId: first.id, version: 0, items })).toMatchObject({ status: 0 })
    expect(await act('second', id, 'saveUnit', { taskId: other.id, version: 0, items: [] })).toMatchObject({ status: 0 })
    expect(await act('second', id, 'saveUnit', { taskId: first.id, version: 0, items: [] })).toMatchObject({ status: 4 })
    expect(await act('officer', id, 'saveUnit', { taskId: first.id, version: 1, items: [], done: true })).toMatchObject({ status: 4 })
  })

  test('a repeated act of a device changes nothing', async () => {
    const id = newId()
    await plan({ id })
    expect(await plan({ id })).toBe(id)
    const actKey = newId()
    const first = await as.officer.ask(changeDayCheck, {
      params: { id },
      query: query(),
      body: { version: 0, action: 'checkIn', actKey, lng: null, lat: null, abnormalReason: '无信号', photos: [], progress: '3' } as never,
    })
    const again = await as.officer.ask(changeDayCheck, {
      params: { id },
      query: query(),
      body: { version: 0, action: 'checkIn', actKey, lng: null, lat: null, abnormalReason: '无信号', photos: [], progress: '3' } as never,
    })
    expect([first, again]).toMatchObject([{ status: 0 }, { status: 0 }])
    expect((await read('officer', id)).timeline.filter((line) => line.action === 'checkIn').length).toBe(1)
  })

  test('one officer, a past day, a stranger as officer and a missing signature are refused', async () => {
    const ask = (more: object) => as.head.ask(createDayCheck, { query: query(), body: task(more) as never })
    expect(await ask({ checkers: [{ id: ids.officer.id, name: ids.officer.name }] })).toMatchObject({ status: 2 })
    expect(await ask({ plannedDate: later(-1) })).toMatchObject({ status: 2 })
    expect(await ask({ checkers: [ids.officer, ids.site].map(({ id, name }) => ({ id, name })) })).toMatchObject({ status: 2 })
    const id = await started()
    await judge(id)
    expect(await submit(id, { signatures: signatures().slice(0, 1) })).toMatchObject({ status: 2 })
    expect((await read('officer', id)).state).toBe('1')
  })

  test('a unit with results stays; one without can be taken out', async () => {
    const id = await started()
    await addUnit(id)
    const [first, other] = (await read('officer', id)).units
    await act('officer', id, 'saveUnit', { taskId: first?.id, version: 0, items: [] })
    const remove = (taskId: string | undefined) => as.officer.ask(removeDayCheckUnit, { params: { taskId: taskId ?? '' }, query: query() })
    expect(await remove(first?.id)).toMatchObject({ status: 4 })
    expect(await remove(other?.id)).toMatchObject({ status: 0 })
  })

  test('the sheets offered fit the site, the officers are those of the institution', async () => {
    const start = await as.head.call(dayCheckStart, { query: { projectCode } })
    expect(start.officers.map((one) => one.name)).toContain(ids.officer.name)
    expect(start.sheets.find((one) => one.code === '0801')).toMatchObject({ proposed: false })
    expect(start.facts.map((one) => one.label)).toContain('未闭合整改')
  })
})

describe('secrecy and rights', () => {
  test('nobody of the site learns of a check before it is submitted', async () => {
    const id = await plan()
    for (const state of ['0', '1']) {
      if (state === '1') {
        await arrive(id)
        await judge(id)
      }
      for (const who of siteSide) {
        expect(await listed(who), `${who} ${state}`).not.toContain(id)
        expect(await as[who].ask(getDayCheck, { params: { id }, query: query() }), `${who} ${state}`).toMatchObject({ status: 2 })
        const todos = await as[who].call(listTodos, { query: { projectCode: '*', page: 1, size: 50 } as never })
        expect(JSON.stringify(todos), `${who} ${state}`).not.toContain(id)
      }
    }
    const { rows } =
      await sql`select from message where link like ${`%${id}%`} and user_id = any (${siteSide.map((who) => ids[who].id)})`.execute(
        world.database.kysely,
      )
    expect(rows).toHaveLength(0)
    await submit(id)
    expect(await listed('site')).toContain(id)
    expect(await listed('supervisor')).toContain(id)
    expect(await listed('stranger')).not.toContain(id)
  })

  test('a surprise of the city is hidden from the district until the officers are there', async () => {
    const checkers = [
      { id: ids.city.id, name: ids.city.name },
      { id: null, name: '特邀专家' },
    ]
    const { id } = await as.city.call(createDayCheck, {
      query: query(),
      body: task({ surprise: true, inspectType: '07', checkers }) as never,
    })
    expect(await listed('head')).not.toContain(id)
    expect(await as.head.ask(getDayCheck, { params: { id }, query: query() })).toMatchObject({ status: 2 })
    expect(await act('city', id, 'checkIn', { lng: null, lat: null, abnormalReason: '无信号', photos: [] })).toMatchObject({ status: 0 })
    expect(await listed('head')).toContain(id)
    expect((await read('head', id)).units.length).toBeGreaterThan(0)
    expect(await listed('site')).not.toContain(id)
  })

  test('only its named officers hold a check, only its institution cancels it', async () => {
    const id = await plan()
    for (const who of ['head', 'city', 'otherDistrict', ...siteSide] as const)
      expect((await act(who, id, 'checkIn', { lng: null, lat: null, abnormalReason: '无信号' })).status, who).not.toBe(0)
    for (const who of ['city', 'otherDistrict', ...siteSide] as const)
      expect((await act(who, id, 'cancel', { opinion: '项目已经停工' })).status, who).not.toBe(0)
    expect(await act('head', id, 'cancel', { opinion: '项目已经停工' })).toMatchObject({ status: 0 })
    expect((await read('head', id)).state).toBe('6')
    expect(await listed('site')).not.toContain(id)
  })

  test('the site signs and remarks once; 监理 has its own seat; a stranger has none', async () => {
    const id = await started()
    await judge(id)
    await submit(id)
    const sign = (who: Who, seat: string) =>
      as[who].ask(signDayCheck, {
        params: { id },
        query: query(),
        body: { action: 'sign', id: newId(), seat, name: null, phone: null, place: null, device: null, image: strokes() } as never,
      })
    expect((await sign('stranger', 'site')).status).not.toBe(0)
    expect((await sign('site', 'supervisor')).status).not.toBe(0)
    expect(await sign('site', 'site')).toMatchObject({ status: 0 })
    expect(await sign('supervisor', 'supervisor')).toMatchObject({ status: 0 })
    expect(await act('site', id, 'remark', { opinion: '已经安排整改' })).toMatchObject({ status: 0 })
    expect((await act('site', id, 'remark', { opinion: '再说一次' })).status).not.toBe(0)
    expect((await act('officer', id, 'save', { problems: [] })).status).not.toBe(0)
  })
})
