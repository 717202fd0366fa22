import type { InputFor } from '@zhugong/contract/kit/endpoint'
import { addWall, changeWall, listWalls, mostWalls, removeWall } from '@zhugong/contract/monitoring/video/video-walls'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { type CityWorld, openCity, settleCity } from '../../../../test/city.ts'
import type { Caller, World } from '../../../../test/world.ts'

/** A layout belongs to its author; a shared one can be used by the author's group only. */
let world: World
let city: CityWorld
let pm: Caller
let safety: Caller
let company: Caller
let stranger: Caller
let site = ''
let query: { projectCode: string }
let cameras: string[] = []

type Body = InputFor<typeof addWall>['body']
const body = (given: Partial<Body> = {}): Body => ({ name: '大门与塔吊', size: 4, cameras: cameras.slice(0, 2), shared: false, ...given })
const save = (given: Partial<Body> = {}, who = pm) => who.ask(addWall, { query, body: body(given) })
const names = async (who: Caller) => (await who.call(listWalls, { query })).list.map((one) => one.name)

beforeAll(async () => {
  world = await openCity(inject('postgresUrl'))
  city = await settleCity(world)
  pm = await city.as('hospital-pm')
  safety = await city.as('hospital-safety')
  company = await city.as('yunze-lu')
  stranger = await city.as('zhigu-pm')
  site = city.city.personas.find((p) => p.account === 'hospital-pm')?.projectCode ?? ''
  query = { projectCode: site }
  cameras = city.city.devices.filter((d) => d.family === 'videoAi' && d.projectCode === site).map((d) => d.id)
})
afterAll(() => world.close())

test('what cannot be on a wall is refused with its reason', async () => {
  expect((await save({ name: ' ' })).message).toContain('布局名称')
  expect((await save({ size: 5 })).message).toContain('1、4、9 或 16')
  expect((await save({ cameras: [] })).message).toContain('请先把摄像机放到墙上')
  expect((await save({ size: 1 })).message).toContain('1 画面最多放 1 路')
  expect((await save({ cameras: [cameras[0] ?? '', cameras[0] ?? ''] })).message).toContain('只能放一次')
  const elsewhere = city.city.devices.find((d) => d.family === 'videoAi' && d.projectCode !== site)?.id ?? ''
  expect((await save({ cameras: [elsewhere] })).message).toContain('不属于这个项目')
})

test('one’s own stays one’s own; a shared one is used by the group and changed by its keeper alone', async () => {
  const kept = await save()
  expect(kept.data).toMatchObject({ own: true, shared: false, size: 4, cameras: cameras.slice(0, 2) })
  expect((await save()).message).toContain('已有同名布局')
  expect(await names(safety)).toEqual([])
  const params = { id: kept.data?.id ?? '' }
  const change = (who: Caller, version: number, given: Partial<Body> = {}) =>
    who.ask(changeWall, { params, query, body: { ...body(given), version } })
  expect((await change(safety, 0)).status).not.toBe(0)
  expect((await change(pm, 0, { shared: true, size: 9 })).data).toMatchObject({ shared: true, size: 9, version: 1 })
  expect((await change(pm, 0)).message).toContain('请刷新后再改')
  expect(await names(safety)).toEqual(['大门与塔吊'])
  expect((await change(safety, 1)).message).toContain('可另存为自己的布局')
  expect((await safety.ask(removeWall, { params, query })).message).toContain('只有保存的人')
  // Another group of the same site has its own layouts.
  expect(await names(company)).toEqual([])
  expect((await company.ask(removeWall, { params, query })).status).not.toBe(0)
  expect((await stranger.ask(changeWall, { params, query, body: { ...body(), version: 1 } })).status).not.toBe(0)
  expect((await stranger.call(listWalls, { query: { projectCode: '*' } })).total).toBe(0)
  expect((await pm.ask(removeWall, { params, query })).status).toBe(0)
  expect(await names(pm)).toEqual([])
})

test('nobody keeps more than can be looked through', async () => {
  for (let i = 0; i < mostWalls; i++) expect((await save({ name: `布局 ${i}` })).status).toBe(0)
  expect((await save({ name: '再一个' })).message).toContain(`最多保存 ${mostWalls} 个布局`)
})
