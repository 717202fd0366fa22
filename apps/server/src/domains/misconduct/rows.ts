import { maskName } from '@zhugong/contract/kit/checks'
import {
  type BadActionRow,
  badActionRow,
  type ExpertMisconductRow,
  type listBadActions,
  type listExpertMisconduct,
} from '@zhugong/contract/misconduct/calls'
import { badSourceNames, badTargets, inForce, typeDictionary } from '@zhugong/contract/misconduct/codes'
import { dictName } from '@zhugong/contract/settings/dictionaries'
import { type RawBuilder, sql } from 'kysely'
import { formatDay } from '#kit/clock'
import { type Context, groupTypes, projectsFor } from '#kit/context'
import { allOf, anyOf, between, type Condition, condition, contains, daysBetween, filtersOf, inProjects, orderBy } from '#kit/list'
import { pick } from '#kit/pick'
import { rowOf } from '#kit/row-of'
import { waitsFor } from '../process/public.ts'
import type { Misconduct } from './kind.ts'
import { isParty, stateName } from './kind.ts'

export type Query = Partial<NonNullable<(typeof listBadActions)['types']>['parsed']['query']>
export type ExpertQuery = Partial<NonNullable<(typeof listExpertMisconduct)['types']>['parsed']['query']>
export type Viewer = Pick<Context, 'db' | 'clock' | 'group' | 'scope' | 'scopeChecks' | 'codes'>

export interface RawRow extends Misconduct {
  projectName: string | null
  corpName: string | null
  mine: boolean
}

const today = (ctx: Pick<Context, 'clock'>) => sql`${formatDay(ctx.clock.now())}::date`
const force = sql`${[...inForce]}::text[]`
/** Published today: names and facts are open to the other companies of the project. */
const isPublished = (ctx: Pick<Context, 'clock'>) =>
  sql`(m.state = any (${force}) and m.publish_start is not null and m.publish_start <= ${today(ctx)} and m.publish_end >= ${today(ctx)})`

/** The party of a record, as SQL: see `isParty`. */
function partyOf(ctx: Pick<Context, 'group'>) {
  if (ctx.group.type === groupTypes.corporation) return sql`m.corp_code = ${ctx.group.code}`
  if (ctx.group.type === groupTypes.project)
    return sql`(m.target_type in (${badTargets.worker}, ${badTargets.team}) or m.corp_code = p.contractor_corp_code)`
  return sql`false`
}
/** Authorities and the platform, who answer for the register. */
const isAbove = ({ group }: Pick<Context, 'group'>) => group.type === groupTypes.government || group.type === groupTypes.platform

/**
 * What the caller may see: what his group proposed or decides; from the decision on the party and the authorities of the area; and
 * everybody else of the project as long as it is published.
 */
export const seen = (ctx: Pick<Context, 'group' | 'clock'>): Condition =>
  condition(sql`(${ctx.group.id} = any (m.groups) or m.shown_at is not null and m.target_type <> ${badTargets.expert}
    and (${isAbove(ctx)}::boolean or ${partyOf(ctx)} or ${isPublished(ctx)}))`)

/** How much of a record the caller may know. */
export function closeness(ctx: Pick<Context, 'group'>, row: Misconduct): { whole: boolean; named: boolean } {
  const inner = row.groups.includes(ctx.group.id) || isParty(ctx, row)
  return { whole: inner || isAbove(ctx), named: inner }
}
/** A person's name outside the institution that decides and the party. */
export const shownName = (ctx: Pick<Context, 'group'>, row: Misconduct): string =>
  row.workerId === null || closeness(ctx, row).named ? row.targetName : maskName(row.targetName)
/** The fact, which may name the person. */
export const shownFact = (ctx: Pick<Context, 'group'>, row: Misconduct): string => row.fact.replaceAll(row.targetName, shownName(ctx, row))

const from = sql`from misconduct m left join project p using (project_code)`
const isMine = (ctx: Viewer) =>
  sql`exists (select 1 from process_todo t where t.kind = 'badaction' and t.object_id = m.id and ${waitsFor(ctx, undefined)})`
const thisYear = (ctx: Pick<Context, 'clock'>) => `${formatDay(ctx.clock.now()).slice(0, 4)}-01-01 00:00:00+08`
const isDeducted = (ctx: Pick<Context, 'clock'>) => sql`(m.state = any (${force}) and m.decide_time >= ${thisYear(ctx)}::timestamptz)`
const urgency = (ctx: Viewer) =>
  sql`(case when ${isMine(ctx)} then 4 else 0 end + case m.state when '1' then 3 when '4' then 2 when '0' then 1 else 0 end)`

