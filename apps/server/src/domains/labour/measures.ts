import { type RatioCell, type RatioKey, ratioKeys, ratios } from '@zhugong/contract/labour/tables'
import { licencesByTrade } from '@zhugong/contract/personnel/rules'
import { dictionaryOf } from '@zhugong/contract/settings/dictionaries'
import { type RawBuilder, sql } from 'kysely'
import { addDays, formatDay } from '#kit/clock'
import { type Context, projectsFor } from '#kit/context'
import type { Db } from '#kit/db'
import { allOf, inProjects } from '#kit/list'
import { awaitingByProject } from '../alarms/public.ts'
import { hasArrived, isDue } from '../attendance/public.ts'
import type { ListContext } from '../exports/registry.ts'
import { joinLicence, licenceHolds } from './licences.ts'

/**
 * Monthly ratios, one query each over the visible projects, grouped by project and company. All tables add up the same rows. Reads
 * tables of attendance directly.
 */
type MeasureContext = Pick<Context, 'clock'> & { db: Db }
export type Projects = readonly string[] | undefined
interface Pair {
  part: number
  whole: number
}
export interface Measured {
  projectCode: string
  corpCode: string
  onSite: number
  workers: number
  pairs: Record<RatioKey, Pair>
  leader: Pair
}
const empty = (): Record<RatioKey, Pair> =>
  Object.fromEntries(ratioKeys.map((key) => [key, { part: 0, whole: 0 }])) as Record<RatioKey, Pair>

/** First and last day of a month; today while the month is running. */
export function spanOf(month: string, today: string): { from: string; to: string } {
  const from = `${month}-01`
  const next = new Date(Date.UTC(Number(month.slice(0, 4)), Number(month.slice(5)), 1)).toISOString().slice(0, 10)
  const last = addDays(next, -1)
  return { from, to: last < today ? last : today }
}
export const monthBefore = (month: string): string =>
  new Date(Date.UTC(Number(month.slice(0, 4)), Number(month.slice(5)) - 2, 1)).toISOString().slice(0, 7)

const special = Object.keys(licencesByTrade)
const keyPosts = (dictionaryOf('managerPost')?.items ?? []).filter((item) => item.key === true).map((item) => item.code)

/** Condition: present at the end of a day; for today, now. */
export const inPlaceOn = (day: string): RawBuilder<unknown> => sql`
  (w.entry_time < (${day}::date + 1)::timestamp at time zone 'Asia/Shanghai'
    and (w.exit_time is null or w.exit_time >= (${day}::date + 1)::timestamp at time zone 'Asia/Shanghai'))`
/** Condition: a contract is in force on that day. The flag of a stay only covers today. */
export const contractOn = (day: string): RawBuilder<unknown> => sql`exists (
  select 1 from worker_contract c where c.worker_id = w.worker_id and c.project_code = w.project_code and c.start_date <= ${day}::date
    and (c.end_date is null or c.end_date >= ${day}::date) and (c.terminate_date is null or c.terminate_date > ${day}::date))`

interface Stays {
  projectCode: string
  corpCode: string
  onSite: number
  workers: number
  realName: number
  contract: number
  training: number
  special: number
  cert: number
  payCard: number
  uploaded: number
}
const staysOf = (ctx: MeasureContext, projects: Projects, day: string) => sql<Stays>`
  select w.project_code, w.corp_code, count(*)::int as on_site, count(*) filter (where w.work_role = '20')::int as workers,
    count(*) filter (where p.real_name_state = '1')::int as real_name,
    count(*) filter (where w.work_role = '20' and ${day === formatDay(ctx.clock.now()) ? sql`w.has_contract` : contractOn(day)})::int as contract,
    count(*) filter (where w.entry_trained)::int as training, count(*) filter (where w.work_type = any (${special}))::int as special,
    count(*) filter (where w.work_type = any (${special}) and ${licenceHolds('w', day)})::int as cert,
    count(*) filter (where w.work_role = '20' and w.pay_roll_bank_card_hash is not null)::int as pay_card,
    count(*) filter (where w.upload_status = '1')::int as uploaded
  from project_worker w left join worker p on p.id = w.worker_id ${joinLicence('w')}
  where ${inPlaceOn(day)} and ${allOf(...inProjects('w.projectCode', projects))} group by 1, 2`

