import { createHash } from 'node:crypto'
import type { Endpoint } from '@zhugong/contract/kit/endpoint'
import { codesOf } from '@zhugong/contract/kit/endpoint'
import type { Subject } from '@zhugong/contract/kit/fields'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { type CityWorld, openCity, settleCity } from '../city.ts'
import { allFixtures } from '../fixtures/all.ts'
import { furnish } from '../furnish.ts'
import { type Reference, referencesOf, sampleInput } from '../sample-input.ts'
import { maySee, type Owned, ownedRows, type Viewer, viewers } from '../tenants.ts'
import { type Answer, type Caller, openWorld, type World } from '../world.ts'

/**
 * Tests every endpoint with every kind of account and with ids of its own, a sibling, a parent and an unrelated tenant. New endpoints are
 * included automatically: the contract marks the ids of an input (`ref('worker')`). What an account may see is derived from the invented
 * city, not from the product.
 */
export interface Finding {
  account: string
  call: string
  what: string
}

/** Foreign ids known per reference: one of each relation, if the city has them. */
const foreignPerReference = 3
/**
 * How many of them one call is tried with, in rotation over accounts and calls. The application checks can only refuse more than
 * row-level security alone, so that one id is enough there.
 */
const foreignPerCall = { withChecks: 1, alone: 2 }
/** A limit for a machine with other load; the matrix takes a few minutes. */
const matrixMs = 1_200_000

/** Concurrent calls in the concurrency test: many times the number of database connections. */
const atOnce = 100

/** One line per call with the number of its findings and one of them. */
function summaryOf(findings: readonly Finding[]): string {
  const byCall = Map.groupBy(findings, (one) => one.call)
  return [...byCall].map(([call, all]) => `${call} (${all.length}): ${all[0]?.account}: ${all[0]?.what}`).join('\n')
}

/** Excluded calls: they would end the session that the test uses, or belong to no tenant. */
const apart = new Set([
  'POST /api/v1/sys/logout',
  'PUT /api/v1/sys/my/password',
  'DELETE /api/v1/sys/my/session',
  'POST /api/v2/oa/project/switch/project',
  'POST /api/v1/oa/org/exit/group',
])

export function isolate(shard: Shard): void {
  for (const scopeChecks of [true, false]) isolateWith(shard, scopeChecks)
}