const selectRow = (
  ctx: Viewer,
) => sql`select m.*, p.name as project_name, coalesce(p.contractor_corp_code = m.corp_code, false) as of_leader,
    (select c.corp_name from corporation c where c.corp_code = m.corp_code) as corp_name,
    (select x.kind from misconduct_plea x where x.misconduct_id = m.id and x.granted is null) as open_plea,
    (select count(*)::int from misconduct_plea x where x.misconduct_id = m.id and x.kind = 'appeal' and x.granted is not null) as appealed,
    ${isMine(ctx)} as mine`

const scopeOf = (ctx: Viewer, projectCode: string | undefined): Condition =>
  allOf(seen(ctx), ...inProjects('m.projectCode', projectsFor(ctx, projectCode)))
const companies = (ctx: Viewer, projectCode: string | undefined): Condition =>
  allOf(scopeOf(ctx, projectCode), condition(sql`m.target_type <> ${badTargets.expert}`))

const dictionaryPart = sql`case m.target_type when '3' then '3' else '1' end`

export const conditions = (ctx: Viewer, query: Query): Condition =>
  allOf(
    companies(ctx, query.projectCode),
    filtersOf(query, {
      projectCode: 'elsewhere',
      code: [contains, 'm.code'],
      targetType: [anyOf, 'm.targetType'],
      // A name that is not shown is not found either.
      targetName: (name) =>
        allOf(
          ...contains('m.targetName', name),
          condition(sql`(m.worker_id is null or ${ctx.group.id} = any (m.groups) or ${partyOf(ctx)})`),
        ),
      // `3-8`: of the companies' dictionary; `1-04`: of that of people and teams; `3`, `1`: all of it.
      type: (types) =>
        condition(
          sql`(${dictionaryPart} || '-' || m.type = any (${[...types]}::text[]) or ${dictionaryPart} = any (${[...types]}::text[]))`,
        ),
      level: [anyOf, 'm.level'],
      degree: [anyOf, 'm.degree'],
      occurrenceDate: [daysBetween, 'm.occurrenceDate'],
      score: [between, 'm.score'],
      publishEnd: [daysBetween, 'm.publishEnd'],
      source: [anyOf, 'm.source'],
      state: [anyOf, 'm.state'],
      published: (yes) => condition(yes ? isPublished(ctx) : sql`not coalesce(${isPublished(ctx)}, false)`),
      deducted: (yes) => condition(yes ? isDeducted(ctx) : sql`not coalesce(${isDeducted(ctx)}, false)`),
      mine: (yes) => condition(yes ? isMine(ctx) : sql`not ${isMine(ctx)}`),
    }),
  )
export async function readRaw(
  ctx: Viewer,
  where: Condition,
  order: RawBuilder<unknown>,
  page: { limit?: number; offset?: number } = {},
): Promise<RawRow[]> {
  const { limit, offset = 0 } = page
  const slice = limit === undefined ? sql`` : sql`limit ${limit} offset ${offset}`
  const { rows } = await sql<RawRow>`${selectRow(ctx)} ${from} where ${where} order by ${order} ${slice}`.execute(ctx.db)
  return rows
}

export async function readRows(ctx: Viewer, query: Query, page: { limit?: number; offset?: number } = {}): Promise<BadActionRow[]> {
  const order = orderBy(
    query.sort,
    { urgency: urgency(ctx), occurrenceDate: 'm.occurrenceDate', score: 'm.score!', publishEnd: 'm.publishEnd' },
    '-urgency',
    'm.id',
  )
  return (await readRaw(ctx, conditions(ctx, query), sql`${order}`, page)).map((row) => toRow(ctx, row))
}

async function count(ctx: Viewer, where: Condition): Promise<number> {
  const { rows } = await sql<{ n: number }>`select count(*)::int as n ${from} where ${where}`.execute(ctx.db)
  return rows[0]?.n ?? 0
}
export const countRows = (ctx: Viewer, query: Query) => count(ctx, conditions(ctx, query))

/** Figures of the strip: each counts with the condition of the list it opens. */
export async function countsOf(ctx: Viewer, query: Pick<Query, 'projectCode'>) {
  const n = (of: RawBuilder<unknown>) => sql`count(*) filter (where ${of})::int`
  type Counts = Record<'waiting' | 'published' | 'appealed' | 'deducted' | 'points', number>
  const { rows } =
    await sql<Counts>`select ${n(sql`m.state = '1'`)} as waiting, ${n(isPublished(ctx))} as published, ${n(sql`m.state = '4'`)} as appealed,
      ${n(isDeducted(ctx))} as deducted, coalesce(sum(m.score) filter (where ${isDeducted(ctx)}), 0)::float8 as points
    ${from} where ${companies(ctx, query.projectCode)}`.execute(ctx.db)
  return rows[0] ?? { waiting: 0, published: 0, appealed: 0, deducted: 0, points: 0 }
}

