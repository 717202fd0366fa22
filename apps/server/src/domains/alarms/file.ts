import { type AlarmState, alarmMoves, openMoves } from '@zhugong/contract/alarms/codes'
import type { AlarmRow, getAlarm as call } from '@zhugong/contract/alarms/endpoints'
import { AppError } from '@zhugong/contract/kit/errors'
import { rightsIn } from '#kit/acts'
import { type Context, found, projectsFor } from '#kit/context'
import { pick } from '#kit/pick'
import type { HandlerOf } from '#kit/serve'
import { shownLinks } from '../files/public.ts'
import { type Veil, veilFor } from '../readings/public.ts'
import { approachOf } from './approach.ts'
import { graveLevel } from './awaiting.ts'
import { besideAlarm } from './episodes.ts'
import { evidenceOf, thresholdOf } from './evidence.ts'
import { familiesFor } from './families.ts'
import { type AlarmDetailRecord, type AlarmRecord, findAlarm, findAlarmLog, toAlarm, wornOf } from './store.ts'
import { isUrgingEvent, seesUrging } from './urging.ts'
import { nearTo, placesOf } from './worn.ts'

export const fileOf: HandlerOf<typeof call> = async ({ params, query }, ctx) => {
  const row = await getAlarm(ctx, params.id, query.projectCode)
  const [log, evidence, threshold] = [
    await findAlarmLog(ctx.db, row.id),
    await evidenceOf(ctx.db, row, ctx.clock.now()),
    await thresholdOf(ctx.db, row),
  ]
  const approach = await approachOf(ctx.db, row, evidence, ctx.clock.now())
  const worn = wornOf(row)
  const shown = seesUrging(ctx.scope, row.projectCode) ? log : log.filter((l) => !isUrgingEvent(l.event))
  const veil = await veilFor(ctx, [worn])
  const [place] = await placesOf(ctx.db, veil, [row])
  return {
    ...placedAt(toDetail(row, ctx, veil), place),
    near: row.active ? await nearTo(ctx, veil, row) : [],
    // Log lines written by the system contain values, so they are emptied for callers who may not see them.
    log: veil.seesMetric(worn, row.metric, 'now') && veil.seesPerson(worn) ? shown : shown.map((l) => (l.byName ? l : { ...l, text: '' })),
    evidence: evidence.map((r) => ({ ...r, values: veil.values(worn, r.values, 'now') })),
    ...threshold,
    approach,
    beside: await besideAlarm(ctx.db, row.id),
  }
}

/** An alarm visible to the caller; `lock` locks the row until the transaction ends. Throws AppError if there is none. */
export async function getAlarm(ctx: Context, id: string, projectCode: string | undefined, lock = false): Promise<AlarmDetailRecord> {
  const row = found(await findAlarm(ctx.db, id, projectsFor(ctx, projectCode), lock), '告警')
  const families = familiesFor(ctx, undefined)
  if (!lock && families && !families.includes(row.family)) throw new AppError('notFound', '告警不存在或已删除')
  return row
}

/** An alarm as visible to the caller. */
export function alarmFor(ctx: Pick<Context, 'clock' | 'scope'>, row: AlarmRecord, veil: Veil): AlarmRow {
  const alarm = toAlarm(row, ctx.clock.now(), veil)
  return seesUrging(ctx.scope, row.projectCode) ? alarm : { ...alarm, urging: null }
}

/** Adds the place where the person was, for alarms of wearable devices. */
export const placedAt = <A extends Pick<AlarmRow, 'person'>>(alarm: A, place: string | null | undefined): A =>
  alarm.person && place ? { ...alarm, person: { ...alarm.person, place } } : alarm

/** The actions that the caller's part in the project permits. */
export const movesOf = (ctx: Context, row: AlarmDetailRecord) =>
  openMoves(rightsIn(ctx.principal.scope), { projectCode: row.projectCode, corpCode: row.ownerCorp })

function toDetail(row: AlarmDetailRecord, ctx: Context, veil: Veil) {
  return {
    ...alarmFor(ctx, row, veil),
    ...pick(row, 'sources', 'reopened', 'ruleId', 'ruleName', 'ruleVersion', 'measure', 'outcome'),
    valuesUsed: veil.values(wornOf(row), row.valuesUsed, 'now'),
    photos: shownLinks(ctx, row.photos),
    actions: movesOf(ctx, row).filter((action) => {
      const move = alarmMoves[action]
      if (!ctx.codes.has(move.needs) || !move.from.includes(row.state as AlarmState)) return false
      return action !== 'close' || row.simulated || (!row.active && (row.maxLevel > graveLevel || row.state === 'handled'))
    }),
  }
}
