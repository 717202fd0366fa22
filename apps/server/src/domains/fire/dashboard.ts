import type { FireDashboard, fireDashboard } from '@zhugong/contract/fire/dashboard'
import { areaName, dictionaryOf, dictName } from '@zhugong/contract/settings/dictionaries'
import { type RawBuilder, sql } from 'kysely'
import { addDays, formatDay, formatInstant, startOfDay } from '#kit/clock'
import type { Context } from '#kit/context'
import type { Row } from '#kit/db'
import type { Condition } from '#kit/list'
import type { HandlerOf } from '#kit/serve'
import { commonCalendar } from '../access/public.ts'
import { delivered } from './catalogue.ts'
import { deadlineConditions, fireConditions, firstPassed, leftOf } from './rows.ts'

const [shownDeadlines, shownFailures, shownLoad, shownTeams] = [8, 10, 8, 4]
const weekDays = 7

interface Span {
  /** yyyy-MM-dd. */
  from: string
  to: string
}
function monthOf(month: string): Span {
  const next = month.endsWith('-12')
    ? `${Number(month.slice(0, 4)) + 1}-01`
    : `${month.slice(0, 5)}${String(Number(month.slice(5)) + 1).padStart(2, '0')}`
  return { from: `${month}-01`, to: addDays(`${next}-01`, -1) }
}

/** Every panel of the wall in one answer; each figure counts with the conditions of the list that it opens. */
export const readDashboard: HandlerOf<typeof fireDashboard> = async ({ query }, ctx) => {
  const today = formatDay(ctx.clock.now())
  const month = query.month ?? today.slice(0, 7)
  const span = monthOf(month)
  const where = await fireConditions(ctx, { projectCode: query.projectCode })
  const failures = await failuresOf(ctx, where, span)
  return {
    month,
    today,
    ...(await figuresOf(ctx, where, span, today)),
    states: await counted(ctx, where, sql`c.state`, 'fireAssessState'),
    kinds: await counted(ctx, where, sql`c.kind`, 'fireProjectKind'),
    districts: await districtsOf(ctx, where),
    ...(await openCases(ctx, where, today)),
    failures: failures.slice(0, shownFailures),
    levels: levelsOf(failures),
    load: await loadOf(ctx, where, today),
    teams: await teamsOf(ctx, where),
  }
}

async function figuresOf(ctx: Context, where: Condition, span: Span, today: string) {
  const n = (of: RawBuilder<unknown>) => sql`count(*) filter (where ${of})::int`
  const { near, late } = deadlineConditions(await commonCalendar(ctx.db), today)
  const first = sql`exists (select from fire_round f where f.case_id = c.id and f.round = 1 and f.issued_at >= ${new Date(startOfDay(span.from))}
    and f.issued_at < ${new Date(startOfDay(addDays(span.to, 1)))})`
  type Figures = Pick<FireDashboard, 'waiting' | 'running' | 'done' | 'near' | 'late' | 'notDrawn'> &
    Record<'firstAll' | 'firstGood' | 'again', number>
  const { rows } = await sql<Figures>`select ${n(sql`c.state = '1'`)} as waiting, ${n(sql`c.state = '4'`)} as running,
      ${n(sql`c.state in ('6', '7') and c.finish_date between ${span.from}::date and ${span.to}::date`)} as done,
      ${n(near)} as near, ${n(late)} as late, ${n(sql`c.state = '9'`)} as not_drawn, ${n(first)} as first_all,
      ${n(sql`${first} and ${firstPassed}`)} as first_good, ${n(sql`${first} and c.apply_type = '2'`)} as again
    from fire_case c where ${where}`.execute(ctx.db)
  const [row] = rows
  if (!row) throw new Error('a query of counts answered nothing')
  const { firstAll, firstGood, again, ...rest } = row
  return { ...rest, first: { passed: firstGood, all: firstAll }, rechecked: { passed: again, all: firstAll } }
}

/** Cases by a dictionary; every entry stands, also without a case. */
async function counted(ctx: Pick<Context, 'db'>, where: Condition, of: RawBuilder<unknown>, dictionary: string) {
  const { rows } = await sql<{ code: string; n: number }>`select ${of} as code, count(*)::int as n from fire_case c
    where ${where} and c.state <> '0' group by 1`.execute(ctx.db)
  return (dictionaryOf(dictionary)?.items ?? [])
    .filter(({ code }) => dictionary !== 'fireAssessState' || code !== '0')
    .map(({ code }) => ({ code, name: dictName(dictionary, code) ?? code, count: rows.find((one) => one.code === code)?.n ?? 0 }))
}

async function districtsOf(ctx: Pick<Context, 'db'>, where: Condition) {
  const { rows } = await sql<{ code: string; n: number; open: number }>`select j.area_code as code, count(*)::int as n,
      count(*) filter (where c.state in ('1', '3', '4', '5'))::int as open
    from fire_case c join project j using (project_code) where ${where} and c.state <> '0' group by 1 order by 2 desc, 1`.execute(ctx.db)
  return rows.map(({ code, n, open }) => ({ code, name: areaName(code) ?? code, count: n, open }))
}

