import {
  answer,
  type DialectVerdict,
  type FrameTrial,
  failed,
  faultIn,
  notHexadecimal,
  type Pasted,
  type Reader,
  type Trial,
  verdict,
} from '../trial.ts'
import { bcdTime, readBatch, readLocation, readMediaEvent, readRegistration } from './bodies.ts'
import { buildFrame, describeBad, type Jt808Frame, readFrame } from './frame.ts'
import { toReading } from './values.ts'

export const jt808Trial: FrameTrial = {
  protocol: 'jt808',
  usualFamily: 'truckMonitor',
  whenSelected: true,
  decode: trialOfJt808,
  sampleOf: ({ key }, now) => (key === 'truckMonitor' ? { label: 'JT/T 808 位置汇报（0x0200）', text: positionFrame(now) } : undefined),
}

function trialOfJt808(content: Buffer, { access, family, now }: Reader): Trial {
  const first = content.indexOf(0x7e)
  const last = content.indexOf(0x7e, first + 1)
  const escaped = first >= 0 && last > first ? content.subarray(first + 1, last) : content
  const read = readFrame(escaped)
  if (typeof read === 'string') return failed(access.protocol, read, {}, describeBad(read, escaped).hint)
  const { body, ...header } = read
  const fields: Record<string, unknown> = { ...header, id: `0x${read.id.toString(16).padStart(4, '0')}`, body: body.toString('hex') }
  const location = bodyOf(read, fields)
  if (!location) return answer('jt808', { ok: true, fields })
  const reading = toReading(family, location.read, location.body, now, undefined)
  if (typeof reading === 'string') return failed(access.protocol, reading, fields)
  return answer('jt808', { ok: true, fields, values: { ...reading.values, ...reading.unknown }, quality: reading.quality })
}

/** The location in a message that carries one. Other decoded content is added to `fields`. */
function bodyOf(frame: Jt808Frame, fields: Record<string, unknown>) {
  const at = (body: Buffer) => {
    const read = readLocation(body)
    return read && { read, body }
  }
  switch (frame.id) {
    case 0x0200:
      return at(frame.body)
    case 0x0201:
      return at(frame.body.subarray(2))
    case 0x0704: {
      const batch = readBatch(frame.body)
      fields.count = batch?.locations.length ?? 0
      return batch?.locations[0] && at(batch.locations[0])
    }
    case 0x0100:
      Object.assign(fields, readRegistration(frame.body, frame.is2019))
      return undefined
    case 0x0102:
      // The authentication code is a secret and is not shown.
      fields.body = '***'
      return undefined
    case 0x0800:
      Object.assign(fields, readMediaEvent(frame.body))
      return undefined
    default:
      return undefined
  }
}

const atSite = { latitude: 30.592812, longitude: 114.305392, altitude: 23, speed: 42.5, direction: 180, mileage: 12_345.6 }
/** Status: ACC on, positioned. */
const positionedAndOn = 0b11

/** JT/T 808-2013, 8.18: a location with the mileage as additional item. */
function positionFrame(now: number): string {
  const body = Buffer.alloc(34)
  body.writeUInt32BE(positionedAndOn, 4)
  body.writeUInt32BE(Math.round(atSite.latitude * 1e6), 8)
  body.writeUInt32BE(Math.round(atSite.longitude * 1e6), 12)
  body.writeUInt16BE(atSite.altitude, 16)
  body.writeUInt16BE(atSite.speed * 10, 18)
  body.writeUInt16BE(atSite.direction, 20)
  body.set(bcdTime(now), 22)
  body.set([0x01, 4], 28)
  body.writeUInt32BE(Math.round(atSite.mileage * 10), 30)
  return buildFrame({ id: 0x0200, phone: '13800138000', serial: 1, body }).toString('hex').toUpperCase()
}

export const terminalDialects = ({ binary, now }: Pasted): DialectVerdict[] => [
  verdict('jt808', 'JT/T 808 车载终端', binary ? faultIn(jt808Trial, binary, now) : notHexadecimal),
]
