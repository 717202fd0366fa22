import type { InputFor } from '@zhugong/contract/kit/endpoint'
import { dictName, isAreaCode, isDictCode } from '@zhugong/contract/settings/dictionaries'
import { areaTree, dictsByCode } from '@zhugong/contract/settings/endpoints'
import * as areas from '@zhugong/contract/settings/own-areas'
import * as own from '@zhugong/contract/settings/own-dictionaries'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { type CityWorld, openCity, settleCity } from '../../../test/city.ts'
import type { Caller, World } from '../../../test/world.ts'
import { arrange, type Layer } from './arrange.ts'
import type { OwnDictionary } from './tables.ts'

let world: World
let city: CityWorld
let platform: Caller
let company: Caller
let site: Caller
beforeAll(async () => {
  world = await openCity(inject('postgresUrl'))
  city = await settleCity(world)
  platform = await city.as('admin')
  company = await city.as('yunze-lu')
  site = await city.as('hospital-pm')
})
afterAll(() => world.close())

const featCode = 'exitReason'
const read = (who: Caller) => who.call(own.getOwnDictionary, { query: { featCode } })
const availableTo = async (who: Caller) => {
  const dicts = await who.call(dictsByCode, { body: { featCodes: featCode } })
  return (dicts[featCode] ?? []).flatMap((item) => (item.hidden ? [] : [item.name]))
}
const empty: OwnDictionary = { order: [], off: [], own: [] }
type Wish = Partial<Omit<InputFor<typeof own.saveOwnDictionary>['body'], 'featCode' | 'version'>>
const entry = (name: string, code: string | null = null) => ({ code, name, parent: null, off: false })
const save = async (who: Caller, wish: Wish) =>
  who.ask(own.saveOwnDictionary, { body: { featCode, ...empty, ...wish, version: (await read(who)).version } })

test('what a group says is laid over what is said above it; what is off above stays off', () => {
  const delivered = [
    { code: '1', name: '甲' },
    { code: '2', name: '乙' },
    { code: '3', name: '丙', hidden: true },
  ]
  const layer = (groupId: string, more: Partial<Layer>): Layer => ({ groupId, groupName: groupId, ...empty, ...more })
  const layers = [
    layer('platform', { off: ['2'], own: [{ code: 'X1', name: '丁', parent: null, off: false }] }),
    layer('mine', { order: ['X1', '1'], off: ['1'] }),
  ]
  const shown = arrange(delivered, layers, 'mine').map(({ code, off, offBy, own: isOwn }) => [code, off, offBy, isOwn])
  expect(shown).toEqual([
    ['X1', false, null, false],
    ['1', true, null, false],
    ['2', true, 'platform', false],
    ['3', true, '产品', false],
  ])
})

test('a company’s own entry is offered to it and its sites, to nobody beside it, and is known by name to all', async () => {
  const before = await availableTo(site)
  expect(await save(company, { own: [entry('回乡务农')] })).toMatchObject({ status: 0 })
  const made = (await read(company)).items.find((item) => item.own)
  expect(made).toMatchObject({ name: '回乡务农', off: false, own: true })
  expect(await availableTo(site)).toEqual([...before, '回乡务农'])
  const subcontractor = await city.as('dingli-cheng')
  for (const other of [platform, subcontractor, await city.as('city-fang')]) expect(await availableTo(other)).not.toContain('回乡务农')
  expect(dictName(featCode, made?.code)).toBe('回乡务农')
  expect(isDictCode(featCode, made?.code ?? '')).toBe(true)
  const first = await read(company)
  expect(first.history[0]?.summary).toContain('新增 回乡务农')
  // Order and disabled entries apply to the sites too, and a reset restores them; the new entry stays known.
  const codes = first.items.map((item) => item.code)
  const [one = ''] = codes
  expect(await save(company, { order: codes.toReversed(), off: [one], own: [entry('回乡务农', made?.code)] })).toMatchObject({ status: 0 })
  expect((await availableTo(site))[0]).toBe('回乡务农')
  expect(await availableTo(site)).toHaveLength(before.length)
  const { version } = await read(company)
  await company.call(own.resetOwnDictionary, { body: { featCode, version } })
  expect(await availableTo(site)).toEqual(before)
  expect(dictName(featCode, made?.code)).toBe('回乡务农')
  expect((await read(company)).history.map(({ summary }) => summary).join()).toMatch(/恢复默认/)
})

