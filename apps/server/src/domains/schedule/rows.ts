import type { listSchedules, ScheduleRow } from '@zhugong/contract/schedule/calls'
import { scheduleRow } from '@zhugong/contract/schedule/calls'
import { type BaseState, baseStateNames, baseStates } from '@zhugong/contract/schedule/moves'
import { lateDays, severeDays } from '@zhugong/contract/schedule/plan'
import { dictName } from '@zhugong/contract/settings/dictionaries'
import { type RawBuilder, sql } from 'kysely'
import { formatInstant } from '#kit/clock'
import { type Context, projectsFor } from '#kit/context'
import type { Row } from '#kit/db'
import {
  allOf,
  anyOf,
  between,
  type Condition,
  condition,
  contains,
  daysBetween,
  filtersOf,
  inProjects,
  instantsBetween,
  orderBy,
} from '#kit/list'
import { rowOf } from '#kit/row-of'

type Query = Partial<NonNullable<(typeof listSchedules)['types']>['parsed']['query']>
export type Viewer = Pick<Context, 'scope' | 'scopeChecks' | 'codes' | 'group' | 'clock'>
type Raw = Row<'schedule'> & { projectName: string; corpName: string; phase: string | null }

const staleDays = 7
const stale = (ctx: Pick<Viewer, 'clock'>) => {
  const since = new Date(ctx.clock.now() - staleDays * 86_400_000)
  return sql`(s.base_no > 0 and s.percent < 100 and coalesce(s.report_time, s.approved_at) < ${since})`
}

export function conditions(ctx: Viewer, query: Query): Condition {
  return allOf(
    ...inProjects('s.projectCode', projectsFor(ctx, query.projectCode)),
    filtersOf(query, {
      projectCode: 'elsewhere',
      projectName: [contains, 'p.name'],
      phase: [anyOf, 'p.phase'],
      planPercent: [between, 's.planPercent'],
      percent: [between, 's.percent'],
      delayDays: [between, 's.delayDays'],
      state: [anyOf, 's.scheduleState'],
      baseState: [anyOf, 's.state'],
      completeDate: [daysBetween, 's.planEnd'],
      reportTime: [instantsBetween, 's.reportTime'],
      reported: (yes) => condition(yes ? sql`s.report_time is not null` : sql`s.report_time is null`),
      stale: (yes) => condition(yes ? stale(ctx) : sql`not ${stale(ctx)}`),
    }),
  )
}

const order = (sort: Query['sort']) =>
  orderBy(
    sort,
    {
      delayDays: 's.delayDays!',
      planPercent: 's.planPercent!',
      percent: 's.percent!',
      completeDate: 's.planEnd',
      reportTime: 's.reportTime',
      projectName: 'p.name!',
    },
    '-delayDays',
    's.id',
  )

const joined = sql`schedule s join project p using (project_code) join corporation k on k.corp_code = s.corp_code`

export async function readSchedules(
  ctx: Pick<Context, 'db'>,
  where: Condition,
  { sort, limit, offset }: { sort?: Query['sort']; limit?: number; offset?: number },
): Promise<ScheduleRow[]> {
  const page = limit === undefined ? sql`` : sql`limit ${limit} offset ${offset ?? 0}`
  const { rows } = await sql<Raw>`select s.*, p.name as project_name, p.phase, k.corp_name from ${joined}
    where ${where} order by ${order(sort)} ${page}`.execute(ctx.db)
  return rows.map(toRow)
}

export async function countSchedules(ctx: Pick<Context, 'db'>, where: Condition): Promise<number> {
  const { rows } = await sql<{ n: number }>`select count(*)::int as n from ${joined} where ${where}`.execute(ctx.db)
  return rows[0]?.n ?? 0
}

const toRow = (s: Raw): ScheduleRow =>
  rowOf(scheduleRow, s, {
    phaseName: dictName('projectPhase', s.phase) ?? null,
    completeDate: s.planEnd,
    reportTime: s.reportTime && formatInstant(s.reportTime),
    state: s.scheduleState,
    stateName: dictName('scheduleState', s.scheduleState) ?? s.scheduleState,
    baseState: s.state,
    baseStateName: baseStateNames[s.state as BaseState],
  })

/** Figures of the strip over several projects, each with the condition of the list it opens. */
export async function projectCounts(ctx: Viewer & Pick<Context, 'db'>, projectCode: string | undefined) {
  const where = conditions(ctx, { projectCode })
  const n = (of: RawBuilder<unknown>) => sql`count(*) filter (where ${of})::int`
  const { rows } = await sql<{ late: number; severe: number; stale: number; waiting: number }>`select
      ${n(sql`s.delay_days > ${lateDays}`)} as late, ${n(sql`s.delay_days > ${severeDays}`)} as severe,
      ${n(stale(ctx))} as stale, ${n(sql`s.state = ${baseStates.submitted}`)} as waiting
    from ${joined} where ${where}`.execute(ctx.db)
  return rows[0] ?? { late: 0, severe: 0, stale: 0, waiting: 0 }
}
