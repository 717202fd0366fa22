import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { runCompare, testPlatform } from '@zhugong/contract/docking/connections'
import { tryDocking } from '@zhugong/contract/equipment/docking-endpoints'
import { getMyInfo } from '@zhugong/contract/identity/endpoints'
import { tryChannel } from '@zhugong/contract/settings/system'
import { sendersFor, startNotices } from '#domains/notify/public'
import { newId } from '#kit/ids'
import { createLog } from '#kit/log'
import { createSecrets } from '#kit/secret'
import { connect } from '../src/domains/docking/sending-for-test.ts'
import { type CityWorld, openCity, settleCity } from '../test/city.ts'
import { callSlowly, type Manner, type SlowCall, startSlowServer } from '../test/slow-server.ts'
import { type Caller, startTestServer, type World } from '../test/world.ts'
import { report } from './report.ts'

/** More than the connections for requests, the turns, and the places in the queue of one tenant. */
const atOnce = 60
/** Limits for other callers: absolute, or relative to the latency just before, because the machine may have other load. */
const input = { times: 200, atOnce: 4, p99Ms: 2_000, timesBefore: 5 }
const reported = { times: 20, p99Ms: 10_000 }
const settleMs = 1_000

interface Site {
  world: World
  city: CityWorld
  port: number
  other: Caller
  admin: Caller
}

/**
 * Clients and remote servers that are slow, silent or refuse, at every listener and behind every outgoing call: measures the latency of
 * other callers meanwhile.
 */
export async function slowEnds(): Promise<boolean> {
  const server = await startTestServer()
  // The product needs the address at its start.
  const gateways = new Map(await Promise.all(manners.map(async (manner) => [manner, await startSlowServer(manner)] as const)))
  const results: boolean[] = []
  try {
    for (const manner of manners) {
      const gateway = gateways.get(manner)
      if (!gateway) continue
      const environment = { OUTGOING_INSIDE: '127.0.0.0/8', SMS_URL: `${gateway.url}/sms` }
      // Without limits per account, so that a few callers can produce the load of many.
      const world = await openCity(server.url, { log: createLog('faults', 'silent') }, { environment })
      const city = await settleCity(world)
      await world.api.app.listen({ host: '127.0.0.1', port: 0 })
      const { port } = world.api.app.server.address() as AddressInfo
      const site: Site = { world, city, port, other: await city.as('bj-zhao'), admin: await city.as('admin') }
      if (manner !== 'refusing') for (const door of doors) results.push(await atDoor(site, manner, door))
      for (const call of outgoing) results.push(await behindCall(site, manner, call))
      results.push(await inQueue(site, manner))
      await world.close()
    }
  } finally {
    for (const gateway of gateways.values()) await gateway.stop()
    await server.stop()
  }
  return results.every(Boolean)
}
const manners: readonly Manner[] = ['dripping', 'silent', 'refusing']

/** The 99th percentile of another caller over a number of requests; infinite when one of them fails. */
async function p99(other: Caller): Promise<number> {
  const times: number[] = []
  const one = async () => {
    while (times.length < input.times) {
      const begun = performance.now()
      times.push(0)
      const { status } = await other.ask(getMyInfo)
      times[times.length - 1] = status === 0 ? performance.now() - begun : Number.POSITIVE_INFINITY
    }
  }
  await Promise.race([
    Promise.all(Array.from({ length: input.atOnce }, one)),
    new Promise((resolve) => setTimeout(() => resolve(times.push(Number.POSITIVE_INFINITY)), 60_000).unref()),
  ])
  return percentile(times)
}
const percentile = (times: readonly number[]) =>
  [...times].sort((a, b) => a - b)[Math.ceil(times.length * 0.99) - 1] ?? Number.POSITIVE_INFINITY
const ms = (n: number) => `${Number.isFinite(n) ? n.toFixed(0) : 'never'} ms`

function answeredInTime(name: string, others: number, before: number): boolean {
  const most = Math.max(input.p99Ms, input.timesBefore * before)
  return report(name, `${atOnce} at once; others p99 ${ms(others)} (${ms(most)}), just before ${ms(before)}`, others < most)
}

interface Door {
  name: string
  head(site: Site): readonly string[]
  body: string
}
const withToken = ({ admin }: Site, path: string, type: string) => [
  `POST ${path} HTTP/1.1`,
  `token: ${admin.token}`,
  'group: *',
  `content-type: ${type}`,
  'content-length: 10000',
]
const unsigned = (path: string, ...more: string[]) => [
  `POST ${path} HTTP/1.1`,
  'content-type: application/json',
  'content-length: 10000',
  ...more,
]
const doors: readonly Door[] = [
  {
    name: 'upload',
    head: (site) => withToken(site, '/api/v1/tool/upload', 'multipart/form-data; boundary=xx'),
    body: '--xx\r\ncontent-disposition: form-data; name="file"; filename="a.png"\r\n\r\n',
  },
  { name: 'JSON body', head: (site) => withToken(site, '/api/v1/docking/platform', 'application/json'), body: '{"name":"   ' },
  { name: 'login', head: () => unsigned('/api/v1/sys/login'), body: '{"account":"  ' },
  {
    name: 'open API',
    head: () =>
      unsigned('/api/v1/open/device/data', 'x-app-id: nobody', `x-timestamp: ${Date.now()}`, 'x-nonce: n', `x-sign: ${'0'.repeat(64)}`),
    body: '{"items":[  ',
  },
  { name: 'docking in', head: () => unsigned('/api/v1/open/docking/data', 'authorization: Bearer of-nobody-at-all'), body: '{"key":"  ' },
  {
    name: 'docking push',
    head: () => unsigned('/api/v1/open/dock/nobody', `x-timestamp: ${Date.now()}`, `x-sign: ${'0'.repeat(64)}`),
    body: '{"rows":[  ',
  },
]