function isolateWith(shard: Shard, scopeChecks: boolean): void {
  describe(`${shard}: ${scopeChecks ? 'isolation with both locks' : 'isolation by row-level security alone'}`, () => {
    let world: World
    let settled: CityWorld
    let rows: Owned[]
    let everybody: Viewer[]
    let endpoints: Endpoint[]
    const byId = new Map<string, Owned[]>()

    beforeAll(async () => {
      world = await openCity(inject('postgresUrl'), { scopeChecks })
      settled = await settleCity(world)
      await furnish(world.database.pool, settled.city)
      rows = await ownedRows(world.database.pool)
      for (const row of rows) byId.set(row.id, [...(byId.get(row.id) ?? []), row])
      everybody = viewers(settled.city)
      endpoints = world.api.serve.endpoints.filter((endpoint) => endpoint.needs !== 'public' && shardOf(endpoint) === shard)
    })
    afterAll(() => world.close())

    test(
      'no call answers with, or changes, what is not the caller’s',
      async () => {
        const findings: Finding[] = []
        const tally = new Tally()
        let mayAsk = 0
        let now = await protectedRows(world)
        const initial = new Set([...now.values()].flatMap((table) => table.map((row) => row.id)))
        const hashes = (viewer: Viewer) => fingerprints(now, viewer, { byId, initial })
        for (const [v, viewer] of everybody.entries()) {
          const caller = await settled.as(viewer.account)
          const before = hashes(viewer)
          const current = await codesKept(world, caller)
          const ids = new IdsFor(rows, viewer)
          for (const [e, endpoint] of endpoints.entries()) {
            // Skip calls without the permission code; a separate test checks that they are refused.
            if (apart.has(`${endpoint.method} ${endpoint.path}`) || lacks(current, endpoint)) continue
            mayAsk++
            for (const given of inputsFor(
              referencesOf(endpoint),
              ids,
              v + e,
              scopeChecks ? foreignPerCall.withChecks : foreignPerCall.alone,
            )) {
              // Accounts take turns through the actions of a call.
              const answer = await caller.ask(endpoint, sampleInput(endpoint, given, v + e) as never)
              tally.add(endpoint, answer, isForeign(given, viewer, byId))
              findings.push(...judge(endpoint, answer, given, viewer, byId))
            }
          }
          now = await protectedRows(world)
          const after = hashes(viewer)
          for (const [table, hash] of before)
            if (after.get(table) !== hash)
              findings.push({ account: viewer.account, call: '(all)', what: `rows of ${table} that are not its own changed` })
        }
        console.log(
          tally.told(`${shard}, ${scopeChecks ? 'both locks' : 'row-level security alone'}, ${everybody.length} accounts`, findings.length),
        )
        expect(findings.slice(0, 20), summaryOf(findings)).toEqual([])
        expect(mayAsk).toBeGreaterThan(everybody.length * endpoints.length * 0.3)
        expect(tally.asked).toBeGreaterThan(mayAsk * 0.7)
      },
      matrixMs,
    )

    // Run without application checks: they would hide state that a connection carries from one request to the next.
    test.runIf(!scopeChecks)(
      'asked by everybody at the same moment, nobody is answered with what is another’s',
      async () => {
        const calls: (() => Promise<Finding[]>)[] = []
        for (const viewer of everybody) {
          const caller = await settled.as(viewer.account)
          const ids = new IdsFor(rows, viewer)
          for (const endpoint of endpoints) {
            if (endpoint.method !== 'GET') continue
            const given = ownInput(referencesOf(endpoint), ids)
            const input = sampleInput(endpoint, given) as never
            calls.push(async () => judge(endpoint, await caller.ask(endpoint, input), given, viewer, byId))
          }
        }
        // Mix the calls, so that consecutive ones belong to different tenants and connections are reused between tenants.
        const mixed = calls.map((call, i) => ({ call, turn: (i * 7_919) % calls.length })).sort((a, b) => a.turn - b.turn)
        const findings: Finding[] = []
        let next = 0
        const worker = async () => {
          for (let one = mixed[next++]; one; one = mixed[next++]) findings.push(...(await one.call()))
        }
        await Promise.all(Array.from({ length: atOnce }, worker))
        expect(findings.slice(0, 20), summaryOf(findings)).toEqual([])
        expect(calls.length).toBeGreaterThan(everybody.length * 10)
      },
      matrixMs,
    )

    test('a foreign project in the header is refused before anything is read', async () => {
      for (const viewer of everybody.filter((v) => v.projects.size < settled.city.projects.length)) {
        const foreign = settled.city.projects.find((p) => !viewer.projects.has(p.projectCode))
        const caller: Caller = (await settled.as(viewer.account)).at(foreign?.projectCode ?? '')
        for (const endpoint of endpoints) {
          const answer = await caller.ask(endpoint, sampleInput(endpoint, []) as never)
          expect([viewer.account, endpoint.path, answer.http]).toEqual([viewer.account, endpoint.path, 403])
        }
      }
    })

    test('whoever lacks the code is refused, whatever the id', async () => {
      for (const viewer of everybody) {
        const caller = await settled.as(viewer.account)
        const current = await codesKept(world, caller)
        const ids = new IdsFor(rows, viewer)
        for (const endpoint of endpoints) {
          if (!lacks(current, endpoint)) continue
          const own = ownInput(referencesOf(endpoint), ids)
          const answer = await caller.ask(endpoint, sampleInput(endpoint, own) as never)
          expect([viewer.account, `${endpoint.method} ${endpoint.path}`, answer.http]).toEqual([
            viewer.account,
            `${endpoint.method} ${endpoint.path}`,
            403,
          ])
        }
      }
    })
  })
}

export function withoutToken(): void {
  test('without a token every call but the public ones answers 105', async () => {
    const world = await openWorld(inject('postgresUrl'))
    for (const endpoint of world.api.serve.endpoints.filter((e) => e.needs !== 'public')) {
      for (const caller of [world.anonymous, world.caller('forged'.padEnd(43, 'x'))]) {
        const answer = await caller.ask(endpoint, sampleInput(endpoint, []) as never)
        expect([`${endpoint.method} ${endpoint.path}`, answer.http, answer.status]).toEqual([
          `${endpoint.method} ${endpoint.path}`,
          403,
          105,
        ])
      }
    }
    await world.close()
  })
}

/** Parts of the matrix that run in parallel; a new call is assigned by its path. */
export const shards = ['people', 'records', 'machines', 'site'] as const
export type Shard = (typeof shards)[number]

