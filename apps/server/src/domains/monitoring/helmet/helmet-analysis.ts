import { dayMs } from '@zhugong/contract/kit/time'
import { type helmetAnalysis, responseClasses } from '@zhugong/contract/monitoring/helmet/helmet-statistics'
import { helmetHours } from '@zhugong/contract/monitoring/helmet/helmets'
import { sql } from 'kysely'
import { type Context, projectsFor } from '#kit/context'
import { allOf, anyOf, condition, equals, inProjects } from '#kit/list'
import type { HandlerOf } from '#kit/serve'
import { rowMinutes } from '../shared/coverage.ts'
import { percentOf, rounded } from '../shared/family.ts'
import { longest, type Period, periodOf } from '../shared/period.ts'
import { alarmLine, alarmPie, alarmsWhere, responseSeconds } from './helmet-alarms.ts'
import { helmetFamilies, helmetTables } from './helmet-store.ts'

interface Spans {
  team: string
  hour: number
  spans: number
  off: number
}

/** Five-minute intervals in working hours by team and hour, and those in which the helmet was reported as not worn. */
async function wearingSpans(ctx: Context, projects: readonly string[] | undefined, { from, to }: Period): Promise<Spans[]> {
  const hour = sql`extract(hour from t.ts at time zone 'Asia/Shanghai')`
  const { rows } = await sql<Spans>`
    with worn as materialized (
      select d.id, coalesce(w.team_name, '未分班组') as team from ${helmetTables}
      where ${allOf(...equals('d.family', 'smartHelmet'), ...equals('d.status', '1'), ...inProjects('d.project_code', projects))}),
    taken as materialized (
      select a.device_id, a.start_time, coalesce(a.clear_time, now()) as until from alarm a
      where a.alarm_key = 'removal' and not a.simulated and a.device_id in (select id from worn)
        and a.start_time < ${new Date(to)} and coalesce(a.clear_time, now()) > ${new Date(from)})
    select worn.team, ${hour}::int as hour, count(*)::int as spans,
      count(*) filter (where exists (select 1 from taken k where k.device_id = t.device_id
        and t.ts + interval '5 minutes' > k.start_time and t.ts < k.until))::int as off
    from telemetry_5m t join worn on worn.id = t.device_id
    where t.ts >= ${new Date(from)} and t.ts < ${new Date(to)} and ${hour} >= ${helmetHours.from} and ${hour} < ${helmetHours.to}
    group by 1, 2`.execute(ctx.db)
  return rows
}

async function helmetsByTeam(ctx: Context, projects: readonly string[] | undefined): Promise<Map<string, number>> {
  const { rows } = await sql<{ team: string; n: number }>`
    select coalesce(w.team_name, '未分班组') as team, count(*)::int as n from ${helmetTables}
    where ${allOf(...equals('d.family', 'smartHelmet'), ...equals('d.status', '1'), ...inProjects('d.project_code', projects))} group by 1`.execute(
    ctx.db,
  )
  return new Map(rows.map((r) => [r.team, r.n]))
}

async function alarmsByTeam(ctx: Context, projects: readonly string[] | undefined, { from, to }: Period): Promise<Map<string, number>> {
  const { rows } = await sql<{ team: string; n: number }>`
    select coalesce(w.team_name, '未分班组') as team, count(*)::int as n from alarm x, lateral (select w.team_name from ${helmetTables} where d.id = x.device_id) w
    where ${allOf(
      ...anyOf('x.family', helmetFamilies),
      ...inProjects('x.project_code', projects),
      ...equals('x.simulated', false),
      condition(sql`x.alarm_key not in ('offline', 'batteryLow') and x.start_time >= ${new Date(from)} and x.start_time < ${new Date(to)}`),
    )} group by 1`.execute(ctx.db)
  return new Map(rows.map((r) => [r.team, r.n]))
}

