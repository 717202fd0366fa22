import { hourMs } from '@zhugong/contract/kit/time'
import { roadLimitTonnes } from '@zhugong/contract/monitoring/weigh/weigh-codes'
import { familyOf } from '@zhugong/contract/telemetry/families'
import type { City, Device } from '@zhugong/simulator/city-types'
import { leakOf, waterEpisodes, weakBatteryOf } from '@zhugong/simulator/meter'
import { formatDay, startOfDay } from '#kit/clock'
import type { PastAlarm } from './past-rules.ts'

/** Deviation from the delivery note that raises an alarm, percent. */
const shortPercent = -3
/** An alarm about a record ends at once. */
const clearedMs = 60_000

interface Passed {
  record: string
  time: number
  data: Record<string, unknown>
}

/** Alarm of the delivered rules for a past weighing or passage; undefined if there is none. */
export function yardAlarm(device: Device, { record, time, data }: Passed): PastAlarm | undefined {
  const found = record === 'weighRecord' ? weighedBadly(data) : record === 'accessRecord' ? passedBadly(data) : undefined
  return found && alarmOf(device, time, found, data)
}

interface Found {
  key: string
  metric: string
  peak: number | null
  text: string
}

function weighedBadly(data: Readonly<Record<string, unknown>>): Found | undefined {
  const deviation = Number(data.deviationPercent)
  if (deviation <= shortPercent)
    return { key: 'shortWeight', metric: 'deviationPercent', peak: deviation, text: `偏差率 ≤ ${shortPercent} %` }
  const gross = Number(data.grossWeight)
  return gross > roadLimitTonnes ? { key: 'overload', metric: 'grossWeight', peak: gross, text: `毛重 > ${roadLimitTonnes} t` } : undefined
}

function passedBadly(data: Readonly<Record<string, unknown>>): Found | undefined {
  if (data.direction !== '1') return undefined
  if (data.washed === '0' || data.washed === '2') return { key: 'notWashed', metric: 'washed', peak: null, text: '出场未冲洗干净' }
  return data.covered === '0' ? { key: 'uncovered', metric: 'covered', peak: null, text: '出场未密闭' } : undefined
}

function alarmOf(device: Device, time: number, { key, metric, peak, text }: Found, values: Record<string, unknown>): PastAlarm {
  const kind = familyOf(device.family)?.alarm(key)
  return {
    deviceId: device.id,
    alarmKey: key,
    label: kind?.label ?? key,
    level: kind?.level ?? 3,
    startTime: time,
    fireTime: time,
    clearTime: time + clearedMs,
    metric,
    peak,
    peakTime: time,
    text,
    values,
  }
}

/** Unwanted flow between midnight and six, after a delay of two hours. */
const night = { from: 2, to: 6 }

/** Alarm of a leaking meter for the night within [from, end). */
export function leakAlarm(city: City, device: Device, from: number, end: number): PastAlarm | undefined {
  const leak = leakOf(city, device)
  const midnight = startOfDay(formatDay(end))
  const [start, over] = [midnight + night.from * hourMs, midnight + night.to * hourMs]
  if (leak === 0 || start < from || over >= end) return undefined
  const alarm = alarmOf(
    device,
    start,
    { key: 'leak', metric: 'flowRate', peak: leak, text: '夜间流量 > 0.05 m³/h，持续 2 小时' },
    { flowRate: leak },
  )
  return { ...alarm, clearTime: over }
}

/** Delay of the rules. */
const keptMs = { leak: 2 * hourMs, burst: 5 * 60_000 }

/** Past alarms of the main site's water meters; a weak battery stays active until it is replaced. */
export function waterAlarms(city: City, device: Device, now: number): PastAlarm[] {
  const volts = weakBatteryOf(device)
  const weak =
    volts === undefined
      ? []
      : [
          {
            ...alarmOf(
              device,
              now - 26 * hourMs,
              { key: 'batteryLow', metric: 'batteryVoltage', peak: volts, text: '电池电压 < 3.2 V' },
              { batteryVoltage: volts },
            ),
            clearTime: null,
          },
        ]
  const past = waterEpisodes(city, device).map(({ kind, from, to, flow, isCuring }) => {
    const text = kind === 'leak' ? '夜间流量 > 0.05 m³/h，持续 2 小时' : '流量超过最大流量，持续 5 分钟'
    const reported = alarmOf(device, from, { key: kind, metric: 'flowRate', peak: flow, text }, { flowRate: flow })
    return {
      ...reported,
      fireTime: from + keptMs[kind],
      clearTime: to,
      ...(isCuring ? { isFalse: true, falseWhy: '夜间混凝土养护用水，已登记用水时段' } : {}),
    }
  })
  return [...weak, ...past]
}
