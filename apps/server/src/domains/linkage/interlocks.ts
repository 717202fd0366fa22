import { interlocks, type Linkage } from '@zhugong/contract/rules/exec-model'
import { dryBelowMpa } from '@zhugong/contract/telemetry/device-faults'
import { sql } from 'kysely'
import type { Db } from '#kit/db'
import { metersApart } from './targets.ts'

type Interlock = Linkage['interlocks'][number]

export interface SiteReading {
  deviceId: string
  family: string
  lng: number | null
  lat: number | null
  at: Date
  values: Record<string, unknown>
  quality: Record<string, string> | null
}

export interface Verdict {
  key: Interlock
  label: string
  /** Null: no recent reading. This does not block the start, but is recorded. */
  holds: boolean | null
  text: string
}

/** Older readings are ignored. */
const freshMs = 15 * 60_000
const frostBelow = 2
const windFrom = 12

export async function readSite(db: Db, projectCode: string, targetId: string): Promise<SiteReading[]> {
  const { rows } = await sql<SiteReading>`
    select d.id as device_id, d.family, d.lng, d.lat, least(l.ts, l.received_at) as at, l.v as "values", l.quality
    from device d join device_latest l on l.device_id = d.id
    where d.project_code = ${projectCode} and d.status = '1' and (d.family = 'environment' or d.id = ${targetId}) order by d.name, d.id`.execute(
    db,
  )
  return rows
}

const freshValue = (r: SiteReading, metric: string, now: number): number | undefined => {
  const value = r.values[metric]
  const isGood = !r.quality?.[metric] && r.at.getTime() >= now - freshMs
  return isGood && typeof value === 'number' && Number.isFinite(value) ? value : undefined
}

interface Reader {
  metric: string
  /** Read from the target device, not from the site's stations. */
  ofTarget?: boolean
  worst: (...values: number[]) => number
  holds(value: number): boolean
  unknown: string
  say(value: number, holds: boolean): string
}
const readers: Readonly<Record<Interlock, Reader>> = {
  frost: {
    metric: 'temperature',
    worst: Math.min,
    holds: (v) => v < frostBelow,
    unknown: '气温未知',
    say: (v, holds) => `气温 ${v} ℃${holds ? `，低于 ${frostBelow} ℃` : ''}`,
  },
  rain: {
    metric: 'rainfall',
    worst: Math.max,
    holds: (v) => v > 0,
    unknown: '降雨未知',
    say: (v, holds) => (holds ? `降雨 ${v} mm` : '无降雨'),
  },
  wind: {
    metric: 'windSpeed',
    worst: Math.max,
    holds: (v) => v >= windFrom,
    unknown: '风速未知',
    say: (v, holds) => `风速 ${v} m/s${holds ? `，达到 ${windFrom} m/s` : ''}`,
  },
  lowWater: {
    metric: 'waterPressure',
    ofTarget: true,
    worst: Math.min,
    holds: (v) => v < dryBelowMpa,
    unknown: '水压未知',
    say: (v, holds) => `水压 ${v} MPa${holds ? `，低于 ${dryBelowMpa} MPa` : ''}`,
  },
}

/** Evaluates interlocks. Pure function. If several stations report, the most cautious value applies. */
export function judgeInterlocks(keys: readonly Interlock[], site: readonly SiteReading[], targetId: string, now: number): Verdict[] {
  return keys.map((key) => {
    const { metric, ofTarget, worst, holds, unknown, say } = readers[key]
    const wanted = site.filter((r) => (ofTarget ? r.deviceId === targetId : r.family === 'environment'))
    const values = wanted.flatMap((r) => freshValue(r, metric, now) ?? [])
    if (values.length === 0) return { key, label: interlocks[key], holds: null, text: `${unknown}（近 15 分钟无有效数据）` }
    const value = worst(...values)
    return { key, label: interlocks[key], holds: holds(value), text: say(value, holds(value)) }
  })
}

export const holdingText = (verdicts: readonly Verdict[]): string =>
  verdicts
    .filter((v) => v.holds)
    .map((v) => v.text)
    .join('；')
export const unknownText = (verdicts: readonly Verdict[]): string =>
  verdicts
    .filter((v) => v.holds === null)
    .map((v) => v.text)
    .join('；')

/** Dust at the alarm's own station, otherwise at the station nearest to the target. */
export function dustOf(site: readonly SiteReading[], alarmDevices: readonly string[], targetId: string, now: number): number | null {
  const target = site.find((r) => r.deviceId === targetId)
  const stations = site.flatMap((r) => {
    const pm10 = r.family === 'environment' ? freshValue(r, 'pm10', now) : undefined
    if (pm10 === undefined) return []
    const isOwn = alarmDevices.includes(r.deviceId)
    return [{ pm10, order: isOwn ? -1 : ((target && metersApart(target, r)) ?? Number.MAX_VALUE) }]
  })
  return stations.sort((a, b) => a.order - b.order)[0]?.pm10 ?? null
}
