import devices from '../data/devices.json' with { type: 'json' }
import type { OnlyWhen } from '../rules/model.ts'
import type { Field } from './field.ts'
import { commonRecordFields, decoderField, proseRecordFields } from './known-fields.ts'

export interface Metric extends Field {
  typical?: readonly [number, number]
  /** Monotonic counter: stored with all its digits. */
  counter?: boolean
  /** The metric's code in HJ 212. */
  hj212?: string
}

export interface RecordKind {
  key: string
  label: string
  fields: readonly Field[]
}

export type Comparison = '>=' | '>' | '<=' | '<' | '==' | '!=' | 'abs>=' | 'abs>' | 'abs<=' | 'abs<' | 'abs==' | 'abs!='

/** A condition as rules define it; a type this version cannot evaluate yet is kept and displayed as such. */
export interface Condition {
  type: string
  of?: readonly Condition[]
  metric?: string
  op?: string
  value?: number
  [parameter: string]: unknown
}

export interface AlarmKind {
  key: string
  label: string
  level: 1 | 2 | 3 | 4
  condition: Condition
  forSeconds?: number
  clearForSeconds?: number
  schedule?: readonly (readonly [number, number])[] | string
  /** A record kind; the metrics are then its fields. */
  on?: string
  onlyWhen?: OnlyWhen
  minConfidence?: number
  confirmSamples?: number
  counting?: string
  defaultThreshold: string
  source: string
}

export interface Family {
  code: number
  key: string
  name: string
  intervalSeconds: number
  params: readonly Field[]
  metrics: readonly Metric[]
  records: readonly RecordKind[]
  alarms: readonly AlarmKind[]
  statuses: Readonly<Record<string, string>>
  /** Alarm keys by bit of the device's own alarm word, bit 0 first. */
  deviceAlarmBits: readonly string[]
  metric(key: string): Metric | undefined
  alarm(key: string): AlarmKind | undefined
  record(key: string): RecordKind | undefined
  /** Label and unit of a key of a reading, a record or a decoder; undefined for a key only the device knows. */
  field(key: string, record?: string): Field | undefined
}

interface RawFamily extends Omit<Family, 'intervalSeconds' | 'deviceAlarmBits' | 'metric' | 'alarm' | 'record' | 'field' | 'records'> {
  typicalIntervalSeconds: number
  records: { key: string; label: string; fields: (Field | string)[] | string }[]
  deviceAlarmBits?: string[]
}

const byKeyOf = <T extends { key: string }>(all: readonly T[]) => {
  const map = new Map(all.map((one) => [one.key, one]))
  return (key: string) => map.get(key)
}

/**
 * A record's fields; `see <family>` refers to the fields of the record with the same key there. Fields the catalogue describes in prose are in
 * `known-fields.ts`.
 */
function fieldsOf(family: string, fields: (Field | string)[] | string, record: string): Field[] {
  const prose = proseRecordFields[`${family}/${record}`] ?? []
  if (typeof fields !== 'string') return [...fields.filter((f): f is Field => typeof f !== 'string'), ...prose]
  const other = (devices as unknown as { families: RawFamily[] }).families.find((f) => `see ${f.key}` === fields)
  return fieldsOf(other?.key ?? family, other?.records.find((r) => r.key === record)?.fields ?? [], record)
}

function toFamily(raw: RawFamily): Family {
  const records = raw.records.map((r) => ({ key: r.key, label: r.label, fields: fieldsOf(raw.key, r.fields, r.key) }))
  const metric = byKeyOf(raw.metrics)
  const record = byKeyOf(records)
  const common = byKeyOf(commonRecordFields)
  return {
    code: raw.code,
    key: raw.key,
    name: raw.name,
    intervalSeconds: raw.typicalIntervalSeconds,
    params: raw.params,
    metrics: raw.metrics,
    records,
    alarms: raw.alarms,
    statuses: raw.statuses,
    deviceAlarmBits: raw.deviceAlarmBits ?? [],
    metric,
    alarm: byKeyOf(raw.alarms),
    record,
    field: (key, kind) =>
      (kind === undefined ? undefined : record(kind)?.fields.find((f) => f.key === key)) ??
      metric(key) ??
      records.flatMap((r) => r.fields).find((f) => f.key === key) ??
      common(key) ??
      decoderField(key),
  }
}

export const families: readonly Family[] = (devices as unknown as { families: RawFamily[] }).families.map(toFamily)
export const familyKeys = families.map((f) => f.key)
export const familyOf = byKeyOf(families)
const byCode = new Map(families.map((f) => [f.code, f]))
export const familyByCode = (code: number): Family | undefined => byCode.get(code)

/** The family of a key or a numeric code; callers send either. */
export const familyNamed = (name: string): Family | undefined =>
  familyOf(name) ?? (/^\d+$/.test(name) ? byCode.get(Number(name)) : undefined)

export const riskLevels = (devices as unknown as { riskLevels: { level: number; name: string; label: string; color: string }[] }).riskLevels

/** Silence after which a device counts as offline: the family's own limit, else max(3 x interval, 60 s). */
export function offlineSecondsOf(family: Family, intervalSeconds = family.intervalSeconds): number {
  const own = family.alarms.find((a) => a.condition.type === 'noData')?.condition.seconds
  return Math.max(typeof own === 'number' ? own : 0, 3 * intervalSeconds, 60)
}

/**
 * Storage position of each metric in a reading. `real` (7 digits) holds most numbers; counters and coordinates are in the double-precision column;
 * flags, codes and texts in the JSON column. Positions in use never change: a metric added later gets a new version, appended after the old
 * positions.
 */
export interface StoredOrder {
  version: number
  narrow: readonly string[]
  wide: readonly string[]
}

const wideKeys = new Set(['longitude', 'latitude'])
const isNumeric = (m: Field) => m.type === 'number' || m.type === 'integer'
const isWide = (m: Metric) => m.counter === true || wideKeys.has(m.key)

const orders = new Map(
  families.map((f) => [
    f.key,
    new Map<number, StoredOrder>([
      [
        1,
        {
          version: 1,
          narrow: f.metrics.filter((m) => isNumeric(m) && !isWide(m)).map((m) => m.key),
          wide: f.metrics.filter((m) => isNumeric(m) && isWide(m)).map((m) => m.key),
        },
      ],
    ]),
  ]),
)
export const currentSchema = 1

export function storedOrder(family: string, version: number = currentSchema): StoredOrder | undefined {
  return orders.get(family)?.get(version)
}
