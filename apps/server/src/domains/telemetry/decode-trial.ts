import { frameHint } from '@zhugong/contract/telemetry/commands'
import { type Family, familyOf } from '@zhugong/contract/telemetry/families'
import { readTelemetry } from '../readings/public.ts'
import { verdictOf } from './frame-verdict.ts'
import { Hj212Decoder, type Hj212Frame, withPlainCp } from './hj212/frame.ts'
import { decryptCp } from './hj212/sm4.ts'
import { isPeriod, type StationWords, toPeriod, toReading } from './hj212/values.ts'
import { readBatch, readLocation, readMediaEvent, readRegistration } from './jt808/bodies.ts'
import { describeBad, type Jt808Frame, readFrame } from './jt808/frame.ts'
import { toReading as toPosition } from './jt808/values.ts'
import { Cjt188Decoder, answerOf as waterAnswerOf } from './meters/cjt188.ts'
import { Dlt645Decoder, answerOf as meterAnswerOf } from './meters/dlt645.ts'
import { RtuDecoder, TcpDecoder } from './meters/modbus.ts'

export interface TrialAccess {
  protocol: string
  family?: string | undefined
  units?: Record<string, string> | undefined
  codes?: StationWords['codes'] | undefined
  crcMode?: 'standard' | 'modbus' | undefined
  maxLength?: number | undefined
  /** SM4, 32 hexadecimal digits. */
  key?: string | undefined
}
export interface Trial {
  ok: boolean
  protocol: string
  /** Why it could not be read. */
  error: string | null
  /** What was expected, what came, what to change. */
  hint: string | null
  /** What stands in it, by name. */
  fields: Record<string, unknown>
  /** What would be stored; null when nothing would. */
  values: Record<string, unknown> | null
  quality: Record<string, string> | null
}

const errors: Readonly<Record<string, string>> = {
  length: '长度不符',
  crc: 'CRC 校验错误',
  tail: '帧尾不正确',
  structure: '结构不正确',
  timeout: '报文不完整',
  escape: '转义不正确',
  check: '校验码错误',
  time: '时间不正确',
  position: '坐标超出范围',
  tooOld: '时间早于 30 天',
}

/** `7E 02 00 ...` or text: what people paste. */
function bytesOf(frame: string, isText: boolean): Buffer | undefined {
  if (isText) return Buffer.from(frame.replace(/\r?\n$/, '').replace(/\\r\\n$/, ''))
  const hex = frame.replace(/0x|[\s,:-]/gi, '')
  return /^([0-9a-f]{2})+$/i.test(hex) ? Buffer.from(hex, 'hex') : undefined
}

/** What a trial reads with. */
interface Reader {
  access: TrialAccess
  family: Family
  now: number
}

/** Decodes a pasted frame as the listener of its protocol would. Stores nothing, tells nobody. */
export function decodeTrial(frame: string, access: TrialAccess, now: number): Trial {
  const family = familyOf(access.family ?? (access.protocol === 'jt808' ? 'truckMonitor' : 'environment'))
  const text = frame.trim()
  const isHj212 = access.protocol === 'hj212' || text.startsWith('##')
  const isJson = !isHj212 && text.startsWith('{')
  const bytes = bytesOf(text, isHj212 || isJson)
  if (!bytes || !family) return failed(access.protocol, family ? '请粘贴十六进制或文本报文' : '设备类别不存在')
  const reader = { access, family, now }
  if (isJson) return trialOfJson(text, reader)
  if (isHj212) return trialOfHj212(bytes, reader)
  if (access.protocol === 'jt808') return trialOfJt808(bytes, reader)
  return trialOfMeter(bytes, access.protocol)
}

const answer = (protocol: string, more: Partial<Trial>): Trial => ({
  ok: false,
  protocol,
  error: null,
  hint: null,
  fields: {},
  values: null,
  quality: null,
  ...more,
})

const failed = (protocol: string, error: string, fields: Record<string, unknown> = {}, hint?: string): Trial =>
  answer(protocol, { error: errors[error] ?? error, fields, hint: hint ?? frameHint(protocol, error) ?? null })

function trialOfJson(content: string, { access, family, now }: Reader): Trial {
  let body: unknown
  try {
    body = JSON.parse(content)
  } catch {
    return failed(access.protocol, '不是有效的 JSON')
  }
  const { items, ...rest } = body as { items?: unknown[] }
  const item = Array.isArray(items) ? items[0] : body
  const { accepted, rejected } = readTelemetry(family, item, 0, now)
  return answer('mqtt', {
    ok: accepted !== undefined,
    error: accepted ? null : '没有可存储的数据',
    fields: { ...rest, rejected },
    values: accepted ? { ...accepted.values, ...(accepted.unknown ?? {}) } : null,
    quality: accepted?.quality ?? null,
  })
}

