import { familyOf, offlineSecondsOf, storedOrder } from '@zhugong/contract/telemetry/families'
import type { City, Device } from '@zhugong/simulator/city-types'
import { recordHistory, telemetryHistory } from '@zhugong/simulator/history'
import type { Machine } from '@zhugong/simulator/machine'
import { machineFor } from '@zhugong/simulator/machines'
import { stream } from '@zhugong/simulator/random'
import { defaultRuleId } from '#domains/rules/defaults'
import { deliverDefaultRules } from '#domains/rules/public'
import { intervalOf } from '#domains/telemetry/public'
import { makePartitions } from '#domains/telemetry/rollup'
import { type copyLines, copyReadings, copyThrough, type StoredReading } from '#domains/telemetry/store'
import type { Database } from '#kit/db'
import { newId } from '#kit/ids'
import { type PastAlarm, PastRules } from './past-rules.ts'
import { leakAlarm, yardAlarm } from './yard-alarms.ts'
import { photographed } from './yard-photos.ts'

const hourMs = 3_600_000
const dayMs = 24 * hourMs
const stepMs = {
  usual: 60_000,
  dense: 10_000,
  sparse: 600_000,
  pour: 150_000,
  beat: 300_000,
  watch: 10_000,
  /** A pile is looked at metre by metre. */
  pile: 30_000,
}
const denseMs = 30 * 60_000
/** Whose readings of yesterday somebody looks at; of the others the last hour does. */
const keepsDay = new Set<string>([
  'electricMeter',
  'waterMeter',
  'foundationPit',
  'highFormwork',
  'sprayController',
  'pileFoundation',
  'videoAi',
])
/** Machines that move are lived through second by second, nearly: twice as coarse as in life, which nobody sees in a value a minute. */
const moveSeconds = 2

type Reading = StoredReading['reading']

interface Past {
  readings: StoredReading[]
  records: { deviceId: string; projectCode: string; time: number; record: string; data: Record<string, unknown> }[]
  alarms: PastAlarm[]
}

/** What the demonstration's machines did in the last 24 hours: readings, records, and the alarms that the delivered rules find in them. */
export async function seedMachineHistory(database: Database, city: City, now: number): Promise<void> {
  const past: Past = { readings: [], records: [], alarms: [] }
  const ends = new Map<string, number>()
  for (const device of city.devices) {
    if (device.behaviour === 'notActivated') continue
    const end = device.behaviour === 'offline' ? now - 7 * hourMs : now
    ends.set(device.id, end)
    live(city, device, now, end, past)
  }
  const { pool } = database
  await makePartitions(pool)
  await deliverDefaultRules(database.kysely)
  const client = await pool.connect()
  try {
    await client.query('begin')
    // A seed is thrown away when it fails: nothing waits for the disk on the way.
    await client.query('set local synchronous_commit = off')
    await copyReadings(client, past.readings)
    await copyThrough(client, 'telemetry_5m', 'device_id, ts, n, v', spans(city, past.readings))
    await writeRecords(client, past)
    await writeLatest(client, past, ends, now)
    await writeAlarms(client, city, past.alarms, now)
    await client.query('commit')
  } catch (error) {
    await client.query('rollback')
    throw error
  } finally {
    client.release()
  }
}

