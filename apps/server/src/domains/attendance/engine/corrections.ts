import { type AttendanceEvent, approvedState, type Correction, type CorrectionKind } from '@zhugong/contract/attendance/facts'
import { isManual, manualGate } from './identity.ts'
import { quarantineReason } from './intake.ts'
import { addDays, dateOf, daysBetween } from './time.ts'
import type { Calendar } from './work-day.ts'

/** A43: release and revoke are possible at any time. */
const windowFree: readonly CorrectionKind[] = ['release', 'revoke']

export interface Window {
  within: boolean
  /**
   * Last date for a request without the company's approval. Null if that is never possible (supplementDays 0) or always possible (free
   * kinds).
   */
  until: string | null
}

/**
 * A43. `workDay` is the day concerned; for a period its first day. Requests in advance are within the window, unless every one needs
 * the company.
 */
export function supplementWindow(kind: CorrectionKind, workDay: string, requestedAt: number, supplementDays: number): Window {
  if (windowFree.includes(kind)) return { within: true, until: null }
  if (supplementDays === 0) return { within: false, until: null }
  return { within: daysBetween(workDay, dateOf(requestedAt)) <= supplementDays, until: addDays(workDay, supplementDays) }
}

/** A42: the reason why a correction lacks required fields; undefined if complete. */
export function incomplete(c: Correction): string | undefined {
  switch (c.kind) {
    case 'add':
      if (c.time === null) return '补卡须填写时间'
      return c.direction === null ? '补卡须填写方向' : undefined
    case 'direction':
      if (c.target === null) return '须指明记录'
      return c.direction === null ? '更正方向须填写方向' : undefined
    case 'void':
    case 'assign':
    case 'revoke':
      return c.target === null ? '须指明记录' : undefined
    case 'release':
      if (c.target !== null) return undefined
      return c.gate === null || c.fromTime === null || c.toTime === null ? '须指明记录，或闸机与时段' : undefined
    case 'leave':
    case 'stopDay':
      if (c.fromDay === null || c.toDay === null) return '须填写起止日期'
      return c.toDay < c.fromDay ? '结束日期不能早于开始日期' : undefined
  }
}

/**
 * A44: the reason why an approval is not permitted; undefined if it is. A stop day concerns the whole project, so its `workerId` is
 * null.
 */
export function mayNotApprove(c: Pick<Correction, 'requestedBy' | 'approvedBy'>, workerId: string | null): string | undefined {
  if (c.approvedBy === null) return '缺少审批人'
  if (c.approvedBy === c.requestedBy) return '审批人不能是申请人'
  return c.approvedBy === workerId ? '审批人不能是本人' : undefined
}

export interface Refusal {
  id: string
  reason: string
}

export interface Effective {
  /** In the order of approval. */
  corrections: Correction[]
  refused: Refusal[]
}

const compare = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0)
type Approved = Pick<Correction, 'id' | 'kind' | 'target' | 'requestedAt' | 'approvedAt'>
/** A revoke sorts after corrections approved in the same second, so that it can revoke them. */
const byApproval = (a: Approved, b: Approved) =>
  a.approvedAt! - b.approvedAt! ||
  a.requestedAt - b.requestedAt ||
  Number(a.kind === 'revoke') - Number(b.kind === 'revoke') ||
  compare(a.id, b.id)

/**
 * A43-A45: the corrections in effect now. Only approved ones, from their approval on; one that breaks a rule is returned as refused.
 * Undecided, rejected and withdrawn ones are ignored.
 */
export function effectiveCorrections(
  corrections: readonly Correction[],
  known: { now: number; workerId: string; calendar: Calendar; eventsById: ReadonlyMap<string, readonly AttendanceEvent[]> },
): Effective {
  const refused: Refusal[] = []
  const approved: Correction[] = []
  const byId = new Map<string, Correction>()
  for (const c of [...corrections].sort((a, b) => compare(a.id, b.id) || compare(JSON.stringify(a), JSON.stringify(b)))) {
    if (!byId.has(c.id)) byId.set(c.id, c)
  }
  for (const c of byId.values()) {
    if (c.state !== approvedState) continue
    const reason = refusalOf(c)
    if (reason) refused.push({ id: c.id, reason })
    else if (c.approvedAt! <= known.now) approved.push(c)
  }

  function refusalOf(c: Correction): string | undefined {
    const wrong = incomplete(c) ?? mayNotApprove(c, c.kind === 'stopDay' ? null : (c.workerId ?? known.workerId))
    if (wrong) return wrong
    if (c.approvedAt === null) return '缺少审批时间'
    if (c.kind === 'revoke' && (!byId.has(c.target!) || c.target === c.id)) return '被撤销的更正不存在'
    const targets = c.target === null ? [] : targetsOf(c.target)
    if (isAboutEvent(c.kind) && c.target !== null && targets.length === 0) return '所指记录不存在'
    if (c.kind === 'assign' && targets.every((e) => e.workerId !== null)) return '只有陌生人记录可以认领'
    const concerned = dayConcerned(c, targets)
    if (concerned === undefined || c.byCompany) return undefined
    const rule = known.calendar.ruleOn(concerned, known.calendar.stayOn(concerned) ? teamOnDay(concerned) : null)
    const window = supplementWindow(c.kind, concerned, c.requestedAt, rule.supplementDays)
    if (window.within) return undefined
    return window.until === null ? '须经企业同意' : `已过补录期限（可申请至 ${window.until}），须经企业同意`
  }

  /** The team at the beginning of the day. */
  function teamOnDay(workDay: string): string | null {
    return known.calendar.teamAt(known.calendar.closeOf(addDays(workDay, -1)))
  }

  /** A correction may also target an event added by another correction. */
  function targetsOf(id: string): readonly { time: number; workerId: string | null }[] {
    const events = known.eventsById.get(id) ?? []
    const added = byId.get(id)
    return added?.kind === 'add' && added.time !== null
      ? [...events, { time: added.time, workerId: added.workerId ?? known.workerId }]
      : events
  }

  function dayConcerned(c: Correction, targets: readonly { time: number }[]): string | undefined {
    if (windowFree.includes(c.kind)) return undefined
    if (c.kind === 'leave' || c.kind === 'stopDay') return c.fromDay!
    const times = c.kind === 'add' ? [c.time!] : targets.map((t) => t.time)
    return times.length === 0 ? undefined : known.calendar.workDayOf(Math.min(...times))
  }

  return { corrections: inForce(approved), refused: refused.sort((a, b) => compare(a.id, b.id)) }
}

