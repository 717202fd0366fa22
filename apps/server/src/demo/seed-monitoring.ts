import { createHash, randomBytes } from 'node:crypto'
import { familyOf, storedOrder } from '@zhugong/contract/telemetry/families'
import type { City, Device } from '@zhugong/simulator/city-types'
import type { DemoFile } from '@zhugong/simulator/demo-file'
import { recordHistory } from '@zhugong/simulator/history'
import { meterRegisters } from '@zhugong/simulator/live-lines'
import type { Machine } from '@zhugong/simulator/machine'
import { machineFor } from '@zhugong/simulator/machines'
import { waterEpisodes } from '@zhugong/simulator/meter'
import { idOf, stream } from '@zhugong/simulator/random'
import { makingOf, pilePeriodMs, pileRecordOf } from '@zhugong/simulator/structures'
import { type copyLines, copyReadings, copyThrough, type StoredReading } from '#domains/telemetry/store'
import type { Config } from '#kit/config'
import type { Database } from '#kit/db'
import { createSecrets } from '#kit/secret'
import { writeAlarms } from './past-alarms.ts'
import type { PastAlarm } from './past-rules.ts'
import type { MachineSecrets } from './seed-machines.ts'
import { waterAlarms } from './yard-alarms.ts'

const minuteMs = 60_000
const hourMs = 3_600_000
const dayMs = 86_400_000
/** How far back each lives: enough for its page to open on something, and no more than a moment's work. */
const past = {
  truck: 12 * hourMs,
  helmet: hourMs,
  tag: hourMs,
  spray: 30 * dayMs,
  /** Rigs that mix and press came to the site later. */
  piles: { bored: 20 * dayMs, mixing: 4 * dayMs, static: 5 * dayMs },
  // Three whole months, whatever the day.
  meterDays: 125,
  pitDays: 45,
  pourDays: 36,
  mediaDays: 20,
  aiDays: 30,
}
const walkingHelmets = 4
/** Recordings of each helmet with a camera; its pictures are drawn later, see `seed-helmets.ts`. */
const pastFilms = 7
const heardTags = 4
/** What curves and sheets of months are drawn from; the rest of a reading is nobody's concern after a day. */
const longKept = new Set(['totalEnergy', 'peakEnergy', 'valleyEnergy', 'totalVolume', 'flowRate', 'activePower'])

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
    await writeStages(client, city, now)
    await writePours(client, city, now)
    await writeMedia(client, config, now)
    await writeCameraRules(client, now)
    await writeAlarms(client, city, [...pastAlarms(city, now), ...city.devices.flatMap((d) => waterAlarms(city, d, now))], now, false)
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
  if (device.family === 'foundationPit') return surveyed(city, device, now)
  if (device.family === 'highFormwork') return poured(city, device, now)
  // What an alarm stands on is kept as densely as it was told.
  if (device.family === 'waterMeter')
    return waterEpisodes(city, device).flatMap((one) => lived(city, device, one.from - hourMs, one.to + hourMs, 2 * minuteMs))
  return []
}

/** Nobody went round to these kinds of points on these days back: gaps that the page must show. */
const missedSurveys: Readonly<Record<string, readonly number[]>> = { surface: [12, 13], waterLevel: [5] }

