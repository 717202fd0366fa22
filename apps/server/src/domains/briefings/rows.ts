import type { BriefingRow, listGangBriefings } from '@zhugong/contract/briefings/calls'
import { briefingRow } from '@zhugong/contract/briefings/calls'
import { type Doubt, fastLeast, fastMinutes, mostByDevice } from '@zhugong/contract/briefings/doubts'
import { type BriefingType, briefingStateNames, managerKinds } from '@zhugong/contract/briefings/moves'
import { dictName } from '@zhugong/contract/settings/dictionaries'
import { type RawBuilder, sql } from 'kysely'
import { formatDay } from '#kit/clock'
import { type Context, projectsFor } from '#kit/context'
import type { Row } from '#kit/db'
import { allOf, anyOf, type Condition, condition, contains, daysBetween, equals, filtersOf, inProjects, orderBy } from '#kit/list'
import { rowOf } from '#kit/row-of'
import { waitsFor } from '../process/public.ts'
import { countGaps, countUnbriefed } from './gaps.ts'
import { hasSigned, signatureOf } from './kind.ts'

type Viewer = Pick<Context, 'scope' | 'scopeChecks' | 'codes' | 'group' | 'clock'>
type ListQuery = Partial<NonNullable<(typeof listGangBriefings)['types']>['parsed']['query']> & { kind?: readonly string[] | undefined }

type RawBriefing = Row<'briefing'> & {
  projectName: string
  corpName: string
  teamName: string | null
  bigProjectName: string | null
  signed: number
  total: number
  excused: number
  fast: boolean
  away: boolean
  device: boolean
}

/** The day of work that the moment belongs to: nights belong to the day before. */
const workDay = (at: RawBuilder<unknown>) => sql`((${at} - interval '4 hours') at time zone 'Asia/Shanghai')::date`
/** Whether receiver `r` came to the site on the day of signature `g`; null where no gate of the site recorded anybody. */
export const cameThatDay = sql<boolean | null>`(case when g.id is null
    or not exists (select from attendance_day d where d.project_code = r.project_code and d.work_day = ${workDay(sql`g.at`)} and d.record_count > 0) then null
  else exists (select from attendance_day d where d.project_code = r.project_code and d.worker_id = r.worker_id
    and d.work_day = ${workDay(sql`g.at`)} and d.record_count > 0) end)`

/** Figures of the receivers of `briefing b`, as `s`. */
const tally = sql`left join lateral (select count(*)::int as total, count(*) filter (where ${hasSigned})::int as signed,
    count(*) filter (where not ${hasSigned} and r.absent_reason is not null)::int as excused,
    count(g.id) >= ${fastLeast} and max(g.at) - min(g.at) <= ${`${fastMinutes} minutes`}::interval as fast,
    coalesce(bool_or(not ${cameThatDay}), false) as away
  from briefing_receiver r ${signatureOf} where r.briefing_id = b.id) s on true`
const byOneDevice = sql<boolean>`exists (select from (select distinct h.device, ${workDay(sql`h.at`)} as day from process_signature h
    where h.kind = b.type and h.object_id = b.id and h.device is not null and h.void_at is null) x
  where (select count(*) from process_signature k where k.project_code = b.project_code and k.kind = b.type and k.device = x.device
    and k.void_at is null and ${workDay(sql`k.at`)} = x.day) > ${mostByDevice})`
const isDoubtful = sql`(s.fast or s.away or ${byOneDevice})`
const share = sql`(case when s.total = 0 then 0 else round(s.signed * 100.0 / s.total, 1) end)`

const waiting = (ctx: Viewer, type: BriefingType, projects: readonly string[] | undefined) =>
  sql`b.id in (select t.object_id from process_todo t where t.kind = ${type} and ${waitsFor(ctx, projects)})`
const thisMonth = (ctx: Viewer) =>
  sql`b.state in ('1', '2', '3') and b.date >= date_trunc('month', ${formatDay(ctx.clock.now())}::date) and b.date < date_trunc('month', ${formatDay(
    ctx.clock.now(),
  )}::date) + interval '1 month'`

export function conditions(ctx: Viewer, type: BriefingType, query: ListQuery): Condition {
  const projects = projectsFor(ctx, query.projectCode)
  const tabs: Record<NonNullable<ListQuery['tab']>, RawBuilder<unknown>> = {
    todo: waiting(ctx, type, projects),
    open: sql`b.state = '1'`,
    month: thisMonth(ctx),
    draft: sql`b.state = '0'`,
  }
  return allOf(
    condition(sql`b.type = ${type}`),
    ...inProjects('b.projectCode', projects),
    filtersOf(query, {
      projectCode: 'elsewhere',
      tab: (value) => condition(tabs[value]),
      name: [contains, 'b.name'],
      part: [contains, 'b.part'],
      discloser: [contains, 'b.discloser'],
      workType: [anyOf, 'b.workType'],
      kind: [anyOf, 'b.kind'],
      team: [anyOf, 'b.teamId'],
      date: [daysBetween, 'b.date'],
      signed: (range) => allOf(...percent(range)),
      bigProjectId: [equals, 'b.bigProjectId'],
      dangerous: (value) => condition(value ? sql`b.big_project_id is not null` : sql`b.big_project_id is null`),
      doubtful: (value) => condition(value ? sql`${isDoubtful}` : sql`not ${isDoubtful}`),
      state: [anyOf, 'b.state'],
    }),
  )
}

