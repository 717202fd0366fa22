import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buildCity } from '@zhugong/simulator/city'
import { type City, gateForms } from '@zhugong/simulator/city-types'
import { parseDemoFile } from '@zhugong/simulator/demo-file'
import { parseFaults } from '@zhugong/simulator/faults'
import { GatePusher } from '@zhugong/simulator/gate-push'
import { type LiveCity, startLive } from '@zhugong/simulator/live'
import { publishers, toldAs } from '@zhugong/simulator/load'
import { dayEvents } from '@zhugong/simulator/shifts'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { makePartitions } from '#domains/telemetry/rollup'
import { formatDay } from '#kit/clock'
import { letTerminalsRegister, seedMachines } from '../../demo/seed-machines.ts'
import { seedMonitoring } from '../../demo/seed-monitoring.ts'
import { seedTrade } from '../../demo/seed-trade.ts'
import { keyHash } from '../telemetry/gates/push.ts'
import { openSite, type Site, until } from '../telemetry/ingest-for-test.ts'

let site: Site
let city: City
let live: LiveCity | undefined
let front: ReturnType<typeof createServer>
let url = ''
let demo: ReturnType<typeof parseDemoFile>

beforeAll(async () => {
  site = await openSite(inject('postgresUrl'))
  // The test's own connections prepare the city, because that is not what is tested.
  city = buildCity({ seed: 7, today: formatDay(Date.now()) })
  await makePartitions(site.pool)
  const machines = await site.database.kysely.transaction().execute(async (tx) => {
    await seedTrade(tx, city, site.secrets)
    return seedMachines(tx, city, site.secrets)
  })
  const lines = await seedMonitoring(
    site.database,
    city,
    machines,
    { ...site.config, hj212Port: 20_000 + Math.floor(Math.random() * 20_000) },
    Date.now(),
  )
  await site.restart()
  // The api forwards pushes byte by byte; here they reach the ingest at once.
  front = createServer((requested, answer) => void site.ingest.handle(requested, answer))
  await new Promise<void>((resolve) => front.listen(0, '127.0.0.1', resolve))
  url = `http://127.0.0.1:${(front.address() as AddressInfo).port}`
  demo = parseDemoFile(
    JSON.stringify({
      url,
      gateways: city.gateways.map((g) => ({
        gatewayId: machines.gateways.get(g.code)?.id,
        secret: machines.gateways.get(g.code)?.secret,
        projectCode: g.projectCode,
        devices: city.devices
          .filter((d) => d.access.protocol === 'mqtt' && d.access.gatewayCode === g.code)
          .map((d) => ({ deviceId: d.id, deviceSn: d.deviceSn, family: d.family })),
      })),
      hj212: city.devices.flatMap((d) =>
        d.access.protocol === 'hj212' ? [{ ...d.access, projectCode: d.projectCode, deviceId: d.id }] : [],
      ),
      jt808: city.devices.flatMap((d) =>
        d.access.protocol === 'jt808' ? [{ phone: d.access.phone, plateNo: d.name, projectCode: d.projectCode, deviceId: d.id }] : [],
      ),
      openApps: city.openApps.map((a) => ({
        appId: machines.openApps.get(a.code)?.id,
        appSecret: machines.openApps.get(a.code)?.secret,
        projectCode: a.projectCode,
      })),
      simulation: { seed: 7, today: city.today },
      ...lines,
    }),
  )
  await letTerminalsRegister(site.database.kysely, Date.now())
  // Seeded rows do not prove that a device has sent anything.
  await site.pool.query('truncate telemetry, device_latest')
})
afterAll(async () => {
  await live?.stop()
  front?.close()
  await site?.close()
})

const start = (faults?: string) =>
  startLive({
    demo,
    mqttUrl: `mqtt://127.0.0.1:${site.ingest.ports.mqtt}`,
    hj212: { host: '127.0.0.1', port: site.ingest.ports.hj212 },
    jt808: { host: '127.0.0.1', port: site.ingest.ports.jt808 },
    ...(faults ? { faults: parseFaults(faults) } : {}),
    memory: codes,
  })
const kept = new Map<string, string>()
const codes = {
  load: (phone: string) => kept.get(phone),
  save: (phone: string, code: string | undefined) => {
    if (code) kept.set(phone, code)
    else kept.delete(phone)
  },
}

const heard = async () => {
  const { rows } = await site.pool.query<{ family: string; protocol: string; n: number }>(
    `select d.family, d.protocol, count(*)::int as n from device d join device_latest l on l.device_id = d.id where l.v <> '{}' group by 1, 2`,
  )
  return rows
}

