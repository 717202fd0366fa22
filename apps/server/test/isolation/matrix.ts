import { createHash } from 'node:crypto'
import type { Endpoint } from '@zhugong/contract/kit/endpoint'
import { codesOf } from '@zhugong/contract/kit/endpoint'
import type { Subject } from '@zhugong/contract/kit/fields'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { type CityWorld, openCity, settleCity } from '../city.ts'
import { furnish } from '../furnish.ts'
import { type Reference, referencesOf, sampleInput } from '../sample-input.ts'
import { maySee, type Owned, ownedRows, type Viewer, viewers } from '../tenants.ts'
import { type Answer, type Caller, openWorld, type World } from '../world.ts'

/**
 * Every endpoint x every kind of account x ids of its own, a sibling's, a parent's and a stranger's tenant. Endpoints join by themselves:
 * the ids an input takes are marked in the contract (`ref('worker')`), and what an account may see comes from the invented city, not from the product.
 */
export interface Finding {
  account: string
  call: string
  what: string
}

/**
 * Foreign ids tried per reference: one of each relation, as far as the city has them. With both locks one of these by turns: what the
 * application refuses beside the database can only be more than what the database refuses alone.
 */
const foreignPerReference = 3

/** Calls under way at once when everybody asks: many times the connections there are. */
const atOnce = 100

