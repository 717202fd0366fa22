import { aiEvents } from './ai-events.ts'
import { addDays, dayMs, dayOf, dayStart, weekday } from './calendar.ts'
import { story } from './city-plan.ts'
import type { City, Device, Family } from './city-types.ts'
import type { MachineRecord, Values } from './machine.ts'
import { machineFor } from './machines.ts'
import { stream } from './random.ts'
import { truckEvents, weighEvents } from './vehicle-events.ts'

export interface Sample {
  deviceSn: string
  /** Epoch ms. */
  time: number
  data: Values
  /** Additional data such as curves, if the device sends any. */
  extra?: Record<string, unknown>
}

export interface PastRecord extends MachineRecord {
  deviceSn: string
  projectCode: string
}

/** Families simulated step by step; the others are functions of time. */
const stepped: Family[] = ['towerCrane', 'lifter', 'smartHelmet']

/** Epoch ms from which a device has no samples: all of the past if it was never installed, today from 05:00 if it is offline. */
function silentFrom(city: City, device: Device): number {
  if (device.behaviour === 'notActivated') return Number.NEGATIVE_INFINITY
  if (device.behaviour === 'offline') return dayStart(city.today) + 5 * 3600_000
  return Number.POSITIVE_INFINITY
}

/** Random outage of a device on a day, [from, to) in epoch ms; no samples lie in it. */
export function outagesOf(city: City, device: Device, day: string): [number, number][] {
  const random = stream(city.seed, 'silence', device.deviceSn, day)
  if (!random.chance(0.12)) return []
  const from = dayStart(day) + random.int(0, 23 * 60) * 60_000
  return [[from, from + random.int(3, 40) * 60_000]]
}

/** Overloads of a crane or lift on a past day: few, in working hours. */
function pastOverloads(city: City, device: Device, day: string): number[] {
  const random = stream(city.seed, 'overloads', device.deviceSn, day)
  const green = city.projects.find((one) => one.projectCode === device.projectCode)?.shortName === story.green
  if (green || device.behaviour !== 'normal' || weekday(day) === 0) return []
  return Array.from(
    {
      length: random.weighted([
        [0, 5],
        [1, 3],
        [2, 1],
      ] as const),
    },
    () => dayStart(day) + random.int(8 * 3600, 17 * 3600) * 1000,
  ).sort((a, b) => a - b)
}

/** Simulates one device for one day, in steps of a second where it moves, and yields what it would have sent. */
function* liveDay(city: City, device: Device, day: string, stepSeconds: number): Generator<{ sample?: Sample; record?: PastRecord }> {
  const start = dayStart(day)
  const machine = machineFor(city, device, { purpose: `past ${day}`, overloadsAt: pastOverloads(city, device, day) })
  const silent = silentFrom(city, device)
  const outages = outagesOf(city, device, day)
  const moves = stepped.includes(device.family)
  for (let second = 0; second < 86_400; second += moves ? 1 : stepSeconds) {
    const now = start + second * 1000
    if (moves) machine.step(1, now)
    if (moves && machine.takeRecords) {
      for (const record of machine.takeRecords())
        if (record.time < silent) yield { record: { ...record, deviceSn: device.deviceSn, projectCode: device.projectCode } }
    }
    if (second % stepSeconds !== 0 || now >= silent) continue
    if (outages.some(([from, to]) => now >= from && now < to)) continue
    const data = machine.telemetry(now)
    const extra = machine.extra?.(now)
    if (data) yield { sample: { deviceSn: device.deviceSn, time: now, data, extra: extra || undefined } }
  }
}

/** Telemetry of one device in [from, to) at an interval; a day is the same in every range. */
export function* telemetryHistory(city: City, deviceSn: string, from: number, to: number, stepSeconds: number): Generator<Sample> {
  const device = city.devices.find((one) => one.deviceSn === deviceSn)
  if (!device) return
  for (let day = dayOf(from); day <= dayOf(to - 1); day = addDays(day, 1)) {
    if (day < device.installTime) continue
    for (const { sample } of liveDay(city, device, day, stepSeconds)) if (sample && sample.time >= from && sample.time < to) yield sample
  }
}

/** Cycles and operator recognitions of cranes and lifts, weighings and truck passages in [from, to). */
export function* recordHistory(city: City, deviceSn: string, from: number, to: number): Generator<PastRecord> {
  const device = city.devices.find((one) => one.deviceSn === deviceSn)
  if (!device) return
  for (
    let day = addDays(dayOf(from), device.family === 'weighbridge' || device.family === 'truckAccess' ? -1 : 0);
    day <= dayOf(to - 1);
    day = addDays(day, 1)
  ) {
    for (const record of recordsOfDay(city, device, day)) if (record.time >= from && record.time < to) yield record
  }
}

