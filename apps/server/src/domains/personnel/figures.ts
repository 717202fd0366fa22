import { formalStates } from '@zhugong/contract/personnel/codes'
import * as peopleCalls from '@zhugong/contract/personnel/people'
import { entryConditions } from '@zhugong/contract/personnel/rules'
import * as workersCalls from '@zhugong/contract/personnel/workers'
import { dictName } from '@zhugong/contract/settings/dictionaries'
import { sql } from 'kysely'
import { formatDay, formatInstant, startOfDay } from '#kit/clock'
import { type Context, oneProject, projectsFor } from '#kit/context'
import { allOf, type Condition, condition, inProjects } from '#kit/list'
import type { HandlerOf, Serve } from '#kit/serve'
import { type Due, hasCome, presenceByProject, sumDue } from '../attendance/public.ts'
import { joinLicence, licenceColumns, licenceState } from '../labour/public.ts'
import { conditionsMissing } from './conditions.ts'
import { countFiles } from './file-rows.ts'
import { lacksContract, licenceFigures } from './people-figures.ts'
import type { JudgedStay } from './stay-rows.ts'

/** `came`: 今日出勤 among people in place, as in the list's filter. `today`: 实到 of 应到 of the day, as all attendance rates are computed. */
async function cameToday(ctx: Context, projects: readonly string[] | undefined, today: string): Promise<{ came: number; today: Due }> {
  const { rows } = await sql<{ came: number }>`
    select count(*)::int as came from project_worker w
      join attendance_day d on d.project_code = w.project_code and d.worker_id = w.worker_id and d.work_day = ${today}::date
    where w.exit_time is null and ${hasCome('d')} and ${allOf(...inProjects('w.projectCode', projects))}`.execute(ctx.db)
  return { came: rows[0]?.came ?? 0, today: sumDue((await presenceByProject(ctx.db, projects, today)).values()) }
}

/** Endpoints for the figures above the lists, and for the form's options. */
export function figureRoutes(serve: Serve) {
  serve(peopleCalls.stayFigures, stayFigures)
  serve(peopleCalls.fileFigures, fileFigures)
  serve(workersCalls.workerForm, workerForm)
}

const stayFigures: HandlerOf<typeof peopleCalls.stayFigures> = async ({ query }, ctx) => {
  const projects = projectsFor(ctx, query.projectCode)
  const within = allOf(...inProjects('w.projectCode', projects))
  const today = formatDay(ctx.clock.now())
  const dawn = new Date(startOfDay(today))
  const one = projects?.length === 1
  const { rows } = await sql<{
    onSite: number
    workers: number
    noContract: number
    notFormal: number
    newToday: number
  }>`
      select count(*)::int as on_site, count(*) filter (where w.work_role = '20')::int as workers,
        count(*) filter (where ${lacksContract('w')})::int as no_contract,
        count(*) filter (where w.formal_status = '0')::int as not_formal,
        count(*) filter (where w.entry_time >= ${dawn})::int as new_today
      from project_worker w where ${within} and w.exit_time is null`.execute(ctx.db)
  const left = await sql<{
    n: number
  }>`select count(*)::int as n from project_worker w where ${within} and w.exit_time is not null`.execute(ctx.db)
  const licences = await licenceFigures(ctx, within)
  const trades = await sql<{ code: string; count: number }>`
      select w.work_type as code, count(*)::int as count from project_worker w
      where ${within} and w.exit_time is null and w.work_type is not null group by 1 order by 2 desc limit 60`.execute(ctx.db)
  // Seven evenings of one site are cheap; for a whole city the query would read every stay seven times.
  const days = one
    ? await sql<{ onSite: number; came: number }>`
        select (select count(*)::int from project_worker w where ${within} and w.entry_time < (day + 1)::timestamp at time zone 'Asia/Shanghai'
            and (w.exit_time is null or w.exit_time >= (day + 1)::timestamp at time zone 'Asia/Shanghai')) as on_site,
          (select count(*)::int from attendance_day w where ${within} and w.work_day = day and ${hasCome('w')}) as came
        from (select generate_series(${today}::date - 6, ${today}::date, interval '1 day')::date as day) d order by day`.execute(ctx.db)
    : undefined
  const came = await cameToday(ctx, projects, today)
  const f = rows[0] ?? { onSite: 0, workers: 0, noContract: 0, notFormal: 0, newToday: 0 }
  const evening = days?.rows.at(-2)?.onSite
  return {
    ...f,
    managers: f.onSite - f.workers,
    change: evening === undefined ? null : f.onSite - evening,
    left: left.rows[0]?.n ?? 0,
    ...came,
    certEnding: licences.expiring,
    certEnded: licences.expired,
    certMissing: licences.missing,
    onSiteByDay: days?.rows.map((d) => d.onSite) ?? [],
    cameByDay: days?.rows.map((d) => d.came) ?? [],
    trades: trades.rows.map((t) => ({ ...t, name: dictName('workerType', t.code) ?? t.code })),
  }
}

