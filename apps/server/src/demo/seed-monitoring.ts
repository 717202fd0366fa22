import { createHash, randomBytes } from 'node:crypto'
import { familyOf, storedOrder } from '@zhugong/contract/telemetry/families'
import type { City, Device } from '@zhugong/simulator/city-types'
import type { Machine } from '@zhugong/simulator/crane'
import type { DemoFile } from '@zhugong/simulator/demo-file'
import { meterRegisters } from '@zhugong/simulator/live'
import { machineFor } from '@zhugong/simulator/machines'
import { idOf, stream } from '@zhugong/simulator/random'
import { type copyLines, copyReadings, copyThrough, type StoredReading } from '#domains/telemetry/store'
import type { Config } from '#kit/config'
import type { Database } from '#kit/db'
import type { MachineSecrets } from './seed-machines.ts'

const minuteMs = 60_000
const hourMs = 3_600_000
const dayMs = 86_400_000
/** How far back each lives: enough for its page to open on something, and no more than a moment's work. */
const past = { truck: 4 * hourMs, helmet: hourMs, tag: hourMs, spray: 30 * dayMs, meterDays: 45, pitDays: 45, pourDays: 36, mediaDays: 20 }
const walkingHelmets = 4
const heardTags = 4
/** What curves and sheets of months are drawn from; the rest of a reading is nobody's concern after a day. */
const longKept = new Set(['totalEnergy', 'totalVolume', 'flowRate', 'activePower'])

/** What the simulator is told of lines to meters and gates that push. */
export type MonitoringLines = Pick<DemoFile, 'meterLines' | 'gatePush'>

interface Row {
  device_id: string
  project_code: string
  ts: Date
  id: string
  record: string
  data: Record<string, unknown>
}

/** Lines to meters, keys of pushing gates, and a past for the pages of the families: tracks, loads of registers, pours, pictures, groups. */
export async function seedMonitoring(
  database: Database,
  city: City,
  machines: MachineSecrets,
  config: Config,
  now: number,
): Promise<MonitoringLines> {
  const lines = linesOf(city, machines, config)
  const readings: StoredReading[] = []
  const records: Row[] = []
  for (const device of city.devices) {
    if (device.behaviour !== 'normal') continue
    readings.push(...pastReadings(city, device, now))
    records.push(...pastRecords(city, device, now))
  }
  const client = await database.pool.connect()
  try {
    await client.query('begin')
    await client.query('set local synchronous_commit = off')
    await writeLines(client, city, lines)
    await copyReadings(client, readings)
    await copyThrough(client, 'telemetry_5m', 'device_id, ts, n, v', longPast(city, now))
    await client.query(
      `insert into device_record (device_id, project_code, ts, id, record, data, received_at)
       select device_id, project_code, ts, id, record, data, ts + interval '1 second'
       from jsonb_to_recordset($1::jsonb) as r(device_id text, project_code text, ts timestamptz, id text, record text, data jsonb) on conflict do nothing`,
      [JSON.stringify(records)],
    )
    await writeGroups(client, city)
    await client.query('commit')
  } catch (error) {
    await client.query('rollback')
    throw error
  } finally {
    client.release()
  }
  return lines
}

function linesOf(city: City, machines: MachineSecrets, config: Config): MonitoringLines {
  // Beside the platform's own listeners, so that two demonstrations on other ports have other collectors.
  const port = (i: number) => 1024 + ((config.hj212Port + 1000 + i) % 60_000)
  return {
    meterLines: city.gateways
      .filter((g) => g.wire)
      .map((g, i) => ({
        gatewayId: machines.gateways.get(g.code)?.id ?? g.id,
        wire: g.wire ?? 'dlt645',
        port: port(i),
        projectCode: g.projectCode,
        devices: city.devices.flatMap((d) =>
          d.access.protocol === 'poll' && d.access.gatewayCode === g.code ? [{ deviceSn: d.deviceSn, address: d.access.address }] : [],
        ),
      })),
    gatePush: city.devices.flatMap((d) =>
      d.access.protocol === 'push'
        ? [{ deviceSn: d.deviceSn, form: d.access.form, key: randomBytes(18).toString('base64url'), projectCode: d.projectCode }]
        : [],
    ),
  }
}

