import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createSecurityCheck, getSecurityCheck, listSecurityChecks } from '@zhugong/contract/checks/security-check'
import { createMeasure, listMeasures } from '@zhugong/contract/measures/measures'
import * as contract from '@zhugong/contract/places/places'
import { treeOf } from '@zhugong/contract/places/tree'
import * as units from '@zhugong/contract/places/units'
import { changeRectify, createRectify, getRectify, listRectify } from '@zhugong/contract/rectify/calls'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { newId } from '#kit/ids'
import { type CityWorld, openCity, settleCity } from '../../../test/city.ts'
import { storedFile } from '../../../test/givens.ts'
import { type Caller, migrationsFolder, type World } from '../../../test/world.ts'

let world: World
let settled: CityWorld
let projectCode = ''
let contractor = ''
/** The site's manager and safety officer, its company, its supervisor, its authority, a subcontractor, another site and its file. */
const cast = {
  manager: 'hospital-pm',
  safety: 'hospital-safety',
  company: 'yunze-lu',
  supervisor: 'hospital-jl',
  authority: 'bj-zhao',
  subcontractor: 'dingli-cheng',
  stranger: 'zhigu-pm',
} as const
type Who = keyof typeof cast
const as = {} as Record<Who, Caller>
const files = {} as Record<Who, string>
const invalid = 2

beforeAll(async () => {
  world = await openCity(inject('postgresUrl'))
  settled = await settleCity(world)
  projectCode = settled.city.personas.find((p) => p.account === cast.manager)?.projectCode ?? ''
  contractor = settled.city.projects.find((p) => p.projectCode === projectCode)?.contractorCorpCode ?? ''
  for (const [who, account] of Object.entries(cast) as [Who, string][]) {
    as[who] = await settled.as(account)
    const { rows } = await world.database.pool.query<{ id: string }>(
      `select t.id from app_user u join member m on m.user_id = u.id join tenant t on t.id = m.group_id
       where u.account = $1 order by m.is_default desc limit 1`,
      [account],
    )
    files[who] = await storedFile(world, rows[0]?.id ?? '')
  }
})
afterAll(() => world.close())

const later = (days: number) => new Date(Date.now() + 8 * 3_600_000 + days * 86_400_000).toISOString().slice(0, 10)
const read = (who: Who = 'manager', project = projectCode) => as[who].call(contract.listPlaces, { query: { projectCode: project } })
const named = async (fullName: string) => {
  const place = (await read()).list.find((one) => one.fullName === fullName)
  if (!place) throw new Error(`no place ${fullName}`)
  return place
}
const series = (building: string, more: object = {}) =>
  as.manager.call(contract.createPlaces, { body: { projectCode, parentId: null, building, from: -1, to: 3, rooms: 2, ...more } })
const add = (body: object) => as.manager.ask(contract.createPlace, { body: { projectCode, ...body } } as never)

