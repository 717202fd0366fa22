import { fork } from 'node:child_process'
import { once } from 'node:events'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { Stand } from '../bench/stand.ts'
import { byHand } from './client/by-hand.ts'
import { type SettledCity, settle } from './client/city.ts'
import { everyEndpoint } from './client/every-endpoint.ts'
import type { HonestFigures, HonestOrder, HonestPlan } from './client/honest-process.ts'
import { type Ids, largestBodies, largestReads, type Request } from './client/inputs.ts'
import { dearest, type RequestOutcome, storm, survey } from './client/storm.ts'
import { report } from './report.ts'

const here = dirname(fileURLToPath(import.meta.url))
/** Requests per minute: the limit of one address, less those of the watchdog and the measurements. */
const perMinute = 5_900
const honest = { perSecond: 20, quietSeconds: 20, stormSeconds: 40 }
/** Connections of the hostile client: far more than the product's connections to the database. */
const atOnce = 200
/** Limit of the 99th percentile on a machine without other load. */
const mostP99Ms = 250
/** Limit on a machine with other load: the ratio to the latency of honest users before the attack. */
const mostRatio = 4
const shown = 15
const metricsToken = 'a-token-for-watching-the-measured-product'
/** The hostile accounts, tried in turn: the one that can read the most, and the one that can change the most. */
const hostileAccounts = ['city-fang', 'hospital-pm']
const honestAccounts = ['bj-zhao', 'yunze-lu', 'zhigu-pm', 'yd-wang', 'dingli-cheng']
/** Left out of the storm: calls that end their own session, are rate-limited by design, or change what the next call finds. */
const apart = /\/sys\/(login|logout|my\/password|captcha)|switch\/project/

/** One account sends all requests it may, as large and as frequent as it may, while honest users of other tenants work. */
export async function client(firstPort: number): Promise<boolean> {
  const stand = await Stand.open({ firstPort })
  try {
    const city = await settle(stand)
    await stand.start('ingest')
    await stand.start('jobs')
    await stand.start('api', [], { METRICS_TOKEN: metricsToken })
    const plan: HonestPlan = { url: stand.url, perSecond: honest.perSecond, users: [] }
    for (const account of honestAccounts) {
      const token = await logIn(stand, city, account)
      plan.users.push({ token, paths: ordinaryPaths(await city.idsOf(account)) })
    }
    const users = fork(join(here, 'client/honest-process.ts'))
    users.send({ do: 'start', plan } satisfies HonestOrder)
    const results: boolean[] = []
    for (const account of hostileAccounts) results.push(await attackAs(stand, city, account, users))
    users.disconnect()
    return results.every(Boolean)
  } finally {
    await stand.close()
  }
}

async function attackAs(stand: Stand, city: SettledCity, account: string, users: ReturnType<typeof fork>): Promise<boolean> {
  const token = await logIn(stand, city, account)
  const ids = await city.idsOf(account)
  const requests = await chosen(stand, token, ids)
  await sleep(5_000)
  await figuresOf(users)
  await loopDelay(stand)
  await sleep(honest.quietSeconds * 1_000)
  const before = await figuresOf(users)
  const quiet = await loopDelay(stand)
  const took = await storm(stand.url, token, requests, perMinute, honest.stormSeconds, atOnce)
  const during = await figuresOf(users)
  const loop = await loopDelay(stand)
  const statuses = Map.groupBy(took, (t) => t.status)
  const words = [...statuses].sort((a, b) => a[0] - b[0]).map(([status, list]) => `${status || 'none'} ${list.length}`)
  console.log(`      answers to the hostile client: ${words.join(', ')}; dearest of them:`)
  for (const line of dearest(
    took.filter((t) => t.status !== 429),
    shown,
  ))
    console.log(line)
  const ratio = during.p99 / before.p99
  return report(
    `hostile ${account}`,
    `honest p50 ${before.p50.toFixed(0)} -> ${during.p50.toFixed(0)} ms, p99 ${before.p99.toFixed(0)} -> ${during.p99.toFixed(0)} ms (${mostP99Ms} alone on the machine, or ${mostRatio} x: ${ratio.toFixed(1)}), ` +
      `${during.asked} asked, ${during.failed} failed (0), worst ${during.worst}; event loop p99 ${quiet.p99} -> ${loop.p99}, longest ${quiet.max} -> ${loop.max} ms`,
    during.failed === 0 && (during.p99 < mostP99Ms || ratio < mostRatio),
  )
}