function trialOfHj212(content: Buffer, reader: Reader): Trial {
  const { access, now } = reader
  let bad: { kind: string; hint: string } | undefined
  const decoder = new Hj212Decoder({
    crcModeOf: () => access.crcMode ?? 'standard',
    maxLengthOf: () => access.maxLength,
    // The first thing that is wrong; what the search behind it meets is its consequence.
    onBad: (kind, _bytes, hint) => {
      bad ??= { kind, hint }
    },
  })
  const ended = Buffer.concat([content, Buffer.from('\r\n')])
  // A length that promises more than was pasted is judged as if its time were up.
  const [given] = [...decoder.push(ended, now), ...decoder.expire(now + 60_000)]
  if (!given) return failed(access.protocol, bad?.kind ?? 'timeout', {}, bad?.hint)
  const plain = given.pairs === undefined && access.key ? decryptCp(given.cp, Buffer.from(access.key, 'hex')) : undefined
  const read = plain === undefined ? given : withPlainCp(given, plain)
  const { pw: _secret, pairs, ...fields } = read
  if (!pairs) return failed(access.protocol, '数据区已加密，密钥未知或不符', fields)
  return trialOfStation(read, { ...fields, pairs: Object.fromEntries(pairs) }, reader)
}

/** A request of a station whose data can be read: a period, a reading, or neither. */
function trialOfStation(read: Hj212Frame, fields: Record<string, unknown>, { access, family, now }: Reader): Trial {
  const station = { units: access.units, codes: access.codes }
  if (isPeriod(read.cn)) {
    const record = toPeriod(read, station, now)
    return answer('hj212', { ok: record !== undefined, error: record ? null : '时间不正确', fields, values: record?.data ?? null })
  }
  if (read.cn !== '2011') return answer('hj212', { ok: true, fields })
  const { reading, rejected } = toReading(read, family, station, now)
  const verdict = reading ? verdictOf(family, { readings: [reading] }, rejected, false) : { result: rejected[0]?.reason ?? '' }
  return answer('hj212', {
    ok: reading !== undefined,
    error: reading ? null : (errors[rejected[0]?.reason ?? ''] ?? '没有可存储的数据'),
    hint: verdict.hint ?? frameHint('hj212', verdict.result) ?? null,
    fields: { ...fields, rejected },
    values: reading ? { ...reading.values, ...(reading.unknown ?? {}) } : null,
    quality: reading?.quality ?? null,
  })
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
  const reading = toPosition(family, location.read, location.body, now, undefined)
  if (typeof reading === 'string') return failed(access.protocol, reading, fields)
  return answer('jt808', { ok: true, fields, values: { ...reading.values, ...reading.unknown }, quality: reading.quality })
}

/** By whichever protocol of meters makes sense of it. */
function trialOfMeter(content: Buffer, protocol: string): Trial {
  const [electric] = new Dlt645Decoder().push(content)
  if (electric) {
    const meter = meterAnswerOf(electric)
    return answer('dlt645', {
      ok: true,
      fields: { ...electric, data: electric.data.toString('hex') },
      values: meter && Object.keys(meter.values).length ? meter.values : null,
    })
  }
  const [water] = new Cjt188Decoder().push(content)
  if (water) {
    const meter = waterAnswerOf(water)
    const fields = { ...water, data: water.data.toString('hex'), ...meter }
    return answer('cjt188', { ok: true, fields, values: meter ? { totalVolume: meter.totalVolume, valve: meter.valve } : null })
  }
  for (const [name, decoder] of [['modbusTcp', new TcpDecoder()] as const, ['modbusRtu', new RtuDecoder()] as const]) {
    const [registers] = decoder.push(content)
    if (registers) return answer(name, { ok: true, fields: { ...registers, data: registers.data.toString('hex') } })
  }
  return failed(protocol, 'check')
}

/** The position a message carries, if it is one of those; what else it says goes to the fields. */
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
      // The code is a secret, pasted or not.
      fields.body = '***'
      return undefined
    case 0x0800:
      Object.assign(fields, readMediaEvent(frame.body))
      return undefined
    default:
      return undefined
  }
}
