import { AppError } from '@zhugong/contract/kit/errors'
import * as contract from '@zhugong/contract/labour/exits'
import { projectStates } from '@zhugong/contract/organisation/codes'
import { dictName } from '@zhugong/contract/settings/dictionaries'
import { sql } from 'kysely'
import { addDays, formatDay, formatInstant } from '#kit/clock'
import { type Context, projectsFor } from '#kit/context'
import { allOf, inProjects, pageSlice } from '#kit/list'
import type { HandlerOf, Serve } from '#kit/serve'
import { each } from './stay-store.ts'

/** Exits proposed by the system. A user confirms them as an ordinary exit with this reason, or postpones them with a remark. */
export function exitProposalRoutes(serve: Serve) {
  serve(contract.listProposedExits, listProposedExits)
  serve(contract.keepOnSite, keepOnSite)
}

/** Default if the project has not configured it (attendance.md, autoExitDays). */
const usualDays = 30

interface Raw {
  id: string
  workerId: string
  name: string
  projectCode: string
  projectName: string
  corpCode: string
  corpName: string | null
  teamName: string | null
  workType: string | null
  post: string | null
  lastPass: Date | null
  entryTime: Date
  days: number
  limit: number
  onHold: boolean
}

/**
 * People present but not seen for long. Days count from the last passage or the entry, without days on which the project was stopped. A
 * project without any passage proposes nobody, because probably its gates are missing. Reads tables of attendance and devices directly,
 * in one query.
 */
const proposals = (ctx: Pick<Context, 'clock' | 'scope' | 'scopeChecks'>, requested: string | undefined) => {
  const now = new Date(ctx.clock.now())
  const today = formatDay(now)
  return sql`
    with settings as (
      select distinct on (project_code) project_code, (value ->> 'autoExitDays')::int as days from attendance_setting
      where effective_from <= ${today}::date order by project_code, effective_from desc, create_time desc),
    stops as (
      select project_code, (at at time zone 'Asia/Shanghai')::date as from_day,
        coalesce((lead(at) over (partition by project_code order by at) at time zone 'Asia/Shanghai')::date, ${today}::date + 1) as to_day, to_state
      from project_state_log),
    dead as (
      select d.project_code from device d left join device_latest l on l.device_id = d.id where d.family = 'faceGate' and d.status = '1'
      group by 1 having not bool_or(coalesce(l.online, false))),
    seen as (
      select w.id, w.worker_id, w.worker_name as name, w.project_code, p.name as project_name, w.corp_code, c.corp_name, t.team_name, w.work_type, w.post, w.entry_time,
        ap.time as last_pass,
        coalesce(s.days, ${usualDays}::int) as limit_days
      from project_worker w join project p using (project_code) left join corporation c on c.corp_code = w.corp_code left join team t on t.id = w.team_id
        left join attendance_presence ap on ap.project_code = w.project_code and ap.worker_id = w.worker_id
        left join settings s on s.project_code = w.project_code
      where w.exit_time is null and p.prj_status <> ${projectStates.stopped} and coalesce(s.days, ${usualDays}::int) > 0
        and w.entry_time < ${now}::timestamptz - (coalesce(s.days, ${usualDays}::int) - ${contract.announcedDays}::int) * interval '1 day'
        and not exists (select 1 from exit_keep k where k.project_worker_id = w.id and k.until_day >= ${today}::date)
        and exists (select 1 from attendance_chain a where a.project_code = w.project_code and a.days_from is not null)
        and ${allOf(...inProjects('w.projectCode', projectsFor(ctx, requested)))}),
    counted as (
      select s.*, (${today}::date - (greatest(coalesce(s.last_pass, s.entry_time), s.entry_time) at time zone 'Asia/Shanghai')::date)
        - coalesce((select sum(greatest(0, least(x.to_day, ${today}::date + 1) - greatest(x.from_day, (greatest(coalesce(s.last_pass, s.entry_time), s.entry_time) at time zone 'Asia/Shanghai')::date + 1)))
            from stops x where x.project_code = s.project_code and x.to_state = ${projectStates.stopped}), 0)::int as days
      from seen s)
    select c.id, c.worker_id, c.name, c.project_code, c.project_name, c.corp_code, c.corp_name, c.team_name, c.work_type, c.post, c.last_pass, c.entry_time,
      c.days, c.limit_days as "limit", exists (select 1 from dead d where d.project_code = c.project_code) as on_hold
    from counted c where c.days >= c.limit_days - ${contract.announcedDays}::int`
}

const listProposedExits: HandlerOf<typeof contract.listProposedExits> = async ({ query }, ctx) => {
  const { limit, offset } = pageSlice(query)
  const all = proposals(ctx, query.projectCode && query.projectCode !== '*' ? query.projectCode : undefined)
  const { rows } = await sql<Raw>`select * from (${all}) c order by c.days - c."limit" desc, c.id limit ${limit} offset ${offset}`.execute(
    ctx.db,
  )
  const total = await sql<{ n: number; held: number }>`
    select count(*)::int as n, count(*) filter (where c.on_hold)::int as held from (${all}) c`.execute(ctx.db)
  return {
    list: rows.map(({ workType, post, lastPass, entryTime, ...r }) => ({
      ...r,
      workTypeName: workType ? dictName('workerType', workType) : dictName('managerPost', post),
      lastPass: lastPass ? formatInstant(lastPass) : null,
      entryTime: formatInstant(entryTime),
      left: r.limit - r.days,
    })),
    total: total.rows[0]?.n ?? 0,
    onHold: total.rows[0]?.held ?? 0,
  }
}

/** Those of the given stays for which an exit is proposed now. */
export async function proposedAmong(
  ctx: Pick<Context, 'db' | 'clock' | 'scope' | 'scopeChecks'>,
  ids: readonly string[],
): Promise<Set<string>> {
  const { rows } = await sql<{ id: string }>`select id from (${proposals(ctx, undefined)}) c where c.id = any (${[...ids]})`.execute(ctx.db)
  return new Set(rows.map((row) => row.id))
}

const keepOnSite: HandlerOf<typeof contract.keepOnSite> = async ({ body }, ctx) => {
  const today = formatDay(ctx.clock.now())
  if (body.untilDay <= today) throw new AppError('invalidInput', '日期应晚于今天', { field: 'untilDay' })
  if (body.untilDay > addDays(today, contract.longestKeepDays))
    throw new AppError('invalidInput', `最长 ${contract.longestKeepDays} 天，到期再确认`, { field: 'untilDay' })
  const { done } = await each(ctx, body.ids, async (stay) => {
    if (stay.exitTime) return '已经退场'
    const kept = { untilDay: body.untilDay, reason: body.reason, byName: ctx.user.name, at: new Date(ctx.clock.now()) }
    await ctx.db
      .insertInto('exitKeep')
      .values({ projectWorkerId: stay.id, projectCode: stay.projectCode, corpCode: stay.corpCode, ...kept })
      .onConflict((oc) => oc.column('projectWorkerId').doUpdateSet(kept))
      .execute()
    return undefined
  })
  ctx.note(`确认仍在场 ${done} 人，至 ${body.untilDay}（${body.reason}）`, body.ids[0])
  return { done }
}
