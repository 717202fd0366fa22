import { parse } from 'node:querystring'
import type { Endpoint } from '@zhugong/contract/kit/endpoint'
import { AppError } from '@zhugong/contract/kit/errors'
import { expect, inject, test } from 'vitest'
import { parseInput } from '#kit/request-input'
import { openCity, settleCity } from '../city.ts'
import { furnish } from '../furnish.ts'
import { calls } from '../parts/calls.ts'
import { type SiteOfParts, siteOfParts } from '../parts/site.ts'
import { referencesOf, sampleInput } from '../sample-input.ts'
import { maySee, ownedRows, viewers } from '../tenants.ts'
import type { World } from '../world.ts'
import { mutate, type Random, randomFrom } from './mutate.ts'

/**
 * Sends every call mutated valid inputs, with several accounts concurrently: no answer may be 500, and none may hang. `npm run test:fuzz -- 10000000`
 * runs many more. A finding contains the request, so that it can be repeated.
 * Millions of complete requests take hours. Therefore every input is validated against the contract, and only `FUZZ_ASKED` of the accepted ones
 * (default: all) are sent, evenly over the calls.
 */
const requests = Number(process.env.FUZZ_REQUESTS ?? 6_000)
const seed = Number(process.env.FUZZ_SEED ?? 20261122)
const mostRequested = Number(process.env.FUZZ_ASKED ?? Number.POSITIVE_INFINITY)
const atOnce = 24
const hangMs = 20_000
/** Far longer than validation takes on a loaded machine: indicates a catastrophic regular expression. */
const slowDoorMs = 3_000
const breath = 20
/** Calls that would end their own session. */
const apart = new Set([
  'POST /api/v1/sys/logout',
  'PUT /api/v1/sys/my/password',
  'DELETE /api/v1/sys/my/session',
  'POST /api/v2/oa/project/switch/project',
  'POST /api/v1/sys/login',
])

interface Account {
  token: string
  inputs: Map<Endpoint, Record<string, unknown>>
}

test(
  `${requests} fuzzed requests: no answer with 500, none that hangs`,
  async () => {
    const world = await openCity(inject('postgresUrl'), {}, { keepsChanges: false })
    const settled = await settleCity(world)
    await furnish(world.database.pool, settled.city)
    const made = await siteOfParts(world, settled)
    const requesters = await prepare(world, settled, made)
    const endpoints = world.api.serve.endpoints.filter((e) => !apart.has(`${e.method} ${e.path}`))
    const random = randomFrom(seed)
    const statuses = new Map<number, number>()
    const findings: string[] = []
    let left = requests
    const begun = Date.now()
    const share = Math.ceil(mostRequested / endpoints.length)
    const wanted = new Map<Endpoint, number>()
    const door = { taken: 0, refused: 0 }
    const one = async () => {
      while (left > 0 && findings.length < 20) {
        left--
        const endpoint = random.pick(endpoints)
        const request = makeRequest(random, endpoint, random.pick(requesters))
        if (process.env.FUZZ_REQUESTS && left % 100_000 === 0) tell()
        if (mostRequested < requests) {
          const fault = atTheDoor(endpoint, request, door)
          if (fault) findings.push(`${fault}: ${JSON.stringify(request).slice(0, 1_500)}`)
          // Yields, so that requests sent meanwhile are answered.
          if (left % breath === 0) await new Promise((resolve) => setImmediate(resolve))
          if (fault !== undefined || (wanted.get(endpoint) ?? 0) >= share) continue
        }
        wanted.set(endpoint, (wanted.get(endpoint) ?? 0) + 1)
        const from = Date.now()
        const answer = await Promise.race([
          world.api.app.inject(request as never).then((r) => r.statusCode),
          new Promise<number>((resolve) => setTimeout(resolve, hangMs, 0).unref()),
        ])
        statuses.set(answer, (statuses.get(answer) ?? 0) + 1)
        // 503: the call needs the ingest, which does not run here.
        if ((answer >= 500 && answer !== 503) || answer === 0)
          findings.push(`${answer || 'hangs'} after ${Date.now() - from} ms: ${JSON.stringify(request).slice(0, 1_500)}`)
      }
    }
    const tell = () =>
      console.log(
        `${requests - left} inputs in ${Math.round((Date.now() - begun) / 1_000)} s; at the door ${JSON.stringify(door)}; asked whole ${JSON.stringify(Object.fromEntries([...statuses].sort()))}`,
      )
    await Promise.all(Array.from({ length: atOnce }, one))
    tell()
    await world.close()
    expect(findings).toEqual([])
    // If validation refused everything, the handlers would not be tested.
    expect(statuses.get(200) ?? 0).toBeGreaterThan(Math.min(requests, mostRequested) / 20)
  },
  process.env.FUZZ_REQUESTS ? 0 : 300_000,
)

