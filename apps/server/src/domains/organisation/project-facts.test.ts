import * as facts from '@zhugong/contract/organisation/project-facts'
import { fillProject, updateProject } from '@zhugong/contract/organisation/projects'
import { getSettingsHead } from '@zhugong/contract/settings/parents'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { type CityWorld, openCity, settleCity } from '../../../test/city.ts'
import type { Caller, World } from '../../../test/world.ts'

let world: World
let city: CityWorld
let projectCode: string
let site: Caller
let company: Caller
let body: Caller
beforeAll(async () => {
  world = await openCity(inject('postgresUrl'))
  city = await settleCity(world)
  projectCode = city.city.personas.find((p) => p.account === 'hospital-pm')?.projectCode ?? ''
  site = await city.as('hospital-pm')
  company = await city.as('yunze-lu')
  body = await city.as('city-fang')
})
afterAll(() => world.close())

const read = (caller = site) => caller.call(facts.getProjectFacts, { query: { projectCode } })
/** The body a form sends if nothing was changed. */
async function daily(change: object = {}) {
  const { daily: own, version } = await read()
  const { linkPhone: _masked, ...rest } = own
  return { ...rest, projectCode, version, ...change }
}

test('the site reads what is missing, keeps its own part, and is told who keeps the rest', async () => {
  const before = await read()
  expect(before.mayRegister).toBe(false)
  expect(before.groups.flatMap((one) => one.items).find((one) => one.field === 'invest')).toMatchObject({ appliesFor: true })
  expect(await site.ask(facts.saveProjectDaily, { body: await daily({ chargeEmail: null }) })).toMatchObject({ status: 0 })
  const lacking = await read()
  expect(lacking.gaps.map((gap) => gap.field)).toContain('chargeEmail')
  expect(await site.ask(facts.saveProjectDaily, { body: await daily({ chargeEmail: 'office@example.com' }) })).toMatchObject({ status: 0 })
  const after = await read()
  expect(after.gaps.map((gap) => gap.field)).not.toContain('chargeEmail')
  expect(after.completeness).toBeGreaterThan(lacking.completeness)
  expect(after.updateBy).toBeTruthy()
  expect((await site.ask(facts.saveProjectDaily, { body: { ...(await daily()), version: before.version } })).message).toMatch(
    /请刷新后再改/,
  )
})

test('registered facts are refused to the site by whatever call, at the field', async () => {
  const { linkPhone: _masked, ...whole } = await site.call(fillProject, { params: { projectCode } })
  for (const change of [
    { invest: (whole.invest ?? 0) + 1 },
    { buildingArea: 12_345 },
    { completeDate: '2031-01-01' },
    { builderLicenses: [] },
  ]) {
    const answer = await site.ask(updateProject, { params: { projectCode }, body: { ...whole, ...change } as never })
    expect(answer.message, Object.keys(change)[0]).toMatch(/登记信息，由企业或监管机构维护/)
  }
  expect(await site.ask(updateProject, { params: { projectCode }, body: { ...whole, shortName: '市医院' } as never })).toMatchObject({
    status: 0,
  })
  const { registered, version } = await read()
  expect(await site.ask(facts.saveProjectRegistered, { body: { ...registered, projectCode, version } as never })).toMatchObject({
    http: 403,
  })
})

test('who stands above writes what is registered; what the body keeps is the body’s', async () => {
  const { registered, version } = await read(company)
  const one = { ...registered, builderLicenses: registered.builderLicenses as never, projectCode, version }
  expect((await company.ask(facts.saveProjectRegistered, { body: { ...one, superviseNo: 'X-1' } as never })).message).toMatch(
    /由监督机构维护/,
  )
  expect(await company.ask(facts.saveProjectRegistered, { body: { ...one, structureType: null } as never })).toMatchObject({ status: 0 })
  const next = await read(body)
  expect(
    await body.ask(facts.saveProjectRegistered, {
      body: { ...next.registered, projectCode, superviseNo: 'X-2', version: next.version } as never,
    }),
  ).toMatchObject({ status: 0 })
  expect((await read()).registered.superviseNo).toBe('X-2')
  const other = await city.as('zhigu-pm')
  expect((await other.ask(facts.getProjectFacts, { query: { projectCode } })).status).not.toBe(0)
})

test('the quarterly confirmation', async () => {
  const said = await site.call(facts.confirmProjectFacts, { body: { projectCode } })
  expect((await read()).confirmed).toEqual(said)
  expect((await site.ask(facts.confirmProjectFacts, { body: { projectCode } })).message).toMatch(/已由/)
})

test('the head of settings: one’s own without a code, a choice where several could be meant, nobody else’s', async () => {
  const own = await site.call(getSettingsHead, { query: { kind: 'site' } })
  expect(own.head).toMatchObject({ code: projectCode, counts: { information: { count: expect.any(Number) } } })
  const choice = await body.call(getSettingsHead, { query: { kind: 'project' } })
  expect(choice.head).toBeNull()
  expect(choice.recent.length).toBeGreaterThan(0)
  expect((await company.call(getSettingsHead, { query: { kind: 'enterprise' } })).head?.title).toBeTruthy()
  const admin = await city.as('admin')
  const companies = await admin.call(getSettingsHead, { query: { kind: 'enterprise' } })
  const stranger = city.city.personas.find((p) => p.account === 'chuyuan-li')?.corpCode ?? ''
  expect(companies.recent.length).toBe(10)
  expect((await company.ask(getSettingsHead, { query: { kind: 'enterprise', corpCode: stranger } })).http).toBe(403)
  const below = await city.as('bj-zhao')
  const upper = city.city.personas.find((p) => p.account === 'city-fang')?.govCode ?? ''
  expect((await below.ask(getSettingsHead, { query: { kind: 'government', govCode: upper } })).http).toBe(403)
})
