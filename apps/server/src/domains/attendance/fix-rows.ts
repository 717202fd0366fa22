import { type CorrectionKind, correctionKinds, keyPosts } from '@zhugong/contract/attendance/facts'
import { type FixRow, fixRow, fixStates, type listFixes, oftenPerMonth } from '@zhugong/contract/attendance/fix-endpoints'
import type { ParsedFor } from '@zhugong/contract/kit/endpoint'
import { dictName } from '@zhugong/contract/settings/dictionaries'
import { sql } from 'kysely'
import { formatInstant } from '#kit/clock'
import { type Context, found, projectsFor } from '#kit/context'
import type { Row } from '#kit/db'
import { allOf, anyOf, type Condition, condition, contains, daysBetween, equals, inProjects, orderBy, pageSlice } from '#kit/list'
import { pick } from '#kit/pick'
import { rowOf } from '#kit/row-of'
import type { ListContext } from '../exports/registry.ts'
import { linksOf } from '../files/public.ts'
import { actionsFor, type ItemActions, waitsForMe } from '../workflow/public.ts'
import { at } from './day-list.ts'
import { fixKind } from './fix-flow.ts'
import type { CorrectionValue } from './tables.ts'

type ListQuery = ParsedFor<typeof listFixes>['query']

export type Raw = Row<'attendanceCorrection'> & {
  name: string | null
  corpName: string | null
  teamName: string | null
  projectName: string | null
  post: string | null
  inMonth: number
}

export const isAboutRecord = (kind: CorrectionKind) => kind === 'void' || kind === 'direction' || kind === 'assign' || kind === 'release'

/** Corrections with names; `in_month` is the number of the person's pending and approved corrections in the month. */
export const fixesWithPeople = sql`
  select x.*, w.worker_name as name, w.post, c.corp_name, t.team_name, p.name as project_name,
    (select count(*)::int from attendance_correction o where o.project_code = x.project_code and o.worker_id = x.worker_id
      and o.state in ('1', '2') and to_char(o.work_day, 'YYYY-MM') = to_char(x.work_day, 'YYYY-MM')) as in_month
  from attendance_correction x join project p on p.project_code = x.project_code
    left join lateral (select * from project_worker w where w.project_code = x.project_code and w.worker_id = x.worker_id
      order by w.exit_time is not null, w.entry_time desc limit 1) w on true
    left join corporation c on c.corp_code = x.corp_code left join team t on t.id = w.team_id`

function fixConditions(query: Partial<ListQuery>, projects: readonly string[] | undefined): Condition {
  return allOf(
    ...inProjects('x.projectCode', projects),
    ...anyOf('x.kind', query.kind),
    ...anyOf('x.state', query.state),
    ...contains('x.name', query.name),
    ...equals('x.workerId', query.workerId),
    ...daysBetween('x.workDay', query.workDay),
    ...(query.month ? [condition(sql`to_char(x.work_day, 'YYYY-MM') = ${query.month}`)] : []),
  )
}

async function conditionsFor(ctx: ListContext, query: Partial<ListQuery>): Promise<Condition> {
  const mine = query.mine ? [await waitsForMe(ctx, fixKind, 'x.id')] : []
  return allOf(fixConditions(query, projectsFor(ctx, query.projectCode)), ...mine)
}

/** 待审: the condition shared by list, strip and month closing. */
export const isWaitingFix = (alias: string): Condition => condition(sql`${sql.ref(`${alias}.state`)} = ${fixStates.waiting}`)

export async function findFixes(ctx: ListContext, query: ListQuery): Promise<Raw[]> {
  const { limit, offset } = pageSlice(query)
  const by = query.sort
    ? orderBy(query.sort, { requestedAt: 'x.requestedAt!', workDay: 'x.workDay', name: 'x.name', state: 'x.state' }, '-requestedAt', 'x.id')
    : sql`(x.state = ${fixStates.waiting}) desc, x.requested_at desc, x.id`
  const { rows } = await sql<Raw>`
    select * from (${fixesWithPeople}) x where ${await conditionsFor(ctx, query)}
    order by ${by} limit ${limit} offset ${offset}`.execute(ctx.db)
  return rows
}

export async function countFixes(ctx: ListContext, query: Partial<ListQuery>): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    select count(*)::int as n from (${fixesWithPeople}) x where ${await conditionsFor(ctx, query)}`.execute(ctx.db)
  return rows[0]?.n ?? 0
}

export async function fixPage(ctx: Context, query: ListQuery) {
  const rows = await findFixes(ctx, query)
  const actions = await actionsFor(
    ctx,
    fixKind,
    rows.map((r) => r.id),
  )
  return {
    list: rows.map((r) => toFix(ctx, r, actions.get(r.id))),
    total: await countFixes(ctx, query),
    waiting: await countFixes(ctx, { projectCode: query.projectCode, month: query.month, state: [fixStates.waiting] }),
  }
}

const missingOf = (r: Pick<Raw, 'needs' | 'approvals'>): string[] =>
  r.needs.filter((role) => !(r.approvals ?? []).some((a) => a.role === role && a.result === 'pass'))

export function toFix(ctx: Pick<Context, 'codes' | 'secrets' | 'clock'>, r: Raw, available: ItemActions | undefined): FixRow {
  const value = r.value as CorrectionValue
  const missing = missingOf(r)
  const may = ctx.codes.has('attendance.approve') && available?.actions.includes('pass')
  return rowOf(fixRow, r, {
    kindName: correctionKinds[r.kind as CorrectionKind] ?? r.kind,
    stateName: dictName('approvalState', r.state),
    time: value.time === null || value.time === undefined ? null : formatInstant(value.time),
    direction: value.direction ?? null,
    fromDay: value.fromDay ?? null,
    toDay: value.toDay ?? null,
    target: value.target ?? null,
    files: linksOf(ctx, r.files),
    requestedAt: formatInstant(r.requestedAt),
    approvedAt: at(r.approvedAt),
    missing,
    approvals: (r.approvals ?? []).map((a) => ({
      ...pick(a, 'role', 'name', 'opinion', 'result'),
      at: formatInstant(a.at),
    })),
    often: r.inMonth > oftenPerMonth,
    keyPost: r.post !== null && Object.hasOwn(keyPosts, r.post),
    actions: [...(may ? (['pass', 'reject'] as const) : []), ...(available?.actions.includes('withdraw') ? (['withdraw'] as const) : [])],
  })
}

export async function getRaw(ctx: Context, id: string, requested?: string): Promise<Raw> {
  const { rows } = await sql<Raw>`
    select * from (${fixesWithPeople}) x where x.id = ${id} and ${allOf(...inProjects('x.projectCode', projectsFor(ctx, requested)))}`.execute(
    ctx.db,
  )
  return found(rows[0], '考勤更正')
}

export async function fixAfter(ctx: Context, id: string): Promise<FixRow> {
  return toFix(ctx, await getRaw(ctx, id), (await actionsFor(ctx, fixKind, [id])).get(id))
}