/** One account of each kind, with a valid input for every call where one is known. */
async function prepare(world: World, settled: Awaited<ReturnType<typeof settleCity>>, made: SiteOfParts): Promise<Account[]> {
  const rows = await ownedRows(world.database.pool)
  const found = viewers(settled.city).filter((viewer) => ['admin', 'bj-zhao', 'hospital-pm'].includes(viewer.account))
  const known = new Map(
    calls.map((one) => [one.endpoint, one.input(made.site, made.company.subcontractor, made.asker.leader) as Record<string, unknown>]),
  )
  const inputsFor = (see: (row: (typeof rows)[number]) => boolean) =>
    new Map(
      world.api.serve.endpoints.map((endpoint) => {
        const given = referencesOf(endpoint).flatMap((reference) => {
          const hit = rows.find((row) => row.subject === reference.subject && see(row))
          return hit ? [{ reference, value: hit.id }] : []
        })
        return [endpoint, known.get(endpoint) ?? sampleInput(endpoint, given)] as const
      }),
    )
  const people = await Promise.all(
    found.map(async (viewer) => ({ token: (await settled.as(viewer.account)).token, inputs: inputsFor((row) => maySee(viewer, row)) })),
  )
  const onSite = inputsFor((row) => row.projectCode === made.site.projectCode)
  return [
    ...people,
    { token: made.as.leader.token, inputs: onSite },
    { token: made.as.subcontractor.token, inputs: onSite },
    { token: '', inputs: onSite },
  ]
}

/** Validation alone: undefined if the input is accepted, '' if properly refused, else the fault. */
function atTheDoor(endpoint: Endpoint, request: ReturnType<typeof makeRequest>, door: { taken: number; refused: number }) {
  try {
    const url = new URL(request.url, 'http://x')
    const names = [...endpoint.path.matchAll(/:(\w+)/g)].map(([, name = '']) => name)
    const given = new RegExp(`^${endpoint.path.replace(/:\w+/g, '([^/]*)')}$`).exec(url.pathname) ?? []
    const params = Object.fromEntries(names.map((name, i) => [name, decoded(given[i + 1] ?? '')]))
    const body = request.payload === undefined ? undefined : json(request.payload)
    const from = performance.now()
    const refused = refusalOf(() => parseInput(endpoint, { params, query: parse(url.search.slice(1)), body, headers: request.headers }))
    if (performance.now() - from > slowDoorMs) return `the door took ${Math.round(performance.now() - from)} ms`
    door[refused ? 'refused' : 'taken']++
    return refused ? '' : undefined
  } catch (error) {
    return error instanceof Error ? (error.stack ?? error.message) : String(error)
  }
}

function refusalOf(read: () => void): AppError | undefined {
  try {
    read()
    return undefined
  } catch (error) {
    if (error instanceof AppError) return error
    throw error
  }
}

function json(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

const decoded = (text: string) => {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

const headers = ['*', '', 'x', '__proto__', '4'.repeat(200), '%00', '420202260408010001']

function makeRequest(random: Random, endpoint: Endpoint, requester: Account) {
  const input = mutate(random, requester.inputs.get(endpoint) ?? {})
  const params = (input.params ?? {}) as Record<string, unknown>
  const path = endpoint.path.replace(/:(\w+)/g, (_, name: string) => encode(params[name]))
  const query = queryOf(random, input.query)
  const body = endpoint.schemas.body || input.body !== undefined ? bodyOf(random, input.body) : undefined
  return {
    method: endpoint.method,
    url: query ? `${path}?${query}` : path,
    headers: {
      ...(requester.token ? { token: random.below(400) === 0 ? random.pick(headers) : requester.token } : {}),
      group: random.below(20) === 0 ? random.pick(headers).replace(/[^\x20-\x7e]/g, '') : '*',
      ...(body === undefined
        ? {}
        : {
            'content-type':
              random.below(200) === 0
                ? random.pick(['text/plain', 'application/xml', 'multipart/form-data; boundary=x'])
                : 'application/json',
          }),
    },
    ...(body === undefined ? {} : { payload: body }),
  }
}

function encode(value: unknown): string {
  try {
    return encodeURIComponent(typeof value === 'string' ? value : (JSON.stringify(value) ?? ''))
  } catch {
    // A lone surrogate: the bytes that a broken program sends.
    return '%ed%a0%80'
  }
}

function queryOf(random: Random, query: unknown): string {
  if (typeof query !== 'object' || query === null) return ''
  return Object.entries(query)
    .filter(([, value]) => value !== undefined)
    .flatMap(([name, value]) => {
      // A plain copy: the mutated list may have its `constructor` replaced.
      const values = Array.isArray(value) && random.below(2) ? [...value].slice(0, 50) : [value]
      return values.map((one) => `${encode(name)}=${random.below(300) === 0 ? '%zz%' : encode(one).slice(0, 8_000)}`)
    })
    .join('&')
}

function bodyOf(random: Random, body: unknown): string {
  const text = JSON.stringify(body) ?? ''
  switch (random.below(150)) {
    case 0:
      return text.slice(0, random.below(text.length + 1))
    case 1:
      return `${text}${text}`
    case 2:
      return '['.repeat(5_000)
    default:
      return text
  }
}
