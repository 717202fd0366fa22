import { changeInspection, createInspection, getInspection } from '@zhugong/contract/scoring/inspections'
import { type CheckItem, changeCheckItem, createCheckItem, listCheckItems, listCheckSheets } from '@zhugong/contract/scoring/library'
import { itemResults, sheetMarks } from '@zhugong/contract/scoring/score'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { type CityWorld, openCity, settleCity } from '../../../test/city.ts'
import type { Caller, World } from '../../../test/world.ts'
import { standardCategories, standardItems, standardSheets } from './standard.ts'

let world: World
let settled: CityWorld
let company: Caller
let other: Caller
let site: Caller
let projectCode = ''

beforeAll(async () => {
  world = await openCity(inject('postgresUrl'))
  settled = await settleCity(world)
  company = await settled.as('yunze-lu')
  other = await settled.as('chuyuan-li')
  site = await settled.as('hospital-pm')
  projectCode = settled.city.personas.find((p) => p.account === 'hospital-pm')?.projectCode ?? ''
})
afterAll(() => world.close())

const query = { projectCode: '*' }
const library = 'safety' as const
const list = async (who: Caller, more: object = {}) =>
  (await who.call(listCheckItems, { query: { ...query, library, size: 1000, ...more } })).list
const item = (more: object = {}) => ({ library, takenFrom: '060004', name: '定型化临边防护', maxScore: 2, ...more })
const named = async (who: Caller, code: string) => (await list(who)).find((one) => one.itemCode === code)
const change = (body: object) => company.ask(changeCheckItem, { query, body } as never)

test('the standard: ten categories of 100 points, sheets of 100, 保证项目 of 60 where there are any', () => {
  expect(standardCategories.length).toBe(10)
  expect(standardCategories.reduce((total, one) => total + one.weight, 0)).toBe(100)
  for (const { code, name } of standardSheets) {
    const own = standardItems.filter((one) => one.sheet === code)
    const marks = (all: typeof own) => all.reduce((total, one) => total + one.maxScore, 0)
    expect(marks(own), name).toBe(sheetMarks)
    const guaranteed = own.filter((one) => one.guarantee)
    if (guaranteed.length) expect(marks(guaranteed), name).toBe(60)
  }
})

test('an own item takes its marks from the standard, so that the sheet keeps 100', async () => {
  const { id, itemCode } = await company.call(createCheckItem, { query, body: item() })
  expect(itemCode).toBe('060004-01')
  expect(await named(company, '060004')).toMatchObject({ maxScore: 8, standardScore: 10, owner: 'standard' })
  expect(await named(company, itemCode)).toMatchObject({
    id,
    maxScore: 2,
    ownerName: '本企业',
    takenFromName: '临边防护',
    guarantee: false,
  })
  const { categories } = await company.call(listCheckSheets, { query: { ...query, library } })
  expect(categories.flatMap((one) => one.sheets).every((one) => one.marks === sheetMarks)).toBe(true)
  // At most 40 % of 10 points in all.
  const more = await company.ask(createCheckItem, { query, body: item({ name: '临边警示', maxScore: 3 }) })
  expect(more.data).toMatchObject({ field: 'maxScore' })
  const twice = await company.ask(createCheckItem, { query, body: item({ maxScore: 1 }) })
  expect(twice.data).toMatchObject({ field: 'name' })
  const nowhere = await company.ask(createCheckItem, { query, body: item({ takenFrom: '0601' }) })
  expect(nowhere.data).toMatchObject({ field: 'takenFrom' })
})

test('the library of a group is its own', async () => {
  const mine = (await list(company)).find((one) => one.owner === 'company')
  for (const who of [other, site]) expect((await list(who)).filter((one) => one.owner !== 'standard')).toEqual([])
  const taken = await other.ask(changeCheckItem, { query, body: { action: 'disable', id: mine?.id ?? '', version: 0 } })
  expect(taken.message).toContain('不存在')
})