const domainOf = ({ path }: Endpoint): string => path.split('/').slice(3, 5).join('/')
const peoples = /^(?:oa\/(?:worker|team|projectWorker|projectTeam|contract)|attendance|person)/
const records = /^oa\/process/
const machines = /^iot\/(?:device|gateway|helmet|gate|model|brand|factory|env|tower|lift)/
function shardOf(endpoint: Endpoint): Shard {
  const domain = domainOf(endpoint)
  if (records.test(domain)) return 'records'
  if (peoples.test(domain)) return 'people'
  return machines.test(domain) ? 'machines' : 'site'
}

/** Counts the calls that were made, for a summary that the documentation can quote. */
class Tally {
  private readonly domains = new Map<string, { calls: Set<Endpoint>; asked: number; foreign: number; refused: number }>()
  get asked(): number {
    return [...this.domains.values()].reduce((sum, one) => sum + one.asked, 0)
  }
  add(endpoint: Endpoint, answer: Answer, isForeign: boolean): void {
    const domain = domainOf(endpoint)
    const one = this.domains.get(domain) ?? { calls: new Set(), asked: 0, foreign: 0, refused: 0 }
    this.domains.set(domain, one)
    one.calls.add(endpoint)
    one.asked++
    if (!isForeign) return
    one.foreign++
    // Messages by which a foreign id is refused: not found, or not the caller's. Messages about invalid input differ.
    if (answer.status !== 0 && /不存在|管辖|权限|不能|没有/.test(answer.message)) one.refused++
  }
  told(what: string, findings: number): string {
    const all = [...this.domains.values()]
    const sum = (of: (one: (typeof all)[number]) => number) => all.reduce((total, one) => total + of(one), 0)
    const line = (name: string, calls: number, requested: number, foreign: number, refused: number) =>
      `  ${name}: ${calls} calls, ${requested} asked, ${foreign} with a foreign id, ${refused} refused for scope or right`
    return [
      `isolation of ${what}: ${findings} findings`,
      line(
        'all',
        sum((one) => one.calls.size),
        sum((one) => one.asked),
        sum((one) => one.foreign),
        sum((one) => one.refused),
      ),
      ...[...this.domains].sort().map(([name, one]) => line(name, one.calls.size, one.asked, one.foreign, one.refused)),
    ].join('\n')
  }
}

const isForeign = (given: Given, viewer: Viewer, byId: Map<string, Owned[]>): boolean =>
  given.some(({ value }) => byId.get(value)?.every((row) => !maySee(viewer, row)))

type Given = { reference: Reference; value: string }[]

export async function codesKept(world: World, caller: Caller): Promise<ReadonlySet<string>> {
  const answer = await world.api.app.inject({ url: '/api/v1/sys/my/info', headers: { token: caller.token } })
  return new Set(answer.json().data.operator as string[])
}
export function lacks(current: ReadonlySet<string>, endpoint: Endpoint): boolean {
  const codes = codesOf(endpoint)
  return codes.length > 0 && !codes.some((code) => current.has(code))
}

