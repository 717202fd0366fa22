import { fencePunches, listFences, setDefaultFences } from '@zhugong/contract/organisation/fence-overview'
import { getGovernment } from '@zhugong/contract/organisation/governments'
import * as contract from '@zhugong/contract/organisation/part-lists'
import { listProjects } from '@zhugong/contract/organisation/projects'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { type CityWorld, openCity, settleCity } from '../../../test/city.ts'
import type { Caller, World } from '../../../test/world.ts'

let world: World
let city: CityWorld
let projectCode: string
let company: Caller
let admin: Caller
beforeAll(async () => {
  world = await openCity(inject('postgresUrl'))
  city = await settleCity(world)
  projectCode = city.city.personas.find((p) => p.account === 'hospital-pm')?.projectCode ?? ''
  company = await city.as('yunze-lu')
  admin = await city.as('admin')
})
afterAll(() => world.close())

test('a company’s projects are its parts, with its own people; another company’s are refused', async () => {
  const corpCode = city.city.personas.find((p) => p.account === 'yunze-lu')?.corpCode ?? ''
  const parts = city.city.projectCorps.filter((one) => one.corpCode === corpCode)
  const { list, total, figures } = await company.call(contract.companyProjects, { query: {} })
  expect(total).toBe(parts.length)
  expect(new Set(list.map((one) => one.projectCode))).toEqual(new Set(parts.map((one) => one.projectCode)))
  expect(figures.people).toBe(list.reduce((sum, one) => sum + one.ownPeople, 0))
  const looked = await admin.call(contract.companyProjects, { query: { corpCode } })
  expect(looked.total).toBe(total)
  const stranger = city.city.personas.find((p) => p.account === 'chuyuan-li')?.corpCode ?? ''
  expect((await company.ask(contract.companyProjects, { query: { corpCode: stranger } })).http).toBe(403)
})

test('the platform takes a project out of a body’s reach and gives it back, with the reason; its people feel it', async () => {
  const govCode = city.city.personas.find((p) => p.account === 'bj-zhao')?.govCode ?? ''
  const officer = await city.as('bj-zhao')
  const sees = async () => (await officer.call(listProjects, { query: { size: 1000 } })).list.map((one) => one.projectCode)
  const row = async () =>
    (await admin.call(contract.bodyProjects, { query: { govCode, size: 1000 } })).list.find((one) => one.projectCode === projectCode)
  expect((await row())?.source).toBe('auto')
  // The page of an authority shows the figure of its project list.
  for (const code of [govCode, city.city.personas.find((p) => p.account === 'city-fang')?.govCode ?? '']) {
    const { figures } = await admin.call(contract.bodyProjects, { query: { govCode: code, size: 1 } })
    expect(figures.reach).toBeGreaterThan(0)
    expect((await admin.call(getGovernment, { params: { govCode: code } })).reachCount).toBe(figures.reach)
  }
  expect(await sees()).toContain(projectCode)
  const change = (action: 'add' | 'remove' | 'restore', caller = admin) =>
    caller.ask(contract.changeBodyScope, { body: { govCode, projectCode, action, reason: '移交市级直管' } })
  expect((await change('add')).message).toMatch(/已在管辖范围内/)
  expect(await change('remove')).toMatchObject({ status: 0 })
  expect(await row()).toMatchObject({ source: 'removed', reason: '移交市级直管' })
  await expect.poll(sees, { timeout: 5000 }).not.toContain(projectCode)
  expect(await change('restore')).toMatchObject({ status: 0 })
  expect((await row())?.source).toBe('auto')
  expect((await change('remove', await city.as('city-fang'))).http).toBe(403)
  expect((await officer.ask(contract.bodyProjects, { query: { govCode: '420203001' } })).http).toBe(403)
})

test('fences of all projects: what is wrong first; those without one get a circle round their address', async () => {
  await world.database.pool.query(`update project set area_rule = null where project_code = $1`, [projectCode])
  const all = await admin.call(listFences, { query: { size: 1000 } })
  expect(all.figures.none).toBe(all.list.filter((one) => one.state === 'none').length)
  expect(all.list.find((one) => one.projectCode === projectCode)).toMatchObject({ state: 'none', hectares: null, fenceType: null })
  expect((await admin.call(listFences, { query: { state: 'none', size: 1000 } })).total).toBe(all.figures.none)
  const tried = await company.call(setDefaultFences, { body: { radius: 300, projectCodes: [projectCode], apply: false } })
  expect(tried.list).toMatchObject([{ projectCode }])
  expect((await admin.call(listFences, { query: { state: 'none', size: 1000 } })).total).toBe(all.figures.none)
  await company.call(setDefaultFences, { body: { radius: 300, projectCodes: [projectCode], apply: true } })
  const after = await admin.call(listFences, { query: { size: 1000 } })
  expect(after.list.find((one) => one.projectCode === projectCode)).toMatchObject({ fenceType: '1', offset: 0 })
  const own = await company.call(listFences, { query: { size: 1000 } })
  expect(own.total).toBeLessThan(after.total)
  const punches = await (await city.as('hospital-pm')).call(fencePunches, { query: { projectCode } })
  expect(punches.outside).toBeLessThanOrEqual(punches.total)
})
