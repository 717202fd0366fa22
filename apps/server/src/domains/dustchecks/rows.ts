import type * as contract from '@zhugong/contract/dustchecks/calls'
import { type DustRow, dustRow } from '@zhugong/contract/dustchecks/calls'
import { dayMs } from '@zhugong/contract/kit/time'
import { runningStates } from '@zhugong/contract/rectify/moves'
import { dictName } from '@zhugong/contract/settings/dictionaries'
import { type RawBuilder, sql } from 'kysely'
import { formatDay, formatInstant, startOfDay } from '#kit/clock'
import { type Context, projectsFor } from '#kit/context'
import {
  allOf,
  anyOf,
  between,
  type Condition,
  condition,
  contains,
  equals,
  filtersOf,
  inProjects,
  instantsBetween,
  orderBy,
} from '#kit/list'
import { rowOf } from '#kit/row-of'
import { type DustCheck, dust } from './kind.ts'

export type RawDust = DustCheck & { projectName: string }
type Query = Partial<NonNullable<(typeof contract.listDustChecks)['types']>['parsed']['query']>
type Viewer = Pick<Context, 'scope' | 'scopeChecks' | 'clock' | 'user'>

/** Days over which the pass rate is averaged. */
const meanDays = 30

const running = sql`c.state = any (${[...runningStates]}::text[])`
const contradicted = sql`d.contradicted`
const today = (ctx: Pick<Context, 'clock'>) => {
  const from = startOfDay(formatDay(ctx.clock.now()))
  return sql`(c.state <> '0' and c.check_time >= ${new Date(from)} and c.check_time < ${new Date(from + dayMs)})`
}
const either = (is: RawBuilder<unknown>) => (value: boolean) => condition(value ? is : sql`not ${is}`)

/** Conditions of the list and of its export. */
export function dustConditions(ctx: Viewer, query: Query): Condition {
  const tabs: Record<NonNullable<Query['tab']>, RawBuilder<unknown>> = { own: sql`c.checker_id = ${ctx.user.id}`, open: running }
  return allOf(
    ...equals('c.kind', dust),
    ...inProjects('c.projectCode', projectsFor(ctx, query.projectCode)),
    filtersOf(query, {
      projectCode: 'elsewhere',
      tab: (value) => condition(tabs[value]),
      checkTime: [instantsBetween, 'c.checkTime'],
      checkers: (value) => condition(sql`exists (select from unnest(c.checkers) as one where ${allOf(...contains('one', value))})`),
      responseLevel: [anyOf, 'd.responseLevel'],
      weather: [anyOf, 'd.weather'],
      pm10: (value) => allOf(...between('d.pm10', value)),
      failItems: (value) => condition(sql`d.fail_codes && ${[...value]}::text[]`),
      passRate: (value) => allOf(...between('d.passRate', value)),
      result: [anyOf, 'd.result'],
      state: [anyOf, 'c.state'],
      today: either(today(ctx)),
      contradicted: either(contradicted),
    }),
  )
}

const from = sql`site_check c join dust_check d on d.check_id = c.id`
const order = (sort: Query['sort']) =>
  orderBy(sort, { checkTime: 'c.checkTime!', pm10: 'd.pm10', passRate: 'd.passRate', deadline: 'c.deadline' }, '-checkTime', 'c.id')

export async function readDust(
  ctx: Viewer & Pick<Context, 'db'>,
  where: Condition,
  { sort, limit, offset }: { sort?: Query['sort']; limit?: number; offset?: number },
): Promise<RawDust[]> {
  const page = limit === undefined ? sql`` : sql`limit ${limit} offset ${offset ?? 0}`
  const { rows } = await sql<RawDust>`select d.*, c.*, p.name as project_name from ${from} join project p on p.project_code = c.project_code
    where ${where} order by ${order(sort)} ${page}`.execute(ctx.db)
  return rows
}

export async function countDust(ctx: Pick<Context, 'db'>, where: Condition): Promise<number> {
  const { rows } = await sql<{ n: number }>`select count(*)::int as n from ${from} where ${where}`.execute(ctx.db)
  return rows[0]?.n ?? 0
}

/** Figures of the strip: each counts with the condition of the list it opens. */
export async function dustCounts(ctx: Viewer & Pick<Context, 'db'>, projectCode: string | undefined) {
  const n = (of: RawBuilder<unknown>) => sql`(count(*) filter (where ${of}))::int`
  const since = new Date(ctx.clock.now() - meanDays * dayMs)
  type Counts = { today: number; open: number; contradicted: number; passRate: number | null }
  const { rows } = await sql<Counts>`select ${n(today(ctx))} as today, ${n(running)} as open, ${n(contradicted)} as contradicted,
      round(avg(d.pass_rate) filter (where c.state <> '0' and c.check_time >= ${since}), 1)::float8 as pass_rate
    from ${from} where ${dustConditions(ctx, { projectCode })}`.execute(ctx.db)
  return rows[0] ?? { today: 0, open: 0, contradicted: 0, passRate: null }
}

export function toDust(ctx: Pick<Context, 'clock'>, r: RawDust): DustRow {
  const late = r.deadline === null ? 0 : Math.round((Date.parse(formatDay(ctx.clock.now())) - Date.parse(r.deadline)) / dayMs)
  return rowOf(dustRow, r, {
    checkTime: formatInstant(r.checkTime),
    responseLevelName: dictName('dustResponseLevel', r.responseLevel),
    weatherName: dictName('weather', r.weather),
    results: Object.fromEntries(r.items.map((one) => [one.code, one.result])),
    failItems: r.failCodes.map((code) => dictName('dustCheckItem', code) ?? code),
    resultName: dictName('checkResult', r.result),
    overdueDays: runningStates.some((state) => state === r.state) ? Math.max(0, late) : 0,
    stateName: dictName('rectifyState', r.state) ?? r.state,
  })
}

/** One check as a row of the list. */
export async function dustFor(ctx: Viewer & Pick<Context, 'db'>, id: string, projectCode?: string): Promise<RawDust | undefined> {
  const where = allOf(...equals('c.kind', dust), ...equals('c.id', id), ...inProjects('c.projectCode', projectsFor(ctx, projectCode)))
  return (await readDust(ctx, where, {}))[0]
}