const fileFigures: HandlerOf<typeof peopleCalls.fileFigures> = async (_input, ctx) => {
  const total = await countFiles(ctx, {})
  const verified = await countFiles(ctx, { realNameState: ['1'] })
  const incomplete = await countFiles(ctx, { missing: ['any'] })
  const { rows } = await sql<{ n: number }>`
      select count(*)::int as n from (select cell_phone_hash from worker where cell_phone_hash is not null group by 1 having count(*) > 1) x`.execute(
    ctx.db,
  )
  return { total, verified, incomplete, twins: rows[0]?.n ?? 0 }
}

/** Today's new entries shown by the form, at most. */
const todayShown = 30

const workerForm: HandlerOf<typeof workersCalls.workerForm> = async ({ query }, ctx) => {
  const requested = query.projectCode && query.projectCode !== '*' ? query.projectCode : undefined
  const known = requested || ctx.projectCode !== '*' || ctx.group.type === 3
  if (!known)
    return { projectCode: null, projectName: null, corps: [], teams: [], today: [], todayTotal: 0, unfinished: { total: 0, list: [] } }
  const projectCode = oneProject(ctx, requested)
  const project = await ctx.db.selectFrom('project').select('name').where('projectCode', '=', projectCode).executeTakeFirst()
  const corps = await sql<{ corpCode: string; corpName: string; corpType: string; entryTime: string }>`
      select u.corp_code, c.corp_name, min(u.corp_type) as corp_type, min(u.entry_time) as entry_time
      from project_corp u join corporation c using (corp_code)
      where u.project_code = ${projectCode} and u.exit_time is null group by 1, 2 order by 2`.execute(ctx.db)
  const teams = await ctx.db
    .selectFrom('team')
    .select(['id', 'teamName', 'corpCode', 'workType'])
    .where('projectCode', '=', projectCode)
    .where('exitTime', 'is', null)
    .orderBy('teamName')
    .execute()
  const today = formatDay(ctx.clock.now())
  const midnight = new Date(startOfDay(today))
  const stays = (which: Condition, most: number) =>
    sql<JudgedStay & { total: number }>`
      select w.*, p.real_name_state, count(*) over ()::int as total, ${licenceColumns}
      from project_worker w left join worker p on p.id = w.worker_id ${joinLicence('w')}
      where w.project_code = ${projectCode} and w.exit_time is null and ${which} order by w.create_time desc limit ${most}`.execute(ctx.db)
  const registered = await stays(condition(sql`w.create_time >= ${midnight}`), todayShown)
  const begun = condition(
    sql`w.create_time < ${midnight} and w.create_by = ${ctx.user.id} and w.formal_status = ${formalStates.registered}`,
  )
  const unfinished = await stays(begun, workersCalls.unfinishedShown)
  const toRegistered = (w: JudgedStay, time: string) => ({
    id: w.id,
    workerId: w.workerId,
    name: w.workerName,
    time,
    missing: conditionsMissing(w, w.realNameState, licenceState(w.workType, w, today).certState).map((c) => entryConditions[c]),
    formal: w.formalStatus === formalStates.formal,
  })
  return {
    projectCode,
    projectName: project?.name ?? null,
    corps: corps.rows,
    teams,
    today: registered.rows.map((w) => toRegistered(w, formatInstant(w.createTime).slice(11, 16))),
    todayTotal: registered.rows[0]?.total ?? 0,
    unfinished: {
      total: unfinished.rows[0]?.total ?? 0,
      list: unfinished.rows.map((w) => toRegistered(w, formatInstant(w.createTime).slice(0, 10))),
    },
  }
}