async function atDoor(site: Site, manner: Manner, door: Door): Promise<boolean> {
  const before = await p99(site.other)
  const calls: SlowCall[] = await Promise.all(
    Array.from({ length: atOnce }, () => callSlowly(site.port, door.head(site), door.body, manner === 'silent' ? 0 : 500)),
  )
  await new Promise((resolve) => setTimeout(resolve, settleMs))
  const others = await p99(site.other)
  for (const call of calls) call.end()
  return answeredInTime(`${manner} ${door.name}`, others, before)
}

interface Outgoing {
  name: string
  call(site: Site, url: string): Promise<() => Promise<unknown>>
}
const mapping = { list: 'rows', values: [{ from: 'kwh', metric: 'totalEnergy' }] }
const platformAt = async ({ world }: Site, url: string) => connect(world.database.kysely, { url }, `慢 ${newId()}`)
const outgoing: readonly Outgoing[] = [
  {
    name: 'platform tested',
    call: async (site, url) => {
      const id = await platformAt(site, url)
      return () => site.admin.ask(testPlatform, { params: { id } })
    },
  },
  {
    name: 'platform compared',
    call: async (site, url) => {
      const id = await platformAt(site, url)
      return () => site.admin.ask(runCompare, { params: { id } })
    },
  },
  {
    name: 'third platform tried',
    call:
      async ({ admin }, url) =>
      () =>
        admin.ask(tryDocking, { body: { endpoint: `${url}/rows`, mapping } }),
  },
  {
    name: 'text message',
    call:
      async ({ admin }) =>
      () =>
        admin.ask(tryChannel, { body: { channel: 'sms', to: '13800138000' } }),
  },
]

async function behindCall(site: Site, manner: Manner, { name, call }: Outgoing): Promise<boolean> {
  const before = await p99(site.other)
  const slow = await startSlowServer(manner)
  const ask = await call(site, slow.url)
  const calls = Array.from({ length: atOnce }, () => ask().catch(() => undefined))
  await new Promise((resolve) => setTimeout(resolve, settleMs))
  const others = await p99(site.other)
  slow.letGo()
  // The operator's SMS gateway serves the next request; a caller that hangs is given up by its own timeout.
  if (name !== 'text message') await Promise.all(calls)
  await slow.stop()
  return answeredInTime(`${manner} end of ${name}`, others, before)
}

/** The webhooks of one site all go to the slow receiver; measures the delay of another site's webhooks. */
async function inQueue({ world }: Site, manner: Manner): Promise<boolean> {
  const { pool } = world.database
  const slow = await startSlowServer(manner)
  const good = createServer((request, response) => void request.resume().on('end', () => response.end('{}')))
  await new Promise<void>((resolve) => good.listen(0, '127.0.0.1', resolve))
  const sites = (await pool.query<{ code: string }>('select project_code as code from project order by 1 limit 2')).rows
  const hook = async (site: number, url: string) => {
    const id = newId()
    await pool.query(
      `insert into rule_exec (id, name, kind, project_code, definition) values ($1, $1, 'webhook', $2, jsonb_build_object('url', $3::text))`,
      [id, sites[site]?.code, url],
    )
    return (count: number) =>
      pool.query(
        `insert into exec_log (id, project_code, exec_id, kind, step, level, channel, receiver_name, title, text, state, due_at)
         select gen_random_uuid()::text, $1, $2, 'webhook', 'first', 1, 'webhook', 'x', 'x', '{}', 'waiting', now() from generate_series(1, $3::int)`,
        [sites[site]?.code, id, count],
      )
  }
  const [toSlow, toGood] = [await hook(0, slow.url), await hook(1, `http://127.0.0.1:${(good.address() as AddressInfo).port}`)]
  const log = createLog('faults', 'silent')
  const secrets = createSecrets(world.config.secretKey)
  await toSlow(atOnce)
  const notices = startNotices(
    { pool, secrets, log, senders: sendersFor(world.config), now: () => Date.now() },
    world.config.databaseUrl ?? '',
  )
  await new Promise((resolve) => setTimeout(resolve, settleMs))
  await toGood(reported.times)
  const took = async () => {
    const { rows } = await pool.query<{ ms: number }>(
      `select extract(epoch from sent_at - create_time) * 1000 as ms from exec_log where project_code = $1 and state = 'sent'`,
      [sites[1]?.code],
    )
    return rows.map((row) => Number(row.ms))
  }
  const until = performance.now() + reported.p99Ms
  while ((await took()).length < reported.times && performance.now() < until) await new Promise((resolve) => setTimeout(resolve, 100))
  const times = await took()
  const late = times.length < reported.times ? Number.POSITIVE_INFINITY : percentile(times)
  const hanging = slow.hanging
  const begun = performance.now()
  await notices.stop()
  const ended = performance.now() - begun
  await slow.stop()
  good.closeAllConnections()
  good.close()
  await pool.query('truncate exec_log')
  return report(
    `${manner} webhook of another site`,
    `${hanging} hang; delivered ${times.length} of ${reported.times}, p99 ${ms(late)} (${reported.p99Ms}); ended in ${ms(ended)} (${reported.p99Ms})`,
    late < reported.p99Ms && ended < reported.p99Ms,
  )
}