describe('the tree', () => {
  test('floors and rooms are made by a pattern, again without doubles, at most a named number at once', async () => {
    const first = await series('A 楼')
    expect(first).toMatchObject({ created: 1 + 4 + 6, kept: 0 })
    const again = await as.manager.call(contract.createPlaces, {
      body: { projectCode, parentId: first.buildingId, from: 1, to: 4, rooms: 3 },
    })
    expect(again).toMatchObject({ created: 1 + 3 + 3, kept: 3 + 6 })
    const [building] = treeOf((await read()).list).filter((one) => one.name === 'A 楼')
    expect(building?.children.map((one) => [one.name, one.children.map((room) => room.name)])).toEqual([
      ['地下1层', []],
      ['1层', ['101', '102', '103']],
      ['2层', ['201', '202', '203']],
      ['3层', ['301', '302', '303']],
      ['4层', ['401', '402', '403']],
    ])
    const withUnits = await series('B 楼', { units: ['1 单元', '2 单元'], from: 1, to: 2, rooms: 1 })
    expect(withUnits.created).toBe(1 + 2 + 4 + 4)
    expect((await named('B 楼 / 2 单元 / 2层 / 201')).kind).toBe('room')
    const tooMany = { projectCode, parentId: null, building: 'C 楼', from: 1, to: 100, rooms: 60 }
    expect((await as.manager.ask(contract.createPlaces, { body: tooMany })).message).toContain('一次最多生成 2000 个')
    const twice = await as.manager.ask(contract.createPlaces, { body: { ...tooMany, building: 'A 楼', to: 2 } })
    expect([twice.status, twice.message]).toEqual([4, '已有同名楼栋，请在该楼栋下生成'])
    const alike = await as.manager.ask(contract.createPlaces, { body: { ...tooMany, to: 2, roomName: '房间' } })
    expect([alike.status, alike.message]).toEqual([invalid, '房间名称须含 {序}，否则同层重名'])
  })

  test('a place stands where its kind may stand, under a name of its own', async () => {
    const { id: floor } = await named('A 楼 / 1层')
    expect((await add({ parentId: floor, kind: 'floor', name: '夹层' })).message).toBe('楼层下只能新增房间')
    expect((await add({ parentId: null, kind: 'room', name: '门卫' })).message).toContain('最上级只能新增楼栋、区域')
    expect((await add({ parentId: floor, kind: 'room', name: '101' })).message).toBe('同一上级下已有同名部位')
    expect((await add({ parentId: floor, kind: 'room', name: '1/2' })).message).toContain('不能含有 /')
    expect((await add({ parentId: null, kind: 'area', name: '加工区', code: 'Q-1' })).status).toBe(0)
  })

  test('a new name reaches everything inside; the order is kept; a change on an old version is refused', async () => {
    const building = await named('B 楼')
    const body = { id: building.id, version: building.version, name: '乙楼' }
    await as.manager.call(contract.changePlace, { body })
    expect((await named('乙楼 / 1 单元 / 1层 / 101')).name).toBe('101')
    expect((await as.company.ask(contract.changePlace, { body })).status).toBe(4)
    const { list } = await read()
    const inside = list.filter((one) => one.parentId === building.id).map((one) => one.id)
    await as.manager.call(contract.orderPlaces, { body: { projectCode, ids: inside.toReversed() } })
    expect((await read()).list.filter((one) => one.parentId === building.id).map((one) => one.name)).toEqual(['2 单元', '1 单元'])
    const mixed = await as.manager.ask(contract.orderPlaces, { body: { projectCode, ids: [building.id, ...inside] } })
    expect(mixed.message).toContain('不在同一上级')
  })

  test('rooms are copied to other floors with the numbers of those', async () => {
    const [from, to] = [await named('A 楼 / 1层'), await named('A 楼 / 地下1层')]
    await add({ parentId: from.id, kind: 'room', name: '强电井' })
    await as.manager.call(contract.setPlan, { body: { id: from.id, file: files.manager, ratio: 1.5 } })
    const done = await as.manager.call(contract.copyRooms, { body: { id: from.id, to: [to.id], withPlan: true } })
    expect(done).toEqual({ created: 4, kept: 0, plans: 1 })
    const { list } = await read()
    expect(list.filter((one) => one.parentId === to.id).map((one) => one.name)).toEqual(['B101', 'B102', 'B103', '强电井'])
    const strange = await named('加工区')
    expect((await as.manager.ask(contract.copyRooms, { body: { id: from.id, to: [strange.id] } })).message).toContain('楼层已变动')
  })

  test('units of the works are kept one by one, and a building names its unit', async () => {
    const unit = { name: '门诊楼', type: '2', part: '1', area: 18_000.5, floorsUp: 9, progressPercent: 40 }
    const { id } = await as.manager.call(units.createUnitProject, { body: { projectCode, ...unit } })
    expect((await as.manager.ask(units.createUnitProject, { body: { projectCode, ...unit } })).message).toBe('已有同名单体')
    const seen = async () => (await as.authority.call(units.listUnitProjects, { query: { projectCode } })).list.find((one) => one.id === id)
    expect(await seen()).toMatchObject({ ...unit, state: '1', stateName: '在建', floorsDown: null })
    await as.manager.call(units.changeUnitProject, { params: { id }, body: { ...unit, progressPercent: 100, version: 0 } })
    expect((await seen())?.stateName).toBe('完工')
    const stale = await as.company.ask(units.changeUnitProject, { params: { id }, body: { ...unit, version: 0 } })
    expect(stale.message).toContain('单体工程已被')
    const building = await named('A 楼')
    await as.manager.call(contract.changePlace, { body: { id: building.id, version: building.version, name: 'A 楼', unitId: id } })
    expect((await named('A 楼')).unitId).toBe(id)
    const floor = await named('A 楼 / 2层')
    const misplaced = await as.manager.ask(contract.changePlace, {
      body: { id: floor.id, version: floor.version, name: '2层', unitId: id },
    })
    expect(misplaced.message).toContain('只有楼栋对应单体工程')
    await as.manager.call(units.removeUnitProject, { params: { id } })
    expect((await named('A 楼')).unitId).toBeNull()
  })
})