function live(city: City, device: Device, now: number, end: number, past: Past): void {
  const family = familyOf(device.family)
  const order = storedOrder(device.family)
  if (!family || !order) return
  const stored = { id: device.id, order } as StoredReading['device']
  const put = (time: number, data: Record<string, unknown>, extra?: Record<string, unknown>) => {
    past.readings.push({ device: stored, reading: toReading(family.metrics, time, data, extra) })
  }
  const from = now - dayMs
  const record = (r: { time: number; record: string; data: Record<string, unknown> }) => {
    if (r.time >= from && r.time < end)
      past.records.push({ deviceId: device.id, projectCode: device.projectCode, time: r.time, record: r.record, data: r.data })
  }
  if (
    device.family === 'towerCrane' ||
    device.family === 'lifter' ||
    device.family === 'environment' ||
    device.family === 'unloadingPlatform'
  ) {
    liveThrough(city, device, from, end, now, put, record, past.alarms)
    return
  }
  if (device.family === 'smartHelmet') {
    // Where a helmet was an hour ago interests nobody; where it is now, does.
    const machine = machineFor(city, device, { purpose: `past ${from}` })
    for (let time = end - 600_000; time < end; time += 1000) machine.step(1, time)
    const data = machine.telemetry(end - 1000)
    if (data) put(end - 1000, data)
    return
  }
  const leak = leakAlarm(city, device, from, end)
  if (leak) past.alarms.push(leak)
  const since = keepsDay.has(device.family) ? from : end - hourMs
  const step =
    device.family === 'highFormwork'
      ? stepMs.pour
      : device.family === 'pileFoundation'
        ? stepMs.pile
        : device.family === 'videoAi'
          ? stepMs.beat
          : stepMs.sparse
  for (const sample of telemetryHistory(city, device.deviceSn, since, end, step / 1000)) put(sample.time, sample.data, sample.extra)
  for (const told of recordHistory(city, device.deviceSn, from, end)) {
    const one = photographed(city, device, told)
    record(one)
    const alarm = yardAlarm(device, one)
    if (alarm) past.alarms.push(alarm)
  }
}

/** One pass through the day: values by the minute, denser lately and around alarms, whose evidence they are. */
function liveThrough(
  city: City,
  device: Device,
  from: number,
  end: number,
  now: number,
  put: (time: number, data: Record<string, unknown>) => void,
  record: (r: { time: number; record: string; data: Record<string, unknown> }) => void,
  alarms: PastAlarm[],
): void {
  const random = stream(city.seed, 'past', device.deviceSn, String(Math.floor(now / dayMs)))
  const moves = device.family === 'towerCrane' || device.family === 'lifter'
  const overloadsAt =
    device.behaviour === 'normal' && moves
      ? [from + random.int(1, 8) * hourMs, from + random.int(9, 18) * hourMs, now - random.int(20, 200) * 60_000]
      : []
  const machine: Machine = machineFor(city, device, {
    purpose: `past ${from}`,
    overloadsAt,
    dust:
      device.family === 'environment' && device.behaviour === 'normal'
        ? [{ from: now - 5 * hourMs, to: now - 4 * hourMs, pm10: 95 }]
        : undefined,
  })
  const rules = new PastRules(device)
  let recent: { time: number; data: Record<string, unknown> }[] = []
  let lastPut = Number.NEGATIVE_INFINITY
  // On the grid of what is watched: steps of two seconds from an odd one would never meet it. What lies before belongs to the older history.
  const start = Math.ceil(from / stepMs.watch) * stepMs.watch
  const pace = (time: number) => (moves ? moveSeconds * 1000 : now - time < denseMs ? stepMs.dense : stepMs.usual)
  for (let time = start; time < end; time += pace(time)) {
    if (moves) {
      machine.step(moveSeconds, time)
      for (const one of machine.takeRecords?.() ?? []) record(one)
    }
    if (moves && time % stepMs.watch !== 0) continue
    const data = machine.telemetry(time)
    if (!data) continue
    const opened = rules.take(time, data, alarms)
    recent = recent.filter((r) => time - r.time <= 120_000)
    if (opened) for (const r of recent) if (r.time > lastPut - 120_000) put(r.time, r.data)
    const wanted = rules.isWatched(time) ? 0 : now - time < denseMs ? stepMs.dense : stepMs.usual
    if (opened || time - lastPut >= wanted) {
      put(time, data)
      lastPut = time
      recent = []
    } else recent.push({ time, data })
  }
}

type Metrics = readonly { key: string; min?: number; max?: number }[]

/** A month of a city asks millions of times for a few families. */
const byKey = new WeakMap<Metrics, Map<string, Metrics[number]>>()
function keysOf(metrics: Metrics) {
  let known = byKey.get(metrics)
  if (!known) {
    known = new Map(metrics.map((m) => [m.key, m]))
    byKey.set(metrics, known)
  }
  return known
}

