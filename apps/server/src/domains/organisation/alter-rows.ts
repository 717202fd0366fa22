import { isKeyPersonType, keyPersons, lateAlterDays } from '@zhugong/contract/organisation/alter-types'
import type { AlterRow, listAlters } from '@zhugong/contract/organisation/project-alter'
import { alterRow } from '@zhugong/contract/organisation/project-alter'
import { dictName } from '@zhugong/contract/settings/dictionaries'
import { approvalStates } from '@zhugong/contract/workflow/flow'
import { type RawBuilder, sql } from 'kysely'
import { formatDay, formatInstant } from '#kit/clock'
import { projectsFor } from '#kit/context'
import { allOf, anyOf, type Condition, condition, contains, filtersOf, inProjects, instantsBetween, orderBy } from '#kit/list'
import { rowOf } from '#kit/row-of'
import { commonCalendar } from '../access/public.ts'
import type { ListContext } from '../exports/registry.ts'
import { lateSince, waitsForMe } from '../workflow/public.ts'
import { inWords, labelOf, roleOf } from './alter-store.ts'
import { changeKind } from './project-changes.ts'

type Query = Partial<NonNullable<(typeof listAlters)['types']>['parsed']['query']>

interface RawAlter {
  id: string
  projectCode: string
  projectName: string
  type: string
  code: string | null
  filedName: string
  createTime: Date
  node: string | null
  stay: number | null
  cameAt: Date | null
  state: string
  waits: boolean
  version: number
  changed: { field: string; oldValue: string | null; newValue: string }[]
  oldName: string | null
  newName: string | null
}

const hoursPerDay = 24
/** Applications at one step since before this moment are late. */
export async function lateBefore(ctx: ListContext): Promise<Date> {
  return lateSince(ctx.clock.now(), lateAlterDays * hoursPerDay, await commonCalendar(ctx.db))
}

/** What the conditions and the rows need to know of the caller and of today. */
export interface AlterSight {
  ctx: ListContext
  late: Date
  mine: Condition
}
export const sightOf = async (ctx: ListContext): Promise<AlterSight> => ({
  ctx,
  late: await lateBefore(ctx),
  mine: await waitsForMe(ctx, changeKind, 'x.id'),
})

const isRunning = sql`x.state = ${approvalStates.running}`
const isLate = (late: Date) => sql`(${isRunning} and x.came_at < ${late})`

/** A company at work on a part of the site does not read the file of the site. */
export const notAsSubcontractor = ({ scope }: Pick<ListContext, 'scope'>): Condition[] =>
  scope.limited.length > 0 ? [condition(sql`x.project_code <> all (${[...scope.limited]})`)] : []

export function alterConditions({ ctx, late, mine }: AlterSight, query: Query): Condition {
  return allOf(
    ...inProjects('x.projectCode', projectsFor(ctx, query.projectCode)),
    ...notAsSubcontractor(ctx),
    filtersOf(query, {
      projectCode: 'elsewhere',
      tab: (tab) => (tab === 'waiting' ? mine : tab === 'mine' ? condition(sql`x.filed_group = ${ctx.group.id}`) : condition(sql`true`)),
      code: [contains, 'x.code'],
      projectName: [contains, 'x.projectName'],
      type: [anyOf, 'x.type'],
      applicant: [contains, 'x.filedName'],
      createTime: [instantsBetween, 'x.createTime'],
      decideTime: [instantsBetween, 'x.decideTime'],
      state: [anyOf, 'x.state'],
      late: (value) => condition(value ? isLate(late) : sql`not ${isLate(late)}`),
    }),
  )
}

/** Applications as `x`, with what their approval says. */
const applications = (now: Date) => sql`(
  select c.*, p.name as project_name, k.item_id, coalesce(k.code, c.code) as number, k.node, k.came_at,
    case when c.state = ${approvalStates.running} and k.came_at is not null
      then round(extract(epoch from ${now}::timestamptz - k.came_at) / 360) / 10 end as stay
  from project_change c join project p using (project_code) left join lateral zg_change_course(c.id) k on true)`
const named = (now: Date) => sql`(select a.id, a.project_code, a.project_name, a.type, a.number as code, a.filed_group, a.filed_name,
  a.create_time, a.decide_time, a.node, a.stay, a.came_at, a.state, a.version from ${applications(now)} a) x`