test('an edit is a new revision; an inspection that has begun keeps the one it used', async () => {
  const begin = async () => {
    const { id } = await company.call(createInspection, {
      query: { projectCode },
      body: {
        inspectType: '11',
        checkTime: '2026-11-20 09:00:00',
        checkers: ['陆明章', '何安'],
        part: '全场',
        sheets: [{ sheetCode: '06', label: '', assignee: null }],
      },
    })
    const { sheets } = await company.call(getInspection, { params: { id }, query })
    return { id, sheet: sheets[0], own: sheets[0]?.items.find((one) => one.own) }
  }
  const before = await named(company, '060004-01')
  const first = await begin()
  const edited = await change({
    action: 'edit',
    id: before?.id,
    version: before?.version,
    name: '定型化护栏',
    maxScore: 3,
    phrases: ['护栏未编号'],
  })
  expect(edited.status).toBe(0)
  const after = await named(company, '060004-01')
  expect(after).toMatchObject({ name: '定型化护栏', maxScore: 3, revision: 2, phrases: ['护栏未编号'] })
  const second = await begin()
  expect([first.own?.name, first.own?.maxScore]).toEqual(['定型化临边防护', 2])
  expect([second.own?.name, second.own?.maxScore, second.own?.phrases]).toEqual(['定型化护栏', 3, ['护栏未编号']])
  const kept = await company.call(getInspection, { params: { id: first.id }, query })
  expect(kept.sheets[0]?.items.find((one) => one.own)).toMatchObject({ name: '定型化临边防护', maxScore: 2 })
  // The old revision cannot be changed any more.
  expect((await change({ action: 'disable', id: before?.id, version: before?.version })).message).toContain('不存在')
  const off = await change({ action: 'disable', id: after?.id, version: after?.version })
  expect(off.status).toBe(0)
  expect(await named(company, '060004')).toMatchObject({ maxScore: 10 })
  const third = await begin()
  expect(third.own).toBeUndefined()
  expect(third.sheet?.items.reduce((total, one) => total + one.maxScore, 0)).toBe(sheetMarks)
})

test('of the standard only the phrases change, and only for the group that writes them', async () => {
  expect((await change({ action: 'phrases', library, itemCode: '060005', phrases: ['洞口未盖', '洞口未盖'] })).status).toBe(0)
  expect((await named(company, '060005'))?.phrases).toEqual(['洞口未盖'])
  expect((await named(other, '060005'))?.phrases).toEqual([])
  expect((await change({ action: 'phrases', library, itemCode: '069999', phrases: [] })).message).toContain('不存在')
})

test('lost points are counted, in the caller’s projects alone', async () => {
  const { id } = await company.call(createInspection, {
    query: { projectCode },
    body: {
      inspectType: '11',
      checkTime: '2026-11-20 09:00:00',
      checkers: ['陆明章', '何安'],
      part: '全场',
      sheets: [{ sheetCode: '10' }] as never,
    },
  })
  const sheet = (await company.call(getInspection, { params: { id }, query })).sheets[0]
  const items = (sheet?.items ?? []).map(({ itemCode }, i) => ({
    itemCode,
    ...(i === 0 ? { result: itemResults.wrong, deduction: 1, note: '护手缺失' } : { result: itemResults.right }),
  }))
  const put = (body: object) => company.ask(changeInspection, { params: { id }, query, body } as never)
  expect((await put({ action: 'saveSheet', version: sheet?.version, sheetId: sheet?.id, items })).status).toBe(0)
  const uses = async (who: Caller): Promise<CheckItem['useCount'] | undefined> => (await named(who, '100001'))?.useCount
  expect(await uses(company)).toBe(0)
  const { version } = await company.call(getInspection, { params: { id }, query })
  expect((await put({ action: 'submit', version, problems: [] })).status).toBe(0)
  expect([await uses(company), await uses(site), await uses(other)]).toEqual([1, 1, 0])
  expect((await list(company, { useCount: '1,' })).map((one) => one.itemCode)).toContain('100001')
})