/** A pit's points as people survey them each morning and loggers read them in the afternoon, up to the last day. */
function surveyed(city: City, device: Device, now: number): StoredReading[] {
  const order = storedOrder(device.family)
  const known = familyOf(device.family)
  if (!order || !known) return []
  const machine = machineFor(city, device, { purpose: 'past' })
  const midnight = Math.floor((now + 8 * hourMs) / dayMs) * dayMs - 8 * hourMs
  const out: StoredReading[] = []
  for (let back = past.pitDays; back >= 1; back--) {
    if (missedSurveys[String(device.params.pointType)]?.includes(back)) continue
    for (const [hour, source] of [
      [8, 'manual'],
      [15, undefined],
    ] as const) {
      const time = midnight - back * dayMs + hour * hourMs
      const data = time < Date.parse(device.installTime) || time > now - dayMs ? undefined : machine.telemetry(time)
      if (!data) continue
      const values = Object.fromEntries(Object.entries(data).filter(([key]) => known.metric(key)))
      const unknown = {
        pointCode: data.pointCode,
        pointType: data.pointType,
        source: source || undefined,
        ...machine.extra?.(time),
      }
      const receivedAt = time + (source ? 40 * minuteMs : 300)
      out.push({
        device: { id: device.id, order } as StoredReading['device'],
        reading: { time, receivedAt, seq: 1, values, unknown, quality: null, flag: 0 },
      })
    }
  }
  return out
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

/** What cameras see seldom; fire and falls belong to the past of the demonstration only. */
const rareTypes = ['fire', 'phone', 'climbing', 'crowd', 'truckUncovered', 'smoke', 'fallDown', 'guardAbsent']
const pourMs = 2.5 * hourMs
/** One of the pours went over the design force: pump stopped, everybody out, gone on after the check. */
const stoppedPour = 8
const stoppedFactor = 1.55
/** Beginnings of the pours of the last weeks, every third day in the morning, oldest first. */
function poursBefore(now: number): number[] {
  const morning = Math.floor(now / dayMs) * dayMs
  return Array.from({ length: Math.floor(past.pourDays / 3) }, (_, i) => morning - (past.pourDays - i * 3) * dayMs)
}

/** What was registered of those pours. */
async function writePours(client: Client, city: City, now: number): Promise<void> {
  const bays = new Map(city.devices.filter((d) => d.family === 'highFormwork').map((d) => [`${d.projectCode} ${d.place}`, d]))
  for (const device of bays.values())
    for (const [no, start] of poursBefore(now).entries()) {
      const steps: [string, number, number | null, string | null][] = [
        ['start', 0, 0, '方案、交底、验收、测点归零、通信测试、警戒人员均已确认'],
        ['layer', 50, 62, '第一层'],
        ...(no === stoppedPour
          ? ([
              ['stop', 96, 88, 'GZ-01 轴力达到设计值'],
              ['evacuated', 96 + 70 / 60, 88, '现场 12 人全部撤离'],
              ['resume', 128, 88, '增设立杆、调整布料位置后，总监同意恢复'],
            ] as [string, number, number, string][])
          : []),
        ['end', 150, 140, null],
      ]
      for (const [i, [kind, minute, volume, note]] of steps.entries())
        await client.query(
          'insert into pour_step (id, project_code, bay_name, at, kind, volume, note, by_name) values ($1, $2, $3, $4, $5, $6, $7, $8)',
          [
            idOf(city.seed, 'pourStep', device.projectCode, String(no), String(i)),
            device.projectCode,
            device.place,
            new Date(start + minute * minuteMs),
            kind,
            volume,
            note,
            '演示',
          ],
        )
    }
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
  if (device.family === 'pileFoundation') {
    const periodMs = pilePeriodMs(device)
    for (let index = Math.ceil((now - past.piles[makingOf(device)]) / periodMs); (index + 1) * periodMs < now; index++) {
      const one = pileRecordOf(city, device, index)
      put(one.record, one.time, one.data)
    }
  }
  if (device.family === 'highFormwork') {
    const machine = machineFor(city, device, { purpose: 'past' })
    for (const [no, start] of poursBefore(now).entries()) {
      const end = start + pourMs
      const last = machine.telemetry(end - 1000) ?? {}
      const more = no === stoppedPour && device.params.pointCode === 'GZ-01' ? stoppedFactor : 1
      const force = Math.round(Number(last.axialForce) * more * 100) / 100
      put('pourRecord', end, {
        pointCode: String(device.params.pointCode),
        pourName: `${device.place} 第 ${no + 1} 次浇筑`,
        startTime: new Date(start).toISOString(),
        endTime: new Date(end).toISOString(),
        maxAxialForce: force,
        maxAxialForcePercent: Math.round((force / Number(device.params.designForce)) * 1000) / 10,
        maxDisplacement: Math.abs(Number(last.horizontalDisplacement)),
        maxSettlement: Math.abs(Number(last.settlement)),
        maxTilt: Math.round(Math.hypot(Number(last.tiltX), Number(last.tiltY)) * 100) / 100,
        alarmCount: more > 1 ? 2 : 0,
      })
    }
  }
  if (device.family === 'videoAi') {
    for (const [i, one] of [...recordHistory(city, device.deviceSn, now - past.aiDays * dayMs, now - dayMs)].entries()) {
      const type = i % 11 === 5 ? rareTypes[Math.floor(i / 11) % rareTypes.length] : one.data.type
      put(one.record, one.time, { ...one.data, type, count: 1 + (i % 4) })
    }
  }
  if (device.family === 'smartHelmet' && device.params.camera === '1') {
    for (let i = 0; i < pastFilms; i++) {
      const seconds = random.int(20, 120)
      const time = now - Math.floor(random.float(0.05, past.mediaDays) * dayMs)
      put('video', time, {
        startTime: new Date(time - seconds * 1000).toISOString(),
        endTime: new Date(time).toISOString(),
        size: seconds * 210_000,
        trigger: i % 6 === 5 ? 'alarm' : i % 6 === 3 ? 'remote' : 'manual',
      })
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

/** Percent and force of the point that went over its design, as the concrete rose. */
const raised = (device: Device, no: number, share: number): number =>
  no === stoppedPour && device.params.pointCode === 'GZ-01' ? 1 + (stoppedFactor - 1) * share : 1
/** One pour lost half an hour of its data. */
const isLost = (no: number, share: number): boolean => no === 5 && share >= 0.4 && share < 0.6

/** Readings of the pours of the last weeks, a minute apart, for playing them again. */
function poured(city: City, device: Device, now: number): StoredReading[] {
  const order = storedOrder(device.family)
  const known = familyOf(device.family)
  if (!order || !known) return []
  const machine = machineFor(city, device, { purpose: 'past' })
  const out: StoredReading[] = []
  for (const [no, start] of poursBefore(now).entries())
    for (let time = start; time < start + pourMs; time += minuteMs) {
      const share = (time - start) / pourMs
      const data = isLost(no, share) ? undefined : machine.telemetry(time)
      if (!data) continue
      const more = raised(device, no, share)
      const values = Object.fromEntries(
        Object.entries(data).flatMap(([key, value]) =>
          known.metric(key) ? [[key, key.startsWith('axialForce') ? Math.round(Number(value) * more * 100) / 100 : value]] : [],
        ),
      )
      out.push({
        device: { id: device.id, order } as StoredReading['device'],
        reading: { time, receivedAt: time + 300, seq: 1, values, unknown: { pointCode: data.pointCode }, quality: null, flag: 0 },
      })
    }
  return out
}

/** What a prop said in the pours of the last weeks, in five-minute values. */
function pourSpans(city: City, device: Device, now: number): string {
  const machine = machineFor(city, device, { purpose: 'past' })
  const perSpan = 60
  let out = ''
  for (const [no, start] of poursBefore(now).entries())
    for (let time = start; time < start + pourMs; time += 5 * minuteMs) {
      const share = (time - start) / pourMs
      const data = isLost(no, share) ? undefined : machine.telemetry(time)
      if (!data) continue
      const more = raised(device, no, share)
      const v: Record<string, [number, number, number, number]> = {}
      for (const [key, value] of Object.entries(data)) {
        if (typeof value !== 'number') continue
        const so = key.startsWith('axialForce') ? Math.round(value * more * 100) / 100 : value
        v[key] = [so, so, so * perSpan, perSpan]
      }
      out += `${device.id}\t${new Date(time).toISOString()}\t${perSpan}\t${JSON.stringify(v)}\n`
    }
  return out
}

/** Registers every three hours and points of pits twice a day, as five-minute values: what months are counted and curves drawn from. */
function longPast(city: City, now: number): string {
  let out = ''
  const end = now - dayMs - 10 * minuteMs
  for (const device of city.devices) {
    if (device.behaviour !== 'normal') continue
    if (device.family === 'highFormwork') {
      out += pourSpans(city, device, now)
      continue
    }
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

/** How the pits were dug, as shares of their depth. */
const digs = [
  { back: 40, share: 0.33, note: '第一层土方，第 1 道支撑已安装' },
  { back: 24, share: 0.66, note: '第二层土方，第 2 道支撑已安装' },
  { back: 9, share: 0.88, note: '第三层土方，坑底以上预留 300 mm 人工清底' },
]
async function writeStages(client: Client, city: City, now: number): Promise<void> {
  const pits = new Map(
    city.devices.filter((d) => d.family === 'foundationPit' && d.behaviour === 'normal').map((d) => [`${d.projectCode} ${d.place}`, d]),
  )
  for (const device of pits.values())
    for (const { back, share, note } of digs)
      await client.query(
        'insert into pit_stage (id, project_code, pit_name, at, depth, note, create_by) values ($1, $2, $3, $4, $5, $6, $7)',
        [
          idOf(city.seed, 'pitStage', device.projectCode, String(back)),
          device.projectCode,
          device.place,
          new Date(now - back * dayMs),
          Math.round(Number(device.params.depth) * share * 10) / 10,
          note,
          '演示',
        ],
      )
}

/** What pits and pours warned of in the last weeks: a creep, a rate after rain, a hit prism; a pour that was stopped, two knocks. */
function pastAlarms(city: City, now: number): PastAlarm[] {
  const pours = poursBefore(now)
  const stopped = (pours[stoppedPour] ?? now) + 70 * minuteMs
  const told: [point: string, key: string, start: number, lasted: number, peak: number, text: string][] = [
    ['CX-07', 'displacementRate', now - 9 * dayMs, 20 * hourMs, 3.4, '每日 3 mm'],
    ['DB-04', 'displacementRate', now - 15 * dayMs, 7 * hourMs, -3.2, '每日 3 mm'],
    ['SP-01', 'topHorizontalWarning', now - 20 * dayMs, hourMs, 22.6, '≥ 21 mm'],
    ['GZ-01', 'axialForceWarning', stopped, 75 * minuteMs, 99.1, '≥ 设计值的 80 %'],
    ['GZ-01', 'axialForceAlarm', stopped + 25 * minuteMs, 30 * minuteMs, 102.3, '≥ 设计值'],
    ['GZ-02', 'suddenChange', (pours[3] ?? now) + 40 * minuteMs, 15_000, 14.2, '前三次均值的 1.5 倍'],
    ['GZ-04', 'suddenChange', (pours[10] ?? now) + 90 * minuteMs, 10_000, 12.8, '前三次均值的 1.5 倍'],
  ]
  return told.flatMap(([point, alarmKey, startTime, lasted, peak, text]): PastAlarm[] => {
    const device = city.devices.find((d) => d.params.pointCode === point && d.behaviour === 'normal')
    const alarm = device && familyOf(device.family)?.alarm(alarmKey)
    if (!device || !alarm) return []
    const { metric } = alarm.condition as { metric?: string }
    return [
      {
        deviceId: device.id,
        alarmKey,
        label: alarm.label,
        level: alarm.level,
        startTime,
        fireTime: startTime + 1_000,
        clearTime: startTime + lasted,
        metric: metric ?? null,
        peak,
        peakTime: startTime + lasted / 2,
        text,
        values: {},
      },
    ]
  })
}

/** The first camera of each site is told what counts there: who is sure enough, and where nobody goes at night. */
async function writeCameraRules(client: Client, now: number): Promise<void> {
  const zone = {
    name: '基坑边',
    points: [
      [0.08, 0.42],
      [0.62, 0.38],
      [0.7, 0.94],
      [0.05, 0.94],
    ],
    fromMinute: 18 * 60,
    untilMinute: 7 * 60,
  }
  await client.query(
    `insert into camera_ai (device_id, project_code, thresholds, zones, update_by, update_time)
     select distinct on (project_code) id, project_code, $1, $2, '演示', $3 from device where family = 'videoAi' and status = '1' order by project_code, name
     on conflict do nothing`,
    [JSON.stringify([{ type: 'noVest', least: 0.7 }]), JSON.stringify([zone]), new Date(now)],
  )
}

/** The demonstration's own media server, and one camera whose pictures browsers do not decode. */
async function writeMedia(client: Client, config: Config, now: number): Promise<void> {
  const secret = createSecrets(config.secretKey).seal(randomBytes(24).toString('base64url'))?.toString('base64') ?? ''
  const media = { provider: '演示流媒体', baseUrl: '/media', kind: 'mp4', secret, concurrent: 16, updateTime: now }
  await client.query(`insert into setting (key, value) values ('mediaServer', $1) on conflict do nothing`, [JSON.stringify(media)])
  await client.query(`update device set params = params || '{"codec":"H.265"}' where family = 'videoAi' and name = '钢筋加工棚'`)
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
