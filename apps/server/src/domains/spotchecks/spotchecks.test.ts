import { listTodos } from '@zhugong/contract/home/endpoints'
import { changeMaterial, getMaterial, receiveMaterial } from '@zhugong/contract/materials/calls'
import { changeSpotCheck, createSpotCheck, getSpotCheck, listSpotChecks, removeSpotCheck } from '@zhugong/contract/spotchecks/calls'
import { type SpotAction, spotMoves } from '@zhugong/contract/spotchecks/moves'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { newId } from '#kit/ids'
import { type CityWorld, openCity, settleCity } from '../../../test/city.ts'
import { storedFile, strokes } from '../../../test/givens.ts'
import type { Caller, World } from '../../../test/world.ts'

let world: World
let settled: CityWorld
let projectCode = ''
/** The authority that checks, the site, its general contractor, 监理, a subcontractor, and another site. */
const cast = {
  authority: 'bj-zhao',
  site: 'hospital-pm',
  company: 'yunze-lu',
  supervisor: 'hospital-jl',
  subcontractor: 'dingli-cheng',
  stranger: 'zhigu-pm',
} as const
type Who = keyof typeof cast
const everybody = Object.keys(cast) as Who[]
const as = {} as Record<Who, Caller>
const files = {} as Record<Who, string>
const corps = {} as Record<Who, string>

beforeAll(async () => {
  world = await openCity(inject('postgresUrl'))
  settled = await settleCity(world)
  projectCode = settled.city.personas.find((p) => p.account === cast.site)?.projectCode ?? ''
  for (const [who, account] of Object.entries(cast) as [Who, string][]) {
    as[who] = await settled.as(account)
    const { rows } = await sql<{ id: string; code: string }>`select t.id, t.code from app_user u join member m on m.user_id = u.id
      join tenant t on t.id = m.group_id where u.account = ${account} order by m.is_default desc limit 1`.execute(world.database.kysely)
    files[who] = await storedFile(world, rows[0]?.id ?? '')
    corps[who] = rows[0]?.code ?? ''
  }
})
afterAll(() => world.close())

const today = () => new Date(Date.now() + 8 * 3_600_000).toISOString().slice(0, 10)
const later = (days: number) => new Date(Date.now() + 8 * 3_600_000 + days * 86_400_000).toISOString().slice(0, 10)
const fields = (who: Who, more: object = {}) => ({
  kind: '3',
  part: '9 层梁板试块',
  corpCode: corps.company,
  checkDate: today(),
  checkers: ['许建平', '高志远'],
  method: '标准养护抗压',
  designValue: 'C35',
  readings: { test: 'other', note: '标准养护试块一组' },
  photos: [files[who]],
  ...more,
})
const onSite = (passed: boolean) => ({ action: 'submitOnSite', actualValue: passed ? '41 MPa' : '30 MPa', passed })
const inLab = () => ({ action: 'submitSample', sampleNo: newId(), labOrg: '市检测中心', labDue: later(7) })
const tryCreate = (body: object, who: Who = 'authority') =>
  as[who].ask(createSpotCheck, { body: { id: newId(), projectCode, ...fields(who), ...body } } as never)
const create = (body: object, who: Who = 'authority') =>
  as[who].call(createSpotCheck, { body: { id: newId(), projectCode, ...fields(who), ...body } } as never)
const read = (who: Who, id: string) => as[who].call(getSpotCheck, { params: { id } })
const requestOf = (who: Who, id: string) => as[who].ask(getSpotCheck, { params: { id } })
async function act(who: Who, id: string, body: object) {
  const { rows } = await sql<{ version: number }>`select version from spot_check where id = ${id}`.execute(world.database.kysely)
  return as[who].ask(changeSpotCheck, { body: { id, version: rows[0]?.version, ...body } } as never)
}
const report = (passed: boolean, who: Who = 'authority') => ({
  reportNo: `B${newId().slice(-8)}`,
  reportDate: today(),
  actualValue: passed ? '41 MPa' : '30 MPa',
  passed,
  files: [files[who]],
})

