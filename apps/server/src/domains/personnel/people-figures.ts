import { workRoles } from '@zhugong/contract/labour/codes'
import { licencesByTrade } from '@zhugong/contract/personnel/rules'
import { type RawBuilder, sql } from 'kysely'
import { formatDay } from '#kit/clock'
import type { Context } from '#kit/context'
import type { Db } from '#kit/db'
import { allOf, type Condition, inProjects } from '#kit/list'
import { joinLicence, licenceIs } from '../labour/public.ts'

/**
 * Shared figures about people in place, for the home pages, figure strips and lists. `db` is the caller's, so that its scope applies;
 * `projects` restricts it further.
 */
type FigureContext = Pick<Context, 'clock'> & { db: Db }

/** 进场未签合同: applies to workers and managers, like the third entry condition. */
export const lacksContract = (stay: string): RawBuilder<boolean> => sql`not ${sql.ref(`${stay}.hasContract`)}`

/** 未核验实名: a property of the person, not of the stay. */
export const lacksRealName = (stay: string): RawBuilder<boolean> => sql`(zg_real_name_state(${sql.ref(`${stay}.workerId`)}) <> '1')`
/** 未入场教育. */
export const lacksTraining = (stay: string): RawBuilder<boolean> => sql`not ${sql.ref(`${stay}.entryTrained`)}`
/** 无工资卡: required of workers only; managers need no wage account. */
export const lacksPayCard = (stay: string): RawBuilder<boolean> =>
  sql`(${sql.ref(`${stay}.workRole`)} = ${workRoles.worker} and ${sql.ref(`${stay}.payRollBankCardHash`)} is null)`

const specialTrades = Object.keys(licencesByTrade)

export interface LicenceFigures {
  expiring: number
  expired: number
  missing: number
}

/** People in place whose trade requires a licence, by licence state: the conditions of the list's filter `certState`. */
export async function licenceFigures(ctx: FigureContext, within: Condition): Promise<LicenceFigures> {
  const today = formatDay(ctx.clock.now())
  const count = (state: string) => sql`count(*) filter (where ${licenceIs('w', state, today)})::int`
  const { rows } = await sql<LicenceFigures>`
    select ${count('expiring')} as expiring, ${count('expired')} as expired, ${count('missing')} as missing
    from project_worker w ${joinLicence('w')} where ${within} and w.exit_time is null and w.work_type = any (${specialTrades})`.execute(
    ctx.db,
  )
  return rows[0] ?? { expiring: 0, expired: 0, missing: 0 }
}

/** People in place whose licence has expired, by project. Projects without any are left out. */
export async function expiredByProject(ctx: FigureContext, projects: readonly string[] | undefined): Promise<Map<string, number>> {
  const { rows } = await sql<{ projectCode: string; n: number }>`
    select w.project_code, count(*)::int as n from project_worker w ${joinLicence('w')}
    where w.exit_time is null and w.work_type = any (${specialTrades}) and ${allOf(...inProjects('w.projectCode', projects))}
      and ${licenceIs('w', 'expired', formatDay(ctx.clock.now()))}
    group by 1`.execute(ctx.db)
  return new Map(rows.map((row) => [row.projectCode, row.n]))
}

export interface WithoutContract {
  projectCode: string
  projectName: string
  n: number
  /** People who entered before the given day. */
  late: number
  /** The earliest entry among these people. */
  oldest: Date
}
/** Projects with people in place who have no contract in force, those with most people first. */
export async function withoutContract(
  ctx: FigureContext,
  projects: readonly string[] | undefined,
  { enteredBefore, limit }: { enteredBefore: string; limit: number },
): Promise<WithoutContract[]> {
  const { rows } = await sql<WithoutContract>`
    select w.project_code, p.name as project_name, count(*)::int as n, min(w.entry_time) as oldest,
      count(*) filter (where (w.entry_time at time zone 'Asia/Shanghai')::date < ${enteredBefore}::date)::int as late
    from project_worker w join project p using (project_code)
    where w.exit_time is null and ${lacksContract('w')} and ${allOf(...inProjects('w.projectCode', projects))}
    group by 1, 2 order by n desc, 1 limit ${limit}`.execute(ctx.db)
  return rows
}

export interface LicenceDue {
  /** Id of the stay. */
  id: string
  workerId: string
  name: string
  workerName: string
  workType: string | null
  projectCode: string
  projectName: string
  /** Last day of validity. */
  validEnd: string
  /** Start of the current suspension; null if there is none. */
  pausedAt: Date | null
}
/** Licences required by a trade that expire soon or have expired. Licences that no trade requires are left out. */
export async function licencesDue(ctx: FigureContext, projects: readonly string[] | undefined, limit: number): Promise<LicenceDue[]> {
  const today = formatDay(ctx.clock.now())
  const { rows } = await sql<LicenceDue>`
    select w.id, w.worker_id, '特种作业证' as name, w.worker_name, w.work_type, w.project_code, p.name as project_name, lic.ends as valid_end,
      (select s.from_at from stay_pause s where s.project_code = w.project_code and s.worker_id = w.worker_id and s.until_at is null) as paused_at
    from project_worker w join project p on p.project_code = w.project_code ${joinLicence('w')}
    where w.exit_time is null and w.work_type = any (${specialTrades}) and ${allOf(...inProjects('w.projectCode', projects))}
      and (${licenceIs('w', 'expired', today)} or ${licenceIs('w', 'expiring', today)})
    order by lic.ends, w.id limit ${limit}`.execute(ctx.db)
  return rows
}
