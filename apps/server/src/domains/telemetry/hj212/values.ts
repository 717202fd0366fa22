import { shanghaiOffsetMs } from '@zhugong/contract/kit/time'
import type { Family } from '@zhugong/contract/telemetry/families'
import { flagOf, isBeyond, markOf, type Reading, type RecordItem, type Rejection } from '../../readings/public.ts'
import type { Hj212Frame } from './frame.ts'

/** Codes of the standard, and older names still used by devices. */
const codes: Readonly<Record<string, string>> = {
  a34001: 'tsp',
  a34002: 'pm10',
  a34004: 'pm25',
  LA: 'noise',
  Leq: 'leq',
  a01001: 'temperature',
  a01002: 'humidity',
  a01006: 'pressure',
  a01007: 'windSpeed',
  a01008: 'windDirection',
  PM25: 'pm25',
  PM10: 'pm10',
  TSP: 'tsp',
  B03: 'noise',
  NOISE: 'noise',
  TEMP: 'temperature',
  T: 'temperature',
  HUM: 'humidity',
  HUMI: 'humidity',
  RH: 'humidity',
  WS: 'windSpeed',
  WD: 'windDirection',
  MPA: 'pressure',
  ATM: 'pressure',
}
const byCode = new Map(Object.entries(codes).map(([code, metric]) => [code.toUpperCase(), metric]))

/** Only N, or no flag, is valid. Other flags are stored as quality; such values are excluded from alarms and means. */
const qualityOfFlag: Readonly<Record<string, string>> = {
  F: 'stopped',
  M: 'maintenance',
  S: 'manual',
  D: 'fault',
  C: 'calibration',
  T: 'outOfRange',
  B: 'linkLost',
}

/** Parses yyyyMMddHHmmss, with or without milliseconds, in +08:00. Returns epoch milliseconds. */
export function parseDataTime(text: string): number | undefined {
  const m = /^(\d{4})(\d{2})(\d{2})(\d{2})(\d{2})(\d{2})(\d{3})?$/.exec(text)
  if (!m) return undefined
  const at = Date.parse(`${m[1]}-${m[2]}-${m[3]}T${m[4]}:${m[5]}:${m[6]}.${m[7] ?? '000'}+08:00`)
  // Rejects dates such as 31 February, which the parser would accept as March.
  return !Number.isNaN(at) && formatDataTime(at) === text.slice(0, 14) ? at : undefined
}

/** Formats a time as the standard does, in +08:00. */
export function formatDataTime(at: number, milliseconds = false): string {
  const text = new Date(at + shanghaiOffsetMs).toISOString().replace(/[-T:.Z]/g, '')
  return milliseconds ? text.slice(0, 17) : text.slice(0, 14)
}

type Attributes = Map<string, string>

/** The values of CP by code and attribute. A name without an attribute counts as `Rtd`. */
function byName(frame: Hj212Frame): { dataTime: number | undefined; items: Map<string, Attributes> } {
  const items = new Map<string, Attributes>()
  let dataTime: number | undefined
  for (const [name, value] of frame.pairs ?? []) {
    if (name === 'DataTime') {
      dataTime = parseDataTime(value)
      continue
    }
    const dash = name.lastIndexOf('-')
    const code = dash > 0 ? name.slice(0, dash) : name
    const attribute = dash > 0 ? name.slice(dash + 1) : 'Rtd'
    const attributes = items.get(code) ?? new Map<string, string>()
    items.set(code, attributes.set(attribute, value))
  }
  return { dataTime, items }
}

/** Rounds to 12 digits, so that 0.1 × 3 yields 0.3 as on the station's display. */
const scaled = (value: number, factor: number): number => (factor === 1 ? value : Number((value * factor).toPrecision(12)))

const particulates = new Set(['tsp', 'pm10', 'pm25'])

function numberOf(metric: string, text: string | undefined, units: Readonly<Record<string, string>> | undefined): number | undefined {
  if (text === undefined || !/^[+-]?\d+(\.\d+)?$/.test(text)) return undefined
  const value = Number(text)
  // The unit is configured per device and never guessed from the size of the number.
  return particulates.has(metric) && units?.[metric] === 'mg' ? Math.round(value * 1e6) / 1e3 : value
}

/** Device settings for decoding: units of particulates, custom codes. */
export interface StationWords {
  units?: Readonly<Record<string, string>> | undefined
  codes?: Readonly<Record<string, { metric: string; factor?: number }>> | undefined
}

function metricOf(code: string, station: StationWords): { metric: string | undefined; factor: number } {
  const own = station.codes?.[code]
  return own ? { metric: own.metric, factor: own.factor ?? 1 } : { metric: byCode.get(code.toUpperCase()), factor: 1 }
}

/** Unknown values as received; names are cut to 40 characters, values to 100. */
const extraOf = (code: string, attributes: Attributes): Record<string, string> =>
  Object.fromEntries([...attributes].map(([attribute, value]) => [`${code}-${attribute}`.slice(0, 40), value.slice(0, 100)]))