export function toReading(metrics: Metrics, time: number, data: Record<string, unknown>, extra?: Record<string, unknown>): Reading {
  const known = keysOf(metrics)
  const values: Record<string, unknown> = {}
  let unknown: Record<string, unknown> | null = extra ? { ...extra } : null
  let quality: Record<string, string> | null = null
  for (const key in data) {
    const value = data[key]
    const metric = known.get(key)
    if (!metric) {
      unknown ??= {}
      unknown[key] = value
      continue
    }
    values[key] = value
    if (typeof value === 'number' && (value < (metric.min ?? value) || value > (metric.max ?? value))) {
      quality ??= {}
      quality[key] = 'outOfRange'
    }
  }
  if (typeof values.tiltX === 'number' && typeof values.tiltY === 'number' && values.tilt === undefined && known.has('tilt')) {
    values.tilt = Math.round(Math.hypot(values.tiltX, values.tiltY) * 100) / 100
  }
  return { time, receivedAt: time + 300, seq: 0, values, unknown, quality, flag: 0 }
}

/** One that is kept stands for all its device told since the one before, as far back as the past is thinned. */
const thinnedMs = 60_000

/** The five-minute values of those readings, added up here: they are all in memory. */
export function spans(city: City, readings: readonly StoredReading[]): string {
  const spanMs = 300_000
  const intervals = new Map(city.devices.map((device) => [device.id, intervalOf(device.family) * 1000]))
  const before = new Map<string, number>()
  interface Span {
    n: number
    v: Record<string, [number, number, number, number]>
  }
  const found = new Map<string, Map<number, Span>>()
  for (const { device, reading } of readings) {
    const at = reading.time - (reading.time % spanMs)
    const own = found.get(device.id) ?? new Map<number, Span>()
    if (own.size === 0) found.set(device.id, own)
    const span: Span = own.get(at) ?? { n: 0, v: {} }
    if (span.n === 0) own.set(at, span)
    const since = Math.min(thinnedMs, reading.time - (before.get(device.id) ?? 0))
    before.set(device.id, reading.time)
    span.n += Math.max(1, Math.round(since / (intervals.get(device.id) ?? since)))
    for (const metric in reading.values) {
      const value = reading.values[metric]
      if (typeof value !== 'number' || reading.quality?.[metric]) continue
      const so = span.v[metric]
      if (so) {
        so[0] = Math.min(so[0], value)
        so[1] = Math.max(so[1], value)
        so[2] += value
        so[3]++
      } else span.v[metric] = [value, value, value, 1]
    }
  }
  let out = ''
  for (const [id, own] of found)
    for (const [at, { n, v }] of own) out += `${id}\t${new Date(at).toISOString()}\t${n}\t${JSON.stringify(v)}\n`
  return out
}

type Client = Parameters<typeof copyLines>[0]

async function writeRecords(client: Client, past: Past): Promise<void> {
  await client.query(
    `insert into device_record (device_id, project_code, ts, id, record, data, received_at)
     select device_id, project_code, ts, id, record, data, ts + interval '1 second'
     from jsonb_to_recordset($1::jsonb) as r(device_id text, project_code text, ts timestamptz, id text, record text, data jsonb) on conflict do nothing`,
    [
      JSON.stringify(
        past.records.map((r, i) => ({
          device_id: r.deviceId,
          project_code: r.projectCode,
          ts: new Date(r.time),
          id: `${r.record}:past${i}`,
          record: r.record,
          data: r.data,
        })),
      ),
    ],
  )
}