type Client = Parameters<typeof copyLines>[0]

async function writeLines(client: Client, city: City, { meterLines, gatePush }: MonitoringLines): Promise<void> {
  const bySn = new Map(city.devices.map((d) => [d.deviceSn, d]))
  for (const line of meterLines) {
    await client.query(
      `insert into poll_gateway (id, protocol, host, port, interval_seconds) values ($1, $2, '127.0.0.1', $3, 60) on conflict do nothing`,
      [line.gatewayId, line.wire, line.port],
    )
    for (const meter of line.devices) {
      const registers = line.wire.startsWith('modbus') ? meterRegisters.map((r) => ({ ...r, table: 'holding' })) : []
      await client.query('insert into poll_device (id, gateway_id, address, registers) values ($1, $2, $3, $4) on conflict do nothing', [
        bySn.get(meter.deviceSn)?.id,
        line.gatewayId,
        meter.address,
        JSON.stringify(registers),
      ])
    }
  }
  for (const gate of gatePush) {
    await client.query('insert into gate_push (id, adapter, key_hash) values ($1, $2, $3) on conflict do nothing', [
      bySn.get(gate.deviceSn)?.id,
      gate.form,
      createHash('sha256').update(gate.key).digest(),
    ])
  }
}

/** Positions of trucks and walkers, and who was heard where under ground. */
function pastReadings(city: City, device: Device, now: number): StoredReading[] {
  const no = Number(device.deviceSn.slice(-4))
  if (device.family === 'truckMonitor') return lived(city, device, now - past.truck, now, 30_000)
  if (device.family === 'smartHelmet' && no <= walkingHelmets) return lived(city, device, now - past.helmet, now, 30_000)
  if (device.family === 'baseStationHelmet' && !device.params.stationId && no <= heardTags + 5)
    return lived(city, device, now - past.tag, now, 10_000)
  return []
}

function lived(city: City, device: Device, from: number, to: number, stepMs: number): StoredReading[] {
  const order = storedOrder(device.family)
  const known = familyOf(device.family)
  if (!order || !known) return []
  const machine: Machine = machineFor(city, device, { purpose: `past ${from}` })
  const out: StoredReading[] = []
  for (let time = from - (from % stepMs); time < to; time += stepMs) {
    if (device.family === 'smartHelmet') for (let second = 0; second < stepMs / 1000; second += 5) machine.step(5, time + second * 1000)
    const data = machine.telemetry(time)
    if (!data) continue
    const values = Object.fromEntries(Object.entries(data).filter(([key]) => known.metric(key)))
    // Apart from what the last hour holds already at the same moments.
    out.push({
      device: { id: device.id, order } as StoredReading['device'],
      reading: { time, receivedAt: time + 300, seq: 1, values, unknown: null, quality: null, flag: 0 },
    })
  }
  return out
}

