import { dictName } from '@zhugong/contract/settings/dictionaries'
import { sql } from 'kysely'
import { addDays, formatDay, startOfDay } from '#kit/clock'
import type { Context } from '#kit/context'
import { allOf, inProjects } from '#kit/list'
import { hasCome } from '../attendance/public.ts'
import { lacksContract, lacksPayCard, lacksRealName, lacksTraining } from '../personnel/public.ts'

interface ComplianceRow {
  inPlace: number
  realName: number
  contract: number
  trained: number
  account: number
}

/** Trends for the home pages, per work day. */
export async function findReport(ctx: Pick<Context, 'db' | 'clock'>, projects: readonly string[] | undefined, days: number) {
  const today = formatDay(ctx.clock.now())
  const from = addDays(today, 1 - days)
  const attendance = await sql<{ day: string; attended: number; inPlace: number }>`
    select work_day as day, count(*) filter (where ${hasCome('d')})::int as attended, count(*)::int as in_place from attendance_day d
    where work_day between ${from}::date and ${today}::date and ${allOf(...inProjects('d.projectCode', projects))} group by 1 order by 1`.execute(
    ctx.db,
  )
  const alarms = await sql<{ day: string; level1: number; level2: number; level3: number; level4: number }>`
    select to_char(start_time at time zone 'Asia/Shanghai', 'YYYY-MM-DD') as day,
      count(*) filter (where max_level = 1)::int as level1, count(*) filter (where max_level = 2)::int as level2,
      count(*) filter (where max_level = 3)::int as level3, count(*) filter (where max_level = 4)::int as level4
    from alarm a where start_time >= ${new Date(startOfDay(from))} and not simulated and not historical and ${allOf(...inProjects('a.projectCode', projects))} group by 1 order by 1`.execute(
    ctx.db,
  )
  const trades = await sql<{ code: string | null; count: number }>`
    select work_type as code, count(*)::int as count from project_worker pw
    where exit_time is null and ${allOf(...inProjects('pw.projectCode', projects))} group by 1 order by 2 desc limit 12`.execute(ctx.db)
  const compliance = await sql<ComplianceRow>`
    select count(*)::int as in_place, count(*) filter (where not ${lacksRealName('pw')})::int as real_name,
      count(*) filter (where not ${lacksContract('pw')})::int as contract, count(*) filter (where not ${lacksTraining('pw')})::int as trained,
      count(*) filter (where not ${lacksPayCard('pw')})::int as account
    from project_worker pw where pw.exit_time is null and ${allOf(...inProjects('pw.projectCode', projects))}`.execute(ctx.db)
  return {
    compliance: compliance.rows[0] ?? { inPlace: 0, realName: 0, contract: 0, trained: 0, account: 0 },
    attendance: attendance.rows,
    alarms: alarms.rows,
    trades: trades.rows.map((t) => ({ name: t.code ? (dictName('workerType', t.code) ?? t.code) : '管理人员', count: t.count })),
  }
}