export interface Hj212Reading {
  reading?: Reading
  rejected: Rejection[]
}

/** Decodes CN 2011: real-time values. */
export function toReading(frame: Hj212Frame, family: Family, station: StationWords, receivedAt: number): Hj212Reading {
  const { dataTime, items } = byName(frame)
  if (dataTime === undefined) return { rejected: [{ index: 0, key: 'DataTime', reason: 'time' }] }
  const flag = flagOf(dataTime, receivedAt)
  if (flag === 'refused') return { rejected: [{ index: 0, key: 'DataTime', reason: 'tooOld' }] }
  const values: Record<string, unknown> = {}
  let unknown: Record<string, unknown> | null = null
  let quality: Record<string, string> | null = null
  const rejected: Rejection[] = []
  for (const [code, attributes] of items) {
    const { metric, factor } = metricOf(code, station)
    const known = metric ? family.metric(metric) : undefined
    const text = attributes.get('Rtd') ?? attributes.get('Data') ?? attributes.get('Avg')
    if (!known || !metric) {
      unknown = Object.assign(unknown ?? {}, extraOf(code, attributes))
      continue
    }
    const number = numberOf(metric, text, station.units)
    const value = number === undefined ? undefined : scaled(number, factor)
    const word = qualityOfFlag[(attributes.get('Flag') ?? 'N').toUpperCase()]
    if (value === undefined) {
      if (text !== undefined) rejected.push({ index: 0, key: code, reason: 'type' })
      // A known code with an unknown attribute (for example `LA-td`, a misprint in several manuals) is stored as an unknown value.
      else unknown = Object.assign(unknown ?? {}, extraOf(code, attributes))
      continue
    }
    values[metric] = value
    const outside = isBeyond(known, value)
    // Without a configured unit (µg or mg) the value is stored but excluded from evaluation.
    const unconfirmed = particulates.has(metric) && station.units?.[metric] === undefined
    if (word || outside || unconfirmed) {
      quality ??= {}
      quality[metric] = word ?? (unconfirmed ? 'unitUnconfirmed' : 'outOfRange')
    }
  }
  if (Object.keys(values).length === 0 && !unknown) return { rejected: [...rejected, { index: 0, reason: 'empty' }] }
  // Packets of one report have the same time. Each is stored one millisecond later than the previous one, so that none replaces another.
  return {
    reading: {
      time: dataTime + Math.max(0, frame.pno - 1),
      receivedAt,
      // The mark covers this frame alone, so that a retransmitted packet is recognised even after packets are merged.
      mark: markOf(frame.pno > 1 ? frame.pno : 0, frame.cp),
      values,
      unknown,
      quality,
      flag,
    },
    rejected,
  }
}

const periods: Readonly<Record<string, string>> = {
  '2051': 'minute',
  '2061': 'hour',
  '2031': 'day',
  '2041': 'runTime',
  '2021': 'state',
  '2081': 'start',
  // Edition 2025: raw data, single noise measurements, checks against a reference, and 2111.
  '2013': 'raw',
  '2052': 'noise',
  '2062': 'check',
  '2111': 'other',
}
export const isPeriod = (cn: string): boolean => Object.hasOwn(periods, cn)

/**
 * Decodes the device's own minute, hour and day values; they are stored beside the platform's and marked as the device's. DataTime is the
 * start of the period.
 */
export function toPeriod(frame: Hj212Frame, station: StationWords, receivedAt: number): RecordItem | undefined {
  const { dataTime, items } = byName(frame)
  if (dataTime === undefined || flagOf(dataTime, receivedAt) === 'refused') return undefined
  const values: Record<string, Record<string, number | string>> = {}
  for (const [code, attributes] of items) {
    const { metric, factor } = metricOf(code, station)
    const row: Record<string, number | string> = {}
    for (const [attribute, text] of attributes) {
      const name = attribute.charAt(0).toLowerCase() + attribute.slice(1)
      const isText = name === 'flag' || name === 'eFlag' || name === 'sampleTime'
      const number = metric && !isText ? numberOf(metric, text, station.units) : undefined
      row[name] = number === undefined ? text : scaled(number, factor)
    }
    values[metric ?? code] = row
  }
  const kind = periods[frame.cn] ?? frame.cn
  return {
    record: 'period',
    time: dataTime,
    receivedAt,
    seq: frame.pno,
    // Packets of one report update one record.
    id: `period:${kind}`,
    data: { kind, source: 'device', values },
  }
}

/** Suggests the family of an unknown device, for the user who registers it. */
export const looksLikeEnvironment = (frame: Hj212Frame): boolean =>
  frame.st === '39' || (frame.pairs ?? []).some(([name]) => byCode.has((name.split('-')[0] ?? '').toUpperCase()))
