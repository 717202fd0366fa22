import { createHash } from 'node:crypto'
import { canonicalPlate, withCanonicalPlate } from '@zhugong/contract/kit/plate'
import type { Family, StoredOrder } from '@zhugong/contract/telemetry/families'
import type { Field } from '@zhugong/contract/telemetry/field'
import { subjectOf } from './latest.ts'
import { type Mark, markOf, orderedText } from './mark.ts'
import { passageOf } from './passers.ts'

/** How far a device's clock may be ahead, and the ages from which a reading is late and is refused. */
export const clockAheadMs = 5 * 60_000
export const lateMs = 10 * 60_000
export const refuseMs = 30 * 86_400_000

export const flags = { live: 0, late: 1, clockAhead: 2 } as const
export type Flag = (typeof flags)[keyof typeof flags]

export interface Reading {
  time: number
  receivedAt: number
  /** Distinguishes it from other readings of the same device and time. */
  mark: Mark
  /** Metrics of the family that are present, by key. */
  values: Record<string, unknown>
  /** Values under keys that the family does not define. */
  unknown: Record<string, unknown> | null
  /** Quality marks of bad values only. */
  quality: Record<string, string> | null
  flag: Flag
  /**
   * Values that remain valid without being part of this reading, for example the last known location without a fix. Shown as latest values,
   * not stored again.
   */
  standing?: Record<string, unknown>
}

export interface Rejection {
  index: number
  key?: string
  reason: string
}

export interface Read<T> {
  accepted?: T
  rejected: Rejection[]
}

const hasZone = /(Z|[+-]\d{2}:?\d{2})$/

/** Parses epoch milliseconds or ISO 8601; a text without a zone is +08:00. */
export function readTime(raw: unknown): number | undefined {
  if (typeof raw === 'number') return Number.isFinite(raw) && raw > 1e11 && raw < 1e14 ? Math.trunc(raw) : undefined
  if (typeof raw !== 'string' || raw.length > 40 || !/^\d{4}-\d{2}-\d{2}[T ]/.test(raw)) return undefined
  if (!isDate(raw.slice(0, 10))) return undefined
  const at = Date.parse(hasZone.test(raw) ? raw : `${raw.replace(' ', 'T')}+08:00`)
  return Number.isNaN(at) ? undefined : at
}

/** Rejects dates such as 31 February, which the parser would accept as March. */
function isDate(text: string): boolean {
  const at = new Date(`${text}T00:00:00Z`)
  return !Number.isNaN(at.getTime()) && at.toISOString().startsWith(text)
}

/** The message number; 0 if the device does not number its messages or the value is invalid. */
export function readSeq(raw: unknown): number {
  return typeof raw === 'number' && Number.isSafeInteger(raw) && raw >= 0 ? raw : 0
}

export function flagOf(time: number, receivedAt: number): Flag | 'refused' {
  if (time > receivedAt + clockAheadMs) return flags.clockAhead
  if (time < receivedAt - refuseMs) return 'refused'
  return time < receivedAt - lateMs ? flags.late : flags.live
}

const isObject = (v: unknown): v is Record<string, unknown> => typeof v === 'object' && v !== null && !Array.isArray(v)

/** The value converted to the field's type; undefined if the type is wrong. */
function typed(field: Field, value: unknown): unknown {
  switch (field.type) {
    case 'number':
      return typeof value === 'number' && Number.isFinite(value) ? value : undefined
    case 'integer':
      return typeof value === 'number' && Number.isInteger(value) ? value : undefined
    case 'boolean':
      return typeof value === 'boolean' ? value : undefined
    case 'enum':
      return (typeof value === 'string' || typeof value === 'number') && Object.hasOwn(field.values ?? {}, String(value))
        ? String(value)
        : undefined
    case 'string':
    case 'datetime':
      return typeof value === 'string' && value.length <= (field.maxLength ?? 512) ? value : undefined
  }
}

/**
 * Whether a number is outside the plausible range of its metric (`min` and `max` in devices.json). It is stored but excluded from
 * evaluation.
 */
export const isBeyond = ({ min, max }: { min?: number | undefined; max?: number | undefined }, value: unknown): boolean =>
  typeof value === 'number' && (value < (min ?? value) || value > (max ?? value))

/** Total inclination of a plane inclined by x and y, in degrees, rounded to hundredths. */
export const leanOf = (x: number, y: number): number => Math.round(Math.hypot(x, y) * 100) / 100

const qualities = new Set(['outOfRange', 'fault', 'maintenance', 'calibration', 'stopped', 'manual', 'linkLost', 'stale'])
const maxExtraBytes = 8 * 1024

