import { crc32 } from 'node:zlib'
import type { Family } from '@zhugong/contract/telemetry/families'
import { type EventItem, flagOf, isBeyond, markGiven, type Reading } from '../../readings/public.ts'
import type { Location } from './bodies.ts'

/** Event names of the alarm bits; bits 0 and 8 are also metrics of the truck. */
export const alarmNames: Readonly<Record<number, string>> = {
  0: 'emergency',
  1: 'overspeed',
  2: 'fatigue',
  3: 'dangerWarning',
  4: 'receiverFault',
  5: 'antennaOpen',
  6: 'antennaShort',
  7: 'lowVoltage',
  8: 'powerCut',
  18: 'drivingTimeOfDay',
  19: 'parkedTooLong',
  20: 'areaInOut',
  21: 'routeInOut',
  23: 'routeDeviation',
  27: 'illegalIgnition',
  29: 'collision',
  30: 'rollover',
}

const bit = (word: number, n: number): boolean => ((word >>> n) & 1) === 1

/** Known additional items by id: key, bytes, factor. */
const knownItems: Readonly<Record<number, readonly [key: string, width: number, factor: number]>> = {
  1: ['mileage', 4, 0.1],
  2: ['fuel', 2, 0.1],
  3: ['recorderSpeed', 2, 0.1],
  4: ['alarmEventId', 2, 1],
  37: ['vehicleSignals', 4, 1],
  48: ['signal', 1, 1],
  49: ['satellites', 1, 1],
}
/**
 * The standard defines no state of a truck's body. Vendors send it in an item of their own range (E0 and above), whose id is set in the
 * device parameters.
 * One byte: bit 0 cover closed, bit 1 body lifted. Without that setting the item is stored as received.
 */
const body = { shut: 0, lifted: 1, from: 0xe0 } as const
function bodyItemOf(params: Readonly<Record<string, unknown>> | undefined): number | undefined {
  const reported = params?.bodyItem
  const id = typeof reported === 'string' && /^[0-9a-f]{2}$/i.test(reported) ? Number.parseInt(reported, 16) : Number.NaN
  return id >= body.from ? id : undefined
}
const round = (value: number) => Math.round(value * 1e6) / 1e6

export type Refused = 'time' | 'position' | 'tooOld'

/** Bits of a word as text, bit 0 rightmost. */
export const bitText = (word: number): string => (word >>> 0).toString(2).padStart(32, '0')

/**
 * Converts a location to a reading. Without a fix, status and alarms are valid, and the map keeps the last known point.
 * Returns the reason if the location is rejected.
 */
export function toReading(
  family: Family,
  location: Location,
  bytes: Buffer,
  receivedAt: number,
  lastPoint: { longitude: number; latitude: number } | undefined,
  params?: Readonly<Record<string, unknown>>,
): Reading | Refused {
  const { time, status, alarm } = location
  // Receivers report 0, 0 before their first fix.
  const positioned = location.positioned && !(location.latitude === 0 && location.longitude === 0)
  if (time === undefined) return 'time'
  if (positioned && (Math.abs(location.latitude) > 90 || Math.abs(location.longitude) > 180)) return 'position'
  const flag = flagOf(time, receivedAt)
  if (flag === 'refused') return 'tooOld'
  const all: Record<string, unknown> = {
    ...(positioned ? { longitude: location.longitude, latitude: location.latitude, altitude: location.altitude } : {}),
    speed: location.speed,
    direction: location.direction,
    positioned,
    accOn: bit(status, 0),
    loadState: String((status >>> 8) & 3),
    emergency: bit(alarm, 0),
    powerCut: bit(alarm, 8),
    alarmBits: bitText(alarm),
    statusBits: bitText(status),
  }
  const seen = new Set<number>()
  const bodyItem = bodyItemOf(params)
  for (const { id, value } of location.items) {
    const known = knownItems[id]
    const isFirst = !seen.has(id)
    seen.add(id)
    if (known && isFirst && value.length === known[1]) {
      all[known[0]] = round(value.readUIntBE(0, known[1]) * known[2])
      continue
    }
    if (id === bodyItem && isFirst && value.length === 1) {
      const state = value.readUInt8(0)
      all.cover = bit(state, body.shut) ? '1' : '0'
      all.lift = bit(state, body.lifted) ? '1' : '0'
      continue
    }
    // Unknown and repeated items are stored as received.
    const name = `item${id.toString(16).padStart(2, '0').toUpperCase()}`
    const text = value.toString('hex').slice(0, 512)
    all[name] = all[name] === undefined ? text : `${String(all[name])},${text}`.slice(0, 1024)
  }
  const values: Record<string, unknown> = {}
  const unknown: Record<string, unknown> = {}
  let quality: Record<string, string> | null = null
  for (const [key, value] of Object.entries(all)) {
    const metric = family.metric(key)
    if (!metric) {
      unknown[key] = value
      continue
    }
    values[key] = value
    if (isBeyond(metric, value)) {
      quality ??= {}
      quality[key] = 'outOfRange'
    }
  }
  // The mark is a checksum of the location: a retransmission gets the same mark, another location of the same second a different one.
  const mark = markGiven(crc32(bytes))
  return { time, receivedAt, mark, values, unknown, quality, flag, ...(positioned || !lastPoint ? {} : { standing: { ...lastPoint } }) }
}

/** Compares two alarm words: a bit that is set starts an event, a bit that is cleared ends it. */
export function alarmEdges(
  before: number,
  after: number,
  { time, receivedAt, mark }: Pick<Reading, 'time' | 'receivedAt' | 'mark'>,
): EventItem[] {
  const changed = (before ^ after) >>> 0
  if (changed === 0) return []
  return Object.entries(alarmNames).flatMap(([n, type]) => {
    if (!bit(changed, Number(n))) return []
    const state = bit(after, Number(n)) ? 'start' : 'end'
    return [
      {
        type,
        state,
        value: null,
        time,
        receivedAt,
        point: '',
        id: `${type}:${state}:${mark}`,
        data: { source: 'jt808', bit: Number(n) },
      } as EventItem,
    ]
  })
}