test('the platform’s entries are locked below, and what it switches off stays off', async () => {
  const { items } = await read(platform)
  const [one] = items
  expect(await save(platform, { off: [one?.code ?? ''], own: [entry('平台统一原因')] })).toMatchObject({ status: 0 })
  const below = await read(company)
  const given = below.items.find(({ name }) => name === '平台统一原因')
  expect(given).toMatchObject({ own: false, offBy: null })
  expect(below.items.find(({ code }) => code === one?.code)).toMatchObject({ off: true, offBy: expect.any(String) })
  const taken = entry('改个名字', given?.code)
  const mine = below.items.flatMap((item) => (item.own ? [entry(item.name, item.code)] : []))
  expect(await save(company, { own: [...mine, taken] })).toMatchObject({ http: 400, data: { field: 'own.1.code' } })
  await save(platform, {
    own: (await read(platform)).items.flatMap((item) => (item.own ? [{ ...entry(item.name, item.code), off: true }] : [])),
  })
  expect(await availableTo(site)).not.toContain('平台统一原因')
})

test('nobody adds to what is reckoned with, takes a name twice, deletes what may be in use, or saves over another', async () => {
  const state = { featCode: 'projectState', ...empty, version: 0 }
  expect(await company.ask(own.saveOwnDictionary, { body: { ...state, own: [entry('半停工')] } })).toMatchObject({
    http: 400,
    data: { field: 'own' },
  })
  const mine = (await read(company)).items.flatMap((item) => (item.own ? [entry(item.name, item.code)] : []))
  expect(mine).toHaveLength(1)
  expect((await save(company, { own: [] })).message).toContain('只能停用')
  expect(await save(company, { own: [...mine, entry('回乡务农')] })).toMatchObject({ http: 400, data: { field: 'own.1.name' } })
  expect(await save(company, { own: mine, off: ['no-such'] })).toMatchObject({ http: 400, data: { field: 'off' } })
  expect(await company.ask(own.saveOwnDictionary, { body: { featCode, ...empty, own: mine, version: 0 } })).toMatchObject({ status: 4 })
  expect(await company.ask(own.getOwnDictionary, { query: { featCode: 'toString' } })).toMatchObject({ http: 400 })
  const all = (await read(company)).items.map(({ code }) => code)
  expect((await save(company, { own: mine.map((one) => ({ ...one, off: true })), off: all })).message).toContain('不能停用全部')
  for (const call of [own.saveOwnDictionary, own.resetOwnDictionary])
    expect((await site.ask(call as typeof own.resetOwnDictionary, { body: { featCode, version: 0 } })).http).toBe(403)
})

test('a city adds a division below itself and stops one; it is chosen from what is offered and nothing beyond its reach is touched', async () => {
  const body = await city.as('city-fang')
  const root = await body.call(areas.listOwnAreas, { query: {} })
  const parent = root.parent?.code ?? ''
  expect(parent).toMatch(/^\d{4}00$/)
  const code = `${parent.slice(0, 4)}71`
  const change = (who: Caller, wish: unknown) => who.ask(areas.changeOwnArea, { body: wish as { action: 'offer'; code: string } })
  const made = { action: 'add', parent, code, name: '高新技术产业开发区' }
  expect(await change(body, { ...made, code: '110171' })).toMatchObject({ http: 400, data: { field: 'code' } })
  expect(await change(body, { ...made, parent: '110000' })).toMatchObject({ http: 400, data: { field: 'parent' } })
  expect(await change(body, made)).toMatchObject({ status: 0 })
  expect(await change(body, made)).toMatchObject({ http: 400, data: { field: 'code' } })
  expect(isAreaCode(code)).toBe(true)
  const available = async () => (await site.call(areaTree, { query: { parent } })).map((node) => node.code)
  expect(await available()).toContain(code)
  expect(await change(body, { action: 'stop', code, reason: '尚未获批' })).toMatchObject({ status: 0 })
  expect(await available()).not.toContain(code)
  expect((await body.call(areas.listOwnAreas, { query: {} })).list.find((row) => row.code === code)).toMatchObject({
    off: true,
    mine: true,
  })
  // An inspector may change nothing; an authority may change neither its own division nor others outside those below it.
  const district = await city.as('bj-zhao')
  expect(await change(district, { action: 'offer', code })).toMatchObject({ http: 403 })
  expect(await change(body, { action: 'stop', code: '110101', reason: '试一试' })).toMatchObject({ http: 400, data: { field: 'code' } })
  expect(await change(body, { action: 'stop', code: parent, reason: '试一试' })).toMatchObject({ http: 400 })
  expect(await change(platform, { action: 'offer', code })).toMatchObject({ status: 0 })
  expect(await available()).toContain(code)
  expect((await change(company, { action: 'stop', code, reason: '试一试' })).http).toBe(403)
  expect((await body.call(areas.listOwnAreas, { query: {} })).history.map(({ summary }) => summary).join()).toContain('尚未获批')
})
