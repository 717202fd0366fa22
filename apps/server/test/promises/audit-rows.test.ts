import type { Endpoint } from '@zhugong/contract/kit/endpoint'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { openCity, settleCity } from '../city.ts'
import { allFixtures } from '../fixtures/all.ts'
import type { CallCase } from '../fixtures/helpers.ts'
import { furnish } from '../furnish.ts'
import { calls, exemptCalls, nameOf } from '../parts/calls.ts'
import { type SiteOfParts, siteOfParts } from '../parts/site.ts'
import { mayChange, parts } from '../parts/table.ts'
import { referencesOf, sampleInput } from '../sample-input.ts'
import { ownedRows } from '../tenants.ts'
import type { Answer, Caller, World } from '../world.ts'

/** A change and its audit row are atomic: a successful call leaves exactly one row, a refused or failed one none of kind `ok`. */
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

const kept = async () =>
  (await world.database.pool.query<{ n: number }>(`select count(*)::int as n from audit_log where result = 'ok'`)).rows[0]?.n
async function ask(caller: Caller, endpoint: Endpoint, input: unknown): Promise<{ answer: Answer; rows: number | undefined }> {
  world.lastAudit = undefined
  const answer = await caller.ask(endpoint, input as never)
  return { answer, rows: world.lastAudit }
}
const right = ({ endpoint, input }: CallCase, part: 'leader' | 'owner') =>
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
      // The audit row of a machine command is committed before the command is sent, and stays if it is not delivered.
      const expected = answer.http === 503 && tried.reachesOut ? 1 : undefined
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
  // Calls that end the session of the test.
  const ending = new Set(['POST /api/v1/sys/logout', 'PUT /api/v1/sys/my/password', 'POST /api/v2/oa/project/switch/project'])
  for (const endpoint of world.api.serve.endpoints.filter((e) => exemptCalls.has(nameOf(e)) && !e.unaudited && !ending.has(nameOf(e)))) {
    const given = referencesOf(endpoint).flatMap((reference) => {
      const hit = rows.find((row) => row.subject === reference.subject)
      return hit ? [{ reference, value: hit.id }] : []
    })
    for (const caller of [admin, made.as.leader]) {
      const answer = await ask(caller, endpoint, sampleInput(endpoint, given))
      if (answer.answer.status === 0) succeeded++
      const expected = answer.answer.status === 0 ? 1 : undefined
      if (answer.rows !== expected) wrong.push(`${nameOf(endpoint)} ${answer.answer.http}/${answer.answer.status}: ${answer.rows} rows`)
    }
  }
  console.log(`${succeeded} calls beside a site’s succeed, each with one audit row`)
  expect(wrong).toEqual([])
  expect(succeeded).toBeGreaterThan(3)
})

/** Calls without a session, other than GET, that change nothing and leave no row; all others are in `reads` of their domain's fixtures. */
const publicReads = [
  'POST /api/v1/open/expert/apply',
  'POST /api/v1/open/expert/upload',
  'POST /api/v1/sys/badge/check',
  'POST /api/v1/sys/ownLook',
  'POST /api/v1/sys/ownLook/close',
  'POST /api/v1/sys/ownLook/code',
  'POST /api/v1/sys/ownLook/open',
  'POST /api/v1/sys/selfEntry',
  'POST /api/v1/sys/selfEntry/code',
  'POST /api/v1/sys/selfEntry/look',
  'POST /api/v1/sys/selfEntry/open',
]

test('calls without an audit row are these and no others', () => {
  const listed = allFixtures.flatMap(({ reads = [], exemptReads = [] }) => [
    ...reads.map(({ endpoint }) => endpoint),
    ...exemptReads.flatMap(({ calls }) => calls),
  ])
  const found = world.api.serve.endpoints.filter((e) => e.method !== 'GET' && e.unaudited)
  expect(found.map(nameOf).sort()).toEqual([...listed.map(nameOf), ...publicReads].sort())
})