function recordsOfDay(city: City, device: Device, day: string): PastRecord[] {
  const place = { deviceSn: device.deviceSn, projectCode: device.projectCode }
  if (device.family === 'weighbridge')
    return weighEvents(city, device, day).map((event) => ({ record: 'weighRecord', time: event.time, data: event.data, ...place }))
  if (device.family === 'truckAccess') return truckEvents(city, device, day).map((record) => ({ ...record, ...place }))
  if (device.family === 'towerCrane' || device.family === 'lifter') {
    if (day < device.installTime) return []
    return [...liveDay(city, device, day, 86_400)].flatMap(({ record }) => (record ? [record] : []))
  }
  if (device.family === 'videoAi') return aiEvents(city, device, day).map((record) => ({ ...record, ...place }))
  return []
}

/** A past alarm of the demonstration, found in the same data as the charts. */
export interface PastAlarm {
  deviceSn: string
  projectCode: string
  family: Family
  alarmKey: string
  level: 1 | 2 | 3 | 4
  startTime: number
  clearTime: number | null
  metric: string
  threshold: number
  peak: number
  peakTime: number
  /** Outcome; codes are those of the platform. */
  handling: 'open' | 'handled' | 'closed' | 'falseAlarm'
  handlerName: string | null
  measure: string | null
}

interface Watch {
  key: string
  level: 1 | 2 | 3 | 4
  metric: string
  at: number
  clear: number
  forSeconds: number
  measures: string[]
}

/** The platform's default limits, most severe first per metric. */
const watches: Partial<Record<Family, Watch[]>> = {
  towerCrane: [
    {
      key: 'momentAlarm',
      level: 2,
      metric: 'momentPercent',
      at: 100,
      clear: 95,
      forSeconds: 0,
      measures: ['已要求司机减小幅度后卸载，复核吊物重量。', '信号工重新交底，超重钢筋分两吊。'],
    },
    {
      key: 'momentWarning',
      level: 3,
      metric: 'momentPercent',
      at: 90,
      clear: 85,
      forSeconds: 2,
      measures: ['已提醒司机，吊运完成后恢复。'],
    },
  ],
  lifter: [
    {
      key: 'loadAlarm',
      level: 2,
      metric: 'loadPercent',
      at: 100,
      clear: 95,
      forSeconds: 1,
      measures: ['已疏散超员人员，升降机恢复运行。'],
    },
  ],
  environment: [
    {
      key: 'pm10Warning',
      level: 4,
      metric: 'pm10',
      at: 120,
      clear: 110,
      forSeconds: 300,
      measures: ['开启东线喷淋 10 分钟，浓度回落。', '道路洒水，土方覆盖。'],
    },
    { key: 'tsp5min', level: 3, metric: 'tsp', at: 800, clear: 750, forSeconds: 300, measures: ['停止装车，雾炮降尘。'] },
  ],
  unloadingPlatform: [
    { key: 'weightWarning', level: 3, metric: 'weightPercent', at: 80, clear: 75, forSeconds: 5, measures: ['已吊离部分材料。'] },
  ],
}

/** Alarms in a device's simulated past, with the times and peaks of its telemetry at that interval. */
export function alarmHistory(city: City, deviceSn: string, from: number, to: number, stepSeconds = 5): PastAlarm[] {
  const device = city.devices.find((one) => one.deviceSn === deviceSn)
  const rules = device && watches[device.family]
  if (!device || !rules) return []
  const random = stream(city.seed, 'handling', deviceSn)
  const handlers = city.personas
    .filter((persona) => persona.projectCode === device.projectCode && persona.groupType === 3)
    .map((persona) => persona.name)
  const found: PastAlarm[] = []
  const state = new Map<string, { since: number; alarm: PastAlarm | null }>()
  for (const sample of telemetryHistory(city, deviceSn, from, to, stepSeconds)) {
    for (const rule of rules) {
      const value = Number(sample.data[rule.metric])
      const ruleState = state.get(rule.key)
      if (ruleState?.alarm) {
        if (value > ruleState.alarm.peak) {
          ruleState.alarm.peak = value
          ruleState.alarm.peakTime = sample.time
        }
        if (value >= rule.clear) continue
        ruleState.alarm.clearTime = sample.time
        state.delete(rule.key)
      } else if (value < rule.at) {
        state.delete(rule.key)
      } else {
        const since = ruleState?.since ?? sample.time
        if (sample.time - since < rule.forSeconds * 1000) {
          state.set(rule.key, { since, alarm: null })
          continue
        }
        const old = to - sample.time > dayMs / 2
        const handling =
          old || random.chance(0.6)
            ? random.weighted([
                ['handled', 5],
                ['closed', 4],
                ['falseAlarm', 1],
              ] as const)
            : 'open'
        const alarm: PastAlarm = {
          deviceSn,
          projectCode: device.projectCode,
          family: device.family,
          alarmKey: rule.key,
          level: rule.level,
          startTime: since,
          clearTime: null,
          metric: rule.metric,
          threshold: rule.at,
          peak: value,
          peakTime: sample.time,
          handling,
          handlerName: handling === 'open' || !handlers.length ? null : random.pick(handlers),
          measure: handling === 'open' ? null : handling === 'falseAlarm' ? '现场复核，传感器抖动。' : random.pick(rule.measures),
        }
        found.push(alarm)
        state.set(rule.key, { since, alarm })
      }
    }
  }
  return found
}