/** A batch of the site that may be used. */
async function batch(): Promise<string> {
  const id = newId()
  const material = { category: '14', name: '饰面砖', spec: '600×600', supplier: '佳美', quantity: 100, unit: '3', corpCode: corps.company }
  await as.site.call(receiveMaterial, { query: { projectCode }, body: { id, ...material, certFiles: [files.site] } } as never)
  await as.supervisor.call(changeMaterial, {
    params: { id },
    query: { projectCode },
    body: { action: 'accept', version: 0, result: '1', opinion: '', signature: strokes() },
  } as never)
  return id
}

test('a failing sample blocks its batch, becomes an order of quality, and closes with a new report that frees the batch', async () => {
  const batchId = await batch()
  const { id } = await create({ ...inLab(), kind: '2', readings: { test: 'material', note: '随机抽取一箱' }, batchId })
  const first = report(false)
  expect((await act('authority', id, { action: 'report', ...first })).status).toBe(0)
  const blocked = await as.site.call(getMaterial, { params: { id: batchId }, query: { projectCode } })
  expect([blocked.usable, blocked.whyNot?.startsWith('抽检不合格')]).toEqual([false, true])
  const use = { action: 'use', version: blocked.version, quantity: 1, part: '三层' }
  const used = await as.site.ask(changeMaterial, { params: { id: batchId }, query: { projectCode }, body: use } as never)
  expect(used.message).toContain('抽检不合格，已停用')
  expect(blocked.spotChecks.map((one) => [one.id, one.failed])).toEqual([[id, true]])
  const issue = { action: 'issue', handle: '该批停用，更换后复检', deadline: later(5), person: null }
  expect((await act('authority', id, issue)).status).toBe(0)
  const { notice } = await read('site', id)
  const stored = await sql<{
    category: string
    origin: string
  }>`select category, origin from rectify where id = ${notice?.id ?? ''}`.execute(world.database.kysely)
  expect(stored.rows[0]).toEqual({ category: '02', origin: 'gov' })
  expect((await act('authority', id, { action: 'close', ...report(true) })).message).toBe('整改单尚未回复，不能复检')
  await sql`update rectify set state = '5' where id = ${notice?.id ?? ''}`.execute(world.database.kysely)
  expect((await act('authority', id, { action: 'close', ...first, passed: true })).message).toContain('该报告编号已录入')
  expect((await act('authority', id, { action: 'close', ...report(false) })).status).toBe(0)
  expect((await read('site', id)).state).toBe('4')
  expect((await act('authority', id, { action: 'close', ...report(true) })).status).toBe(0)
  const file = await read('site', id)
  expect([file.state, file.reports.map((one) => [one.stage, one.passed])]).toEqual([
    '5',
    [
      ['first', false],
      ['again', false],
      ['again', true],
    ],
  ])
  expect((await as.site.call(getMaterial, { params: { id: batchId }, query: { projectCode } })).usable).toBe(true)
})

test('a changed report keeps the first one, with its reason', async () => {
  const { id } = await create(inLab())
  const first = report(false)
  await act('authority', id, { action: 'report', ...first })
  const changed = { action: 'amend', ...report(true), reason: '检测机构更正试样直径' }
  expect((await act('authority', id, changed)).status).toBe(0)
  const { state, reports } = await read('site', id)
  expect([state, reports.map((one) => [one.reportNo, one.stage])]).toEqual([
    '2',
    [
      [first.reportNo, 'first'],
      [changed.reportNo, 'changed'],
    ],
  ])
})

test('before it is submitted nothing tells the site', async () => {
  const { id } = await create({ action: 'save' })
  for (const who of everybody) {
    expect([who, (await requestOf(who, id)).status === 0]).toEqual([who, who === 'authority'])
    const { list } = await as[who].call(listSpotChecks, { query: { size: 1000 } })
    expect([who, list.some((one) => one.id === id)]).toEqual([who, who === 'authority'])
  }
  expect((await act('authority', id, { ...fields('authority'), ...inLab() })).status).toBe(0)
  for (const who of everybody) {
    const known = who !== 'subcontractor' && who !== 'stranger'
    expect([who, (await requestOf(who, id)).status === 0]).toEqual([who, known])
  }
})

