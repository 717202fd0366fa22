import { roadLimitTonnes } from '@zhugong/contract/monitoring/weigh-codes'
import { familyOf } from '@zhugong/contract/telemetry/families'
import type { City, Device } from '@zhugong/simulator/city-types'
import { leakOf } from '@zhugong/simulator/meter'
import { formatDay, startOfDay } from '#kit/clock'
import type { PastAlarm } from './past-rules.ts'

/** A delivery this much under its papers is a case, percent. */
const shortPercent = -3
/** What a record is blamed for is over with it. */
const clearedMs = 60_000

interface Passed {
  record: string
  time: number
  data: Record<string, unknown>
}

/** What the delivered rules say of a past weighing or passage; undefined where nothing is wrong with it. */
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

const hourMs = 3_600_000
/** Flow that should not be between midnight and six, held for two hours. */
const night = { from: 2, to: 6 }

/** What a leaking meter is told of after the night within [from, end). */
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