/** The own and foreign ids tried for a viewer, computed once per kind of row. */
export class IdsFor {
  readonly #own = new Set<string>()
  readonly #foreign = new Map<Subject, string[]>()
  readonly #first = new Map<Subject, string>()
  readonly #rows: readonly Owned[]
  readonly #viewer: Viewer
  constructor(rows: readonly Owned[], viewer: Viewer) {
    this.#rows = rows
    this.#viewer = viewer
    for (const { id, subject } of rows.filter((row) => maySee(viewer, row))) {
      this.#own.add(id)
      if (!this.#first.has(subject)) this.#first.set(subject, id)
    }
  }

  own(subject: Subject): string | undefined {
    return this.#first.get(subject)
  }

  foreign(subject: Subject): string[] {
    const ids = this.#foreign.get(subject) ?? this.#foreignOf(subject)
    this.#foreign.set(subject, ids)
    return ids
  }

  #foreignOf(subject: Subject): string[] {
    const hidden = this.#rows.filter((row) => row.subject === subject && !this.#own.has(row.id))
    // First a row of a sibling (other people in a project it takes part in), then one row of each other project.
    const sibling = hidden.find((row) => row.projectCode && this.#viewer.projects.has(row.projectCode))
    const perProject = new Map(hidden.map((row) => [row.projectCode, row]))
    return [...new Set([...(sibling ? [sibling] : []), ...perProject.values()].map((row) => row.id))].slice(0, foreignPerReference)
  }
}

/**
 * Inputs with own ids, and with one reference at a time replaced by `count` foreign ids, which `turn` rotates. An endpoint without
 * references gets one input.
 */
function inputsFor(references: readonly Reference[], ids: IdsFor, turn: number, count: number): Given[] {
  if (references.length === 0) return [[]]
  const own = ownInput(references, ids)
  return references.flatMap((reference) => {
    const all = ids.foreign(reference.subject)
    const start = all.length > 0 ? turn % all.length : 0
    return [...all.slice(start), ...all.slice(0, start)]
      .slice(0, count)
      .map((value) => [...own.filter((g) => g.reference !== reference), { reference, value }])
  })
}

export function ownInput(references: readonly Reference[], ids: IdsFor): Given {
  return references.flatMap((reference) => {
    const value = reference.isNew ? undefined : ids.own(reference.subject)
    return value ? [{ reference, value }] : []
  })
}

export const inputOf = (references: readonly Reference[], rows: readonly Owned[], viewer: Viewer): Given =>
  ownInput(references, new IdsFor(rows, viewer))

export function judge(endpoint: Endpoint, answer: Answer, given: Given, viewer: Viewer, byId: Map<string, Owned[]>): Finding[] {
  const call = `${endpoint.method} ${endpoint.path}`
  const found: Finding[] = []
  const add = (what: string) => found.push({ account: `${viewer.kind} ${viewer.account}`, call, what })
  if (answer.http >= 500) add(`HTTP ${answer.http} ${answer.message}`)
  if (answer.http === 404) add('HTTP 404: an unknown record is no unknown path')
  const text = Buffer.isBuffer(answer.data) ? '' : JSON.stringify(answer)
  const wanted = new Set(given.map((g) => g.value))
  for (const id of new Set(text.match(/\b[0-9a-f]{32}\b|\b\d{18}\b/g) ?? [])) {
    const owners = byId.get(id)
    // Ids that the caller sent itself disclose nothing. People on duty or named as actors are visible to everyone who sees the site,
    // whatever their group.
    const isPerson = owners?.every((row) => row.groupKey)
    if (owners && !isPerson && !owners.some((row) => maySee(viewer, row)) && !wanted.has(id))
      add(`answers with ${owners[0]?.subject} ${id} of ${owners[0]?.projectCode}`)
  }
  const foreign = given.find((g) => byId.get(g.value)?.every((row) => !maySee(viewer, row)))
  const changes = endpoint.method !== 'GET' && !endpoint.unaudited
  if (foreign && answer.status === 0 && changes && !refusedInBatch(answer.data, foreign.value))
    add(`accepted a foreign ${foreign.reference.subject}`)
  return found
}

/** A batch responds for each of its rows: the foreign row must be among the refused ones. */
function refusedInBatch(data: unknown, id: string): boolean {
  const failed = (data as { failed?: { id: string }[] } | null)?.failed
  return Array.isArray(failed) && failed.some((row) => row.id === id)
}

/** `version`: xmin of the row, which every change replaces. */
type ProtectedRow = { id: string; project_code: string | null; version: string }
type ProtectedRows = ReadonlyMap<string, readonly ProtectedRow[]>

/** Reads every row of every protected table. */
async function protectedRows(world: World): Promise<ProtectedRows> {
  const tables = allFixtures.flatMap(({ guarded }) => guarded ?? [])
  const found = tables.map(async (table) => {
    const { rows } = await world.database.pool.query<ProtectedRow>(
      `select id, ${table === 'worker' || table === 'worker_cert' ? "''" : 'project_code'} as project_code, xmin::text as version from ${table} order by id`,
    )
    return [table, rows] as const
  })
  return new Map(await Promise.all(found))
}

/**
 * For each protected table, a hash of the rows that the viewer may not see. A row without a project and without a known owner counts if it is
 * `initial`: a later one may be the viewer's own.
 */
function fingerprints(
  all: ProtectedRows,
  viewer: Viewer,
  { byId, initial }: { byId: Map<string, Owned[]>; initial: ReadonlySet<string> },
): Map<string, string> {
  const isHidden = (table: string, { id, project_code: code }: ProtectedRow): boolean => {
    const owners = byId.get(table === 'project' ? (code ?? '') : id)
    if (owners) return !owners.some((o) => maySee(viewer, o))
    return code === null ? initial.has(id) : code !== '' && !viewer.projects.has(code)
  }
  const hashOf = (table: string, rows: readonly ProtectedRow[]) => {
    const hash = createHash('sha256')
    for (const row of rows) if (isHidden(table, row)) hash.update(row.id).update(row.version)
    return hash.digest('hex')
  }
  return new Map([...all].map(([table, rows]) => [table, hashOf(table, rows)]))
}
