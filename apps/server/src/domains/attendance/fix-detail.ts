import type { Correction, CorrectionKind } from '@zhugong/contract/attendance/facts'
import { fixStates, type getFix } from '@zhugong/contract/attendance/fix-endpoints'
import type { ParsedFor } from '@zhugong/contract/kit/endpoint'
import { formatInstant } from '#kit/clock'
import type { Context } from '#kit/context'
import { actionsFor } from '../workflow/public.ts'
import { resultText } from './day-list.ts'
import { computeDays } from './engine/day.ts'
import { addDays } from './engine/time.ts'
import { findFacts } from './facts-store.ts'
import { fixKind } from './fix-flow.ts'
import { getRaw, type Raw, toFix } from './fix-rows.ts'
import type { CorrectionValue } from './tables.ts'

export async function fixDetail(ctx: Context, { params, query }: ParsedFor<typeof getFix>) {
  const raw = await getRaw(ctx, params.id, query.projectCode)
  const actions = await actionsFor(ctx, fixKind, [raw.id])
  return { ...toFix(ctx, raw, actions.get(raw.id)), days: await beforeAndAfter(ctx, raw) }
}

/** Maximum number of days in a preview; of a long leave only the beginning is shown. */
const shownDays = 14

/** The days with and without the correction, computed by the attendance engine. */
async function beforeAndAfter(ctx: Context, raw: Raw) {
  const { workerId, workDay, projectCode } = raw
  if (!workerId || !workDay) return []
  const value = raw.value as CorrectionValue
  const from = value.fromDay ?? addDays(workDay, -1)
  const to = value.toDay ?? addDays(workDay, 1)
  const last = to > addDays(from, shownDays - 1) ? addDays(from, shownDays - 1) : to
  const now = ctx.clock.now()
  const { facts } = await findFacts(ctx.db, projectCode, { from, to: last }, now, [workerId])
  const own = facts.get(workerId)
  if (!own) return []
  const others = own.corrections.filter((c) => c.id !== raw.id)
  const this_: Correction = {
    id: raw.id,
    kind: raw.kind as CorrectionKind,
    state: fixStates.passed,
    requestedBy: raw.requestedBy,
    requestedAt: raw.requestedAt.getTime(),
    approvedBy: '-',
    approvedAt: now,
    byCompany: true,
    workerId,
    ...value,
  }
  const before = computeDays({ ...own, corrections: others }, from, last)
  const after = new Map(computeDays({ ...own, corrections: [...others, this_] }, from, last).map((d) => [d.workDay, d]))
  return before.flatMap((b) => {
    const a = after.get(b.workDay)
    return a ? [{ workDay: b.workDay, before: figuresOf(b), after: figuresOf(a) }] : []
  })
}

const figuresOf = (d: {
  firstIn: number | null
  lastOut: number | null
  workHours: number
  attendDay: number
  results: readonly number[]
}) => ({
  firstIn: d.firstIn === null ? null : formatInstant(d.firstIn),
  lastOut: d.lastOut === null ? null : formatInstant(d.lastOut),
  workHours: d.workHours,
  attendDay: d.attendDay,
  results: [...d.results],
  resultText: resultText(d.results),
})