const problem = (more: object = {}) => ({
  description: '三层临边防护栏杆缺失',
  part: '三层东侧',
  dangerLevel: '1',
  requirement: '补齐防护栏杆',
  corpCode: contractor,
  deadline: later(3),
  photos: [files.safety],
  ...more,
})
const check = (problems: object[], more: object = {}) => ({
  query: { projectCode },
  body: { id: newId(), action: 'submit', part: '三层', problems, ...more },
})
const submit = (problems: object[], more: object = {}) => as.safety.call(createSecurityCheck, check(problems, more) as never)
const tried = async (problems: object[], more: object = {}) => {
  const { status, message, data } = await as.safety.ask(createSecurityCheck, check(problems, more) as never)
  return { status, message, field: (data as { field?: string } | null)?.field }
}
const planOn = async (fullName: string) => {
  const place = await named(fullName)
  await as.manager.call(contract.setPlan, { body: { id: place.id, file: await freshFile(), ratio: 1.4 } })
  const plan = (await read()).plans.find((one) => one.placeId === place.id)
  if (!plan) throw new Error('no plan')
  return plan
}
const freshFile = async () => {
  const { rows } = await world.database.pool.query<{ id: string }>('select id from tenant where type = 3 and code = $1', [projectCode])
  return storedFile(world, rows[0]?.id ?? '')
}

describe('records at places', () => {
  test('a problem keeps place and point in its notice, on the plan of that day', async () => {
    const plan = await planOn('A 楼 / 3层')
    const room = await named('A 楼 / 3层 / 301')
    const pin = { planId: plan.id, x: 0.25, y: 0.5 }
    const { id } = await submit([problem({ placeId: room.id, pin }), problem({ description: '楼梯踏步临边未设栏杆' })])
    const file = await as.supervisor.call(getSecurityCheck, { params: { id }, query: { projectCode: '*' } })
    expect(file.placeNames).toEqual(['A 楼 / 3层 / 301'])
    expect(file.problems.map((one) => [one.placeName, one.pin])).toEqual([
      ['A 楼 / 3层 / 301', pin],
      [null, null],
    ])
    // Another plan later: the point stays on the one it was set on.
    await planOn('A 楼 / 3层')
    const notice = await as.authority.call(getRectify, { params: { id: file.notices[0]?.id ?? '' } })
    expect(notice.lines[0]).toMatchObject({ placeId: room.id, placeName: 'A 楼 / 3层 / 301', pin })
    expect(notice.plans).toMatchObject([{ id: plan.id, name: 'A 楼 / 3层' }])
    const floor = await named('A 楼 / 3层')
    const found = async (place: string) =>
      (await as.manager.call(listSecurityChecks, { query: { projectCode, place, size: 100 } })).list.map((one) => one.id)
    expect(await found(floor.id)).toContain(id)
    expect(await found((await named('A 楼 / 2层')).id)).not.toContain(id)
    const notices = await as.manager.call(listRectify, { query: { projectCode, place: floor.id } })
    expect(notices.list.map((one) => one.placeNames)).toEqual([['A 楼 / 3层 / 301']])
  })

  test('a notice tells what was found at its places before', async () => {
    const room = await named('A 楼 / 3层 / 301')
    const line = { description: '临边防护再次缺失', part: '三层', requirement: '补齐防护栏杆', placeId: room.id, photos: [files.authority] }
    const notice = {
      projectCode,
      action: 'issue' as const,
      corpCode: contractor,
      sourceType: '01',
      noticeType: '2',
      category: '01',
      level: '1',
      checkDate: later(0),
      deadline: later(7),
      responsiblePerson: '周大勇',
      lines: [line],
    }
    const { id } = await as.authority.call(createRectify, { body: notice })
    const file = await as.manager.call(getRectify, { params: { id } })
    expect(file.lines[0]?.earlier).toMatchObject([{ text: '三层临边防护栏杆缺失', origin: 'site' }])
    const draft = await as.authority.call(createRectify, { body: { ...notice, action: 'save' } })
    const moved = { ...line, placeId: (await named('A 楼 / 2层')).id }
    const { projectCode: _site, ...fields } = notice
    await as.authority.call(changeRectify, { body: { ...fields, id: draft.id, version: 0, action: 'save', lines: [moved] } })
    expect((await as.authority.call(getRectify, { params: { id: draft.id } })).lines[0]?.placeName).toBe('A 楼 / 2层')
  })

  test('a measure names a place, and the list is filtered by it', async () => {
    const floor = await named('A 楼 / 3层')
    const body = {
      id: newId(),
      action: 'submit' as const,
      name: '三层临边专项措施',
      hazardSource: '01',
      riskLevel: '2',
      placeId: floor.id,
      content: '各层临边补齐防护栏杆，由架子班组三日内完成',
      corpCode: contractor,
      responsible: '周大勇',
      startDate: later(0),
      endDate: later(10),
    }
    await as.manager.call(createMeasure, { query: { projectCode }, body })
    const { list } = await as.manager.call(listMeasures, { query: { projectCode, place: (await named('A 楼')).id } })
    expect(list.map((one) => [one.name, one.placeName])).toEqual([['三层临边专项措施', 'A 楼 / 3层']])
  })

  test('what records name is archived, the rest removed; it can be taken back into use', async () => {
    const { id } = await named('A 楼 / 3层')
    const gone = await as.manager.call(contract.removePlace, { params: { id } })
    expect(gone).toEqual({ removed: 2, archived: 2 })
    const [floor, room] = [await named('A 楼 / 3层'), await named('A 楼 / 3层 / 301')]
    expect([floor.archived, room.archived]).toEqual([true, true])
    expect(await tried([problem({ placeId: room.id })])).toEqual({
      status: invalid,
      message: '该部位已停用，请重新选择',
      field: 'problems.0.placeId',
    })
    const restore = (place: contract.SitePlace) =>
      as.manager.ask(contract.changePlace, { body: { id: place.id, version: place.version, name: place.name, archived: false } })
    expect((await restore(room)).message).toContain('请先恢复上级')
    expect((await restore(floor)).status).toBe(0)
    expect((await restore(room)).status).toBe(0)
    await submit([problem({ placeId: room.id })])
  })

  test('a draft that nobody else knows of does not show in what can be removed', async () => {
    await add({ parentId: (await named('A 楼 / 2层')).id, kind: 'room', name: '配电间' })
    const room = await named('A 楼 / 2层 / 配电间')
    const line = { description: '配电间堆放杂物', part: '配电间', requirement: '清理', placeId: room.id, photos: [files.authority] }
    const { id } = await as.authority.call(createRectify, {
      body: {
        projectCode,
        action: 'save',
        corpCode: contractor,
        sourceType: '01',
        noticeType: '2',
        category: '01',
        level: '1',
        checkDate: later(0),
        deadline: later(7),
        responsiblePerson: '周大勇',
        lines: [line],
      },
    })
    expect(await as.manager.call(contract.removePlace, { params: { id: room.id } })).toEqual({ removed: 1, archived: 0 })
    const draft = await as.authority.call(getRectify, { params: { id } })
    expect(draft.lines[0]).toMatchObject({ part: '配电间', placeId: null, placeName: null })
  })
})