/** Calls that would end the session the matrix runs on, or that belong to nobody's tenant. */
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

    test('no call answers with, or changes, what is not the caller’s', async () => {
      const findings: Finding[] = []
      const tally = new Tally()
      let mayAsk = 0
      let now = await protectedRows(world)
      for (const [v, viewer] of everybody.entries()) {
        const caller = await settled.as(viewer.account)
        const before = fingerprints(now, viewer, byId)
        const held = await codesHeld(world, caller)
        const ids = new IdsFor(rows, viewer)
        for (const [e, endpoint] of endpoints.entries()) {
          // Without the code nothing is looked at, which a test of its own holds.
          if (apart.has(`${endpoint.method} ${endpoint.path}`) || lacks(held, endpoint)) continue
          mayAsk++
          for (const given of inputsFor(referencesOf(endpoint), ids, scopeChecks ? v + e : undefined)) {
            const answer = await caller.ask(endpoint, sampleInput(endpoint, given) as never)
            tally.add(endpoint, answer, isForeign(given, viewer, byId))
            findings.push(...judge(endpoint, answer, given, viewer, byId))
          }
        }
        now = await protectedRows(world)
        const after = fingerprints(now, viewer, byId)
        for (const [table, hash] of before)
          if (after.get(table) !== hash)
            findings.push({ account: viewer.account, call: '(all)', what: `rows of ${table} that are not its own changed` })
      }
      console.log(
        tally.told(`${shard}, ${scopeChecks ? 'both locks' : 'row-level security alone'}, ${everybody.length} accounts`, findings.length),
      )
      expect(findings.slice(0, 20)).toEqual([])
      expect(mayAsk).toBeGreaterThan(everybody.length * endpoints.length * 0.3)
      expect(tally.asked).toBeGreaterThan(mayAsk * 0.7)
    }, 600_000)

    // Where the application checks as well it would hide what a connection carries from one to the next.
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
        // Neighbours in line belong to different tenants; a connection goes from one to the other without a pause.
        const mixed = calls.map((call, i) => ({ call, turn: (i * 7_919) % calls.length })).sort((a, b) => a.turn - b.turn)
        const findings: Finding[] = []
        let next = 0
        const worker = async () => {
          for (let one = mixed[next++]; one; one = mixed[next++]) findings.push(...(await one.call()))
        }
        await Promise.all(Array.from({ length: atOnce }, worker))
        expect(findings.slice(0, 20)).toEqual([])
        expect(calls.length).toBeGreaterThan(everybody.length * 10)
      },
      300_000,
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
        const held = await codesHeld(world, caller)
        const ids = new IdsFor(rows, viewer)
        for (const endpoint of endpoints) {
          if (!lacks(held, endpoint)) continue
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

/** Parts of the matrix that run beside each other; a new call joins one by its path. */
export const shards = ['people', 'machines', 'site'] as const
export type Shard = (typeof shards)[number]

const domainOf = ({ path }: Endpoint): string => path.split('/').slice(3, 5).join('/')
const peoples = /^(?:oa\/(?:worker|team|projectWorker|projectTeam|process|contract)|attendance|person)/
const machines = /^iot\/(?:device|gateway|helmet|gate|model|brand|factory|env|tower|lift)/
const shardOf = (endpoint: Endpoint): Shard =>
  peoples.test(domainOf(endpoint)) ? 'people' : machines.test(domainOf(endpoint)) ? 'machines' : 'site'

/** How much was really tried, in words the documentation can quote. */
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
    // Not there, or not one's own: the words in which a foreign id is refused, and no wrong input's.
    if (answer.status !== 0 && /不存在|管辖|权限|不能|没有/.test(answer.message)) one.refused++
  }
  told(what: string, findings: number): string {
    const all = [...this.domains.values()]
    const sum = (of: (one: (typeof all)[number]) => number) => all.reduce((total, one) => total + of(one), 0)
    const line = (name: string, calls: number, asked: number, foreign: number, refused: number) =>
      `  ${name}: ${calls} calls, ${asked} asked, ${foreign} with a foreign id, ${refused} refused for scope or right`
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

async function codesHeld(world: World, caller: Caller): Promise<ReadonlySet<string>> {
  const answer = await world.api.app.inject({ url: '/api/v1/sys/my/info', headers: { token: caller.token } })
  return new Set(answer.json().data.operator as string[])
}
function lacks(held: ReadonlySet<string>, endpoint: Endpoint): boolean {
  const codes = codesOf(endpoint)
  return codes.length > 0 && !codes.some((code) => held.has(code))
}

/** Which ids a viewer is tried with, worked out once for each kind of row. */
class IdsFor {
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
    // A sibling's (a project it takes part in, other people), then one of each stranger's project.
    const sibling = hidden.find((row) => row.projectCode && this.#viewer.projects.has(row.projectCode))
    const perProject = new Map(hidden.map((row) => [row.projectCode, row]))
    return [...new Set([...(sibling ? [sibling] : []), ...perProject.values()].map((row) => row.id))].slice(0, foreignPerReference)
  }
}

/** Own ids, and each reference in turn foreign: one by turns where a turn is given. What takes no id is asked once. */
function inputsFor(references: readonly Reference[], ids: IdsFor, turn?: number): Given[] {
  if (references.length === 0) return [[]]
  const own = ownInput(references, ids)
  return references.flatMap((reference) => {
    const all = ids.foreign(reference.subject)
    const tried = turn === undefined ? all : all.slice(turn % all.length).slice(0, 1)
    return tried.map((value) => [...own.filter((g) => g.reference !== reference), { reference, value }])
  })
}

function ownInput(references: readonly Reference[], ids: IdsFor): Given {
  return references.flatMap((reference) => {
    const value = ids.own(reference.subject)
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
  const asked = new Set(given.map((g) => g.value))
  for (const id of new Set(text.match(/\b[0-9a-f]{32}\b|\b\d{18}\b/g) ?? [])) {
    const owners = byId.get(id)
    // What the caller itself sent tells it nothing new.
    // Who is on duty or did something is named to whoever sees the site, whichever group he belongs to.
    const isPerson = owners?.every((row) => row.groupKey)
    if (owners && !isPerson && !owners.some((row) => maySee(viewer, row)) && !asked.has(id))
      add(`answers with ${owners[0]?.subject} ${id} of ${owners[0]?.projectCode}`)
  }
  const foreign = given.find((g) => byId.get(g.value)?.every((row) => !maySee(viewer, row)))
  const changes = endpoint.method !== 'GET' && !endpoint.unaudited
  if (foreign && answer.status === 0 && changes && !refusedInBatch(answer.data, foreign.value))
    add(`accepted a foreign ${foreign.reference.subject}`)
  return found
}

/** A batch answers for each of its rows: the foreign one must be among those refused. */
function refusedInBatch(data: unknown, id: string): boolean {
  const failed = (data as { failed?: { id: string }[] } | null)?.failed
  return Array.isArray(failed) && failed.some((row) => row.id === id)
}

/** `version`: of the row, which any change makes anew. */
type ProtectedRow = { id: string; project_code: string | null; version: string }
type ProtectedRows = ReadonlyMap<string, readonly ProtectedRow[]>

/** Every row of every protected table, as it stands. */
async function protectedRows(world: World): Promise<ProtectedRows> {
  const tables = [
    'project',
    'project_change',
    'project_state_apply',
    'project_corp',
    'team',
    'project_team',
    'project_worker',
    'worker',
    'worker_cert',
    'worker_contract',
    'worker_bad',
    'self_entry',
    'device',
    'gateway',
    'alarm',
    'entry_exit_history',
    'helmet_group',
    'weigh_change',
    'rule_trigger',
    'rule_exec',
    'device_suppress',
    'site_notice',
    'lift_test',
    'lift_stop',
    'point_change',
    'pour_advice',
    'pile_work',
    'pile_trouble',
    'platform_move',
    'alarm_reading',
    'exceed_cause',
    'alarm_finding',
    'night_permit',
    'crane_zone',
    'vehicle_fence',
    'vehicle_registry',
    'passage_pair',
    'video_view',
    'video_wall',
    'meter_price',
    'meter_entry',
    'weigh_check',
    'meter_month',
    'duty_shift',
    'exec_log',
    'linkage_run',
  ]
  const found = tables.map(async (table) => {
    const { rows } = await world.database.pool.query<ProtectedRow>(
      `select id, ${table === 'worker' || table === 'worker_cert' ? "''" : 'project_code'} as project_code, xmin::text as version from ${table} order by id`,
    )
    return [table, rows] as const
  })
  return new Map(await Promise.all(found))
}

/** Of every protected table, a hash over the rows the viewer may not see. */
function fingerprints(all: ProtectedRows, viewer: Viewer, byId: Map<string, Owned[]>): Map<string, string> {
  const hashOf = (table: string, rows: readonly ProtectedRow[]) => {
    const hash = createHash('sha256')
    for (const row of rows) {
      const owners = byId.get(table === 'project' ? (row.project_code ?? '') : row.id)
      const hidden = owners
        ? !owners.some((o) => maySee(viewer, o))
        : row.project_code !== '' && !viewer.projects.has(row.project_code ?? '')
      if (hidden) hash.update(row.id).update(row.version)
    }
    return hash.digest('hex')
  }
  return new Map([...all].map(([table, rows]) => [table, hashOf(table, rows)]))
}
