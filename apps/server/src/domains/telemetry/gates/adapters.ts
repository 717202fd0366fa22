import { personOf, readTime } from '../../readings/public.ts'
import { partsOf } from '../multipart.ts'

/** What gates of different makers push, in the words of the attendance record. Pure; nothing throws. */
export interface GatePassage {
  /** As the maker sent it. */
  time: unknown
  data: Record<string, unknown>
  /** Bytes of a picture that came along. */
  picture: Buffer | undefined
}
export interface Pushed {
  passages: GatePassage[]
  /** Understood, but no passage: a heartbeat, a door left open. */
  ignored: number
  /** Passages whose time cannot be read, as the maker sent it: they can never be stored. */
  timeless?: unknown[]
}
export type Adapter = 'event' | 'callback' | 'generic'

const isObject = (v: unknown): v is Record<string, unknown> => typeof v === 'object' && v !== null && !Array.isArray(v)
const textOf = (v: unknown): string | undefined => {
  const text = typeof v === 'number' ? String(v) : typeof v === 'string' ? v.trim() : ''
  return text === '' ? undefined : text
}
function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** `application/x-www-form-urlencoded`, JSON or multipart, as names and values; a picture part beside it. */
function fieldsOf(contentType: string, body: Buffer): { fields: Record<string, unknown>; picture: Buffer | undefined } | undefined {
  const type = contentType.split(';')[0]?.trim().toLowerCase() ?? ''
  if (type.startsWith('multipart/')) {
    const parts = partsOf(contentType, body)
    if (!parts) return undefined
    const fields: Record<string, unknown> = {}
    let picture: Buffer | undefined
    for (const part of parts) {
      if (part.contentType.startsWith('image/') || /\.(jpe?g|png)$/i.test(part.fileName ?? '')) {
        picture ??= part.body
        continue
      }
      const text = part.body.toString('utf8')
      const value = parse(text)
      // The event may be a part of its own under any name, or its fields may be parts.
      if (isObject(value)) Object.assign(fields, value)
      else fields[part.name] = text
    }
    return { fields, picture }
  }
  if (type === 'application/x-www-form-urlencoded')
    return { fields: Object.fromEntries(new URLSearchParams(body.toString('utf8'))), picture: undefined }
  const value = parse(body.toString('utf8'))
  return isObject(value) ? { fields: value, picture: undefined } : undefined
}

const modes: Readonly<Record<string, string>> = { face: '1', card: '2', cardandface: '3', faceandcard: '3', cardorface: '1' }

/** (a) Events of access controllers: only a face that passed (5/75) or failed (5/76) is a passage. */
function readEvent(contentType: string, body: Buffer): Pushed | undefined {
  const read = fieldsOf(contentType, body)
  if (!read) return undefined
  const { fields, picture } = read
  if (fields.eventType !== 'AccessControllerEvent') return typeof fields.eventType === 'string' ? { passages: [], ignored: 1 } : undefined
  const inner = isObject(fields.AccessControllerEvent) ? fields.AccessControllerEvent : fields
  const major = Number(inner.majorEventType ?? inner.major)
  const minor = Number(inner.subEventType ?? inner.minorEventType ?? inner.minor)
  if (major !== 5 || (minor !== 75 && minor !== 76)) return { passages: [], ignored: 1 }
  const person = personOf(inner.employeeNoString)
  const recordId = textOf(inner.serialNo)
  const mode = modes[String(inner.currentVerifyMode ?? '').toLowerCase()] ?? '1'
  const passed = minor === 75
  return {
    passages: [
      {
        time: fields.dateTime ?? inner.dateTime,
        data: {
          recordId: recordId || undefined,
          workerId: person || undefined,
          name: textOf(inner.name) || undefined,
          personType: person ? '1' : '3',
          pass: passed ? '1' : '0',
          mode,
          ...directionOf(inner.attendanceStatus),
          ...numberField('temperature', inner.currTemperature),
        },
        picture,
      },
    ],
    ignored: 0,
  }
}