function pastRecords(city: City, device: Device, now: number): Row[] {
  const rows: Row[] = []
  const put = (record: string, time: number, data: Record<string, unknown>) =>
    rows.push({
      device_id: device.id,
      project_code: device.projectCode,
      ts: new Date(time),
      id: `${record}:${Math.floor(time / 1000)}`,
      record,
      data,
    })
  const random = stream(city.seed, 'monitoring', device.deviceSn)
  if (device.family === 'sprayController') {
    const machine = machineFor(city, device, { purpose: 'past' })
    for (let time = now - past.spray; time < now; time += 2 * minuteMs) {
      machine.step(120, time)
      for (const one of machine.takeRecords?.() ?? []) put(one.record, one.time, one.data)
    }
  }
  if (device.family === 'highFormwork' && device.params.pointCode === 'GZ-01') {
    for (let day = 3; day <= past.pourDays; day += 3) {
      const end = now - day * dayMs - random.int(0, 3) * hourMs
      const worst = random.float(0.58, day === 9 ? 0.92 : 0.8)
      put('pourRecord', end, {
        pointCode: 'GZ-01',
        pourName: `${device.place} 第 ${13 - day / 3} 次浇筑`,
        startTime: new Date(end - random.int(120, 260) * minuteMs).toISOString(),
        endTime: new Date(end).toISOString(),
        maxAxialForce: Math.round(Number(device.params.designForce) * worst * 100) / 100,
        maxAxialForcePercent: Math.round(worst * 1000) / 10,
        maxDisplacement: Math.round(random.float(0.8, 2.4) * 100) / 100,
        maxSettlement: Math.round(random.float(2, 5) * 100) / 100,
        maxTilt: Math.round(random.float(0.05, 0.2) * 100) / 100,
        alarmCount: day === 9 ? 2 : 0,
      })
    }
  }
  if (device.family === 'smartHelmet' && device.params.camera === '1') {
    for (let i = 0; i < 24; i++) {
      const time = now - Math.floor(random.float(0.05, past.mediaDays) * dayMs)
      const isFilm = i % 6 === 5
      const seconds = random.int(20, 120)
      put(
        isFilm ? 'video' : 'snapshot',
        time,
        isFilm
          ? {
              startTime: new Date(time - seconds * 1000).toISOString(),
              endTime: new Date(time).toISOString(),
              size: seconds * 210_000,
              trigger: 'manual',
            }
          : {
              time: new Date(time).toISOString(),
              longitude: device.installPos.lng,
              latitude: device.installPos.lat,
              trigger: i % 5 === 0 ? 'alarm' : 'manual',
            },
      )
    }
  }
  if (device.family === 'truckMonitor') {
    const length = 15 * minuteMs
    for (let at = Math.floor((now - dayMs) / length) * length; at < now - length; at += length) {
      if (!random.chance(0.8)) continue
      put('videoClip', at, {
        channel: '1',
        startTime: new Date(at).toISOString(),
        endTime: new Date(at + length).toISOString(),
        size: random.int(40, 120) * 1_000_000,
        alarm: random.chance(0.04) ? '超速' : '',
        storage: 'device',
      })
    }
  }
  return rows
}

/** Registers every three hours and points of pits twice a day, as five-minute values: what months are counted and curves drawn from. */
function longPast(city: City, now: number): string {
  let out = ''
  const end = now - dayMs - 10 * minuteMs
  for (const device of city.devices) {
    if (device.behaviour !== 'normal') continue
    const isMeter = device.family === 'electricMeter' || device.family === 'waterMeter'
    if (!isMeter && device.family !== 'foundationPit') continue
    const stepMs = isMeter ? 3 * hourMs : 12 * hourMs
    const installed = Date.parse(`${device.installTime.slice(0, 10)}T00:00:00+08:00`)
    const from = Math.max(installed, now - (isMeter ? past.meterDays : past.pitDays) * dayMs)
    const machine = machineFor(city, device, { purpose: 'past' })
    for (let time = Math.ceil(from / stepMs) * stepMs; time < end; time += stepMs) {
      const data = machine.telemetry(time)
      if (!data) continue
      const v: Record<string, [number, number, number, number]> = {}
      for (const [key, value] of Object.entries(data))
        if (typeof value === 'number' && (!isMeter || longKept.has(key))) v[key] = [value, value, value, 1]
      out += `${device.id}\t${new Date(time).toISOString()}\t1\t${JSON.stringify(v)}\n`
    }
  }
  return out
}

const groupNames = ['巡检组', '塔楼作业面', '地下室作业面']

async function writeGroups(client: Client, city: City): Promise<void> {
  const byProject = Map.groupBy(
    city.devices.filter((d) => d.family === 'smartHelmet'),
    (d) => d.projectCode,
  )
  for (const [projectCode, helmets] of byProject) {
    for (const [i, name] of groupNames.entries()) {
      const members = helmets.filter((_, no) => no % (groupNames.length + 1) === i)
      if (members.length === 0) continue
      const id = idOf(city.seed, 'helmetGroup', projectCode, name)
      await client.query('insert into helmet_group (id, project_code, name, create_by) values ($1, $2, $3, $4)', [
        id,
        projectCode,
        name,
        '演示',
      ])
      await client.query('insert into helmet_group_member (device_id, group_id, project_code) select d, $2, $3 from unnest($1::text[]) d', [
        members.map((m) => m.id),
        id,
        projectCode,
      ])
    }
  }
}