interface Days {
  projectCode: string
  corpCode: string
  expected: number
  came: number
  keyExpected: number
  keyCame: number
  leaderExpected: number
  leaderCame: number
}
const daysOf = (projects: Projects, from: string, to: string) => sql<Days>`
  select d.project_code, d.corp_code, count(*) filter (where ${isDue('d')})::int as expected,
    count(*) filter (where ${hasArrived('d')})::int as came,
    count(*) filter (where d.expected and w.post = any (${keyPosts}))::int as key_expected,
    count(*) filter (where ${hasArrived('d')} and w.post = any (${keyPosts}))::int as key_came,
    count(*) filter (where d.expected and u.is_leader)::int as leader_expected,
    count(*) filter (where ${hasArrived('d')} and u.is_leader)::int as leader_came
  from attendance_day d join project_worker w on w.id = d.stay_id
    left join lateral (select true as is_leader from project_corp u where u.project_code = d.project_code and u.corp_code = d.corp_code
      and u.pm_name = w.worker_name and w.work_role = '10' limit 1) u on true
  where d.work_day between ${from}::date and ${to}::date and ${allOf(...inProjects('d.projectCode', projects))} group by 1, 2`

interface Passes {
  projectCode: string
  corpCode: string
  passes: number
  manual: number
  late: number
}
const passesOf = (projects: Projects, from: string, to: string) => sql<Passes>`
  select v.project_code, coalesce(v.corp_code, '') as corp_code, count(*)::int as passes, count(*) filter (where v.source = '4')::int as manual,
    count(*) filter (where v.late)::int as late
  from attendance_event v where v.time >= ${from}::date::timestamp at time zone 'Asia/Shanghai'
    and v.time < (${to}::date + 1)::timestamp at time zone 'Asia/Shanghai' and ${allOf(...inProjects('v.projectCode', projects))} group by 1, 2`

/** The figures of a month, by project and company. */
export async function measure(ctx: MeasureContext, projects: Projects, month: string): Promise<Measured[]> {
  const today = formatDay(ctx.clock.now())
  const { from, to } = spanOf(month, today)
  const found = new Map<string, Measured>()
  const of = (row: { projectCode: string; corpCode: string }): Measured => {
    const key = `${row.projectCode}|${row.corpCode}`
    const known = found.get(key)
    if (known) return known
    const made: Measured = {
      projectCode: row.projectCode,
      corpCode: row.corpCode,
      onSite: 0,
      workers: 0,
      pairs: empty(),
      leader: { part: 0, whole: 0 },
    }
    found.set(key, made)
    return made
  }
  for (const s of (await staysOf(ctx, projects, to).execute(ctx.db)).rows) {
    const m = of(s)
    m.onSite = s.onSite
    m.workers = s.workers
    m.pairs.realName = { part: s.realName, whole: s.onSite }
    m.pairs.contract = { part: s.contract, whole: s.workers }
    m.pairs.training = { part: s.training, whole: s.onSite }
    m.pairs.cert = { part: s.cert, whole: s.special }
    m.pairs.payCard = { part: s.payCard, whole: s.workers }
    m.pairs.upload = { part: s.uploaded, whole: s.onSite }
  }
  for (const d of (await daysOf(projects, from, to).execute(ctx.db)).rows) {
    const m = of(d)
    m.pairs.attend = { part: d.came, whole: d.expected }
    m.pairs.keyPost = { part: d.keyCame, whole: d.keyExpected }
    m.leader = { part: d.leaderCame, whole: d.leaderExpected }
  }
  for (const v of (await passesOf(projects, from, to).execute(ctx.db)).rows) {
    const m = of(v)
    m.pairs.manual = { part: v.manual, whole: v.passes }
    m.pairs.late = { part: v.late, whole: v.passes }
  }
  return [...found.values()]
}

