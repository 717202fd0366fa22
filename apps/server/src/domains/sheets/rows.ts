import type { ParsedFor } from '@zhugong/contract/kit/endpoint'
import { dictName } from '@zhugong/contract/settings/dictionaries'
import { lateDays, type listSheets, type SheetRow, sheetRow } from '@zhugong/contract/sheets/calls'
import { sheetStates } from '@zhugong/contract/sheets/moves'
import { type RawBuilder, sql } from 'kysely'
import { formatDay, startOfDay } from '#kit/clock'
import { type Context, projectsFor } from '#kit/context'
import { allOf, anyOf, type Condition, condition, contains, daysBetween, filtersOf, inProjects, orderBy } from '#kit/list'
import { rowOf } from '#kit/row-of'
import { offersFor, waitsFor } from '../process/public.ts'
import { type Sheet, selectSheet, sheetKind } from './kind.ts'

type Query = Partial<Omit<ParsedFor<typeof listSheets>['query'], 'page' | 'size'>>
type Viewer = Pick<Context, 'scope' | 'scopeChecks' | 'codes' | 'group' | 'clock'>

const is = (state: string) => sql`m.state = ${state}`
const isLate = ({ clock }: Viewer) =>
  sql`(${is(sheetStates.signing)} and m.submit_time < ${new Date(startOfDay(formatDay(clock.now())) - lateDays * 86_400_000)})`
const isFiled = ({ clock }: Viewer) =>
  sql`(${is(sheetStates.archived)} and m.archive_time >= ${new Date(startOfDay(`${formatDay(clock.now()).slice(0, 4)}-01-01`))})`
const hasNotice = sql`exists (select from rectify r where r.source_kind = 'manualsheet' and r.source_id = m.id and r.state <> '8')`
const isRefused = sql`exists (select from process_signature s where s.kind = 'manualsheet' and s.object_id = m.id and s.refused and s.void_at is null)`
const either = (of: RawBuilder<unknown>) => (value: boolean) => condition(value ? of : sql`${of} is not true`)

/** Conditions on `manualsheet m`, of the list and of its export. */
export function conditions(ctx: Viewer, query: Query): Condition {
  const projects = projectsFor(ctx, query.projectCode)
  const tabs: Record<NonNullable<Query['tab']>, RawBuilder<unknown>> = {
    mine: sql`m.id in (select t.object_id from process_todo t where t.kind = 'manualsheet' and ${waitsFor(ctx, projects)})`,
    signing: is(sheetStates.signing),
    signed: is(sheetStates.signed),
    archived: is(sheetStates.archived),
  }
  return allOf(
    ...inProjects('m.projectCode', projects),
    filtersOf(query, {
      projectCode: 'elsewhere',
      tab: (value) => condition(tabs[value]),
      code: [contains, 'm.code'],
      docType: [anyOf, 'm.docType'],
      checkDate: [daysBetween, 'm.checkDate'],
      checkPart: [contains, 'm.checkPart'],
      officer: (value) => condition(sql`${value} = any (m.officers)`),
      opinion: [anyOf, 'm.opinion'],
      state: [anyOf, 'm.state'],
      rectify: either(hasNotice),
      refused: either(isRefused),
      late: either(isLate(ctx)),
      filed: either(isFiled(ctx)),
    }),
  )
}

const order = (sort: Query['sort']) =>
  orderBy(
    sort,
    { checkDate: sql`m.check_date`, waitDays: sql`case when m.state = '1' then now() - m.submit_time end` },
    '-checkDate',
    'm.id',
  )

type Raw = Sheet & { projectName: string; refusals: string[]; rectifyOpen: number }

export async function readRows(
  ctx: Context | (Viewer & Pick<Context, 'db'>),
  where: Condition,
  { sort, limit, offset }: { sort?: Query['sort']; limit?: number; offset?: number },
): Promise<SheetRow[]> {
  const page = limit === undefined ? sql`` : sql`limit ${limit} offset ${offset ?? 0}`
  const { rows } = await sql<Raw>`select m.*, p.name as project_name,
      array(select s.seat from process_signature s where s.kind = 'manualsheet' and s.object_id = m.id and s.refused and s.void_at is null) as refusals,
      (select count(*)::int from rectify r where r.source_kind = 'manualsheet' and r.source_id = m.id and r.state not in ('7', '8')) as rectify_open
    from (${selectSheet} where ${where} order by ${order(sort)} ${page}) m join project p using (project_code) order by ${order(sort)}`.execute(
    ctx.db,
  )
  const now = ctx.clock.now()
  return rows.map((row) => toRow(row, now, 'principal' in ctx ? offersFor(ctx, sheetKind, row).map((one) => one.action) : []))
}

export const waitDaysOf = (row: Pick<Sheet, 'state' | 'submitTime'>, now: number): number | null =>
  row.state === sheetStates.signing && row.submitTime ? Math.floor((now - row.submitTime.getTime()) / 86_400_000) : null

/** How a party stands to a sheet; on a sheet that was signed on paper all have signed. */
const partyState = (row: Pick<Raw, 'onPaper' | 'filled' | 'refusals'>, seat: string) =>
  row.refusals.includes(seat) ? ('refused' as const) : row.onPaper || row.filled.includes(seat) ? ('signed' as const) : ('open' as const)

const toRow = (row: Raw, now: number, actions: string[]): SheetRow =>
  rowOf(sheetRow, row, {
    docTypeName: dictName('superviseDocType', row.docType) ?? row.docType,
    opinionName: row.opinion && (dictName('checkResult', row.opinion) ?? row.opinion),
    owner: partyState(row, 'owner'),
    contractor: partyState(row, 'contractor'),
    supervisor: partyState(row, 'supervisor'),
    rectifyCount: row.notices,
    waitDays: waitDaysOf(row, now),
    stateName: sheetKind.stateName(row.state),
    actions,
  })

export async function countRows(ctx: Pick<Context, 'db'>, where: Condition): Promise<number> {
  const { rows } = await sql<{ n: number }>`select count(*)::int as n from manualsheet m where ${where}`.execute(ctx.db)
  return rows[0]?.n ?? 0
}

/** Figures of the strip: each counts with the condition of the list it opens. */
export async function countsOf(ctx: Viewer & Pick<Context, 'db'>, projectCode: string) {
  const n = (of: RawBuilder<unknown>) => sql`count(*) filter (where ${of})::int`
  const { rows } = await sql<Record<'signing' | 'late' | 'signed' | 'filed', number>>`select ${n(is(sheetStates.signing))} as signing,
      ${n(isLate(ctx))} as late, ${n(is(sheetStates.signed))} as signed, ${n(isFiled(ctx))} as filed
    from manualsheet m where ${conditions(ctx, { projectCode })}`.execute(ctx.db)
  return rows[0] ?? { signing: 0, late: 0, signed: 0, filed: 0 }
}