/** Tries every request once, alone. The storm repeats those that are answered, the most expensive ones most often. */
async function chosen(stand: Stand, token: string, ids: Ids): Promise<Request[]> {
  const now = Date.now()
  const endpoints = (await everyEndpoint()).filter((e) => !apart.test(e.path))
  const reads = endpoints.filter((e) => e.method === 'GET').flatMap((e) => largestReads(e, ids, now))
  const bodies = endpoints.filter((e) => e.method !== 'GET' && !e.multipart).flatMap((e) => largestBodies(e, ids))
  const begun = performance.now()
  const answer = await survey(stand.url, token, thinned([...reads, ...byHand(ids, now), ...bodies]), perMinute)
  console.log(
    `      ${answer.length} requests of ${endpoints.length} calls tried alone in ${Math.round((performance.now() - begun) / 1_000)} s, dearest:`,
  )
  for (const line of dearest(
    answer.map((a) => ({ name: a.request.name, ms: a.ms, status: a.status })),
    shown,
  ))
    console.log(line)
  console.log('      what stopped the event loop longest:')
  for (const a of longest(answer, (one) => one.stoppedMs))
    console.log(`      ${a.request.name}: ${Math.round(a.stoppedMs)} ms (${a.status}) ${a.request.path.slice(0, 200)}`)
  const answered = answer.filter((a) => a.status !== 403 && a.status !== 429)
  const each = longest(answered, (a) => a.ms, 400)
  const dear = longest(answered, (a) => Math.max(a.ms, 5 * a.stoppedMs), 60)
  // Each request once, and between them the most expensive ones.
  const kept = new Map([...each, ...dear].map(({ request }) => [request, current(request)]))
  return each.flatMap((a, i) => [a, dear[i % dear.length] as RequestOutcome].flatMap((one) => kept.get(one.request) ?? []))
}

/** Creates the body in advance, so that the storm only sends. */
function current(request: Request): Request {
  const body = request.body?.()
  return body === undefined ? request : { ...request, body: () => body }
}

/** If a call has more variants than the time allows: keeps the largest one and an even selection of the others. */
function thinned(requests: readonly Request[]): Request[] {
  const most = 12
  return [...Map.groupBy(requests, (r) => r.name).values()].flatMap((list) => {
    const step = Math.max(1, list.length / most)
    return Array.from({ length: Math.min(most, list.length) }, (_, i) => list[Math.floor(i * step)] as Request)
  })
}

/** The slowest request of each name. */
function longest(requested: readonly RequestOutcome[], by: (a: RequestOutcome) => number, most = shown): RequestOutcome[] {
  const sorted = [...requested].sort((a, b) => by(b) - by(a))
  const names = new Set<string>()
  return sorted.filter((a) => !names.has(a.request.name) && names.add(a.request.name)).slice(0, most)
}

/** Ordinary pages: lists of the usual size, and a detail. */
function ordinaryPaths(ids: Ids): string[] {
  const [device] = ids.get('device') ?? []
  const [alarm] = ids.get('alarm') ?? []
  return [
    '/api/v1/oa/worker?page=1&size=20',
    '/api/v1/iot/device?page=1&size=20',
    '/api/v2/oa/project?page=1&size=20',
    '/api/v1/oa/team?page=1&size=20',
    '/api/v1/sys/my/info',
    '/api/v1/home/web/mainPage',
    ...(device ? [`/api/v1/iot/device/${device}`] : []),
    ...(alarm ? [`/api/v1/oa/process/alarm/${alarm}?projectCode=*`] : []),
  ]
}

async function logIn(stand: Stand, city: SettledCity, account: string): Promise<string> {
  const answer = (await fetch(`${stand.url}/api/v1/sys/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ account, password: city.passwordOf(account) }),
  }).then((r) => r.json())) as { message: string; data: { token: string } | null }
  if (!answer.data) throw new Error(`${account} was not let in: ${answer.message}`)
  return answer.data.token
}

async function figuresOf(users: ReturnType<typeof fork>): Promise<HonestFigures> {
  users.send({ do: 'figures' } satisfies HonestOrder)
  const [figures] = (await once(users, 'message')) as [HonestFigures]
  return figures
}

/** The event-loop delay that the api has measured since the previous query, in milliseconds. */
async function loopDelay(stand: Stand): Promise<{ p99: number; max: number }> {
  const text = await fetch(`${stand.url}/metrics`, { headers: { authorization: `Bearer ${metricsToken}` } }).then((r) => r.text())
  const of = (name: string) => Math.round(1_000 * Number(new RegExp(`^${name} (\\S+)`, 'm').exec(text)?.[1]))
  return { p99: of('nodejs_eventloop_lag_p99_seconds'), max: of('nodejs_eventloop_lag_max_seconds') }
}
