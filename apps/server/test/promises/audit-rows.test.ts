import type { Endpoint } from '@zhugong/contract/kit/endpoint'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { openCity, settleCity } from '../city.ts'
import { furnish } from '../furnish.ts'
import { asideCalls, calls, type Tried } from '../parts/calls.ts'
import { type SiteOfParts, siteOfParts } from '../parts/site.ts'
import { mayChange, parts } from '../parts/table.ts'
import { referencesOf, sampleInput } from '../sample-input.ts'
import { ownedRows } from '../tenants.ts'
import type { Answer, Caller, World } from '../world.ts'

/** A change and its audit row are one: whatever succeeds leaves exactly one row, whatever is refused or fails leaves none of kind `ok`. */
let world: World
let made: SiteOfParts
let admin: Caller
beforeAll(async () => {
  world = await openCity(inject('postgresUrl'), {}, { keepsChanges: false })
  const settled = await settleCity(world)
  await furnish(world.database.pool, settled.city)
  made = await siteOfParts(world, settled)
  admin = await settled.as('admin')
})
afterAll(() => world.close())

const nameOf = (endpoint: Endpoint) => `${endpoint.method} ${endpoint.path}`
const kept = async () =>
  (await world.database.pool.query<{ n: number }>(`select count(*)::int as n from audit_log where result = 'ok'`)).rows[0]?.n
async function ask(caller: Caller, endpoint: Endpoint, input: unknown): Promise<{ answer: Answer; rows: number | undefined }> {
  world.lastAudit = undefined
  const answer = await caller.ask(endpoint, input as never)
  return { answer, rows: world.lastAudit }
}
const right = ({ endpoint, input }: Tried, part: 'leader' | 'owner') =>
  ask(made.as[part], endpoint, input(made.site, made.company.subcontractor, made.asker[part]))

test('whatever succeeds leaves exactly one row', async () => {
  const before = await kept()
  const wrong: string[] = []
  let succeeded = 0
  for (const tried of calls.filter((one) => !one.reachesOut)) {
    const part = mayChange[tried.concern].leader === 'yes' ? 'leader' : 'owner'
    const { answer, rows } = await right(tried, part)
    if (answer.status !== 0) continue
    succeeded++
    if (rows !== 1) wrong.push(`${nameOf(tried.endpoint)}: ${rows} rows`)
  }
  console.log(`${succeeded} changing calls of a site succeed, each with one audit row`)
  expect(wrong).toEqual([])
  expect(succeeded).toBeGreaterThan(calls.length * 0.8)
  expect(await kept(), 'nor is one written around the transaction').toBe(before)
})

/** Commands to machines: the row is committed before one leaves the product, and stands though nobody took it. */
const goesOut = new Set(['POST /api/v1/iot/device/:id/command', 'POST /api/v1/iot/env/spray/switch'])

test('whatever is refused leaves none, and nothing is committed', async () => {
  const before = await kept()
  const wrong: string[] = []
  let refused = 0
  for (const tried of calls) {
    for (const part of parts) {
      const { answer, rows } = await ask(made.as[part], tried.endpoint, tried.input(made.site, made.company.leader, made.asker[part]))
      if (answer.status === 0) {
        if (rows !== 1) wrong.push(`${part} ${nameOf(tried.endpoint)}: ${rows} rows`)
        continue
      }
      refused++
      const expected = answer.http === 503 && goesOut.has(nameOf(tried.endpoint)) ? 1 : undefined
      if (rows !== expected) wrong.push(`${part} ${nameOf(tried.endpoint)} ${answer.http}/${answer.status}: committed with ${rows} rows`)
    }
    const broken = await ask(made.as.leader, tried.endpoint, { params: { id: '\u0001' }, query: {}, body: { id: [] } })
    if (broken.answer.status !== 0) {
      refused++
      if (broken.rows !== undefined) wrong.push(`${nameOf(tried.endpoint)}, with nonsense: committed`)
    }
  }
  console.log(`${refused} refused or failed calls, none with an audit row of kind ok`)
  expect(wrong).toEqual([])
  expect(refused).toBeGreaterThan(calls.length)
  expect(await kept()).toBe(before)
})

test('calls beside a site’s: the same, as far as an input made from their schema succeeds', async () => {
  const rows = await ownedRows(world.database.pool)
  const wrong: string[] = []
  let succeeded = 0
  // Whoever has left the session asks no more.
  const ending = new Set(['POST /api/v1/sys/logout', 'PUT /api/v1/sys/my/password', 'POST /api/v2/oa/project/switch/project'])
  for (const endpoint of world.api.serve.endpoints.filter((e) => nameOf(e) in asideCalls && !e.unaudited && !ending.has(nameOf(e)))) {
    const given = referencesOf(endpoint).flatMap((reference) => {
      const hit = rows.find((row) => row.subject === reference.subject)
      return hit ? [{ reference, value: hit.id }] : []
    })
    for (const caller of [admin, made.as.leader]) {
      const asked = await ask(caller, endpoint, sampleInput(endpoint, given))
      if (asked.answer.status === 0) succeeded++
      const expected = asked.answer.status === 0 ? 1 : undefined
      if (asked.rows !== expected) wrong.push(`${nameOf(endpoint)} ${asked.answer.http}/${asked.answer.status}: ${asked.rows} rows`)
    }
  }
  console.log(`${succeeded} calls beside a site’s succeed, each with one audit row`)
  expect(wrong).toEqual([])
  expect(succeeded).toBeGreaterThan(3)
})

/** Calls that are no GET and leave no row, as nothing changes: with the reason each gives in the contract. */
const unaudited = [
  'POST /api/v1/attendance/rehearse',
  'POST /api/v1/attendance/setting/trial',
  'POST /api/v1/docking/mapping/:objectType/try',
  'POST /api/v1/docking/mapping/:objectType/weigh',
  'POST /api/v1/iot/device/verify',
  'POST /api/v1/iot/rule/exec/:id/trial',
  'POST /api/v1/iot/rule/trigger/rehearse',
  'POST /api/v1/oa/process/cameraAi/:id/preview',
  'POST /api/v1/oa/process/laborBlack/preview',
  'POST /api/v1/oa/report/setting/preview',
  'POST /api/v1/oa/todo/audit/config/try',
  'POST /api/v1/oa/worker/base/sync',
  'POST /api/v1/screen/template/batchLoad',
  'POST /api/v1/sys/app/use',
  'POST /api/v1/sys/badge/check',
  'POST /api/v1/sys/dict/code',
  'POST /api/v1/sys/ownLook',
  'POST /api/v1/sys/ownLook/close',
  'POST /api/v1/sys/ownLook/code',
  'POST /api/v1/sys/ownLook/open',
  'POST /api/v1/sys/selfEntry',
  'POST /api/v1/sys/selfEntry/code',
  'POST /api/v1/sys/selfEntry/look',
  'POST /api/v1/sys/selfEntry/open',
  'POST /api/v1/sys/token/refresh',
  'POST /api/v1/sys/ui/tree/init',
  'POST /api/v1/sys/uiRule/try',
  'PUT /api/v1/oa/org/fresh/node/:id',
  'PUT /api/v1/sys/my/project/:projectCode/mark',
]

test('calls without an audit row are these and no others', () => {
  const found = world.api.serve.endpoints.filter((e) => e.method !== 'GET' && e.unaudited)
  expect(found.map(nameOf).sort()).toEqual(unaudited)
})
