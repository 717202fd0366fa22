import { emptyOption } from '@zhugong/contract/kit/fields'
import { shanghaiOffsetMs } from '@zhugong/contract/kit/time'
import { listUnits, setUnitTime, unitFigures } from '@zhugong/contract/labour/units'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { type CityWorld, openCity, settleCity } from '../../../test/city.ts'
import type { World } from '../../../test/world.ts'
import { registerExports } from '../../export-list.ts'
import { exportNamed } from '../exports/registry.ts'

let world: World
let settled: CityWorld
beforeAll(async () => {
  world = await openCity(inject('postgresUrl'))
  settled = await settleCity(world)
})
afterAll(() => world.close())

test('units are found by what their page filters and sorts by, and the pages add up', async () => {
  const city = await settled.as('city-fang')
  const all = await city.call(listUnits, { query: { projectCode: '*', size: 500 } })
  expect(all.list).toHaveLength(all.total)
  const { rows } = await world.database.pool.query<{ n: number }>('select count(*)::int as n from project_corp')
  expect(all.total).toBe(rows[0]?.n)
  for (const stationed of ['1', '2'])
    expect((await city.call(listUnits, { query: { projectCode: '*', stationed } })).total).toBe(
      all.list.filter((u) => u.stationed === stationed).length,
    )
  const noContract = await city.call(listUnits, { query: { projectCode: '*', contractNo: emptyOption, size: 500 } })
  const largest = await city.call(listUnits, { query: { projectCode: '*', sort: '-onSite', size: 5 } })
  expect(noContract.list.every((u) => !u.contractNo)).toBe(true)
  expect(largest.list.map((u) => u.onSite)).toEqual(
    all.list
      .map((u) => u.onSite ?? 0)
      .sort((a, b) => b - a)
      .slice(0, 5),
  )
  const subs = all.list.filter((u) => u.parentCorpCode)
  expect(subs.length).toBeGreaterThan(0)
  expect(subs.every((u) => u.parentCorpName)).toBe(true)
})

test('the strip counts the rows of its list, and names the parts a project must have', async () => {
  const manager = await settled.as('hospital-pm')
  const projectCode = settled.city.personas.find((p) => p.account === 'hospital-pm')?.projectCode ?? ''
  const figures = await manager.call(unitFigures, { query: { projectCode } })
  const { total, list } = await manager.call(listUnits, { query: { projectCode, stationed: '1', size: 100 } })
  expect(figures.places).toBe(total)
  expect(figures.present).toBe(new Set(list.map((u) => u.corpCode)).size)
  // A company counts once, however many sites and parts it has.
  const city = await (await settled.as('city-fang')).call(unitFigures, { query: { projectCode: '*' } })
  expect(city.present).toBeLessThan(city.places)
  expect(figures.noContract).toBe(
    list.filter((u) => !u.contractNo && ['001', '002', '003', '004', '005', '006'].includes(u.corpType)).length,
  )
  expect(figures.parts?.map((p) => [p.code, p.there])).toEqual(
    ['007', '008', '009'].map((code) => [code, list.some((u) => u.corpType === code)]),
  )
  expect((await (await settled.as('city-fang')).call(unitFigures, { query: { projectCode: '*' } })).parts).toBeNull()
})

test('a unit with people does not leave, and its export holds every column its list shows', async () => {
  const manager = await settled.as('hospital-pm')
  const { list } = await manager.call(listUnits, { query: { stationed: '1', sort: '-onSite', size: 1 } })
  const today = new Date(Date.now() + shanghaiOffsetMs).toISOString().slice(0, 10)
  const refused = await manager.ask(setUnitTime, { body: { id: list[0]?.id ?? '', exitTime: today } })
  expect(refused.status).not.toBe(0)
  expect(refused.message).toMatch(/在场|总承包单位/)
  registerExports()
  const columns = exportNamed('projectCorp')?.columns.map((c) => c.title)
  expect(columns).toEqual(expect.arrayContaining(['单位', '参建类型', '上级发包单位', '负责人', '在册人数', '进场', '退场']))
})
