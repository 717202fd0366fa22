import type { Endpoint } from '@zhugong/contract/kit/endpoint'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { z } from 'zod'
import { type CityWorld, openCity, settleCity } from '../city.ts'
import { furnish } from '../furnish.ts'
import { inputOf, judge } from '../isolation/matrix.ts'
import { referencesOf, sampleInput } from '../sample-input.ts'
import { type Owned, ownedRows, type Viewer, viewers } from '../tenants.ts'
import type { World } from '../world.ts'
import { sizeOf } from './size.ts'

/**
 * Codes sent by the caller (projectCode, corpCode, govCode, areaCode and similar) narrow the result and never widen access. `FORGED_CODES=5` tries
 * every field with every code, otherwise one code per field in rotation. The `group` header is tested by the isolation matrix, with every call and
 * account.
 */
const codesEach = sizeOf('FORGED_CODES', 1)

let world: World
let settled: CityWorld
let rows: Owned[]
const byId = new Map<string, Owned[]>()
beforeAll(async () => {
  world = await openCity(inject('postgresUrl'), { scopeChecks: true })
  settled = await settleCity(world)
  await furnish(world.database.pool, settled.city)
  rows = await ownedRows(world.database.pool)
  for (const row of rows) byId.set(row.id, [...(byId.get(row.id) ?? []), row])
})
afterAll(() => world.close())

const hintNames =
  /(?:project|corp|gov|area|group|tenant|org|build|contractor)\w*(?:Code|Id|Org)$|^(?:projectCode|corpCode|govCode|areaCode|groupId|superviseOrg)$/i
const hintsOf = (endpoint: Endpoint): string[] =>
  Object.keys(
    (z.toJSONSchema(endpoint.schemas.query as z.ZodType, { io: 'input', unrepresentable: 'any' }) as { properties?: object }).properties ??
      {},
  ).filter((name) => hintNames.test(name))

/** Codes of entities the viewer has no part in, used for any field. */
function foreignCodes(viewer: Viewer): string[] {
  const { city } = settled
  const project = city.projects.find((one) => !viewer.projects.has(one.projectCode))
  if (!project) return []
  const corp = city.projectCorps.find((one) => one.projectCode === project.projectCode && !viewer.groupKey.endsWith(one.corpCode))
  return [project.projectCode, corp?.corpCode ?? '', project.areaCode, '420200', '*'].filter(Boolean)
}

test('forged codes in a query show nothing of another', async () => {
  const findings: unknown[] = []
  let requests = 0
  const lists = world.api.serve.endpoints.filter((e) => e.method === 'GET' && e.schemas.query && e.needs !== 'public')
  const withHints = lists.filter((e) => hintsOf(e).length > 0)
  expect(withHints.length).toBeGreaterThan(30)
  for (const viewer of viewers(settled.city)) {
    const caller = await settled.as(viewer.account)
    for (const endpoint of withHints) {
      const given = inputOf(referencesOf(endpoint), rows, viewer)
      const input = sampleInput(endpoint, given) as { query?: Record<string, unknown> }
      for (const hint of hintsOf(endpoint)) {
        const codes = foreignCodes(viewer)
        for (let i = 0; i < Math.min(codesEach, codes.length); i++) {
          const code = codes[(requests + i) % codes.length] ?? ''
          const answer = await caller.ask(endpoint, { ...input, query: { ...input.query, [hint]: code } } as never)
          requests++
          findings.push(...judge(endpoint, answer, given, viewer, byId))
        }
      }
    }
  }
  console.log(`${requests} reads with forged codes in ${withHints.length} calls: ${findings.length} findings`)
  expect(findings.slice(0, 10)).toEqual([])
}, 600_000)

test('codes a call does not know change nothing about its answer', async () => {
  const viewer = viewers(settled.city).find((one) => one.account === 'hospital-pm') as Viewer
  const caller = await settled.as(viewer.account)
  const [project = '', corp = '', area = ''] = foreignCodes(viewer)
  const extra = {
    groupId: 'x',
    groupCode: corp,
    tenantId: '0',
    corpCode: corp,
    govCode: area,
    all: 'true',
    scope: '*',
    userId: 'x',
    isAdmin: '1',
  }
  let compared = 0
  for (const endpoint of world.api.serve.endpoints.filter((e) => e.method === 'GET' && e.needs !== 'public')) {
    const input = sampleInput(endpoint, inputOf(referencesOf(endpoint), rows, viewer)) as { query?: Record<string, unknown> }
    const known = new Set(endpoint.schemas.query ? Object.keys((endpoint.schemas.query as z.ZodObject).shape ?? {}) : [])
    const unknown = Object.fromEntries(Object.entries({ projectCode: project, ...extra }).filter(([name]) => !known.has(name)))
    const answer = await caller.ask(endpoint, { ...input, query: { ...input.query, ...unknown } } as never)
    compared++
    expect(judge(endpoint, answer, [], viewer, byId)).toEqual([])
  }
  expect(compared).toBeGreaterThan(100)
})
