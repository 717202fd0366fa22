import type { AttendanceEvent, Correction, GateRole } from '@zhugong/contract/attendance/facts'
import type { RehearseInput, RehearseOutput } from '@zhugong/contract/attendance/rehearsal'
import { instantOf } from '@zhugong/contract/attendance/time'
import { hourMs } from '@zhugong/contract/kit/time'
import { byHour } from './by-hour.ts'
import { daysOf, evaluate, type Facts } from './day.ts'
import { keyPostMonth, thresholdOf } from './key-post.ts'
import { daysByMonth, totalsOf } from './month.ts'
import { isOnDuty } from './now.ts'
import { dateOf, datesFrom, startOf, textOf } from './time.ts'
import { versionOn } from './work-day.ts'

const at = (v: string | null | undefined): number | null => (v === null || v === undefined ? null : instantOf(v))

function eventOf(e: RehearseInput['events'][number], workerId: string): AttendanceEvent {
  return {
    id: e.id,
    workerId: e.stranger ? null : workerId,
    time: instantOf(e.time),
    receivedAt: instantOf(e.receivedAt ?? e.time),
    direction: e.direction,
    gate: e.gate,
    type: e.type,
    pass: e.pass,
    live: e.live,
    clockOffsetMs: e.clockOffsetMs,
    outsideFence: e.outsideFence,
    // Events of a rehearsal have no record number; their id is used instead.
    recordId: e.id,
    pictureHash: null,
  }
}

function correctionOf(c: RehearseInput['corrections'][number]): Correction {
  return {
    id: c.id,
    kind: c.kind,
    state: c.state,
    requestedBy: c.requestedBy ?? null,
    requestedAt: instantOf(c.requestedAt),
    approvedBy: c.approvedBy ?? null,
    approvedAt: at(c.approvedAt),
    byCompany: c.byCompany,
    target: c.target ?? null,
    workerId: null,
    time: at(c.time),
    direction: c.direction,
    fromDay: c.fromDay ?? null,
    toDay: c.toDay ?? null,
    gate: c.gate ?? null,
    fromTime: at(c.fromTime),
    toTime: at(c.toTime),
    shiftMs: c.shiftMs ?? null,
  }
}

/** Converts the input of a rehearsal to the facts the evaluator reads. */
export function factsOf(input: RehearseInput): Facts {
  const states = input.project.states.map((s) => ({ state: s.state, from: instantOf(s.from) }))
  const gates: Record<string, GateRole> = Object.fromEntries(
    Object.entries(input.gates).map(([sn, g]) => [sn, { direction: g.direction, role: g.role ?? 'perimeter' }]),
  )
  return {
    versions: [
      { version: '1', effectiveFrom: '0001-01-01', setting: input.setting },
      ...input.versions.map((v, i) => ({ version: String(i + 2), effectiveFrom: v.effectiveFrom, setting: v.setting })),
    ],
    // Default if no state is given: under construction.
    states: states.length > 0 ? states : [{ state: '003', from: Number.MIN_SAFE_INTEGER }],
    gates,
    worker: {
      workerId: input.worker.workerId,
      rows: input.worker.rows.map((r) => {
        const entryTime = instantOf(r.entryTime)
        return {
          entryTime,
          exitTime: at(r.exitTime),
          formalFrom: r.formalFrom === undefined ? startOf(dateOf(entryTime)) : at(r.formalFrom),
          pauses: r.pauses.map((p) => ({ from: instantOf(p.from), until: at(p.until) })),
          corpCode: r.corpCode,
          teamSysNo: r.teamSysNo,
        }
      }),
    },
    events: input.events.map((e) => eventOf(e, input.worker.workerId)),
    corrections: input.corrections.map(correctionOf),
    now: instantOf(input.now),
  }
}

/** A82: evaluates given facts with the same evaluator as stored ones; stores nothing. */
export function rehearse(input: RehearseInput): RehearseOutput {
  const facts = factsOf(input)
  const evaluation = evaluate(facts)
  const days = daysOf(facts, evaluation, input.from, input.to)
  const output: RehearseOutput = {
    days: days.map((d) => ({
      workDay: d.workDay,
      firstIn: d.firstIn === null ? null : textOf(d.firstIn),
      lastOut: d.lastOut === null ? null : textOf(d.lastOut),
      workHours: d.workHours,
      attendDay: d.attendDay,
      results: d.results,
      recordCount: d.recordCount,
      parts: d.parts,
    })),
    months: {},
    keyPost: {},
    onDuty: isOnDuty(facts, evaluation),
    byHour: {},
    quarantined: evaluation.quarantined,
    refused: evaluation.refused.map((r) => r.id),
  }
  for (const [month, ofMonth] of daysByMonth(days)) {
    output.months[month] = totalsOf(ofMonth)
    const threshold = thresholdOf(input.worker.post, versionOn(facts.versions, ofMonth.at(-1)!.workDay).setting.keyPostRate)
    if (threshold !== undefined) output.keyPost[month] = keyPostMonth(ofMonth, threshold)
  }
  const today = evaluation.calendar.workDayOf(facts.now)
  for (const date of datesFrom(input.from, input.to)) {
    if (date > today) break
    const { dayCutMs } = evaluation.calendar.ruleOn(date, evaluation.calendar.teamAt(startOf(date) + 12 * hourMs))
    const hours = byHour([evaluation], date, dayCutMs, facts.now)
    output.byHour[date] = Object.fromEntries(hours.map((h) => [h.hour, [h.inCount, h.outCount, h.onDuty]]))
  }
  return output
}
