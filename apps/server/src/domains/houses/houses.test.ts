import { findHouseProblems, findHouseSyncs, findHouses, getHouse, runHouseSync, signHouse } from '@zhugong/contract/houses/houses'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { newId } from '#kit/ids'
import { openCity, settleCity } from '../../../test/city.ts'
import { strokes } from '../../../test/givens.ts'
import type { Caller, World } from '../../../test/world.ts'
import { acceptItems } from './public.ts'

let world: World
let projectCode = ''
const cast = {
  manager: 'hospital-pm',
  safety: 'hospital-safety',
  owner: 'weijian-xia',
  supervisor: 'hospital-jl',
  subcontractor: 'dingli-cheng',
  authority: 'bj-zhao',
  stranger: 'zhigu-pm',
} as const
type Who = keyof typeof cast
const as = {} as Record<Who, Caller>
const any = { projectCode: '*' }

beforeAll(async () => {
  world = await openCity(inject('postgresUrl'))
  const settled = await settleCity(world)
  projectCode = settled.city.personas.find((p) => p.account === cast.manager)?.projectCode ?? ''
  for (const [who, account] of Object.entries(cast) as [Who, string][]) as[who] = await settled.as(account)
})
afterAll(() => world.close())

const row = (no: number, more: object = {}) => ({
  externalNo: `T${no}`,
  building: '分户楼',
  floor: '1层',
  name: `10${no}`,
  buildArea: '90',
  ...more,
})
const sync = (action: 'preview' | 'apply', rows: object[], who: Who = 'manager') =>
  as[who].ask(runHouseSync, { query: { projectCode }, body: { action, source: 'file', rows } } as never)
const outcome = (answer: { data?: unknown }) => (answer.data as { sync: Record<string, unknown[]> }).sync
const houses = async (who: Who = 'manager') =>
  (await as[who].call(findHouses, { query: { projectCode, size: 1000 } })).list.filter((one) => one.buildingName.startsWith('分户楼'))
const idOf = async (externalNo: string) => (await houses()).find((one) => one.externalNo === externalNo)?.id ?? ''
async function act(who: Who, id: string, body: object) {
  const { rows } = await sql<{ version: number }>`select version from house where id = ${id}`.execute(world.database.kysely)
  return as[who].ask(runHouseSync, { query: any, body: { id, version: rows[0]?.version ?? 0, ...body } } as never)
}
const items = (bad?: string) =>
  acceptItems().map(({ code }) => ({ itemCode: code, result: code === bad ? '2' : '1', note: code === bad ? '空鼓' : null, photos: [] }))
const signAs = (who: Who, id: string, seat: string, name?: string) =>
  as[who].ask(signHouse, {
    params: { id },
    query: any,
    body: { action: 'sign', id: newId(), seat, name: name ?? null, image: strokes() },
  } as never)

test('a dry run writes nothing; a sync is idempotent, and never removes a house with acceptance data', async () => {
  const rows = [row(1), row(2), row(3, { buildArea: 'x' })]
  const dry = await sync('preview', rows)
  expect(dry.status).toBe(0)
  expect([outcome(dry).added?.length, outcome(dry).failures]).toEqual([2, [{ row: 3, externalNo: 'T3', reason: '建筑面积“x”不是面积' }]])
  expect(await houses()).toEqual([])
  expect((await sync('apply', rows)).status).toBe(0)
  expect((await houses()).map((one) => one.externalNo)).toEqual(['T1', 'T2'])
  const again = outcome(await sync('apply', rows))
  expect([again.added?.length, again.changed?.length, again.missing?.length]).toEqual([0, 0, 0])
  await act('manager', await idOf('T1'), { action: 'start' })
  const later = outcome(await sync('apply', [row(4)]))
  expect(later.missing).toEqual([
    { name: '分户楼 / 1层 / 101', kept: true },
    { name: '分户楼 / 1层 / 102', kept: false },
  ])
  expect((await houses()).map((one) => [one.externalNo, one.gone])).toEqual([
    ['T1', true],
    ['T4', false],
  ])
  expect((await act('manager', await idOf('T1'), { action: 'save', items: [] })).message).toBe('来源已无此户，不能办理验收')
  const { list } = await as.manager.call(findHouseSyncs, { query: { projectCode, view: 'syncs' } })
  expect(list[0]?.missing).toBe(2)
})

