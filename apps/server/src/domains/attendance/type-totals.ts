import type * as contract from '@zhugong/contract/attendance/stats'
import { AppError } from '@zhugong/contract/kit/errors'
import { dictName } from '@zhugong/contract/settings/dictionaries'
import { sql } from 'kysely'
import type { Context } from '#kit/context'
import { allOf, condition, contains } from '#kit/list'
import { runningDay } from './day-list.ts'
import { attendanceRate, dueColumns } from './due.ts'
import { percentOf } from './engine/rate.ts'
import { addDays, daysBetween } from './engine/time.ts'
import { base, conditions, has, inScopeOnly, maxDays, type Projects, pageOf, round1, type UnitKey } from './stats.ts'

// ---------- A67

type TypeQuery = NonNullable<(typeof contract.statsTotals)['types']>['parsed']['query']

export async function periodOf(ctx: Context, query: TypeQuery) {
  const today = await runningDay(ctx, query.projectCode ?? ctx.projectCode)
  const month = query.month ?? (query.startDate || query.endDate ? undefined : today.slice(0, 7))
  if (month) {
    const first = `${month}-01`
    const next = addDays(first, 31).slice(0, 7)
    return { from: first, to: addDays(`${next}-01`, -1), today }
  }
  const from = query.startDate ?? query.endDate ?? today
  const to = query.endDate ?? today
  if (from > to) throw new AppError('invalidInput', '结束日期不能早于开始日期', { field: 'endDate' })
  if (daysBetween(from, to) >= maxDays) throw new AppError('invalidInput', `一次最多统计 ${maxDays} 天`, { field: 'endDate' })
  return { from, to, today }
}

const totalColumns = sql`count(distinct d.worker_id)::int as in_place, coalesce(sum(d.attend_day), 0)::int as person_days, count(*)::int as in_place_days, ${dueColumns('d')},
  coalesce(sum(d.work_hours), 0)::float as work_hours, ${has(2)} as late, ${has(3)} as early, ${has(4)} as missing, ${has(5)} as absent, ${has(6)} as leave,
  ${has(10)} as late_data, ${has(11)} as corrected`

type Totals = Record<
  | 'inPlace'
  | 'personDays'
  | 'inPlaceDays'
  | 'expected'
  | 'arrived'
  | 'workHours'
  | 'late'
  | 'early'
  | 'missing'
  | 'absent'
  | 'leave'
  | 'lateData'
  | 'corrected',
  number
>

const withRate = <T extends Totals>(r: T) => ({ ...r, workHours: round1(r.workHours), rate: attendanceRate(r) })

const typeGroup = {
  corp: sql`d.corp_code`,
  team: sql`d.corp_code, d.team_sys_no`,
  worker: sql`d.project_code, d.worker_id`,
  keyPost: sql`d.project_code, d.worker_id, d.post`,
}

export async function totalsOfType(
  ctx: Context,
  type: (typeof contract.statsTypes)[number],
  query: TypeQuery,
  projects: Projects,
  keyPosts: readonly string[],
) {
  const { from, to, today } = await periodOf(ctx, query)
  const where = typeWhere(type, query, projects, { from, to }, keyPosts)
  const { rows } = await sql<Totals>`select ${totalColumns} from (${base(ctx, today)}) d where ${where}`.execute(ctx.db)
  const units = await sql<{
    n: number
  }>`select count(*)::int as n from (select 1 from (${base(ctx, today)}) d where ${where} group by ${typeGroup[type]}) g`.execute(ctx.db)
  return { startDate: from, endDate: to, units: units.rows[0]?.n ?? 0, ...withRate(rows[0]!) }
}

const typeWhere = (
  type: (typeof contract.statsTypes)[number],
  query: TypeQuery & { name?: string | undefined },
  projects: Projects,
  range: { from: string; to: string },
  keyPosts: readonly string[],
) =>
  allOf(
    conditions({ corpCode: query.corpCode, teamSysNo: query.teamSysNo }, projects, range),
    ...(type === 'team' ? inScopeOnly('team') : []),
    ...(type === 'keyPost' ? [condition(sql`d.post = any (${[...keyPosts]})`)] : []),
    ...contains(type === 'corp' ? 'd.corpName' : type === 'team' ? 'd.teamName' : 'd.name', query.name),
  )

export async function listOfType(
  ctx: Context,
  type: (typeof contract.statsTypes)[number],
  query: TypeQuery & { page: number; size: number; name?: string | undefined },
  projects: Projects,
  keyPosts: readonly string[],
  thresholdOf: (post: string) => number,
) {
  const { from, to, today } = await periodOf(ctx, query)
  const where = typeWhere(type, query, projects, { from, to }, keyPosts)
  const person = type === 'worker' || type === 'keyPost'
  const { rows } = await sql<
    Totals &
      UnitKey & {
        projectCode: string | null
        projectName: string | null
        workerId: string | null
        name: string | null
        post: string | null
        required: number
        present: number
      }
  >`
    select ${totalColumns}, max(d.corp_code) as corp_code, max(d.corp_name) as corp_name,
      ${type === 'corp' ? sql`null::text` : sql`max(d.team_sys_no)`} as team_sys_no, ${type === 'corp' ? sql`null::text` : sql`max(d.team_name)`} as team_name,
      ${person ? sql`max(d.project_code)` : sql`null::text`} as project_code, ${person ? sql`max(d.project_name)` : sql`null::text`} as project_name,
      ${person ? sql`d.worker_id` : sql`null::text`} as worker_id,
      ${person ? sql`max(d.name)` : type === 'corp' ? sql`max(d.corp_name)` : sql`max(d.team_name)`} as name,
      ${type === 'keyPost' ? sql`d.post` : sql`null::text`} as post,
      count(*) filter (where d.required)::int as required, count(*) filter (where d.present)::int as present
    from (${base(ctx, today)}) d where ${where} group by ${typeGroup[type]} order by person_days desc, name`.execute(ctx.db)
  const list = rows.map(({ workerId, required, present, ...r }) => {
    const code = person ? (workerId ?? '') : type === 'corp' ? (r.corpCode ?? '') : (r.teamSysNo ?? '')
    const threshold = r.post ? thresholdOf(r.post) : 0
    const key = type === 'keyPost'
    return {
      ...withRate(r),
      id: [r.projectCode, code, r.post].filter(Boolean).join('.'),
      code,
      postName: dictName('managerPost', r.post),
      required: key ? required : null,
      present: key ? present : null,
      needed: key ? Math.ceil((required * Math.round(threshold * 100)) / 10_000) : null,
      presence: key ? percentOf(present, required) : null,
      below: key ? present * 10_000 < required * Math.round(threshold * 100) : null,
    }
  })
  // Sorted by presence, lowest first.
  if (type === 'keyPost') list.sort((a, b) => (a.presence ?? 101) - (b.presence ?? 101))
  return pageOf(list, query)
}