/** The newest reading of each device; those that fell silent are offline since. */
async function writeLatest(client: Client, past: Past, ends: ReadonlyMap<string, number>, now: number): Promise<void> {
  const newest = new Map<string, Reading>()
  for (const { device, reading } of past.readings) {
    const before = newest.get(device.id)
    if (!before || reading.time > before.time) newest.set(device.id, reading)
  }
  const rows = [...newest].map(([id, r]) => {
    const end = ends.get(id) ?? now
    const online = end === now
    return {
      id,
      ts: new Date(r.time),
      received: new Date(online ? Math.max(r.receivedAt, now - 10_000) : r.receivedAt),
      v: { ...r.values, ...(r.unknown ?? {}) },
      quality: r.quality,
      online,
      since: new Date(online ? now - dayMs : end + 600_000),
    }
  })
  await client.query(
    `insert into device_latest (device_id, ts, received_at, v, quality, online, online_since)
     select id, ts, received, v, nullif(quality, 'null'), online, since
     from jsonb_to_recordset($1::jsonb) as r(id text, ts timestamptz, received timestamptz, v jsonb, quality jsonb, online boolean, since timestamptz)
     on conflict do nothing`,
    [JSON.stringify(rows)],
  )
  await client.query(
    `insert into device_event (device_id, ts, id, kind, data)
     select id, ts, 'offline', 'offline', data from jsonb_to_recordset($1::jsonb) as r(id text, ts timestamptz, data jsonb) on conflict do nothing`,
    [JSON.stringify(rows.filter((r) => !r.online).map((r) => ({ id: r.id, ts: r.since, data: { since: r.received.getTime() } })))],
  )
}

const measures: Record<string, string[]> = {
  towerCrane: ['已要求司机减小幅度后卸载，复核吊物重量。', '信号工重新交底，超重钢筋分两吊。', '已停止吊装，待风力减小后恢复。'],
  lifter: ['已疏散超员人员，升降机恢复运行。', '已提醒司机按额定人数运送。'],
  environment: ['开启东线喷淋 10 分钟，浓度回落。', '道路洒水，裸土覆盖。'],
  unloadingPlatform: ['已吊离部分材料。'],
  foundationPit: [
    '加密监测至每 4 小时一次，连续两天低于速率控制值的 70 %。',
    '暂停该段开挖，先安装下一道支撑。',
    '复测棱镜，原因为碰撞，已重新取初始值。',
  ],
  waterMeter: [
    '关闭支管阀门，更换破损三通，夜间复测流量归零。',
    '查漏为冲洗龙头未关，已关闭并交底。',
    '抢修主管接头，恢复供水，路面已清扫。',
  ],
  smartHelmet: ['已到现场查看，人员无碍。', '已通话确认，误触按键，已交底。', '已提醒戴好安全帽。'],
  highFormwork: ['停泵撤离，增设立杆并调整布料顺序，总监同意后恢复。', '现场复核，布料机碰撞立杆，相邻测点无变化。'],
}

