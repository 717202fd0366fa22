import type { Family, Metric } from '@zhugong/contract/telemetry/families'
import { buildFrame as buildHj212 } from './hj212/frame.ts'
import { formatDataTime } from './hj212/values.ts'
import { buildFrame as buildJt808 } from './jt808/frame.ts'

/** Something a box may say, ready to be sent or pasted. */
export interface Sample {
  protocol: 'mqtt' | 'hj212' | 'jt808'
  label: string
  /** JSON, or a frame: as text where its protocol is text, else hexadecimal. */
  text: string
}

/** Of a long catalogue as many metrics as can be read at a glance. */
const mostShown = 8

/** What devices of a family send, by each protocol they may come in by, with values a machine at work has. */
export function samplesOf(family: Family, now: number): Sample[] {
  const mqtt = {
    protocol: 'mqtt',
    label: 'MQTT telemetry 消息',
    text: JSON.stringify({ time: now, seq: 1, data: dataOf(family) }),
  } as const
  if (family.key === 'environment') return [mqtt, { protocol: 'hj212', label: 'HJ 212 实时数据（2011）', text: stationFrame(family, now) }]
  if (family.key === 'truckMonitor') return [mqtt, { protocol: 'jt808', label: 'JT/T 808 位置汇报（0x0200）', text: positionFrame(now) }]
  return [mqtt]
}

function dataOf(family: Family): Record<string, unknown> {
  return Object.fromEntries(family.metrics.slice(0, mostShown).map((metric) => [metric.key, sampleValue(metric)]))
}

function sampleValue({ type, typical, min, max, precision, values }: Metric): unknown {
  if (type === 'boolean') return false
  if (type === 'enum') return Object.keys(values ?? {})[0] ?? '0'
  if (type === 'datetime') return '2026-07-01T08:00:00+08:00'
  if (type === 'string') return 'A1'
  const middle = typical ? (typical[0] + typical[1]) / 2 : ((min ?? 0) + Math.min(max ?? 10, (min ?? 0) + 20)) / 2
  return Number(middle.toFixed(type === 'integer' ? 0 : (precision ?? 1)))
}

/** HJ 212-2017: an ambient station (ST 22), the version of the flag, an answer wanted. */
function stationFrame(family: Family, now: number): string {
  const items = family.metrics.flatMap((metric) =>
    metric.hj212 ? [`${metric.hj212}-Rtd=${sampleValue(metric)},${metric.hj212}-Flag=N`] : [],
  )
  const frame = { qn: formatDataTime(now, true), st: '22', cn: '2011', pw: '123456', mn: '010000A8900016F000169DC0', flag: 5 }
  return buildHj212({ ...frame, cp: [`DataTime=${formatDataTime(now)}`, ...items].join(';') })
    .toString('latin1')
    .trimEnd()
}

const atSite = { latitude: 30.592812, longitude: 114.305392, altitude: 23, speed: 42.5, direction: 180, mileage: 12_345.6 }
/** Status: ACC on, positioned. */
const positionedAndOn = 0b11

/** JT/T 808-2013, 8.18: a position with the mileage as its additional item. */
function positionFrame(now: number): string {
  const body = Buffer.alloc(34)
  body.writeUInt32BE(positionedAndOn, 4)
  body.writeUInt32BE(Math.round(atSite.latitude * 1e6), 8)
  body.writeUInt32BE(Math.round(atSite.longitude * 1e6), 12)
  body.writeUInt16BE(atSite.altitude, 16)
  body.writeUInt16BE(atSite.speed * 10, 18)
  body.writeUInt16BE(atSite.direction, 20)
  body.write(formatDataTime(now).slice(2), 22, 'hex')
  body.set([0x01, 4], 28)
  body.writeUInt32BE(Math.round(atSite.mileage * 10), 30)
  return buildJt808({ id: 0x0200, phone: '13800138000', serial: 1, body }).toString('hex').toUpperCase()
}
