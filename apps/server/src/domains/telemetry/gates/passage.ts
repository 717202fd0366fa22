import { partsOf } from '../multipart.ts'

/** A passage pushed by a gate of any maker, in the fields of the attendance record. */
export interface GatePassage {
  /** As sent by the maker. */
  time: unknown
  data: Record<string, unknown>
  /** Bytes of the attached picture. */
  picture: Buffer | undefined
}

export interface Pushed {
  passages: GatePassage[]
  /** Valid messages that are no passage, for example a heartbeat or a door left open. */
  ignored: number
  /** Times that cannot be parsed, as sent by the maker. Their passages can never be stored. */
  timeless?: unknown[] | undefined
  /** The maker's code of the ignored event. */
  passedOver?: string | undefined
}

/** A request of a gate. `rest` is what follows the key in the path, for gates that append a path of their own. */
export interface GateRequest {
  method: string
  rest: string
  query: URLSearchParams
  contentType: string
  body: Buffer
}

/** What was stored of a request, for the reply. */
export interface GateOutcome {
  accepted: number
  ignored: number
  /** Serial number under which the gate is registered. */
  deviceSn: string
  now: number
}

export interface GateReply {
  body: unknown
  /** Default: JSON. */
  contentType?: string | undefined
}

/** A format of pushes. Reading is pure and never throws. */
export interface GateReader {
  /** Undefined if the request does not have this format. */
  read(request: GateRequest): Pushed | undefined
  /** Success reply in the form the gate expects; with any other reply it sends the record again for days. */
  reply(request: GateRequest, outcome: GateOutcome): GateReply
}

export const isObject = (v: unknown): v is Record<string, unknown> => typeof v === 'object' && v !== null && !Array.isArray(v)

export const textOf = (v: unknown): string | undefined => {
  const text = typeof v === 'number' ? String(v) : typeof v === 'string' ? v.trim() : ''
  return text === '' ? undefined : text
}

export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Parses `application/x-www-form-urlencoded`, JSON or multipart into names and values; a picture part is returned separately. */
export function fieldsOf({
  contentType,
  body,
}: Pick<GateRequest, 'contentType' | 'body'>): { fields: Record<string, unknown>; picture: Buffer | undefined } | undefined {
  const type = contentType.split(';')[0]?.trim().toLowerCase() ?? ''
  if (type.startsWith('multipart/')) return fieldsOfParts(contentType, body)
  if (type === 'application/x-www-form-urlencoded')
    return { fields: Object.fromEntries(new URLSearchParams(body.toString('utf8'))), picture: undefined }
  const value = parseJson(body.toString('utf8'))
  return isObject(value) ? { fields: value, picture: undefined } : undefined
}

function fieldsOfParts(contentType: string, body: Buffer) {
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
    const value = parseJson(text)
    // The event may be one JSON part under any name, or its fields may be separate parts.
    if (isObject(value)) Object.assign(fields, value)
    else fields[part.name] = text
  }
  return { fields, picture }
}

/** A gate that serves both directions names it: as a word (checkIn, breakOut, Entry, Exit, 进, 出) or as 0 (in) and 1 (out). */
export function directionOf(raw: unknown): { direction?: '0' | '1' } {
  const text = textOf(raw)?.toLowerCase() ?? ''
  if (text === '0' || text === 'entry' || text.endsWith('in') || /^[进入](场)?$/.test(text)) return { direction: '0' }
  return text === '1' || text === 'exit' || text.endsWith('out') || /^[出离](场)?$/.test(text) ? { direction: '1' } : {}
}

export const numberField = (key: string, raw: unknown): Record<string, number> => {
  const n = typeof raw === 'string' && raw.trim() !== '' ? Number(raw) : raw
  return typeof n === 'number' && Number.isFinite(n) ? { [key]: n } : {}
}

/** A body temperature; makers send 0 where nothing was measured. */
export const temperatureField = (raw: unknown): Record<string, number> => (Number(raw) > 0 ? numberField('temperature', raw) : {})

const maxPictureText = 3 * 1024 * 1024

/** Decodes a Base64 picture. A plus sign that a form did not escape arrives as a space. Undefined if there is none or it is too long. */
export function pictureOf(raw: unknown): Buffer | undefined {
  if (typeof raw !== 'string' || raw === '' || raw.length > maxPictureText) return undefined
  const picture = Buffer.from(raw.replace(/^data:[^,]*,/, '').replaceAll(' ', '+'), 'base64')
  return picture.length ? picture : undefined
}

const secondsBelow = 100_000_000_000

/** A Unix time in seconds or milliseconds as epoch milliseconds; anything else unchanged. */
export function epochOf(raw: unknown): unknown {
  const n = typeof raw === 'number' ? raw : typeof raw === 'string' && /^\d{9,13}$/.test(raw.trim()) ? Number(raw) : undefined
  if (n === undefined || !Number.isFinite(n) || n <= 0) return raw
  return n < secondsBelow ? Math.round(n * 1_000) : n
}

export const jsonReply = (body: unknown): GateReply => ({ body })

/** The platform's own success reply, for gates that only look at the HTTP status. */
export const storedReply = ({ accepted, ignored }: GateOutcome): GateReply =>
  jsonReply({ status: 0, message: 'ok', data: { accepted, duplicated: 0, rejected: [], ignored } })