/** Decodes one item of a telemetry message. A wrong type rejects only that key; unknown keys are kept. */
export function readTelemetry(family: Family, item: unknown, index: number, receivedAt: number): Read<Reading> {
  if (!isObject(item) || !isObject(item.data)) return { rejected: [{ index, reason: 'format' }] }
  const time = readTime(item.time)
  if (time === undefined) return { rejected: [{ index, key: 'time', reason: 'time' }] }
  const flag = flagOf(time, receivedAt)
  if (flag === 'refused') return { rejected: [{ index, key: 'time', reason: 'tooOld' }] }
  const rejected: Rejection[] = []
  const values: Record<string, unknown> = {}
  let unknown: Record<string, unknown> | null = null
  let quality: Record<string, string> | null = null
  for (const [key, raw] of Object.entries(item.data)) {
    if (raw === null) continue
    const metric = family.metric(key)
    if (!metric) {
      unknown ??= {}
      unknown[key] = raw
      continue
    }
    const value = typed(metric, raw)
    if (value === undefined) {
      rejected.push({ index, key, reason: 'type' })
      continue
    }
    values[key] = key === 'plateNo' ? canonicalPlate(String(value)) : value
  }
  upright(family, values)
  for (const key of Object.keys(values)) {
    const metric = family.metric(key)
    if (!metric || !isBeyond(metric, values[key])) continue
    quality ??= {}
    quality[key] = 'outOfRange'
  }
  if (isSwapped(values)) quality = { ...quality, longitude: 'swapped', latitude: 'swapped' }
  if (isObject(item.quality)) {
    for (const [key, word] of Object.entries(item.quality)) {
      if (typeof word !== 'string' || word === 'good' || !family.metric(key)) continue
      quality ??= {}
      quality[key] = qualities.has(word) ? word : 'fault'
    }
  }
  if (unknown && JSON.stringify(unknown).length > maxExtraBytes) {
    rejected.push({ index, reason: 'extraTooLarge' })
    unknown = null
  }
  if (Object.keys(values).length === 0 && !unknown) return { rejected: rejected.length ? rejected : [{ index, reason: 'empty' }] }
  const mark = markOf(readSeq(item.seq), orderedText([values, unknown, quality]))
  derive(family, values, quality)
  return { accepted: { time, receivedAt, mark, values, unknown, quality, flag }, rejected }
}

const down = '2'

/** Normalises variants: a negative speed means downward, 0, 0 means no fix. */
function upright(family: Family, values: Record<string, unknown>): void {
  if (family.key === 'lifter' && typeof values.speed === 'number' && values.speed < 0) {
    values.speed = -values.speed
    if (family.metric('direction')) values.direction ??= down
  }
  if (values.longitude === 0 && values.latitude === 0) {
    delete values.longitude
    delete values.latitude
    if (family.metric('positioned')) values.positioned = false
  }
}

/** Bounding box of China in whole degrees, the same as in form validation. */
const china = { longitude: [73, 136], latitude: [3, 54] } as const
const within = (value: unknown, [low, high]: readonly [number, number]) => typeof value === 'number' && value >= low && value <= high

/** Whether a location lies in China only with longitude and latitude exchanged. */
const isSwapped = ({ longitude, latitude }: Record<string, unknown>): boolean =>
  within(latitude, china.longitude) &&
  within(longitude, china.latitude) &&
  !(within(longitude, china.longitude) && within(latitude, china.latitude))

/** Bits of a crane's alarm word that are metrics as well. */
const craneLimitBits: readonly [string, string][] = [
  ['limitUpper', 'upperLimit'],
  ['limitLower', 'lowerLimit'],
  ['limitOuter', 'outerLimit'],
  ['limitInner', 'innerLimit'],
  ['limitLeft', 'leftLimit'],
  ['limitRight', 'rightLimit'],
]

/** Whether a bit of a device's alarm word is set; bit 0 is the rightmost character. */
export function alarmBit(word: unknown, bit: number): boolean {
  return typeof word === 'string' && bit >= 0 && word[word.length - 1 - bit] === '1'
}

/** Adds values derived from those that were sent. */
function derive(family: Family, values: Record<string, unknown>, quality: Record<string, string> | null): void {
  if (typeof values.tiltX === 'number' && typeof values.tiltY === 'number' && values.tilt === undefined && family.metric('tilt')) {
    if (!quality?.tiltX && !quality?.tiltY) values.tilt = leanOf(values.tiltX, values.tiltY)
  }
  if (family.key !== 'towerCrane') return
  if (values.slewAngle === 360) values.slewAngle = 0
  if (typeof values.alarmBits === 'string') {
    for (const [metric, name] of craneLimitBits) values[metric] ??= alarmBit(values.alarmBits, family.deviceAlarmBits.indexOf(name))
  }
}

export interface RecordItem {
  record: string
  time: number
  receivedAt: number
  seq: number
  /** Distinguishes it from other records of the same device and time. */
  id: string
  data: Record<string, unknown>
}

const maxRecordBytes = 64 * 1024

