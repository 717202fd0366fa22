import { type Fence, ringsOf } from '@zhugong/contract/organisation/fence'
import { auditAreaRule, getAreaRule, setAreaRule } from '@zhugong/contract/organisation/fences'
import { afterAll, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest'
import { inScope } from '#kit/db'
import { type CityWorld, openCity, settleCity } from '../../../test/city.ts'
import type { Caller, World } from '../../../test/world.ts'
import { findScope } from '../access/public.ts'

let world: World
let city: CityWorld
let projectCode: string
let stored: unknown
let [site, company]: Caller[] = []
beforeAll(async () => {
  world = await openCity(inject('postgresUrl'))
  city = await settleCity(world)
  projectCode = city.city.personas.find((p) => p.account === 'hospital-pm')?.projectCode ?? ''
  stored = city.city.projects.find((p) => p.projectCode === projectCode)?.areaRule
  site = await city.as('hospital-pm')
  company = await city.as('yunze-lu')
})
afterAll(() => world.close())
beforeEach(async () => {
  await world.database.pool.query('delete from project_fence')
  await world.database.pool.query('update project set area_rule = $2 where project_code = $1', [projectCode, JSON.stringify(stored)])
})

const read = (caller = site) => (caller as Caller).call(getAreaRule, { query: { projectCode } })
/** The initial fence, scaled around its first corner. */
function scaled(by: number): Fence {
  const [first = [0, 0], ...rest] = ringsOf(stored)[0] ?? []
  const points = [first, ...rest].map(([lng, lat]) => ({ lng: first[0] + (lng - first[0]) * by, lat: first[1] + (lat - first[1]) * by }))
  return { type: '2', points }
}
const set = async (caller: Caller | undefined, areaRule: Fence | null) => {
  const { version } = await read()
  return (caller as Caller).ask(setAreaRule, { body: { projectCode, areaRule, reason: '现场调整', version } })
}

describe('the fence of a project', () => {
  test('shows its area, how far it is from the address, and who decides', async () => {
    const shown = await read()
    expect(shown.hectares).toBeGreaterThan(0.5)
    expect(shown).toMatchObject({ offsetMeters: 0, proposes: true, proposal: null, history: [] })
    expect((await read(company)).proposes).toBe(false)
  })
  test('smaller is in force at once, with its history', async () => {
    expect(await set(site, scaled(0.9))).toMatchObject({ status: 0, data: { state: 'inForce' } })
    const shown = await read()
    expect(shown.areaRule).toEqual(scaled(0.9))
    expect(shown.history).toMatchObject([{ state: '1', reason: '现场调整', hectares: shown.hectares }])
  })
  test('small steps that are a large one together wait as it would', async () => {
    expect(await set(site, scaled(1.05))).toMatchObject({ data: { state: 'inForce' } })
    expect(await set(site, scaled(1.09))).toMatchObject({ data: { state: 'inForce' } })
    expect(await set(site, scaled(1.13))).toMatchObject({ data: { state: 'waiting' } })
    const { proposal } = await read()
    expect(proposal?.why).toMatch(/比上次审定的围栏多圈 28%/)
    const body = { projectCode, result: '1' as const, opinion: '', version: proposal?.version ?? 0 }
    expect(await (company as Caller).ask(auditAreaRule, { body })).toMatchObject({ status: 0 })
    // A decided fence is the reference for later changes.
    expect(await set(site, scaled(1.2))).toMatchObject({ data: { state: 'inForce' } })
    expect(await set(site, scaled(1.3))).toMatchObject({ data: { state: 'waiting' } })
  })
  test('larger waits for somebody above the site; passed it is in force, refused it stays as it was', async () => {
    const before = await read()
    expect(await set(site, scaled(1.5))).toMatchObject({ data: { state: 'waiting' } })
    expect(await read()).toMatchObject({ areaRule: before.areaRule, proposal: { why: '比上次审定的围栏多圈 125% 的面积（超过 20%）' } })
    // A newer proposal replaces it.
    expect(await set(site, scaled(1.3))).toMatchObject({ data: { state: 'waiting' } })
    const { proposal } = await read()
    expect(proposal?.areaRule).toEqual(scaled(1.3))
    const decide = (caller: Caller | undefined, result: '1' | '2', opinion = '') =>
      (caller as Caller).ask(auditAreaRule, { body: { projectCode, result, opinion, version: proposal?.version ?? 0 } })
    expect(await decide(site, '1')).toMatchObject({ http: 403 })
    expect(await decide(company, '2')).toMatchObject({ http: 400, data: { field: 'opinion' } })
    expect(await decide(company, '2', '超出红线')).toMatchObject({ status: 0 })
    expect(await read()).toMatchObject({ areaRule: before.areaRule, proposal: null, history: [{ state: '2', opinion: '超出红线' }] })
    await set(site, scaled(1.3))
    expect(await decide(company, '1')).toMatchObject({ status: 0 })
    expect(await read()).toMatchObject({ areaRule: scaled(1.3), proposal: null })
    expect(await decide(company, '1')).toMatchObject({ message: '待审的围栏不存在或已删除' })
  })
  test('a company draws what it likes; a fence that meets itself and a second editor are refused', async () => {
    expect(await set(company, scaled(1.5))).toMatchObject({ data: { state: 'inForce' } })
    const [a, b, c, d] = scaled(1).type === '2' ? (scaled(1) as { points: { lng: number; lat: number }[] }).points : []
    expect(await set(company, { type: '2', points: [a, c, b, d] as never })).toMatchObject({ http: 400, data: { field: 'areaRule' } })
    const { version } = await read()
    await set(company, scaled(1.2))
    const late = { body: { projectCode, areaRule: scaled(1.1), reason: '现场调整', version } }
    expect(await (company as Caller).ask(setAreaRule, late)).toMatchObject({ message: expect.stringContaining('请刷新后再改') })
    expect(await set(company, scaled(1.2))).toMatchObject({ message: '围栏没有变化' })
    expect(await set(company, null)).toMatchObject({ data: { state: 'inForce' } })
    expect(await read()).toMatchObject({ areaRule: null, hectares: 0, offsetMeters: null })
  })
  test('nobody decides in the database over his own site’s proposal either', async () => {
    await set(site, scaled(1.5))
    const db = world.database.kysely
    const t = await db.selectFrom('tenant').selectAll().where('type', '=', 3).where('code', '=', projectCode).executeTakeFirstOrThrow()
    const scope = await findScope(db, { id: t.id, type: 3, code: projectCode, name: t.name, areaCode: t.areaCode }, 'test')
    const decided = inScope(db, scope, (tx) =>
      tx.updateTable('projectFence').set({ state: '1' }).where('projectCode', '=', projectCode).execute(),
    )
    await expect(decided).rejects.toThrow('above the site')
  })
})
