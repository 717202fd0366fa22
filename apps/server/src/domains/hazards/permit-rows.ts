import type { listPermits } from '@zhugong/contract/hazards/calls'
import { permitStates } from '@zhugong/contract/hazards/permit-moves'
import type { PermitRow } from '@zhugong/contract/hazards/permit-rows'
import { permitRow } from '@zhugong/contract/hazards/permit-rows'
import { hotWork, permitTypes } from '@zhugong/contract/hazards/permit-rules'
import { dayMs } from '@zhugong/contract/kit/time'
import { type RawBuilder, sql } from 'kysely'
import { formatDay, formatInstant, startOfDay } from '#kit/clock'
import { type Context, projectsFor } from '#kit/context'
import type { Row } from '#kit/db'
import { allOf, anyOf, type Condition, condition, contains, equals, filtersOf, inProjects, instantsBetween, orderBy } from '#kit/list'
import { rowOf } from '#kit/row-of'
import { placeNameOf } from '../places/public.ts'
import { waitsFor } from '../process/public.ts'
import { permitType } from './permit-kind.ts'

type RawPermit = Row<'workPermit'> & {
  projectName: string
  corpName: string
  placeName: string | null
  guardian: string | null
  workerCount: number
}
type PermitQuery = Partial<NonNullable<(typeof listPermits)['types']>['parsed']['query']>
type Viewer = Pick<Context, 'scope' | 'scopeChecks' | 'codes' | 'group' | 'clock'>

const waiting = (ctx: Viewer, projects: readonly string[] | undefined) =>
  sql`w.id in (select t.object_id from process_todo t where t.kind = ${permitType} and ${waitsFor(ctx, projects)})`
/** Submitted ones whose time touches this day. */
const isToday = (ctx: Pick<Context, 'clock'>) => {
  const from = startOfDay(formatDay(ctx.clock.now()))
  return sql`(w.state in ('1', '2', '3', '4', '6') and w.start_time < ${new Date(from + dayMs)} and w.end_time >= ${new Date(from)})`
}
const guardianOf = sql`(select g.name from work_permit_person g where g.permit_id = w.id and g.role = 'guardian' and g.until is null
  order by g.seq desc limit 1)`

export function permitConditions(ctx: Viewer, query: PermitQuery): Condition {
  const projects = projectsFor(ctx, query.projectCode)
  const tabs: Record<NonNullable<PermitQuery['tab']>, RawBuilder<unknown>> = {
    todo: waiting(ctx, projects),
    today: isToday(ctx),
    draft: sql`w.state = '0'`,
  }
  return allOf(
    ...inProjects('w.projectCode', projects),
    filtersOf(query, {
      projectCode: 'elsewhere',
      kind: 'elsewhere',
      // Of the call's two lists only one has this tab.
      tab: (value) => condition(tabs[value] ?? sql`false`),
      code: [contains, 'w.code'],
      type: [anyOf, 'w.type'],
      level: [anyOf, 'w.level'],
      part: [contains, 'w.part'],
      corpName: (value) =>
        condition(sql`exists (select from corporation k where k.corp_code = w.corp_code and ${allOf(...contains('k.corpName', value))})`),
      startTime: [instantsBetween, 'w.startTime'],
      guardian: (value) =>
        condition(sql`exists (select from work_permit_person p where p.permit_id = w.id and p.role = 'guardian' and p.until is null
          and ${allOf(...contains('p.name', value))})`),
      late: (value) => allOf(...equals('w.late', value)),
      state: [anyOf, 'w.state'],
    }),
  )
}

const order = (sort: PermitQuery['sort']) =>
  orderBy(sort, { startTime: 'w.startTime!', endTime: 'w.endTime!', code: 'w.code' }, '-startTime', 'w.id')

export async function readPermits(
  ctx: Pick<Context, 'db'>,
  where: Condition,
  { sort, limit, offset }: { sort?: PermitQuery['sort']; limit?: number; offset?: number },
): Promise<PermitRow[]> {
  const page = limit === undefined ? sql`` : sql`limit ${limit} offset ${offset ?? 0}`
  const { rows } = await sql<RawPermit>`select w.*, j.name as project_name, k.corp_name, ${placeNameOf('w.place_id')} as place_name,
      ${guardianOf} as guardian,
      (select count(*)::int from work_permit_person p where p.permit_id = w.id and p.role <> 'guardian') as worker_count
    from (select w.* from work_permit w where ${where} order by ${order(sort)} ${page}) w
      join project j on j.project_code = w.project_code join corporation k on k.corp_code = w.corp_code
    order by ${order(sort)}`.execute(ctx.db)
  return rows.map(toRow)
}

export async function countPermits(ctx: Pick<Context, 'db'>, where: Condition): Promise<number> {
  const { rows } = await sql<{ n: number }>`select count(*)::int as n from work_permit w where ${where}`.execute(ctx.db)
  return rows[0]?.n ?? 0
}

function toRow(w: RawPermit): PermitRow {
  const embers = w.state === '3' && w.type === hotWork && w.endedAt !== null
  return rowOf(permitRow, w, {
    typeName: permitTypes[w.type]?.name ?? w.type,
    startTime: formatInstant(w.startTime),
    endTime: formatInstant(w.endTime),
    closesBy: w.closesBy.getTime(),
    guardian: w.guardian ?? '',
    embers,
    extending: w.extendTo !== null,
    stateName: embers ? '余火观察' : permitStates[w.state],
  })
}

/** Figures of the strip, each with the condition of the list that it opens. */
export async function permitCounts(ctx: Viewer & Pick<Context, 'db'>, query: Pick<PermitQuery, 'projectCode'>) {
  const n = (of: RawBuilder<unknown>) => sql`count(*) filter (where ${of})::int`
  const projects = projectsFor(ctx, query.projectCode)
  const where = permitConditions(ctx, { projectCode: query.projectCode })
  type Counts = { todo: number; today: number; running: number; overdue: number }
  const { rows } = await sql<Counts>`select ${n(waiting(ctx, projects))} as todo, ${n(isToday(ctx))} as today,
      ${n(sql`w.state = '3'`)} as running, ${n(sql`w.state = '6'`)} as overdue from work_permit w where ${where}`.execute(ctx.db)
  return rows[0] ?? { todo: 0, today: 0, running: 0, overdue: 0 }
}

export async function permitFor(ctx: Viewer & Pick<Context, 'db'>, id: string): Promise<PermitRow | undefined> {
  const [row] = await readPermits(ctx, allOf(...equals('w.id', id), ...inProjects('w.projectCode', projectsFor(ctx))), {})
  return row
}