/** Decodes one item of a record message: a working cycle, a weighing, a passage. Attendance is never refused for its age. */
export function readRecord(family: Family, item: unknown, index: number, receivedAt: number, given?: unknown): Read<RecordItem> {
  if (!isObject(item) || !isObject(item.data)) return { rejected: [{ index, reason: 'format' }] }
  const record = item.record ?? given
  if (typeof record !== 'string' || !family.record(record)) return { rejected: [{ index, key: 'record', reason: 'unknownRecord' }] }
  const time = readTime(item.time ?? item.data.time ?? item.data.endTime)
  if (time === undefined) return { rejected: [{ index, key: 'time', reason: 'time' }] }
  const isAttendance = record === 'attendance'
  if (!isAttendance && flagOf(time, receivedAt) === 'refused') return { rejected: [{ index, key: 'time', reason: 'tooOld' }] }
  const text = JSON.stringify(item.data)
  if (text.length > maxRecordBytes) return { rejected: [{ index, reason: 'tooLarge' }] }
  const seq = readSeq(item.seq)
  const own = item.data.eventId ?? item.data.cycleNo ?? item.data.recordNo
  const content = () => createHash('sha1').update(text).digest('hex').slice(0, 16)
  // Identified by the record's own number, which each cage or point counts separately; otherwise by a hash of the content.
  const known = typeof own === 'string' && own ? [own.slice(0, 64), subjectOf(item.data)] : [seq || '', content()]
  const data = isAttendance ? passageOf(item.data) : withCanonicalPlate(item.data)
  return { accepted: { record, time, receivedAt, seq, id: [record, ...known.filter(Boolean)].join(':'), data }, rejected: [] }
}

export interface EventItem {
  type: string
  state: 'start' | 'end'
  value: number | null
  time: number
  receivedAt: number
  /** The point or cage it concerns; '' for the device as a whole. */
  point: string
  id: string
  data: Record<string, unknown>
}

/** Keys of a single item that belong to the enclosing message. */
const envelopeKeys: ReadonlySet<string> = new Set(['v', 'msgId', 'ack'])

/** Decodes one item of an event message: an alarm decided by the device, an SOS. */
export function readEvent(item: unknown, index: number, receivedAt: number): Read<EventItem> {
  if (!isObject(item)) return { rejected: [{ index, reason: 'format' }] }
  const body = isObject(item.data) ? { ...item, ...item.data } : item
  const type = body.type
  if (typeof type !== 'string' || !/^\w{1,40}$/.test(type)) return { rejected: [{ index, key: 'type', reason: 'type' }] }
  const time = readTime(item.time ?? body.time)
  if (time === undefined) return { rejected: [{ index, key: 'time', reason: 'time' }] }
  if (flagOf(time, receivedAt) === 'refused') return { rejected: [{ index, key: 'time', reason: 'tooOld' }] }
  const state = body.state === 'end' ? 'end' : 'start'
  const value = typeof body.value === 'number' && Number.isFinite(body.value) ? body.value : null
  const { time: _time, seq, data: _data, ...rest } = body
  const said = Object.fromEntries(Object.entries(rest).filter(([key]) => !envelopeKeys.has(key)))
  const mark = markOf(readSeq(seq), orderedText(said))
  return {
    accepted: { type, state, value, time, receivedAt, point: subjectOf(rest), id: `${type}:${state}:${mark}`, data: rest },
    rejected: [],
  }
}

/** The database columns of a reading: numbers by position, everything else by name. */
export function toColumns(order: StoredOrder, reading: Reading) {
  const { values } = reading
  let last = -1
  const v: (number | null)[] = new Array(order.narrow.length)
  for (const [i, key] of order.narrow.entries()) {
    const value = values[key]
    v[i] = typeof value === 'number' ? value : null
    if (v[i] !== null) last = i
  }
  v.length = last + 1
  const w =
    order.wide.length && order.wide.some((key) => values[key] !== undefined)
      ? order.wide.map((key) => (typeof values[key] === 'number' ? (values[key] as number) : null))
      : null
  let extra: Record<string, unknown> | null = reading.unknown ? { ...reading.unknown } : null
  for (const key of Object.keys(values)) {
    if (typeof values[key] === 'number') continue
    extra ??= {}
    extra[key] = values[key]
  }
  return { v, w, extra }
}

/** The values of a stored row by name. */
export function fromColumns(
  order: StoredOrder,
  row: { v: readonly (number | null)[]; w: readonly (number | null)[] | null; extra: Record<string, unknown> | null },
): Record<string, unknown> {
  const values: Record<string, unknown> = {}
  for (const [i, key] of order.narrow.entries()) {
    const value = row.v[i]
    // The type real has 7 digits: restores 3.2 instead of 3.2000000476837.
    if (value !== null && value !== undefined) values[key] = Number(value.toPrecision(7))
  }
  for (const [i, key] of order.wide.entries()) {
    const value = row.w?.[i]
    if (value !== null && value !== undefined) values[key] = value
  }
  return Object.assign(values, row.extra ?? {})
}