test('problems go to mending and recheck; a house passes with three signatures of what was found', async () => {
  await sync('apply', [row(1, { building: '分户楼二', externalNo: 'U1' })])
  const id = await idOf('U1')
  await act('manager', id, { action: 'start' })
  expect((await act('manager', id, { action: 'accept', items: items().slice(1) })).message).toContain('还有 1 项未验收')
  expect((await act('manager', id, { action: 'accept', items: items('0102') })).status).toBe(0)
  const problems = await as.manager.call(findHouseProblems, { query: { projectCode, view: 'problems' } })
  expect(problems.list.map((one) => [one.houseName, one.note])).toEqual([['分户楼二 101', '空鼓']])
  expect((await act('manager', id, { action: 'fix', note: '已剔凿重做' })).status).toBe(0)
  expect((await act('supervisor', id, { action: 'save', items: [{ itemCode: '0102', result: '1', note: null, photos: [] }] })).status).toBe(
    0,
  )
  expect((await act('supervisor', id, { action: 'recheck', items: [] })).message).toBe('建设单位、施工单位、监理单位尚未签字，不能通过')
  expect((await signAs('manager', id, 'supervisor')).status).not.toBe(0)
  // Nobody signs for two parties.
  expect((await signAs('owner', id, 'contractor')).status).not.toBe(0)
  expect((await signAs('owner', id, 'owner')).status).toBe(0)
  expect((await signAs('manager', id, 'contractor')).status).toBe(0)
  expect((await signAs('supervisor', id, 'supervisor')).status).toBe(0)
  expect((await act('supervisor', id, { action: 'recheck', items: [] })).status).toBe(0)
  const file = await as.manager.call(getHouse, { params: { id }, query: any })
  expect([file.state, file.problemCount, file.certNo?.slice(0, 3)]).toEqual(['4', 0, 'FH-'])
  expect(file.signatures.every((one) => one.state === 'signed')).toBe(true)
  const { buildings } = await as.manager.call(findHouses, { query: { projectCode } })
  expect(buildings.find((one) => one.name === '分户楼二')?.ready).toBe(true)
})

test('a signature is void when a result changes', async () => {
  await sync('apply', [row(1, { building: '分户楼三', externalNo: 'V1' })])
  const id = await idOf('V1')
  await act('manager', id, { action: 'start' })
  await act('manager', id, { action: 'save', items: items() })
  expect((await signAs('manager', id, 'contractor')).status).toBe(0)
  await act('manager', id, { action: 'save', items: [{ itemCode: '0101', result: '3', note: null, photos: [] }] })
  const file = await as.manager.call(getHouse, { params: { id }, query: any })
  expect(file.signatures.find((one) => one.seat === 'contractor' && one.state === 'signed')).toBeUndefined()
})

describe('who may', () => {
  test.each([
    ['manager', true],
    ['safety', false],
    ['owner', false],
    ['supervisor', false],
    ['subcontractor', false],
    ['authority', false],
    ['stranger', false],
  ] as const)('%s syncs', async (who, may) => {
    expect((await sync('preview', [row(9)], who)).status === 0).toBe(may)
  })
  test('a subcontractor and another site see no house', async () => {
    expect(await as.subcontractor.call(findHouses, { query: { ...any, size: 1000 } }).then(({ list }) => list.length)).toBe(0)
    const seen = (await as.stranger.call(findHouses, { query: { ...any, size: 1000 } })).list
    expect(seen.some((one) => one.projectCode === projectCode)).toBe(false)
    expect((await as.supervisor.call(findHouses, { query: { projectCode, size: 1 } })).total).toBeGreaterThan(0)
  })
})