async function openCases(ctx: Pick<Context, 'db'>, where: Condition, today: string): Promise<Pick<FireDashboard, 'spots' | 'deadlines'>> {
  const rest = await commonCalendar(ctx.db)
  type Open = Pick<Row<'fireCase'>, 'id' | 'projectCode' | 'state' | 'dueDate' | 'pausedAt'> & {
    projectName: string
    areaCode: string
    lng: number | null
    lat: number | null
  }
  const { rows } =
    await sql<Open>`select c.id, c.project_code, c.state, c.due_date, c.paused_at, j.name as project_name, j.area_code, j.lng, j.lat
    from fire_case c join project j using (project_code) where ${where} and c.state in ('1', '3', '4', '5')
    order by c.due_date nulls last, c.id limit 200`.execute(ctx.db)
  const spots = rows.map(({ id, projectCode, projectName, areaCode, lng, lat, state, dueDate, pausedAt }) => ({
    id,
    projectCode,
    projectName,
    areaCode,
    lng,
    lat,
    state,
    daysLeft: leftOf({ state, dueDate, pausedAt }, rest, today),
  }))
  const deadlines = rows.flatMap((one) => {
    const daysLeft = leftOf(one, rest, today)
    if (daysLeft === null || one.dueDate === null) return []
    const { id, projectName, dueDate, state } = one
    return [{ id, projectName, dueDate, daysLeft, paused: one.pausedAt !== null, state }]
  })
  // The nearest first; what stands still comes last.
  deadlines.sort((a, b) => Number(a.paused) - Number(b.paused) || a.daysLeft - b.daysLeft)
  return { spots, deadlines: deadlines.slice(0, shownDeadlines) }
}

/** Points that were not right in the month, the most frequent first; of each place the newest finding counts. Nobody is named. */
async function failuresOf(ctx: Pick<Context, 'db'>, where: Condition, { from, to }: Span): Promise<FireDashboard['failures']> {
  const { rows } = await sql<{ itemCode: string; level: string; n: number; local: string | null }>`
    select x.item_code, x.level, count(*)::int as n, max(i.name) as local from (
      select distinct on (p.case_id, p.round, p.build_id, p.item_code, p.check_part) p.* from fire_point p
        join fire_case c on c.id = p.case_id
      where ${where} and p.at >= ${new Date(startOfDay(from))} and p.at < ${new Date(startOfDay(addDays(to, 1)))}
      order by p.case_id, p.round, p.build_id, p.item_code, p.check_part, p.at desc, p.id desc) x
      left join fire_case k on k.id = x.case_id left join fire_catalogue_item i on i.catalogue_id = k.catalogue_id and i.code = x.item_code
    where x.result = '2' or x.product_fail group by 1, 2 order by 3 desc, 1`.execute(ctx.db)
  const names = new Map(delivered.map((one) => [one.code, one.name]))
  return rows.map(({ itemCode, level, n, local }) => ({ itemCode, level, count: n, name: names.get(itemCode) ?? local ?? itemCode }))
}
function levelsOf(failures: FireDashboard['failures']): FireDashboard['levels'] {
  const n = (level: string) => failures.filter((one) => one.level === level).reduce((sum, one) => sum + one.count, 0)
  return { A: n('A'), B: n('B'), C: n('C') }
}

/** Open cases of each assessor that are assessed within a week from today, or are on the site. */
async function loadOf(ctx: Pick<Context, 'db'>, where: Condition, today: string): Promise<FireDashboard['load']> {
  const { rows } = await sql<{ name: string; cases: number }>`select x.name, count(*)::int as cases from fire_case c
    cross join lateral unnest(c.assessors) as x (name)
    where ${where} and (c.state = '4' or c.state = '3' and (c.assess_date is null or c.assess_date <= ${addDays(today, weekDays)}::date))
    group by 1 order by 2 desc, 1 limit ${shownLoad}`.execute(ctx.db)
  return rows
}

async function teamsOf(ctx: Pick<Context, 'db'>, where: Condition): Promise<FireDashboard['teams']> {
  type Team = { id: string; projectName: string; assessors: string[]; subsDone: number; subsTotal: number; lastAt: Date | null }
  const { rows } = await sql<Team>`select c.id, j.name as project_name, c.assessors, r.subs_done, r.subs_total,
      (select max(p.at) from fire_point p where p.case_id = c.id and p.round = c.round) as last_at
    from fire_case c join project j using (project_code) join fire_round r on r.case_id = c.id and r.round = c.round
    where ${where} and c.state = '4' and r.submitted_at is null order by last_at desc nulls last, c.id limit ${shownTeams}`.execute(ctx.db)
  return rows.map(({ lastAt, ...one }) => ({ ...one, lastAt: lastAt && formatInstant(lastAt) }))
}