/** Approved corrections that were not revoked, in the order of approval. */
export function inForce<C extends Approved>(approved: readonly C[]): C[] {
  // Goes backwards: whether a revoke itself was revoked must be known before its target is reached.
  const revoked = new Set<string>()
  const current: C[] = []
  for (const c of [...approved].sort(byApproval).reverse()) {
    if (revoked.has(c.id)) continue
    current.push(c)
    if (c.kind === 'revoke') revoked.add(c.target!)
  }
  return current.reverse()
}

const isAboutEvent = (kind: CorrectionKind) => kind === 'void' || kind === 'direction' || kind === 'assign' || kind === 'release'

/** Effect of the corrections in force on one event. */
export interface Fix {
  voided: boolean
  direction: Correction['direction']
  assigned: boolean
  released: boolean
  time: number
}

/** Returns a function that finds the corrections in force for an event, in the order of approval. */
export function indexOf(corrections: readonly Correction[]): (event: AttendanceEvent, ids: ReadonlySet<string>) => Correction[] {
  const place = new Map(corrections.map((c, i) => [c, i]))
  const byTarget = Map.groupBy(
    corrections.filter((c) => c.target !== null && isAboutEvent(c.kind)),
    (c) => c.target!,
  )
  const periods = corrections.filter((c) => c.kind === 'release' && c.target === null)
  return (event, ids) => {
    const found = [...[...ids].flatMap((id) => byTarget.get(id) ?? []), ...periods.filter((c) => coversPeriod(c, event))]
    return found.sort((a, b) => place.get(a)! - place.get(b)!)
  }
}

/**
 * A45: of several corrections of one event the latest approved applies, and `void` overrides all. `corrections` are those of the event,
 * in order.
 */
export function fixOf(event: AttendanceEvent, corrections: readonly Correction[], persons: ReadonlySet<string>): Fix {
  const fix: Fix = { voided: false, direction: null, assigned: false, released: false, time: event.time }
  for (const c of corrections) {
    if (c.kind === 'void') fix.voided = true
    else if (c.kind === 'direction') fix.direction = c.direction
    else if (c.kind === 'assign') fix.assigned = c.workerId === null || persons.has(c.workerId)
    else if (c.kind === 'release' && isQuarantined(event)) {
      fix.released = true
      fix.time = c.time ?? event.time + (c.shiftMs ?? 0)
    }
  }
  return fix
}

/** A45: clock rules do not apply to an added event. */
export const isQuarantined = (event: AttendanceEvent): boolean => !isManual(event.gate) && quarantineReason(event) !== undefined

const coversPeriod = (c: Correction, event: AttendanceEvent) =>
  event.gate === c.gate && c.fromTime !== null && c.toTime !== null && event.time >= c.fromTime && event.time <= c.toTime

/** A42 `add`: the event added by a correction (type 014, source 4). */
export function addedEvent(c: Correction, workerId: string): AttendanceEvent {
  return {
    id: c.id,
    workerId: c.workerId ?? workerId,
    time: c.time!,
    receivedAt: c.approvedAt!,
    direction: c.direction,
    gate: manualGate(c.id),
    type: '014',
    pass: null,
    live: null,
    clockOffsetMs: null,
    outsideFence: false,
    recordId: null,
    pictureHash: null,
  }
}

/** Whether a leave or stop day in force covers the date. */
export const covers = (corrections: readonly Correction[], kind: 'leave' | 'stopDay', workDay: string): boolean =>
  corrections.some((c) => c.kind === kind && c.fromDay! <= workDay && workDay <= c.toDay!)