describe('attacks', () => {
  test('place and plan of another site are refused at their field', async () => {
    const other = settled.city.personas.find((p) => p.account === cast.stranger)?.projectCode ?? ''
    const made = await as.stranger.call(contract.createPlaces, {
      body: { projectCode: other, parentId: null, building: '他楼', from: 1, to: 1, rooms: 0 },
    })
    const floor = (await read('stranger', other)).list.find((one) => one.kind === 'floor')?.id ?? ''
    const { planId } = await as.stranger.call(contract.setPlan, { body: { id: floor, file: files.stranger, ratio: 1 } })
    const own = await named('A 楼 / 2层 / 201')
    const foreign = { status: invalid, message: '部位不存在或不属于该项目' }
    expect(await tried([problem({ placeId: floor })])).toEqual({ ...foreign, field: 'problems.0.placeId' })
    expect(await tried([problem()], { placeId: floor })).toEqual({ ...foreign, field: 'placeId' })
    const pin = { planId: planId ?? '', x: 0.5, y: 0.5 }
    expect(await tried([problem({ placeId: own.id, pin })])).toMatchObject({ status: invalid, field: 'problems.0.pin' })
    expect(await tried([problem({ pin })])).toMatchObject({ message: '请先选择部位，再在平面图上点选' })
    const elsewhere = (await read()).plans.find((one) => one.name === 'A 楼 / 1层')
    expect(await tried([problem({ placeId: own.id, pin: { ...pin, planId: elsewhere?.id ?? '' } })])).toMatchObject({
      message: '平面图不属于该部位，请重新点选',
    })
    expect((await tried([problem({ placeId: own.id, pin: { ...pin, x: 1.5 } })])).status).toBe(invalid)
    // Not by the tree either: no parent, unit or order of another site.
    expect((await add({ parentId: made.buildingId, kind: 'floor', name: '9层' })).message).toContain('不属于该项目')
    expect((await as.manager.ask(contract.orderPlaces, { body: { projectCode, ids: [floor] } })).status).toBe(invalid)
    expect((await as.manager.ask(contract.removePlace, { params: { id: floor } })).status).toBe(invalid)
    expect((await as.manager.ask(contract.listPlaces, { query: { projectCode: other } })).status).toBe(invalid)
    expect((await as.stranger.ask(contract.listPlaces, { query: { projectCode } })).status).toBe(invalid)
  })

  test('the database itself holds a record to the places of its project', async () => {
    const other = settled.city.personas.find((p) => p.account === cast.stranger)?.projectCode ?? ''
    const floor = (await read('stranger', other)).list[0]?.id
    const update = world.database.pool.query('update site_check set place_id = $1 where project_code = $2', [floor, projectCode])
    await expect(update).rejects.toThrow('site_check_place')
  })

  test('a file of another tenant does not become a plan', async () => {
    const { id } = await named('A 楼 / 2层')
    const given = await as.manager.ask(contract.setPlan, { body: { id, file: files.stranger, ratio: 1 } })
    expect([given.status, given.message]).toEqual([invalid, '附件不存在，请重新上传'])
    const room = await named('A 楼 / 2层 / 201')
    expect((await as.manager.ask(contract.setPlan, { body: { id: room.id, file: files.manager, ratio: 1 } })).status).toBe(invalid)
  })

  test('subcontractor, supervisor and authority read the tree and change nothing', async () => {
    const room = await named('A 楼 / 2层 / 201')
    for (const who of ['subcontractor', 'supervisor', 'authority'] as const) {
      expect((await read(who)).total, who).toBeGreaterThan(10)
      const change = { body: { id: room.id, version: room.version, name: '999' } }
      expect((await as[who].ask(contract.changePlace, change)).status, who).not.toBe(0)
      expect((await as[who].ask(contract.removePlace, { params: { id: room.id } })).status, who).not.toBe(0)
      expect((await as[who].ask(contract.setPlan, { body: { id: room.id, file: null } })).status, who).not.toBe(0)
      const unit = { body: { projectCode, name: '越权', type: '1', part: '1' } }
      expect((await as[who].ask(units.createUnitProject, unit)).status, who).not.toBe(0)
    }
    expect((await named('A 楼 / 2层 / 201')).version).toBe(room.version)
  })
})

