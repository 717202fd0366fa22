import type { Endpoint } from '@zhugong/contract/kit/endpoint'
import type { Subject } from '@zhugong/contract/kit/fields'
import { dayMs } from '@zhugong/contract/kit/time'
import { z } from 'zod'

/** A request as it is sent. */
export interface Request {
  /** The call's name in the report. */
  name: string
  method: string
  path: string
  /** Created when the request is sent: a thousand bodies would take too much memory. */
  body?: () => string | Uint8Array<ArrayBuffer>
  contentType?: string
}

type Fields = Record<string, unknown>
interface JsonField {
  subject?: Subject
  enum?: string[]
  anyOf?: JsonField[]
}

/** The largest body the server accepts: one megabyte, less what surrounds the data. */
const bodyBytes = 1_000_000
/** Periods in days, longest first: calls refuse periods that are too long, and the longest accepted one is used. */
const spansDays = [2_000, 366, 92, 31, 7, 1]
const most = { list: 200, size: 999_999, page: 1_000_000 }

/** Ids the caller may see, by kind of record: a few each, among them one machine of each family. */
export type Ids = ReadonlyMap<Subject, readonly string[]>

/**
 * Reads and searches: each filter alone with its most expensive value, all filters together, the largest and the last page, every period.
 */
export function largestReads(endpoint: Endpoint, ids: Ids, now: number): Request[] {
  return pathsOf(endpoint, ids).flatMap((path) => {
    const schema = endpoint.schemas.query
    if (!schema) return [request(endpoint, path, {})]
    return queriesOf(schema, ids, now).map((query) => request(endpoint, path, query))
  })
}

function pathsOf(endpoint: Endpoint, ids: Ids): string[] {
  const { params } = endpoint.schemas
  if (!params) return [endpoint.path]
  const fields = shapeOf(params)
  return Object.keys(fields).reduce(
    (paths, name) => {
      const known = idsFor(fields[name], ids)
      const values = known.length ? known : (described(fields[name]).enum ?? ['1'])
      return paths.flatMap((path) => values.map((value) => path.replace(`:${name}`, encodeURIComponent(value))))
    },
    [endpoint.path],
  )
}

function queriesOf(schema: z.ZodType, ids: Ids, now: number): Fields[] {
  const fields = shapeOf(schema)
  const names = Object.keys(fields)
  const required = names.filter((name) => fields[name] && !fields[name].safeParse(undefined).success)
  const paging = { ...('size' in fields ? { size: most.size } : {}), ...('page' in fields ? { page: 1 } : {}) }
  const wide = (name: string, days: number, which = 0) => widest(name, fields[name] as z.ZodType, ids, now, days, which)
  const given = (list: readonly string[], days: number, which = 0): Fields =>
    Object.fromEntries(list.map((name) => [name, wide(name, days, which)]).filter(([, value]) => value !== undefined))
  const filters = names.filter((name) => !['page', 'size', 'sort'].includes(name) && !required.includes(name))
  const referring = names.filter((name) => idsFor(fields[name], ids).length > 0)
  const which = Math.max(1, ...required.map((name) => idsFor(fields[name], ids).length))
  const out: Fields[] = []
  for (let i = 0; i < which; i++)
    for (const days of spansDays) {
      const base = { ...given(required, days, i), ...paging }
      out.push(base, { ...base, ...given(filters, days) }, { ...base, ...given(referring, days, i) })
      const times = filters.filter((name) => isTime(name))
      if (times.length) out.push({ ...base, ...given(times, days) })
      if (days !== spansDays[0] || i > 0) continue
      if ('page' in fields) out.push({ ...base, page: most.page })
      for (const name of filters) {
        out.push({ ...base, ...given([name], days) })
        const text = fields[name] as z.ZodType
        if (isFreeText(text)) for (const words of ['%_'.repeat(25), '1', '工']) out.push({ ...base, [name]: words })
      }
    }
  return [...new Map(out.map((q) => [JSON.stringify(q), q])).values()]
}

const isTime = (name: string) => /time|date|from|to$|start|end|range|month|until|asOf|between/i.test(name)
const isFreeText = (field: z.ZodType) => field.safeParse('汉%_').success && typeof field.safeParse('汉%_').data === 'string'

