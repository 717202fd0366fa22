import type { Day } from '@zhugong/contract/attendance/facts'
import { dayMs, hourMs } from '@zhugong/contract/kit/time'
import { pick } from '#kit/pick'
import { atClose, daysOf, type Evaluation, evaluate, type Facts } from './engine/day.ts'
import { lateness } from './engine/intake.ts'
import { rowAt } from './engine/stay.ts'
import { startOf } from './engine/time.ts'
import type { Stay } from './facts-store.ts'
import type { AtClose } from './tables.ts'

/** A computed day as a database row. */
export interface DayRow {
  project_code: string
  worker_id: string
  work_day: string
  stay_id: string
  corp_code: string
  team_id: string | null
  first_in: string | null
  last_out: string | null
  work_hours: number
  overtime_hours: number
  attend_day: 0 | 1
  results: number[]
  record_count: number
  parts: Day['parts']
  shift: string | null
  expected: boolean
  required: boolean
  present: boolean
  pending: boolean
  settled: boolean
  at_close: AtClose | null
  rules_version: string
  setting_version: string
  due_at: string | null
}

export interface PresenceRow {
  project_code: string
  worker_id: string
  corp_code: string | null
  direction: string | null
  time: string | null
  gate: string | null
  cleared_at: string | null
}

const iso = (at: number | null) => (at === null ? null : new Date(at).toISOString())

/** One person's computed days of a range as rows. `facts.events` must cover two days before and after the range. */
export function dayRowsOf(projectCode: string, facts: Facts, evaluation: Evaluation, from: string, to: string): DayRow[] {
  return daysOf(facts, evaluation, from, to).map((day) => toRow(projectCode, facts, evaluation, day))
}

function toRow(projectCode: string, facts: Facts, evaluation: Evaluation, day: Day): DayRow {
  const stay = unitOf(evaluation, day)
  const closed = closedFigures(facts, evaluation, day)
  return {
    project_code: projectCode,
    worker_id: facts.worker.workerId,
    work_day: day.workDay,
    stay_id: stay.id,
    corp_code: stay.corpCode,
    team_id: stay.teamId,
    first_in: iso(day.firstIn),
    last_out: iso(day.lastOut),
    work_hours: day.workHours,
    overtime_hours: day.overtimeHours,
    attend_day: day.attendDay,
    ...pick(day, 'results', 'parts', 'shift', 'expected', 'required', 'present', 'pending', 'settled'),
    record_count: day.recordCount,
    at_close: closed ?? null,
    rules_version: day.rulesVersion,
    setting_version: day.settingVersion,
    due_at: iso(dueAt(evaluation, day)),
  }
}

/** The stay whose unit the day belongs to: that of the part with the attendance day; without parts, the one at noon. */
function unitOf(evaluation: Evaluation, day: Day): Stay {
  const stay = evaluation.calendar.stayOn(day.workDay)
  if (!stay) throw new Error(`nobody is in place on ${day.workDay}`)
  const part = day.parts.find((p) => p.attendDay === 1) ?? day.parts[0]
  const current = rowAt(stay, startOf(day.workDay) + 12 * hourMs)
  const ofPart = part && !isOf(current, part) ? stay.rows.findLast((r) => isOf(r, part)) : undefined
  return (ofPart ?? current) as Stay
}
const isOf = (row: { corpCode: string; teamSysNo: string | null }, part: { corpCode: string; teamSysNo: string | null }) =>
  row.corpCode === part.corpCode && row.teamSysNo === part.teamSysNo

/** The next time (epoch ms) at which the day changes by itself: when it closes, and when the search for an exit ends. */
function dueAt(evaluation: Evaluation, day: Day): number | null {
  const { calendar, passages } = evaluation
  if (!day.closed) return calendar.closeOf(day.workDay)
  const open = day.pending ? passages.at(-1) : undefined
  return open ? open.time + calendar.ruleOn(open.workDay, calendar.teamAt(open.records[0]!.time)).maxSpanMs : null
}

/**
 * A50: the figures at the moment the day settled, if they differ from the current ones. Only facts received after the close can cause a
 * difference, so most days are computed once.
 */
function closedFigures(facts: Facts, evaluation: Evaluation, day: Day): AtClose | undefined {
  if (!day.settled) return undefined
  const close = evaluation.calendar.closeOf(day.workDay)
  const begins = startOf(day.workDay) - dayMs
  const cameLater =
    facts.events.some(
      (e) => e.receivedAt > close && e.time >= begins && e.time <= close + dayMs && (e.time <= close || lateness(e).late),
    ) || evaluation.corrections.some((c) => (c.approvedAt ?? 0) > close)
  if (!cameLater) return undefined
  const before = atClose(facts, day.workDay)
  if (!before) return undefined
  const figures = (d: Day): AtClose => ({
    ...pick(d, 'firstIn', 'lastOut', 'workHours', 'attendDay', 'results', 'recordCount'),
  })
  return JSON.stringify(figures(before)) === JSON.stringify(figures(day)) ? undefined : figures(before)
}

/** A60: the presence row, used as the muster list for rescue. Passage fields are null if the facts do not reach back to a passage. */
export function presenceRowOf(projectCode: string, facts: Facts, evaluation: Evaluation): PresenceRow {
  const last = evaluation.passages.at(-1)
  return {
    project_code: projectCode,
    worker_id: facts.worker.workerId,
    corp_code: facts.worker.rows.at(-1)?.corpCode ?? null,
    direction: last?.direction ?? null,
    time: iso(last?.time ?? null),
    gate: last?.records.at(-1)?.event.gate ?? null,
    cleared_at: iso(evaluation.clearedAt.at(-1) ?? null),
  }
}

/** Day rows and presence row of one person. */
export function computePerson(projectCode: string, facts: Facts, from: string, to: string): { days: DayRow[]; presence: PresenceRow } {
  const evaluation = evaluate(facts)
  return { days: dayRowsOf(projectCode, facts, evaluation, from, to), presence: presenceRowOf(projectCode, facts, evaluation) }
}
