import { projectStates } from '@zhugong/contract/organisation/codes'
import { sql } from 'kysely'
import { asProduct, type BackgroundDependencies } from '#kit/background'
import { formatDay } from '#kit/clock'
import type { Context } from '#kit/context'
import type { Row } from '#kit/db'
import { attendanceKept, holdProject, writeState } from '../organisation/public.ts'
import { replaceTodos, writeLog } from '../process/public.ts'
import { stopKind } from './kind.ts'

type Source = Pick<Row<'projectStop'>, 'projectCode' | 'source' | 'sourceId'>
interface NewStop extends Source {
  code: string | null
  orderedBy: string
  reason: string
  affectAttendance: boolean
  planResumeDate: string | null
  /** yyyy-MM-dd; a later day waits for `beginComing`. */
  fromDay: string
}

/** Stops of a project that hold today, the first one first. */
export async function holdingStops(ctx: Pick<Context, 'db'>, projectCode: string): Promise<Row<'projectStop'>[]> {
  const { rows } = await sql<Row<'projectStop'>>`select * from project_stop
    where project_code = ${projectCode} and until_day is null and begun order by from_day, create_time, id`.execute(ctx.db)
  return rows
}

/** Writes a stop, and stops the project if its first day has come. The order of the locks is record, then project. */
export async function beginStop(ctx: Context, stop: NewStop): Promise<void> {
  await holdProject(ctx, stop.projectCode)
  const begun = stop.fromDay <= formatDay(ctx.clock.now())
  await ctx.db
    .insertInto('projectStop')
    .values({ id: ctx.newId(), ...stop, begun, createTime: new Date(ctx.clock.now()) })
    .execute()
  if (begun) await follow(ctx, stop.projectCode, stop.reason)
}

/**
 * Ends stops of a project. It resumes when none is left.
 * @returns what becomes of the project, in one sentence
 */
export async function endStops(
  ctx: Context,
  projectCode: string,
  of: Pick<Source, 'source' | 'sourceId'>[],
  reason: string,
): Promise<string> {
  await holdProject(ctx, projectCode)
  const today = formatDay(ctx.clock.now())
  for (const { source, sourceId } of of)
    await sql`update project_stop set until_day = greatest(from_day, ${today}::date) where source = ${source} and source_id = ${sourceId}
      and project_code = ${projectCode} and until_day is null`.execute(ctx.db)
  await follow(ctx, projectCode, reason)
  const left = await holdingStops(ctx, projectCode)
  return left.length === 0 ? '项目恢复在建' : `仍有 ${left.length} 项停工（${left.map(nameOf).join('、')}），项目继续停工`
}

export const nameOf = (stop: Pick<Row<'projectStop'>, 'code' | 'source' | 'reason'>): string =>
  stop.code ?? (stop.source === 'former' ? '启用本流程前的停工' : stop.reason)

/** Drops stops that have not begun: the project is closed before their first day. */
export async function dropComing(ctx: Context, projectCode: string): Promise<void> {
  await sql`update project_stop set until_day = from_day where project_code = ${projectCode} and until_day is null and not begun`.execute(
    ctx.db,
  )
}

/** Drops the stop of one application before its first day. */
export async function dropStop(ctx: Context, { id, projectCode }: { id: string; projectCode: string }): Promise<void> {
  await holdProject(ctx, projectCode)
  await sql`update project_stop set until_day = from_day where source = 'stopapply' and source_id = ${id} and project_code = ${projectCode}
    and until_day is null and not begun`.execute(ctx.db)
}

/** Brings the project's state into line with the stops that hold. */
async function follow(ctx: Context, projectCode: string, reason: string): Promise<void> {
  const project = await holdProject(ctx, projectCode)
  const holding = await holdingStops(ctx, projectCode)
  const { building, stopped } = projectStates
  // Only a project under construction is stopped, and only a stopped one resumes.
  if (project.prjStatus !== building && project.prjStatus !== stopped) return
  const to = holding.length > 0 ? stopped : building
  const keepsAttendance = holding.length > 0 && holding.every((one) => !one.affectAttendance)
  if (to === project.prjStatus && (to === building || keepsAttendance === (await attendanceKept(ctx, projectCode)))) return
  await writeState(ctx, project, { to, reason, keepsAttendance })
}

const atOnce = 200

/** Stops projects whose approved stop begins today. Returns the number. */
export async function beginComing(deps: BackgroundDependencies): Promise<number> {
  const today = formatDay(deps.clock.now())
  const { rows } = await sql<Pick<Row<'projectStop'>, 'id' | 'projectCode' | 'source' | 'sourceId'>>`
    select id, project_code, source, source_id from project_stop where not begun and until_day is null and from_day <= ${today}::date order by from_day limit ${atOnce}`.execute(
    deps.db,
  )
  for (const { id, projectCode, source, sourceId } of rows)
    await asProduct(deps, { userId: '', name: '系统', groupId: '' }, async (ctx) => {
      if (source === 'stopapply') await stopKind.lock(ctx, sourceId)
      await holdProject(ctx, projectCode)
      const begun = await sql<Row<'projectStop'>>`update project_stop set begun = true
        where id = ${id} and not begun and until_day is null returning *`.execute(ctx.db)
      const stop = begun.rows[0]
      if (!stop) return
      await follow(ctx, projectCode, stop.reason)
      if (source === 'stopapply') await noteFor(ctx, sourceId, 'begin', `停工自 ${stop.fromDay} 起生效`)
    })
  return rows.length
}

/** Notes in an application's history what became of its stop, and renews its to-dos. */
export async function noteFor(ctx: Context, id: string, action: 'begin' | 'end', opinion: string): Promise<void> {
  const row = await stopKind.lock(ctx, id)
  await writeLog(ctx, stopKind.kind, row, { action, from: row.state, to: row.state, opinion })
  await replaceTodos(ctx, stopKind, row)
}
