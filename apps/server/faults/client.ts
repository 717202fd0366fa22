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
import { type Asked, dearest, storm, survey } from './client/storm.ts'
import { report } from './report.ts'

const here = dirname(fileURLToPath(import.meta.url))
/** What one address may ask a minute, less what the watch and the figures take. */
const perMinute = 5_900
const honest = { perSecond: 20, quietSeconds: 20, stormSeconds: 40 }
/** Connections of the hostile client: far more than the product has to its database. */
const atOnce = 200
/** On a machine that does nothing else. */
const mostP99Ms = 250
/** On one that does: how much later honest users may be answered than before. */
const mostRatio = 4
const shown = 15
const metricsToken = 'a-token-for-watching-the-measured-product'
/** The hostile accounts, one after the other: who reads the most, and who may change the most. */
const hostileAccounts = ['city-fang', 'hospital-pm']
const honestAccounts = ['bj-zhao', 'yunze-lu', 'zhigu-pm', 'yd-wang', 'dingli-cheng']
/** What ends the session it comes with, is refused after a few tries by design, or changes what the next call finds. */
const apart = /\/sys\/(login|logout|my\/password|captcha)|switch\/project/

/** One account that asks everything it may, as large and as often as it may, beside honest users of other tenants. */
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

/** Tries everything once, alone; what is answered at all is asked again in the storm, the dearest most often. */
async function chosen(stand: Stand, token: string, ids: Ids): Promise<Request[]> {
  const now = Date.now()
  const endpoints = (await everyEndpoint()).filter((e) => !apart.test(e.path))
  const reads = endpoints.filter((e) => e.method === 'GET').flatMap((e) => largestReads(e, ids, now))
  const bodies = endpoints.filter((e) => e.method !== 'GET' && !e.multipart).flatMap((e) => largestBodies(e, ids))
  const begun = performance.now()
  const asked = await survey(stand.url, token, thinned([...reads, ...byHand(ids, now), ...bodies]), perMinute)
  console.log(
    `      ${asked.length} requests of ${endpoints.length} calls tried alone in ${Math.round((performance.now() - begun) / 1_000)} s, dearest:`,
  )
  for (const line of dearest(
    asked.map((a) => ({ name: a.request.name, ms: a.ms, status: a.status })),
    shown,
  ))
    console.log(line)
  console.log('      what stopped the event loop longest:')
  for (const a of longest(asked, (one) => one.stoppedMs))
    console.log(`      ${a.request.name}: ${Math.round(a.stoppedMs)} ms (${a.status}) ${a.request.path.slice(0, 200)}`)
  const answered = asked.filter((a) => a.status !== 403 && a.status !== 429)
  const each = longest(answered, (a) => a.ms, 400)
  const dear = longest(answered, (a) => Math.max(a.ms, 5 * a.stoppedMs), 60)
  // Each of many once, the dearest every other time.
  const kept = new Map([...each, ...dear].map(({ request }) => [request, held(request)]))
  return each.flatMap((a, i) => [a, dear[i % dear.length] as Asked].flatMap((one) => kept.get(one.request) ?? []))
}

/** With its body made: the storm does nothing but send. */
function held(request: Request): Request {
  const body = request.body?.()
  return body === undefined ? request : { ...request, body: () => body }
}

/** One request of each call for its largest and a spread of the others, where a call has more variants than are worth the time. */
function thinned(requests: readonly Request[]): Request[] {
  const most = 12
  return [...Map.groupBy(requests, (r) => r.name).values()].flatMap((list) => {
    const step = Math.max(1, list.length / most)
    return Array.from({ length: Math.min(most, list.length) }, (_, i) => list[Math.floor(i * step)] as Request)
  })
}

/** The dearest request of each name. */
function longest(asked: readonly Asked[], by: (a: Asked) => number, most = shown): Asked[] {
  const sorted = [...asked].sort((a, b) => by(b) - by(a))
  const names = new Set<string>()
  return sorted.filter((a) => !names.has(a.request.name) && names.add(a.request.name)).slice(0, most)
}

/** What people look at all day: pages of the usual size, and a detail. */
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

/** The api's own measure of its event loop since it was asked last, in milliseconds. */
async function loopDelay(stand: Stand): Promise<{ p99: number; max: number }> {
  const text = await fetch(`${stand.url}/metrics`, { headers: { authorization: `Bearer ${metricsToken}` } }).then((r) => r.text())
  const of = (name: string) => Math.round(1_000 * Number(new RegExp(`^${name} (\\S+)`, 'm').exec(text)?.[1]))
  return { p99: of('nodejs_eventloop_lag_p99_seconds'), max: of('nodejs_eventloop_lag_max_seconds') }
}
