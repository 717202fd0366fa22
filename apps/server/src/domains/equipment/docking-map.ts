import type { DockingMapping } from '@zhugong/contract/equipment/docking-endpoints'

/** One external item, mapped. Unreadable fields are listed; the rest of the item is kept. */
export interface MappedItem {
  externalId: string
  name: string | null
  project: string | null
  model: string | null
  sn: string | null
  time: number | null
  values: Record<string, number>
  errors: string[]
  raw: unknown
}

/** The value at a path like `a.b[0].c`; undefined if the path does not exist. */
export function at(value: unknown, path: string): unknown {
  if (path === '') return value
  let here = value
  for (const step of path
    .replace(/\[(\d+)\]/g, '.$1')
    .replace(/^\$\.?/, '')
    .split('.')) {
    if (step === '') continue
    if (here === null || typeof here !== 'object' || !Object.hasOwn(here, step)) return undefined
    here = (here as Record<string, unknown>)[step]
  }
  return here
}

const word = (value: unknown): string | null =>
  typeof value === 'string' ? value.trim().slice(0, 100) || null : typeof value === 'number' ? String(value) : null

/** Parses an instant: epoch seconds, milliseconds, ISO 8601, or Chinese local time without a zone (+08:00). */
export function instantOf(value: unknown): number | null {
  if (typeof value === 'number' || (typeof value === 'string' && /^\d{10}(\d{3})?$/.test(value))) {
    const n = Number(value)
    return Number.isFinite(n) && n > 0 ? (n < 100_000_000_000 ? n * 1000 : n) : null
  }
  if (typeof value !== 'string') return null
  const local = /^(\d{4})[-/]?(\d{2})[-/]?(\d{2})[ T]?(\d{2}):?(\d{2}):?(\d{2})(\.\d+)?$/.exec(value.trim())
  const parsed = local
    ? Date.parse(`${local[1]}-${local[2]}-${local[3]}T${local[4]}:${local[5]}:${local[6]}${local[7] ?? ''}+08:00`)
    : Date.parse(value)
  return Number.isNaN(parsed) ? null : parsed
}

const maxItems = 5_000

/** Maps the list inside a response, item by item. */
export function mapAnswer(answer: unknown, mapping: DockingMapping): { items: MappedItem[]; problem: string | null } {
  const list = at(answer, mapping.list)
  const all = Array.isArray(list) ? list : list !== null && typeof list === 'object' && mapping.list === '' ? [list] : undefined
  if (!all) return { items: [], problem: mapping.list ? `返回内容中没有列表 ${mapping.list}` : '返回内容不是列表' }
  if (all.length > maxItems) return { items: [], problem: `一次最多 ${maxItems} 条，收到 ${all.length} 条` }
  return { items: all.map((one) => mapItem(one, mapping)), problem: null }
}

function mapItem(item: unknown, mapping: DockingMapping): MappedItem {
  const errors: string[] = []
  const externalId = word(at(item, mapping.externalId)) ?? ''
  if (!externalId) errors.push(`缺少设备标识 ${mapping.externalId}`)
  const time = mapping.time ? instantOf(at(item, mapping.time)) : null
  if (mapping.time && time === null) errors.push(`时间 ${mapping.time} 无法识别`)
  const values: Record<string, number> = {}
  for (const { from, metric, factor } of mapping.values) {
    const raw = at(item, from)
    if (raw === undefined || raw === null || raw === '') continue
    const n = typeof raw === 'number' ? raw : typeof raw === 'string' && /^[+-]?\d+(\.\d+)?$/.test(raw.trim()) ? Number(raw) : Number.NaN
    if (Number.isFinite(n)) values[metric] = Math.round(n * factor * 1e6) / 1e6
    else errors.push(`${from} 不是数字`)
  }
  return {
    externalId,
    name: mapping.name ? word(at(item, mapping.name)) : null,
    project: mapping.project ? word(at(item, mapping.project)) : null,
    model: mapping.model ? word(at(item, mapping.model)) : null,
    sn: mapping.sn ? word(at(item, mapping.sn)) : null,
    time,
    values,
    errors,
    raw: item,
  }
}

/** The leaf fields of a sample response, which the mapping page offers. */
export function fieldsOf(answer: unknown, list: string): { path: string; example: string }[] {
  const found = at(answer, list)
  const item = Array.isArray(found) ? found[0] : found
  const out: { path: string; example: string }[] = []
  const walk = (value: unknown, path: string, depth: number) => {
    if (out.length >= 200 || depth > 6) return
    if (value !== null && typeof value === 'object') {
      const entries = Array.isArray(value) ? value.slice(0, 3).map((v, i) => [`[${i}]`, v] as const) : Object.entries(value)
      for (const [key, child] of entries) walk(child, Array.isArray(value) ? `${path}${key}` : path ? `${path}.${key}` : key, depth + 1)
    } else if (path) out.push({ path, example: String(value).slice(0, 60) })
  }
  walk(item, '', 0)
  return out
}

/** Paths of the lists inside a response, for users who do not know where the items are. */
export function listsIn(answer: unknown, path = '', depth = 0): string[] {
  if (depth > 4 || answer === null || typeof answer !== 'object') return []
  if (Array.isArray(answer)) return answer.some((v) => v !== null && typeof v === 'object') ? [path] : []
  return Object.entries(answer).flatMap(([key, child]) => listsIn(child, path ? `${path}.${key}` : key, depth + 1))
}