/** The most expensive values of a field that its own schema accepts, largest first. */
function widest(name: string, field: z.ZodType, ids: Ids, now: number, days: number, which: number): unknown {
  const from = new Date(now - days * dayMs)
  const to = new Date(now + dayMs)
  const day = (at: Date) => at.toISOString().slice(0, 10)
  const known = idsFor(field, ids)
  const isList = Array.isArray(field.safeParse('a,b').data)
  const at = /^(to|until|end)|(End|To|Until)(Time|Date)?$/.test(name) ? to : from
  const candidates = [
    ...(isList ? [listOf(known)] : known.length ? [known[which % known.length]] : []),
    ...(described(field).enum?.slice(0, 1) ?? []),
    ...(isFreeText(field) ? ['%'] : []),
    `${day(from)},${day(to)}`,
    `${day(at)} 00:00:00`,
    day(at),
    day(at).slice(0, 7),
    String(at.getTime()),
    '-999999999,999999999',
    '999999',
    '1000',
    '1',
    'true',
  ]
  return candidates.find((value) => value !== undefined && field.safeParse(value).success)
}

function listOf(known: readonly string[]): string {
  const made = Array.from({ length: most.list }, (_, i) => known[i] ?? `x${String(i).padStart(30, '0')}`)
  return made.join(',')
}

/** Bodies of changes and other calls: the maximum content in every list, text or record. Most are refused. */
export function largestBodies(endpoint: Endpoint, ids: Ids): Request[] {
  const { body } = endpoint.schemas
  const path = pathsOf(endpoint, ids)[0] ?? endpoint.path
  if (!body) return []
  const names = Object.keys(shapeOf(body))
  const many = <T>(value: T) => Array.from({ length: Math.floor(bodyBytes / (JSON.stringify(value).length + 1)) }, () => value)
  const values: (() => unknown)[] = [
    () => many('x'),
    () => many({}),
    () => many({ projectCode: '1', id: '1' }),
    () => many([]),
    () => 'a'.repeat(bodyBytes),
    () => Object.fromEntries(Array.from({ length: bodyBytes / 12 }, (_, i) => [`k${i}`, 1])),
  ]
  const first = names[0] ?? 'x'
  const texts = [
    ...values.map((make) => () => JSON.stringify(make())),
    ...values.map((make) => () => JSON.stringify({ [first]: make() })),
    ...names.flatMap((name) => values.slice(0, 2).map((make) => () => JSON.stringify({ [name]: make() }))),
    () => '['.repeat(bodyBytes / 2) + ']'.repeat(bodyBytes / 2),
  ]
  return texts.map((body) => ({
    name: `${endpoint.method} ${endpoint.path} (body)`,
    method: endpoint.method,
    path,
    body,
    contentType: 'application/json',
  }))
}

function request(endpoint: Endpoint, path: string, query: Fields): Request {
  const text = new URLSearchParams(Object.entries(query).map(([name, value]) => [name, String(value)])).toString()
  return { name: `${endpoint.method} ${endpoint.path}`, method: endpoint.method, path: text ? `${path}?${text}` : path }
}

/** The fields of an object schema, also inside refinements; no fields for other schemas. */
function shapeOf(schema: z.ZodType): Record<string, z.ZodType> {
  if (schema instanceof z.ZodObject) return schema.shape as Record<string, z.ZodType>
  if (schema instanceof z.ZodPipe) return shapeOf(schema.in as z.ZodType)
  if (schema instanceof z.ZodUnion) return Object.assign({}, ...schema.options.map((one) => shapeOf(one as z.ZodType)))
  return {}
}

function described(field: z.ZodType | undefined): JsonField {
  return field ? (z.toJSONSchema(field, { io: 'input', unrepresentable: 'any' }) as JsonField) : {}
}

function idsFor(field: z.ZodType | undefined, ids: Ids): readonly string[] {
  const find = (schema: JsonField): Subject | undefined =>
    schema.subject ?? schema.anyOf?.map(find).find((subject) => subject !== undefined)
  const subject = field && find(described(field))
  return (subject && ids.get(subject)) ?? []
}