/** Past alarms as they were handled, with the lines of their logs; `withOffline` adds those of devices that are silent now. */
export async function writeAlarms(
  client: Client,
  city: City,
  alarms: readonly PastAlarm[],
  now: number,
  withOffline = true,
): Promise<void> {
  const devices = new Map(city.devices.map((d) => [d.id, d]))
  const offline = city.devices.flatMap((d): PastAlarm[] => {
    const family = familyOf(d.family)
    const alarm = family?.alarm('offline')
    if (d.behaviour !== 'offline' || !family || !alarm) return []
    const start = now - 7 * hourMs
    return [
      {
        deviceId: d.id,
        alarmKey: 'offline',
        label: alarm.label,
        level: alarm.level,
        startTime: start,
        fireTime: start + offlineSecondsOf(family) * 1000,
        clearTime: null,
        metric: null,
        peak: null,
        peakTime: null,
        text: `${alarm.condition.seconds} 秒无数据`,
        values: {},
      },
    ]
  })
  const rows: Record<string, unknown>[] = []
  const log: Record<string, unknown>[] = []
  for (const alarm of withOffline ? [...alarms, ...offline] : alarms) {
    const device = devices.get(alarm.deviceId)
    if (!device) continue
    const random = stream(city.seed, 'handling', device.deviceSn, alarm.alarmKey, String(alarm.startTime))
    const handlers = city.personas.filter((p) => p.projectCode === device.projectCode && p.groupType === 3).map((p) => p.name)
    const cleared = alarm.clearTime !== null
    const isOld = now - alarm.startTime > 6 * hourMs
    const serious = alarm.level <= 2
    const state = alarm.isFalse
      ? 'false'
      : !cleared
        ? 'open'
        : !serious
          ? random.chance(0.25)
            ? 'handled'
            : 'closed'
          : isOld || random.chance(0.3)
            ? random.pick(['handled', 'closed', 'closed'] as const)
            : random.pick(['open', 'acknowledged'] as const)
    const handler =
      handlers.length && state !== 'open' && (serious || state === 'handled' || state === 'false') ? random.pick(handlers) : null
    const id = newId(alarm.fireTime)
    const handledAt = (alarm.clearTime ?? alarm.fireTime) + random.int(3, 50) * 60_000
    const measure =
      handler && state !== 'acknowledged' && state !== 'false' ? random.pick(measures[device.family] ?? ['已到现场核实处理。']) : null
    rows.push({
      id,
      project_code: device.projectCode,
      device_id: device.id,
      device_name: device.name,
      family: device.family,
      alarm_key: alarm.alarmKey,
      label: alarm.label,
      level: alarm.level,
      state,
      active: !cleared,
      stale: false,
      start_time: new Date(alarm.startTime),
      fire_time: new Date(alarm.fireTime),
      clear_time: alarm.clearTime === null ? null : new Date(alarm.clearTime),
      clear_reason: cleared ? 'recovered' : null,
      peak_value: alarm.peak,
      peak_time: alarm.peakTime === null ? null : new Date(alarm.peakTime),
      metric: alarm.metric,
      threshold_text: alarm.text,
      rule_id: defaultRuleId(device.family, alarm.alarmKey),
      values_used: alarm.values,
      handler_name: handler,
      handle_time: handler ? new Date(Math.min(handledAt, now - 60_000)) : null,
      measure,
    })
    const line = (at: number, event: string, text: string, by: string | null = null) =>
      log.push({ id: newId(at), alarm_id: id, project_code: device.projectCode, at: new Date(at), event, text, by_name: by })
    line(alarm.fireTime, 'open', `${alarm.label}：${alarm.text}`)
    if (alarm.clearTime !== null) line(alarm.clearTime, 'clear', '恢复正常')
    if (handler) {
      const at = Math.min(handledAt, now - 60_000)
      line(Math.max(alarm.fireTime, at - 120_000), 'ack', '接单', handler)
      if (state === 'false') line(at, 'false', `误报：${alarm.falseWhy ?? '帽子掉落，人员无碍'}`, handler)
      if (measure) line(at, 'handle', `处置：${measure}`, handler)
      if (measure && state === 'closed') line(Math.min(at + 30_000, now), 'close', '关闭', handler)
    }
  }
  await client.query(
    `insert into alarm (id, project_code, device_id, device_name, family, alarm_key, label, level, max_level, state, active, stale, start_time, fire_time, clear_time,
       clear_reason, peak_value, peak_time, metric, threshold_text, rule_id, rule_version, sources, values_used, handler_name, handle_time, measure)
     select id, project_code, device_id, device_name, family, alarm_key, label, level, level, state, active, stale, start_time, fire_time, clear_time,
       clear_reason, peak_value, peak_time, metric, threshold_text, rule_id, 1, '{platform}', values_used, handler_name, handle_time, measure
     from jsonb_to_recordset($1::jsonb) as a(id text, project_code text, device_id text, device_name text, family text, alarm_key text, label text, level smallint,
       state text, active boolean, stale boolean, start_time timestamptz, fire_time timestamptz, clear_time timestamptz, clear_reason text, peak_value float8,
       peak_time timestamptz, metric text, threshold_text text, rule_id text, values_used jsonb, handler_name text, handle_time timestamptz, measure text)
     on conflict do nothing`,
    [JSON.stringify(rows)],
  )
  await client.query(
    `insert into alarm_log (id, alarm_id, project_code, at, event, text, by_name)
     select l.id, l.alarm_id, l.project_code, l.at, l.event, l.text, l.by_name
     from jsonb_to_recordset($1::jsonb) as l(id text, alarm_id text, project_code text, at timestamptz, event text, text text, by_name text)
     where exists (select 1 from alarm a where a.id = l.alarm_id)`,
    [JSON.stringify(log)],
  )
}