/** Current figures of a whole site: online gates and unhandled alarms. */
export async function siteFigures(ctx: MeasureContext, projects: Projects): Promise<Map<string, { gate: Pair; alarms: number }>> {
  const gates = await sql<{ projectCode: string; part: number; whole: number }>`
    select v.project_code, count(*) filter (where l.online)::int as part, count(*)::int as whole from device v left join device_latest l on l.device_id = v.id
    where v.family = 'faceGate' and v.status = '1' and ${allOf(...inProjects('v.projectCode', projects))} group by 1`.execute(ctx.db)
  const waiting = await awaitingByProject(ctx.db, projects)
  const sites = new Map<string, { gate: Pair; alarms: number }>()
  for (const { projectCode, part, whole } of gates.rows) sites.set(projectCode, { gate: { part, whole }, alarms: 0 })
  for (const [projectCode, { count }] of waiting)
    sites.set(projectCode, { gate: sites.get(projectCode)?.gate ?? { part: 0, whole: 0 }, alarms: count })
  return sites
}

export interface Sum {
  onSite: number
  workers: number
  alarms: number
  pairs: Record<RatioKey, Pair>
  leader: Pair
}
export const nothing = (): Sum => ({ onSite: 0, workers: 0, alarms: 0, pairs: empty(), leader: { part: 0, whole: 0 } })
const plus = (a: Pair, b: Pair): Pair => ({ part: a.part + b.part, whole: a.whole + b.whole })

/** Adds numerators and denominators, never ratios. */
export function add(sum: Sum, m: Pick<Measured, 'onSite' | 'workers' | 'pairs' | 'leader'>): Sum {
  return {
    onSite: sum.onSite + m.onSite,
    workers: sum.workers + m.workers,
    alarms: sum.alarms,
    pairs: Object.fromEntries(ratioKeys.map((key) => [key, plus(sum.pairs[key], m.pairs[key])])) as Record<RatioKey, Pair>,
    leader: plus(sum.leader, m.leader),
  }
}
export const withSite = (sum: Sum, site: { gate: Pair; alarms: number } | undefined): Sum =>
  site ? { ...sum, alarms: sum.alarms + site.alarms, pairs: { ...sum.pairs, gate: plus(sum.pairs.gate, site.gate) } } : sum

export const shareOf = ({ part, whole }: Pair): number | null => (whole === 0 ? null : part / whole)
export const cell = (now: Pair, before: Pair | undefined): RatioCell => ({ ...now, before: before ? shareOf(before) : null })
/** The cells of a row. Figures that exist only for now have no previous month. */
export const cellsOf = (now: Sum, before: Sum | undefined): Record<RatioKey, RatioCell> =>
  Object.fromEntries(
    ratioKeys.map((key) => [key, cell(now.pairs[key], key === 'gate' || key === 'upload' ? undefined : before?.pairs[key])]),
  ) as Record<RatioKey, RatioCell>

/** The shortfall of each ratio against its minimum. */
export function shortfalls(sum: Sum): { key: RatioKey; by: number }[] {
  return ratioKeys.flatMap((key) => {
    const { least } = ratios[key]
    const share = shareOf(sum.pairs[key])
    return least !== null && share !== null && share < least ? [{ key, by: (least - share) / least }] : []
  })
}

/** Projects of a query: the one it names, that of the header, or all visible ones. */
export const projectsOf = (ctx: ListContext, requested: string | undefined): Projects =>
  projectsFor(ctx, requested && requested !== '*' ? requested : ctx.projectCode)
export const monthOf = (ctx: Pick<Context, 'clock'>, requested: string | undefined): string =>
  requested ?? formatDay(ctx.clock.now()).slice(0, 7)
