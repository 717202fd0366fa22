import type { RuleCondition } from '@zhugong/contract/rules/conditions'
import { innerOf } from '@zhugong/contract/rules/conditions'
import type { Facts } from './moment.ts'

interface Entry {
  time: number
  data: Readonly<Record<string, unknown>>
}

const mostEntries = 5_000
const historyMs = 14 * 86_400_000

/** Record kinds a condition uses, with how far back (ms). */
export function recordsOf(c: RuleCondition, on: string | undefined, into = new Map<string, number>()): Map<string, number> {
  const want = (kind: string, ms: number) => into.set(kind, Math.max(into.get(kind) ?? 0, ms))
  if (c.type === 'noRecord') want(c.record, c.withinSeconds * 1000)
  if (c.type === 'countInWindow' && c.record) want(c.record, c.windowSeconds * 1000)
  if (c.type === 'deviationFromHistory' && on) want(on, historyMs)
  for (const one of innerOf(c)) recordsOf(one, on, into)
  return into
}

/** Records of one device that some rule still needs. */
export class RecordLog {
  private readonly entries = new Map<string, Entry[]>()

  add(kind: string, keepMs: number, entry: Entry): void {
    let list = this.entries.get(kind)
    if (!list) {
      list = []
      this.entries.set(kind, list)
    }
    let at = list.length
    while (at > 0 && (list[at - 1] as Entry).time > entry.time) at--
    // A duplicate of the previous record.
    if (
      at > 0 &&
      (list[at - 1] as Entry).time === entry.time &&
      JSON.stringify((list[at - 1] as Entry).data) === JSON.stringify(entry.data)
    )
      return
    list.splice(at, 0, entry)
    const newest = (list.at(-1) as Entry).time
    let old = 0
    // The newest record is always kept, because rules measure the time since it.
    while (old < list.length - 1 && ((list[old] as Entry).time < newest - keepMs || list.length - old > mostEntries)) old++
    if (old) list.splice(0, old)
  }

  facts(on: string | undefined): Pick<Facts, 'lastRecord' | 'recordTimes' | 'recordValues'> {
    const of = (kind: string) => this.entries.get(kind || (on ?? '')) ?? []
    return {
      lastRecord: (kind, result, at) => {
        const fitting = of(kind).findLast((e) => e.time <= at && (result === undefined || String(e.data.result) === result))
        return fitting ? fitting.time : null
      },
      recordTimes: (kind, by, key, since, until) =>
        of(kind).flatMap((e) => (e.time > since && e.time <= until && (by === undefined || e.data[by] === key) ? [e.time] : [])),
      recordValues: (kind, metric, by, key, before, most) => {
        const values: number[] = []
        const list = of(kind)
        for (let i = list.length - 1; i >= 0 && values.length < most; i--) {
          const e = list[i] as Entry
          if (e.time < before && e.data[by] === key && typeof e.data[metric] === 'number') values.push(e.data[metric] as number)
        }
        return values
      },
    }
  }
}