/** Where a gate serves both ways it says which: in words (checkIn, breakOut) or as 0 and 1. */
function directionOf(raw: unknown): { direction?: '0' | '1' } {
  const text = textOf(raw)?.toLowerCase() ?? ''
  if (text === '0' || text.endsWith('in')) return { direction: '0' }
  return text === '1' || text.endsWith('out') ? { direction: '1' } : {}
}

const numberField = (key: string, raw: unknown): Record<string, number> => {
  const n = typeof raw === 'string' && raw.trim() !== '' ? Number(raw) : raw
  return typeof n === 'number' && Number.isFinite(n) ? { [key]: n } : {}
}

/** A time of zone 0 without saying so, or milliseconds as text. */
function zoneZero(raw: unknown): unknown {
  const text = textOf(raw)
  if (text === undefined) return undefined
  if (/^\d{12,14}$/.test(text)) return Number(text)
  return /^\d{4}-\d{2}-\d{2}[ T]\d{2}:\d{2}/.test(text) && !/(Z|[+-]\d{2}:?\d{2})$/.test(text) ? `${text.replace(' ', 'T')}Z` : text
}

const maxPictureText = 3 * 1024 * 1024

/** (b) Callbacks of recognition terminals. */
function readCallback(contentType: string, body: Buffer): Pushed | undefined {
  const read = fieldsOf(contentType, body)
  if (!read) return undefined
  const { fields } = read
  const type = textOf(fields.type)
  if (textOf(fields.deviceKey) === undefined || type === undefined) return undefined
  const outcome = /_([012])$/.exec(type)?.[1]
  if (outcome === undefined) return { passages: [], ignored: 1 }
  const given = personOf(fields.personId)
  const isStranger = given === undefined || outcome === '2'
  const path = textOf(fields.path)
  const encoded = textOf(fields.imgBase64)
  const picture = encoded && encoded.length <= maxPictureText ? Buffer.from(encoded.replace(/^data:[^,]*,/, ''), 'base64') : read.picture
  const recordId = textOf(fields.recordId ?? fields.id)
  const mode = { face: '1', card: '2', idcard: '4', faceAndcard: '3' }[type.replace(/_[012]$/, '')] ?? '1'
  return {
    passages: [
      {
        time: zoneZero(fields.time),
        data: {
          recordId: recordId || undefined,
          workerId: isStranger ? undefined : given,
          personType: isStranger ? '3' : '1',
          pass: outcome === '0' ? '1' : '0',
          mode,
          ...directionOf(fields.direction),
          photoUrl: path && /^https?:\/\//.test(path) ? path.slice(0, 512) : undefined,
          ...numberField('temperature', fields.temperature),
        },
        picture: picture?.length ? picture : undefined,
      },
    ],
    ignored: 0,
  }
}

const mostItems = 1_000

/** (c) The attendance payload of the open calls: `{items: [{time, data}]}`, or one item by itself. */
function readGeneric(contentType: string, body: Buffer): Pushed | undefined {
  const read = fieldsOf(contentType, body)
  if (!read) return undefined
  const { items } = read.fields
  const list = Array.isArray(items) ? items : items === undefined ? [read.fields] : undefined
  if (!list || list.length > mostItems) return undefined
  return {
    passages: list.flatMap((item): GatePassage[] => {
      if (!isObject(item)) return []
      const data = isObject(item.data) ? item.data : item
      return [{ time: item.time ?? data.time, data, picture: read.picture }]
    }),
    ignored: 0,
  }
}

const adapters: Readonly<Record<Adapter, (contentType: string, body: Buffer) => Pushed | undefined>> = {
  event: readEvent,
  callback: readCallback,
  generic: readGeneric,
}

/** Undefined: not in the form of this adapter. Passages without a readable time are left out. */
export function readPush(adapter: Adapter, contentType: string, body: Buffer): Pushed | undefined {
  const pushed = adapters[adapter](contentType, body)
  if (!pushed) return undefined
  const passages = pushed.passages.filter((p) => readTime(p.time) !== undefined)
  const timeless = pushed.passages.filter((p) => readTime(p.time) === undefined).map((p) => p.time)
  return { passages, ignored: pushed.ignored + timeless.length, timeless: timeless.length ? timeless : undefined }
}

export const isAdapter = (name: string): name is Adapter => Object.hasOwn(adapters, name)
