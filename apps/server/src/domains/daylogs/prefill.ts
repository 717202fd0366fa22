import { draftLog } from '@zhugong/contract/daylogs/moves'
import { isLate } from '@zhugong/contract/daylogs/rules'
import type { Prefill } from '@zhugong/contract/daylogs/shapes'
import { AppError } from '@zhugong/contract/kit/errors'
import { type RawBuilder, sql } from 'kysely'
import { formatDay, startOfDay } from '#kit/clock'
import { type Context, oneProject } from '#kit/context'
import { seesProject } from '#kit/sees-project'
import { attended, factsOf, tasksInWork, weatherOf } from './day.ts'
import type { LogType } from './tables.ts'

const dayMs = 86_400_000

function requirePast(ctx: Pick<Context, 'clock'>, day: string): void {
  if (day > formatDay(ctx.clock.now())) throw new AppError('invalidInput', '日期不能晚于今天', { field: 'day' })
}

/** What a day of a site, or of one of its units, has recorded. */
export async function prefillOfSite(
  ctx: Context,
  kind: Exclude<LogType, 'log'>,
  { projectCode: requested, day, unitId = null }: { projectCode: string; day: string; unitId?: string | null },
): Promise<Prefill> {
  const projectCode = oneProject(ctx, requested)
  await seesProject(ctx, projectCode)
  requirePast(ctx, day)
  const same = unitId === null ? sql`x.project_code = ${projectCode}` : sql`x.project_code = ${projectCode} and x.unit_id = ${unitId}`
  return {
    day,
    late: isLate(day, ctx.clock.now()),
    weather: await weatherOf(ctx, projectCode, day),
    workerCount: await attended(ctx, projectCode, day),
    facts: await factsOf(ctx, { day, projects: [projectCode], unitId: unitId ?? undefined }),
    ...(await around(ctx, kind, kind === 'construction' && unitId === null ? sql`false` : same, day)),
    tasks: kind === 'construction' ? await tasksInWork(ctx, projectCode, unitId, day) : [],
    visited: [],
  }
}

/** The log of the day that exists already, and the one before it. */
async function around(ctx: Pick<Context, 'db'>, kind: LogType, same: RawBuilder<unknown>, day: string) {
  type Existing = NonNullable<Prefill['existing']>
  const { rows: existing } = await sql<Existing>`select x.id, x.recorder, x.state from day_log x
    where x.kind = ${kind} and ${same} and x.day = ${day}::date`.execute(ctx.db)
  type Previous = NonNullable<Prefill['previous']>
  const { rows: previous } = await sql<Previous>`select x.day, x.parts, x.safety_state, x.quality_state, x.tomorrow from day_log x
    where x.kind = ${kind} and ${same} and x.day < ${day}::date and x.state <> ${draftLog} order by x.day desc limit 1`.execute(ctx.db)
  return { existing: existing[0] ?? null, previous: previous[0] ?? null }
}

/** Where the writer was that day, and what the chosen sites recorded. */
export async function prefillOfInstitution(ctx: Context, day: string, projects: readonly string[]): Promise<Prefill> {
  requirePast(ctx, day)
  for (const code of projects) await seesProject(ctx, code)
  const from = new Date(startOfDay(day))
  const until = new Date(startOfDay(day) + dayMs)
  type Visit = Prefill['visited'][number]
  const { rows: visited } = await sql<Visit>`select v.project_code, p.name, string_agg(v.why, '、' order by v.why) as why from (
      select c.project_code, '当日检查' as why from site_check c
        where c.checker_group = ${ctx.group.id} and c.check_time >= ${from} and c.check_time < ${until} and (c.checker_id = ${ctx.user.id} or ${ctx.user.name} = any (c.checkers))
      union select o.project_code, '当日轨迹' from officer_place o
        where o.group_id = ${ctx.group.id} and o.user_id = ${ctx.user.id} and o.project_code is not null and o.at >= ${from} and o.at < ${until}) v
    join project p on p.project_code = v.project_code group by v.project_code, p.name order by p.name`.execute(ctx.db)
  const same = sql`x.author_group = ${ctx.group.id} and x.create_by = ${ctx.user.id}`
  return {
    day,
    late: isLate(day, ctx.clock.now()),
    weather: projects[0] ? await weatherOf(ctx, projects[0], day) : null,
    workerCount: null,
    facts: projects.length > 0 ? await factsOf(ctx, { day, projects, open: true }) : [],
    ...(await around(ctx, 'log', same, day)),
    tasks: [],
    visited,
  }
}