/** Number of alarms taken up within each response class, later, and not at all. */
async function responsesOf(ctx: Context, query: Parameters<typeof alarmsWhere>[1]): Promise<number[]> {
  const { rows } = await sql<{ seconds: number | null }>`
    select ${responseSeconds} as seconds from alarm a where ${alarmsWhere(ctx, query, 30 * dayMs)} and a.alarm_key not in ('offline', 'batteryLow')`.execute(
    ctx.db,
  )
  const counts = [...responseClasses.map(() => 0), 0, 0]
  for (const { seconds } of rows) {
    const place = seconds === null ? counts.length - 1 : responseClasses.findIndex((minutes) => seconds < minutes * 60)
    const at = place === -1 ? counts.length - 2 : place
    counts[at] = (counts[at] ?? 0) + 1
  }
  return counts
}

const wearing = (spans: number, off: number) => (spans > 0 ? rounded(100 - percentOf(off, spans)) : null)

export const helmetAnalysisOf: HandlerOf<typeof helmetAnalysis> = async ({ query }, ctx) => {
  const now = ctx.clock.now()
  const requested = periodOf(query, now, 30 * dayMs, longest.analysis)
  const period = { from: requested.from, to: Math.min(requested.to, now) }
  const projects = projectsFor(ctx, query.projectCode)
  const spans = await wearingSpans(ctx, projects, period)
  const teams = await helmetsByTeam(ctx, projects)
  const alarms = await alarmsByTeam(ctx, projects, period)
  const days = await alarmLine(ctx, query)
  const kinds = await alarmPie(ctx, query)
  const responses = await responsesOf(ctx, query)
  const helmets = [...teams.values()].reduce((sum, n) => sum + n, 0)
  const sum = (own: readonly Spans[], key: 'spans' | 'off') => own.reduce((total, one) => total + one[key], 0)
  const wanted = helmets * ((period.to - period.from) / dayMs) * (helmetHours.to - helmetHours.from) * (60 / rowMinutes)
  const count = (...keys: string[]) => kinds.list.filter((one) => keys.includes(one.alarmKey)).reduce((total, one) => total + one.count, 0)
  const answered = kinds.list.filter((one) => one.averageResponseSeconds !== null)
  const weight = answered.reduce((total, one) => total + one.count, 0)
  return {
    helmets,
    coverage: Math.min(100, percentOf(sum(spans, 'spans'), wanted)),
    figures: {
      alarms: kinds.list.reduce((total, one) => total + one.count, 0),
      sos: count('sos'),
      falls: count('fall', 'impact'),
      averageResponseSeconds:
        weight > 0 ? Math.round(answered.reduce((total, one) => total + (one.averageResponseSeconds ?? 0) * one.count, 0) / weight) : null,
      wearingPercent: wearing(sum(spans, 'spans'), sum(spans, 'off')),
    },
    teams: [...teams]
      .map(([team, n]) => {
        const own = spans.filter((one) => one.team === team)
        const worst = own.filter((one) => one.off > 0).sort((a, b) => b.off / b.spans - a.off / a.spans)[0]
        return {
          team,
          helmets: n,
          hours: rounded((sum(own, 'spans') * rowMinutes) / 60),
          wearingPercent: wearing(sum(own, 'spans'), sum(own, 'off')),
          alarms: alarms.get(team) ?? 0,
          worstHour: worst?.hour ?? null,
        }
      })
      .sort((a, b) => (a.wearingPercent ?? 101) - (b.wearingPercent ?? 101) || (a.team < b.team ? -1 : 1)),
    hours: Array.from({ length: helmetHours.to - helmetHours.from }, (_, i) => {
      const own = spans.filter((one) => one.hour === helmetHours.from + i)
      return {
        hour: helmetHours.from + i,
        onlineHours: rounded((sum(own, 'spans') * rowMinutes) / 60),
        wearingPercent: wearing(sum(own, 'spans'), sum(own, 'off')),
      }
    }),
    days: days.list,
    kinds: kinds.list,
    responses,
  }
}