test('readings decide on the site; a number of a sample is used once', async () => {
  const areas = (value: number) => [{ name: '测区 1', readings: Array.from({ length: 16 }, () => value), carbonation: 0 }]
  const wall = (value: number) => ({ kind: '1', readings: { test: 'rebound', grade: 35, areas: areas(value) }, action: 'submitOnSite' })
  const { id, state } = await create({ ...wall(30), passed: true, actualValue: '好' })
  expect(state).toBe('3')
  expect((await read('site', id)).actualValue).toContain('推定强度')
  expect((await create(wall(42))).state).toBe('2')
  const sample = inLab()
  await create(sample)
  const again = await tryCreate(sample)
  expect([again.message.includes('已使用'), JSON.stringify(again.data)]).toEqual([true, expect.stringContaining('sampleNo')])
})

test.each([
  ['two checkers', { checkers: ['许建平'] }, 'checkers'],
  ['two different ones', { checkers: ['许建平', '许建平'] }, 'checkers'],
  ['a company on the site', { corpCode: 'nobody' }, 'corpCode'],
  ['a day that has come', { checkDate: '2199-01-01' }, 'checkDate'],
  ['readings of the kind', { kind: '1' }, 'readings'],
  ['a batch of the site', { kind: '2', readings: { test: 'material', note: '一箱' }, batchId: 'nobody' }, 'batchId'],
  ['a value', { actualValue: null }, 'actualValue'],
  ['a verdict', { passed: null }, 'passed'],
])('asks for %s, at its field', async (_what, more, field) => {
  const answer = await tryCreate({ ...onSite(true), ...more })
  expect(answer.status).not.toBe(0)
  expect(JSON.stringify(answer.data)).toContain(field)
})

test('the report waits on the desk of whoever checks', async () => {
  const { id } = await create(inLab())
  for (const who of everybody) {
    const { list } = await as[who].call(listTodos, { query: { group: '*', size: 1000 } })
    expect([who, list.some(({ link }) => link.endsWith(id))]).toEqual([who, who === 'authority'])
  }
})

test('only whoever checks throws a draft away, and only a draft; the same request again creates nothing more', async () => {
  const remove = (who: Who, id: string) => as[who].ask(removeSpotCheck, { params: { id } })
  const { id } = await create({ action: 'save' })
  for (const who of everybody.filter((one) => one !== 'authority')) expect((await remove(who, id)).status, who).not.toBe(0)
  expect((await remove('authority', id)).status).toBe(0)
  const body = { id: newId(), projectCode, ...fields('authority'), ...onSite(true) }
  const first = await as.authority.call(createSpotCheck, { body } as never)
  expect(await as.authority.call(createSpotCheck, { body } as never)).toEqual(first)
  expect((await remove('authority', first.id)).message).toContain('只能删除草稿')
})

const inputs: Record<Exclude<SpotAction, 'amend'>, (who: Who) => object> = {
  save: (who) => fields(who),
  submitOnSite: (who) => ({ ...fields(who), ...onSite(true) }),
  submitSample: (who) => ({ ...fields(who), ...inLab() }),
  report: (who) => report(true, who),
  issue: () => ({ handle: '停用并更换', deadline: later(3), person: null }),
  close: (who) => report(true, who),
}
describe.each(Object.keys(inputs) as (keyof typeof inputs)[])('%s', (action) => {
  test.each(['0', '1', '2', '3', '4', '5'])('in state %s: whoever checks, in its states', async (state) => {
    for (const who of everybody) {
      const { id } = await create({ action: 'save' })
      const db = world.database.kysely
      await sql`update spot_check set state = ${state}, shown_at = ${state === '0' ? null : new Date()}, version = 3 where id = ${id}`.execute(
        db,
      )
      const answer = await act(who, id, { ...inputs[action](who), action })
      const after = await sql<{ version: number }>`select version from spot_check where id = ${id}`.execute(db)
      const where = `${who}: ${answer.message}`
      const may = who === 'authority' && (spotMoves[action].from as readonly string[]).includes(state)
      expect([answer.status === 0, after.rows[0]?.version], where).toEqual([may, may ? 4 : 3])
    }
  })
})

test('figures are those of the list', async () => {
  const { counts } = await as.authority.call(listSpotChecks, { query: { size: 1 } })
  const total = async (more: object) => (await as.authority.call(listSpotChecks, { query: { size: 1, ...more } } as never)).total
  expect([
    await total({ tab: 'awaited' }),
    await total({ late: true }),
    await total({ tab: 'failed' }),
    await total({ tab: 'todo' }),
  ]).toEqual([counts.awaited, counts.late, counts.failed, counts.todo])
})