describe('the invented city speaks its own protocols to the real listeners', () => {
  test('every family is heard, by every protocol', async () => {
    live = start()
    const families = [...new Set(city.devices.filter((d) => d.behaviour === 'normal').map((d) => d.family))].sort()
    const protocols = ['hj212', 'http', 'jt808', 'mqtt', 'poll']
    await until(async () => {
      const rows = await heard()
      return new Set(rows.map((r) => r.family)).size === families.length && protocols.every((p) => rows.some((r) => r.protocol === p))
    }, 45_000).catch(() => undefined)
    const rows = await heard()
    expect([...new Set(rows.map((r) => r.family))].sort()).toEqual(families)
    expect(protocols.filter((p) => !rows.some((r) => r.protocol === p))).toEqual([])
    const trucks = city.devices.filter((d) => d.family === 'truckMonitor' && d.behaviour === 'normal').length
    await until(() => live?.counts().trucksUp === trucks, 20_000)
    // Trucks report positions, whatever else a message contains. A truck's first message may be of another kind.
    const places = async () => {
      const { rows: result } = await site.pool.query<{ v: Record<string, number> }>(
        `select l.v from device_latest l join device d on d.id = l.device_id where d.family = 'truckMonitor'`,
      )
      return result.map(({ v }) => v)
    }
    await until(async () => (await places()).every(({ longitude }) => longitude !== undefined), 20_000)
    for (const { longitude = 0, latitude = 0 } of await places()) expect(Math.hypot(longitude - 115, latitude - 30.2)).toBeLessThan(1)
    // A line polled before its meters existed is polled again.
    await until(async () => (await site.count('poll_gateway where last_error is null and last_ok is not null')) === 4, 20_000)
  })

  test('gates push in the forms of all makers; the same passage twice is one', async () => {
    const gates = city.devices.filter((d) => d.family === 'faceGate').slice(0, gateForms.length)
    for (const [i, form] of gateForms.entries()) {
      const gate = gates[i]
      if (!gate) throw new Error('gates')
      const key = `a key of the path for ${form}`.replaceAll(' ', '-')
      await site.pool.query(
        'insert into gate_push (id, adapter, key_hash) values ($1, $2, $3) on conflict (id) do update set adapter = excluded.adapter, key_hash = excluded.key_hash',
        [gate.id, form, keyHash(key)],
      )
      const pusher = new GatePusher({ url, form, key, deviceSn: gate.deviceSn })
      const events = dayEvents(city, gate.projectCode, city.today).slice(0, 3)
      for (const event of [...events, ...events]) pusher.push({ ...event, deviceSn: gate.deviceSn, time: event.time - 86_400_000 })
      await until(() => pusher.counts.accepted === 6, 15_000)
      pusher.stop()
      // Excludes passages of the running city, which happen now.
      const { rows } = await site.pool.query<{ data: Record<string, string> }>(
        `select data from device_record where device_id = $1 and record = 'attendance' and ts < now() - interval '1 hour' order by ts`,
        [gate.id],
      )
      expect(rows).toHaveLength(3)
      expect(rows.map((r) => r.data.workerId)).toEqual(events.map((e) => e.workerId))
      // LAPI records have no direction: the gate's own setting applies.
      if (form !== 'uniview') expect(rows.map((r) => r.data.direction)).toEqual(events.map((e) => (e.direction === '01' ? '0' : '1')))
    }
  })

  test('cut, joined, damaged and repeated, every frame that was answered is stored once', async () => {
    await live?.stop()
    live = start('split,crc=0.1,repeat,outage=12:3')
    await new Promise((resolve) => setTimeout(resolve, 15_000))
    const counts = live.counts()
    expect(counts.positions).toBeGreaterThan(0)
    expect(counts.acknowledged).toBeGreaterThan(20)
    await live.stop()
    live = undefined
    // Terminals reconnected with their known code: no registration was necessary.
    expect(await site.count(`device_warning where kind = 'registration'`)).toBe(0)
    const { rows } = await site.pool.query<{ n: number }>('select count(*)::int as n from telemetry t join device d on d.id = t.device_id')
    expect(rows[0]?.n).toBeGreaterThan(counts.acknowledged / 2)
  })

  test('under load with repeats, cuts and storms, what was acknowledged is stored, once', async () => {
    const cranes = city.devices.filter((d) => d.family === 'towerCrane' && d.behaviour === 'normal')
    const gatewayOf = (sn: string) => demo.gateways.find((g) => g.devices.some((d) => d.deviceSn === sn))
    const devices = cranes.flatMap(({ deviceSn }) => {
      const gateway = gatewayOf(deviceSn)
      return gateway ? [{ gatewayId: gateway.gatewayId, secret: gateway.secret, deviceSn }] : []
    })
    // A gateway may send twenty messages a second: bursts reach that limit and wait.
    const load = publishers({
      url: `mqtt://127.0.0.1:${site.ingest.ports.mqtt}`,
      devices,
      rate: 60,
      inFlight: 10,
      faults: parseFaults('repeat=0.3,outage=5:1,storm=3:5'),
      seed: 3,
      pairs: 0.2,
    })
    await load.ready
    await new Promise((resolve) => setTimeout(resolve, 9_000))
    const { acknowledged, repeated, cuts } = await load.stop(10_000)
    expect(Math.min(acknowledged.length / 50, repeated, cuts)).toBeGreaterThan(1)
    const { rows } = await site.pool.query<{ n: number }>(
      `select count(*)::int as n from jsonb_to_recordset($1::jsonb) as a("deviceSn" text, time float8, seq bigint)
         join device d on d.device_sn = a."deviceSn" join telemetry t on t.device_id = d.id and t.ts = to_timestamp(a.time / 1000) and t.extra ->> '${toldAs}' = a.seq::text`,
      [JSON.stringify(acknowledged)],
    )
    expect(rows[0]?.n).toBe(acknowledged.length)
  })
})
