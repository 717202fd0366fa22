import type { PatrolDetail } from '@zhugong/contract/checks/patrol'
import { dayMs } from '@zhugong/contract/kit/time'
import { runningStates } from '@zhugong/contract/rectify/moves'
import { dictName } from '@zhugong/contract/settings/dictionaries'
import { sql } from 'kysely'
import { formatDay, formatInstant } from '#kit/clock'
import { type Context, found } from '#kit/context'
import { linksOf } from '../files/public.ts'
import { planPictures } from '../places/public.ts'
import { historyOf, offersFor, signaturesOf } from '../process/public.ts'
import type { Check, Patrol, PatrolKind } from './patrol-kind.ts'
import { checkFor } from './patrol-rows.ts'
import { problemsOf } from './problems.ts'

const labelsOf = ({ moves }: Pick<PatrolKind, 'moves'>): Readonly<Record<string, string>> => ({
  ...Object.fromEntries(Object.entries(moves).map(([action, { label }]) => [action, label])),
  create: '起草',
})

/** A patrol with its problems, notices and history, and what the caller may do. @throws AppError `notFound` */
export async function readPatrol(ctx: Context, patrol: Patrol, kind: PatrolKind, id: string): Promise<PatrolDetail> {
  const row = found(await checkFor(ctx, patrol.kind, id), patrol.noun)
  const { rows } = await sql<Check>`select * from site_check where id = ${id}`.execute(ctx.db)
  const check = found(rows[0], patrol.noun)
  const problems = await problemsOf(ctx, id)
  return {
    ...row,
    remark: check.remark,
    photos: linksOf(ctx, check.photos),
    placeId: check.placeId,
    problems,
    plans: await planPictures(
      ctx,
      problems.map((one) => one.pin?.planId ?? null),
    ),
    notices: await noticesOf(ctx, patrol.kind, id),
    earlier: await earlierAt(ctx, check),
    timeline: await historyOf(ctx, patrol.kind, id, labelsOf(kind)),
    signatures: await signaturesOf(ctx, kind, check),
    actions: offersFor(ctx, kind, check),
  }
}

/** The notices that the problems of a check became, the open ones first. */
async function noticesOf(ctx: Context, kind: string, id: string): Promise<PatrolDetail['notices']> {
  type Raw = Omit<PatrolDetail['notices'][number], 'stateName' | 'overdueDays'>
  const { rows } = await sql<Raw>`select r.id, r.code, k.corp_name, r.state, r.deadline,
      (select count(*)::int from rectify_line l where l.rectify_id = r.id) as problem_count,
      (select count(*)::int from rectify_line l where l.rectify_id = r.id and l.state = 'passed') as passed_count
    from rectify r join corporation k using (corp_code) where r.source_kind = ${kind} and r.source_id = ${id}
    order by r.state = '7', r.deadline, r.id`.execute(ctx.db)
  const today = formatDay(ctx.clock.now())
  return rows.map((r) => ({
    ...r,
    stateName: dictName('rectifyState', r.state) ?? r.state,
    overdueDays: runningStates.some((one) => one === r.state)
      ? Math.max(0, Math.round((Date.parse(today) - Date.parse(r.deadline)) / dayMs))
      : 0,
  }))
}

/** Earlier problems shown beside a check. */
const mostEarlier = 8

async function earlierAt(ctx: Context, check: Check): Promise<PatrolDetail['earlier']> {
  type Raw = { checkId: string; code: string | null; checkTime: Date; description: string; state: string }
  const { rows } = await sql<Raw>`select c.id as check_id, c.code, c.check_time, p.description, coalesce(r.state, c.state) as state
    from site_check_problem p join site_check c on c.id = p.check_id left join rectify r on r.id = p.rectify_id
    where p.project_code = ${check.projectCode} and c.kind = ${check.kind} and c.state <> '0' and c.id <> ${check.id}
      and c.check_time < ${check.checkTime} and (
        p.part in (select ${check.part}::text union select q.part from site_check_problem q where q.check_id = ${check.id})
        or p.place_id in (select ${check.placeId}::text union select q.place_id from site_check_problem q where q.check_id = ${check.id}))
    order by c.check_time desc, p.id limit ${mostEarlier}`.execute(ctx.db)
  return rows.map(({ state, checkTime, ...one }) => ({
    ...one,
    checkTime: formatInstant(checkTime),
    stateName: dictName('rectifyState', state) ?? state,
  }))
}