const typeNameOf = (row: Pick<Misconduct, 'targetType' | 'type'>): string => dictName(typeDictionary(row.targetType), row.type) ?? row.type

export function toRow(ctx: Pick<Context, 'group'>, r: RawRow): BadActionRow {
  return rowOf(badActionRow, r, {
    targetTypeName: dictName('badActionTarget', r.targetType) ?? r.targetType,
    targetName: shownName(ctx, r),
    typeName: typeNameOf(r),
    levelName: dictName('actionLevel', r.level) ?? r.level,
    degreeName: dictName('actionDegree', r.degree) ?? r.degree,
    sourceName: badSourceNames[r.source] ?? r.source,
    stateName: stateName(r.state),
  })
}

/** One record, if the caller may see it. */
export async function rowFor(ctx: Viewer, id: string): Promise<RawRow | undefined> {
  const inside = condition(sql`(m.project_code is null or ${allOf(...inProjects('m.projectCode', projectsFor(ctx)))})`)
  const [row] = await readRaw(ctx, allOf(condition(sql`m.id = ${id}`), seen(ctx), inside), sql`m.id`)
  return row
}

// ---- the register of experts

const experts = (ctx: Viewer): Condition =>
  allOf(condition(sql`(${ctx.group.id} = any (m.groups) and m.target_type = ${badTargets.expert})`))

const expertConditions = (ctx: Viewer, query: ExpertQuery): Condition =>
  allOf(
    experts(ctx),
    filtersOf(query, {
      projectCode: 'elsewhere',
      code: [contains, 'm.code'],
      expert: [contains, 'm.targetName'],
      misconductType: [anyOf, 'm.type'],
      date: [daysBetween, 'm.occurrenceDate'],
      level: [anyOf, 'm.level'],
      deduction: [between, 'm.score'],
      publishEnd: [daysBetween, 'm.publishEnd'],
      state: [anyOf, 'm.state'],
    }),
  )

export async function readExpertRows(
  ctx: Viewer,
  query: ExpertQuery,
  page: { limit?: number; offset?: number } = {},
): Promise<ExpertMisconductRow[]> {
  const order = orderBy(
    query.sort,
    { urgency: urgency(ctx), date: 'm.occurrenceDate', deduction: 'm.score!', publishEnd: 'm.publishEnd' },
    '-urgency',
    'm.id',
  )
  const { limit, offset = 0 } = page
  const slice = limit === undefined ? sql`` : sql`limit ${limit} offset ${offset}`
  type Raw = RawRow & { activity: string | null; expertState: string }
  const { rows } = await sql<Raw>`${selectRow(ctx)}, e.state as expert_state,
      (select a.title from expert_activity_seat s join expert_activity a on a.id = s.activity_id where s.expert_id = m.expert_id
        and s.date = m.occurrence_date order by a.id limit 1) as activity
    ${from} join expert e on e.id = m.expert_id where ${expertConditions(ctx, query)} order by ${order} ${slice}`.execute(ctx.db)
  return rows.map((r) => ({
    ...pick(r, 'id', 'code', 'activity', 'level', 'publishEnd', 'system', 'state', 'expertState', 'mine', 'version'),
    expertId: r.expertId ?? '',
    expert: r.targetName,
    misconductType: r.type,
    typeName: typeNameOf(r),
    date: r.occurrenceDate,
    levelName: dictName('actionLevel', r.level) ?? r.level,
    deduction: r.score,
    stateName: stateName(r.state),
  }))
}
export const countExpertRows = (ctx: Viewer, query: ExpertQuery) => count(ctx, expertConditions(ctx, query))

export async function expertCountsOf(ctx: Viewer) {
  const n = (of: RawBuilder<unknown>) => sql`count(*) filter (where ${of})::int`
  type Counts = Record<'waiting' | 'published' | 'appealed' | 'removed', number>
  const { rows } =
    await sql<Counts>`select ${n(sql`m.state = '1'`)} as waiting, ${n(sql`m.state = '2'`)} as published, ${n(sql`m.state = '4'`)} as appealed,
      (select count(distinct l.object_id)::int from process_log l join expert e on e.id = l.object_id where l.kind = 'expert' and l.action = 'remove'
        and e.library_group = ${ctx.group.id} and l.at >= ${thisYear(ctx)}::timestamptz) as removed
    ${from} where ${experts(ctx)}`.execute(ctx.db)
  return rows[0] ?? { waiting: 0, published: 0, appealed: 0, removed: 0 }
}