const percent = ({ low, high }: { low?: number | undefined; high?: number | undefined }): Condition[] => [
  ...(low === undefined ? [] : [condition(sql`${share} >= ${low}::numeric`)]),
  ...(high === undefined ? [] : [condition(sql`${share} <= ${high}::numeric`)]),
]

/** Without a wish: what still collects signatures, then the newest. */
const order = (sort: ListQuery['sort']) =>
  sort === undefined
    ? sql`b.state = '1' desc, b.date desc, b.id`
    : orderBy(sort, { date: 'b.date!', signed: share, name: 'b.name!' }, '-date', 'b.id')

export async function readBriefings(
  ctx: Viewer & Pick<Context, 'db'>,
  where: Condition,
  { sort, limit, offset }: { sort?: ListQuery['sort']; limit?: number; offset?: number },
): Promise<BriefingRow[]> {
  const page = limit === undefined ? sql`` : sql`limit ${limit} offset ${offset ?? 0}`
  const { rows } = await sql<RawBriefing>`select b.*, p.name as project_name, k.corp_name, t.team_name, w.name as big_project_name,
      s.signed, s.total, s.excused, s.fast, s.away, ${byOneDevice} as device
    from briefing b ${tally} join project p on p.project_code = b.project_code join corporation k on k.corp_code = b.corp_code
      left join team t on t.id = b.team_id left join bigproject w on w.id = b.big_project_id
    where ${where} order by ${order(sort)} ${page}`.execute(ctx.db)
  return rows.map(toRow)
}

export async function countBriefings(ctx: Pick<Context, 'db'>, where: Condition): Promise<number> {
  const { rows } = await sql<{ n: number }>`select count(*)::int as n from briefing b ${tally} where ${where}`.execute(ctx.db)
  return rows[0]?.n ?? 0
}

function toRow(b: RawBriefing): BriefingRow {
  const found: Record<Doubt, boolean> = { fast: b.fast, away: b.away, device: b.device }
  return rowOf(briefingRow, b, {
    kindName: b.kind && managerKinds[b.kind],
    workTypeName: b.workType && (dictName('workerType', b.workType) ?? b.workType),
    doubts: (Object.keys(found) as Doubt[]).filter((one) => found[one]),
    late: b.shownAt !== null && formatDay(b.shownAt) > b.date,
    stateName: briefingStateNames[b.state],
  })
}

/** Figures of the strip, each with the condition of the list it opens. */
export async function countsOf(ctx: Viewer & Pick<Context, 'db'>, type: BriefingType, projectCode: string | undefined) {
  const projects = projectsFor(ctx, projectCode)
  const where = conditions(ctx, type, { projectCode })
  const n = (of: RawBuilder<unknown>) => sql`count(*) filter (where ${of})::int`
  const { rows } = await sql<{ todo: number; open: number; month: number; doubtful: number }>`
    select ${n(waiting(ctx, type, projects))} as todo, ${n(sql`b.state = '1'`)} as open, ${n(thisMonth(ctx))} as month,
      ${n(isDoubtful)} as doubtful
    from briefing b ${tally} where ${where}`.execute(ctx.db)
  const { rows: covered } = await sql<{ n: number }>`select count(distinct r.worker_id)::int as n
    from briefing b join briefing_receiver r on r.briefing_id = b.id ${signatureOf}
    where ${where} and ${hasSigned} and ${thisMonth(ctx)}`.execute(ctx.db)
  const { todo = 0, open = 0, month = 0, doubtful = 0 } = rows[0] ?? {}
  const whole = { projectCode: projectCode ?? '*' }
  return {
    todo,
    open,
    month,
    covered: covered[0]?.n ?? 0,
    doubtful,
    gaps: await countGaps(ctx, whole),
    soon: await countGaps(ctx, { ...whole, soon: true }),
    unbriefed: await countUnbriefed(ctx, whole),
    fresh: await countUnbriefed(ctx, { ...whole, fresh: true }),
  }
}

export async function briefingFor(ctx: Viewer & Pick<Context, 'db'>, type: BriefingType, id: string): Promise<BriefingRow | undefined> {
  const where = allOf(condition(sql`b.type = ${type}`), ...equals('b.id', id), ...inProjects('b.projectCode', projectsFor(ctx)))
  const [row] = await readBriefings(ctx, where, {})
  return row
}
