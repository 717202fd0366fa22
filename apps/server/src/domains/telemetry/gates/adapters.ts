import { personOf, readTime } from '../../readings/public.ts'
import { partsOf } from '../multipart.ts'

/** A passage pushed by a gate of any vendor, in the fields of the attendance record. Parsing is pure and never throws. */
export interface GatePassage {
  /** As sent by the vendor. */
  time: unknown
  data: Record<string, unknown>
  /** Bytes of the attached picture. */
  picture: Buffer | undefined
}
export interface Pushed {
  passages: GatePassage[]
  /** Valid messages that are no passage, for example a heartbeat or a door left open. */
  ignored: number
  /** Times that cannot be parsed, as sent by the vendor. Their passages can never be stored. */
  timeless?: unknown[]
  /** The vendor's code of the ignored event. */
  passedOver?: string
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

/** Parses `application/x-www-form-urlencoded`, JSON or multipart into names and values; a picture part is returned separately. */
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
      // The event may be one JSON part under any name, or its fields may be separate parts.
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

/** Event codes that are passages, with the mode of the attendance record. Other door events are no passages. */
const passed: Readonly<Record<number, string | undefined>> = { 75: '1', 38: '6', 1: '2' }
const faceFailed = 76

const modes: Readonly<Record<string, string>> = { face: '1', card: '2', cardandface: '3', faceandcard: '3', cardorface: '1' }

/** (a) Events of access controllers. Passages are: face, fingerprint or card accepted (5/75, 5/38, 5/1) and face refused (5/76). */
function readEvent(contentType: string, body: Buffer): Pushed | undefined {
  const read = fieldsOf(contentType, body)
  if (!read) return undefined
  const { fields, picture } = read
  if (fields.eventType !== 'AccessControllerEvent') return typeof fields.eventType === 'string' ? { passages: [], ignored: 1 } : undefined
  const inner = isObject(fields.AccessControllerEvent) ? fields.AccessControllerEvent : fields
  const major = Number(inner.majorEventType ?? inner.major)
  const minor = Number(inner.subEventType ?? inner.minorEventType ?? inner.minor)
  const isPassed = major === 5 && passed[minor] !== undefined
  if (!isPassed && !(major === 5 && minor === faceFailed)) return { passages: [], ignored: 1, passedOver: `${major}/${minor}` }
  const person = personOf(inner.employeeNoString) ?? personOf(inner.employeeNo)
  // A card or fingerprint without an employee number is ignored. An unknown face is stored as a stranger.
  if (isPassed && minor !== 75 && !person) return { passages: [], ignored: 1, passedOver: `${major}/${minor}，没有工号` }
  const recordId = textOf(inner.serialNo)
  const mode = minor === 38 ? '6' : (modes[String(inner.currentVerifyMode ?? '').toLowerCase()] ?? passed[minor] ?? '1')
  return {
    passages: [
      {
        time: fields.dateTime ?? inner.dateTime,
        data: {
          recordId: recordId || undefined,
          workerId: person || undefined,
          name: textOf(inner.name) || undefined,
          personType: person ? '1' : '3',
          pass: isPassed ? '1' : '0',
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

/** A gate that serves both directions names it: as a word (checkIn, breakOut, 进, 出) or as 0 (in) and 1 (out). */
function directionOf(raw: unknown): { direction?: '0' | '1' } {
  const text = textOf(raw)?.toLowerCase() ?? ''
  if (text === '0' || text.endsWith('in') || /^[进入](场)?$/.test(text)) return { direction: '0' }
  return text === '1' || text.endsWith('out') || /^[出离](场)?$/.test(text) ? { direction: '1' } : {}
}

const numberField = (key: string, raw: unknown): Record<string, number> => {
  const n = typeof raw === 'string' && raw.trim() !== '' ? Number(raw) : raw
  return typeof n === 'number' && Number.isFinite(n) ? { [key]: n } : {}
}

/** A UTC time without a zone, or milliseconds as text. */
function zoneZero(raw: unknown): unknown {
  const text = textOf(raw)
  if (text === undefined) return undefined
  if (/^\d{12,14}$/.test(text)) return Number(text)
  return /^\d{4}-\d{2}-\d{2}[ T]\d{2}:\d{2}/.test(text) && !/(Z|[+-]\d{2}:?\d{2})$/.test(text) ? `${text.replace(' ', 'T')}Z` : text
}

/** Decodes Base64. A plus sign that a form did not escape arrives as a space. */
const pictureOf = (text: string): Buffer => Buffer.from(text.replace(/^data:[^,]*,/, '').replaceAll(' ', '+'), 'base64')

const maxPictureText = 3 * 1024 * 1024

/** (b) Callbacks of face recognition terminals. */
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
  const encoded = typeof fields.imgBase64 === 'string' ? fields.imgBase64 : undefined
  const picture = encoded && encoded.length <= maxPictureText ? pictureOf(encoded) : read.picture
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

/** (c) The attendance payload of the open API: `{items: [{time, data}]}`, or a single item. */
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

/**
 * Parses a push of a gate; undefined if it does not have the adapter's format. Passages without a valid time are returned in `timeless`.
 */
export function readPush(adapter: Adapter, contentType: string, body: Buffer): Pushed | undefined {
  const pushed = adapters[adapter](contentType, body)
  if (!pushed) return undefined
  const passages = pushed.passages.filter((p) => readTime(p.time) !== undefined)
  const timeless = pushed.passages.filter((p) => readTime(p.time) === undefined).map((p) => p.time)
  return { ...pushed, passages, ignored: pushed.ignored + timeless.length, timeless: timeless.length ? timeless : undefined }
}

export const isAdapter = (name: string): name is Adapter => Object.hasOwn(adapters, name)