test('units kept as JSON before become rows: with their ids, names and progress', async () => {
  const client = new pg.Client({ connectionString: world.config.databaseUrl })
  await client.connect()
  const key = newId()
  const unit = (one: string, name: string) => ({ key: one, name, phase: '3', buildingArea: 1200.5, floorsUp: 6, progressPercent: 40 })
  try {
    await client.query('begin')
    await client.query(`drop table site_plan, site_place, unit_project cascade`)
    for (const table of ['site_check', 'site_check_problem', 'rectify_line', 'safety_measure'])
      await client.query(`alter table ${table} drop column if exists place_id, drop column if exists plan_id, drop column if exists pin_x,
        drop column if exists pin_y`)
    await client.query(`alter table project add column unit_works jsonb not null default '[]'`)
    const { rows: sites } = await client.query<{ code: string }>('select project_code as code from project order by 1 limit 2')
    const put = (site: number, list: object[]) =>
      client.query('update project set unit_works = $2 where project_code = $1', [sites[site]?.code, JSON.stringify(list)])
    await put(0, [
      unit(key, '门诊楼'),
      unit('unit1', '住院楼'),
      { ...unit('unit1', '地下车库'), phase: null, buildingArea: null, floorsUp: null },
    ])
    await put(1, [unit('unit1', '住院楼')])
    await client.query(readFileSync(join(migrationsFolder, '20261219-20-places.sql'), 'utf8'))
    const { rows } = await client.query<{ id: string; project_code: string; name: string; area: string | null; phase: string | null }>(
      'select id, project_code, name, area::float8 as area, floors_up, phase, progress_percent::float8 as done from unit_project order by project_code, seq',
    )
    const known = { area: 1200.5, floors_up: 6, phase: '3', done: 40 }
    expect(rows).toMatchObject([
      { id: key, project_code: sites[0]?.code, name: '门诊楼', ...known },
      { project_code: sites[0]?.code, name: '住院楼', ...known },
      { name: '地下车库', area: null, floors_up: null, phase: null, done: 40 },
      { project_code: sites[1]?.code, name: '住院楼' },
    ])
    expect(new Set(rows.map((one) => one.id)).size).toBe(4)
    const { rowCount } = await client.query(
      `select from information_schema.columns where table_name = 'project' and column_name = 'unit_works'`,
    )
    expect(rowCount).toBe(0)
  } finally {
    await client.query('rollback')
    await client.end()
  }
})