const order = (sort: Query['sort'], mine: Condition): RawBuilder<unknown> =>
  sort === undefined
    ? sql`(${mine}) desc, x.create_time desc, x.id`
    : orderBy(sort, { createTime: 'x.createTime!', stay: 'x.stay', projectName: 'x.projectName!' }, '-createTime', 'x.id')

export async function readAlters(
  sight: AlterSight,
  where: Condition,
  { sort, limit, offset }: { sort?: Query['sort']; limit?: number; offset?: number },
): Promise<AlterRow[]> {
  const { ctx, late, mine } = sight
  const page = limit === undefined ? sql`` : sql`limit ${limit} offset ${offset ?? 0}`
  const now = new Date(ctx.clock.now())
  const { rows } = await sql<RawAlter>`select x.*, (${mine}) as waits, h.old_name, h.new_name,
      coalesce((select json_agg(json_build_object('field', f.field, 'oldValue', f.old_value, 'newValue', f.new_value) order by f.seq)
        from project_change_field f where f.change_id = x.id), '[]') as changed
    from ${named(now)} left join project_change_person h on h.change_id = x.id
    where ${where} order by ${order(sort, mine)} ${page}`.execute(ctx.db)
  const names = await namesIn(
    ctx,
    rows.map((row) => row.id),
  )
  return rows.map((row) => toAlter(row, names, late))
}

export async function countAlters({ ctx }: AlterSight, where: Condition): Promise<number> {
  const { rows } = await sql<{ n: number }>`select count(*)::int as n from ${named(new Date(ctx.clock.now()))} where ${where}`.execute(
    ctx.db,
  )
  return rows[0]?.n ?? 0
}

/** First and last day of the current year in Asia/Shanghai. */
export function yearOf(now: number): { from: string; to: string } {
  const year = formatDay(now).slice(0, 4)
  return { from: `${year}-01-01`, to: `${year}-12-31` }
}

export async function alterCounts(sight: AlterSight, projectCode: string | undefined) {
  const count = (more: Query) => countAlters(sight, alterConditions(sight, { projectCode, ...more }))
  const accepted = { state: [approvalStates.passed], decideTime: yearOf(sight.ctx.clock.now()) }
  const [manager, chief] = Object.keys(keyPersons)
  return {
    waiting: await count({ tab: 'waiting' }),
    mine: await count({ tab: 'mine' }),
    all: await count({}),
    running: await count({ state: [approvalStates.running] }),
    late: await count({ late: true }),
    managers: await count({ ...accepted, type: manager ? [manager] : [] }),
    chiefs: await count({ ...accepted, type: chief ? [chief] : [] }),
  }
}

function toAlter(row: RawAlter, names: ReadonlyMap<string, string>, late: Date): AlterRow {
  const running = row.state === approvalStates.running
  return rowOf(alterRow, row, {
    typeName: dictName('projectAlterType', row.type) ?? row.type,
    summary: summaryOf(row, names),
    applicant: row.filedName,
    createTime: formatInstant(row.createTime),
    node: running ? row.node : null,
    stay: row.stay === null ? null : Number(row.stay),
    late: running && row.cameAt !== null && row.cameAt < late,
    stateName: dictName('approvalState', row.state) ?? row.state,
  })
}

function summaryOf(row: RawAlter, names: ReadonlyMap<string, string>): string {
  if (isKeyPersonType(row.type) && row.newName !== null) return `${roleOf(row.type)} ${row.oldName ?? '未登记'} → ${row.newName}`
  return row.changed
    .map(({ field, oldValue, newValue }) =>
      field === 'matter'
        ? newValue
        : `${labelOf(field)} ${inWords(names, field, oldValue) ?? '未登记'} → ${inWords(names, field, newValue)}`,
    )
    .join('；')
}

/** Names of the companies and authorities in these applications, by code. */
export async function namesIn(ctx: ListContext, ids: readonly string[]): Promise<Map<string, string>> {
  if (ids.length === 0) return new Map()
  const { rows } = await sql<{ code: string; name: string }>`select code, name from zg_change_names(${[...ids]}::text[])`.execute(ctx.db)
  return new Map(rows.map(({ code, name }) => [code, name]))
}
