import { maskBankCard, maskIdCard, maskPhone } from '@zhugong/contract/kit/checks'
import * as contract from '@zhugong/contract/personnel/import'
import { sql } from 'kysely'
import { formatInstant } from '#kit/clock'
import { type Context, found, projectsFor } from '#kit/context'
import {
  allOf,
  anyOf,
  type Condition,
  condition,
  contains,
  equals,
  filtersOf,
  inProjects,
  instantsBetween,
  orderBy,
  pageSlice,
} from '#kit/list'
import { rowOf } from '#kit/row-of'
import type { HandlerOf } from '#kit/serve'
import type { ListContext } from '../../exports/registry.ts'
import { type Import, openCells, type StoredRow } from './check.ts'
import { countRows } from './state.ts'

type Query = Partial<NonNullable<(typeof contract.listImports)['types']>['parsed']['query']>
type Listed = Import & { projectName: string | null }
const from = sql`worker_import i left join project p on p.project_code = i.project_code`

const conditions = (ctx: ListContext, query: Query): Condition =>
  allOf(
    condition(sql`i.group_id = ${ctx.group.id}`),
    ...(query.projectCode && query.projectCode !== '*'
      ? inProjects('i.projectCode', projectsFor(ctx, query.projectCode)).map((one) => condition(sql`(${one} or i.project_code is null)`))
      : []),
    filtersOf(query, {
      fileName: [contains, 'i.fileName'],
      kind: [anyOf, 'i.kind'],
      state: [anyOf, 'i.state'],
      createBy: [contains, 'i.createName'],
      createTime: [instantsBetween, 'i.createTime'],
      projectCode: 'elsewhere',
    }),
  )

export async function importRecords(
  ctx: ListContext,
  query: Query,
  page?: { limit: number; offset: number },
): Promise<contract.ImportRecord[]> {
  const order = orderBy(query.sort, { createTime: 'i.createTime!', total: 'i.total!' }, '-createTime', 'i.id')
  const { rows } = await sql<Listed>`
    select i.*, p.name as project_name from ${from} where ${conditions(ctx, query)} order by ${order}
    ${page ? sql`limit ${page.limit} offset ${page.offset}` : sql``}`.execute(ctx.db)
  return rows.map(toRecord)
}
export async function countImports(ctx: ListContext, query: Query): Promise<number> {
  const { rows } = await sql<{ n: number }>`select count(*)::int as n from ${from} where ${conditions(ctx, query)}`.execute(ctx.db)
  return rows[0]?.n ?? 0
}
export const listImports: HandlerOf<typeof contract.listImports> = async ({ query }, ctx) => ({
  list: await importRecords(ctx, query, pageSlice(query)),
  total: await countImports(ctx, query),
})

const toRecord = (i: Listed): contract.ImportRecord =>
  rowOf(contract.importRecord, i, {
    kindName: contract.importKinds[i.kind],
    stateName: i.cancelled ? '已作废' : contract.importStates[i.state],
    createBy: i.createName,
    createTime: formatInstant(i.createTime),
  })

/** The import, if it belongs to the caller's group. `lock` locks the row against concurrent changes. */
export async function findImport(ctx: Pick<Context, 'db' | 'group'>, id: string, lock = false): Promise<Listed> {
  const { rows } = await sql<Listed>`
    select i.*, p.name as project_name from ${from} where i.id = ${id} and i.group_id = ${ctx.group.id} ${lock ? sql`for update of i` : sql``}`.execute(
    ctx.db,
  )
  return found(rows[0], '导入记录')
}

/** A row of an import. Numbers are in clear only for the user who uploaded the file, masked for others. */
export function toRow(ctx: Pick<Context, 'secrets'>, row: StoredRow, own: boolean): contract.ImportRow {
  const cells = openCells(ctx, row)
  return rowOf(contract.importRow, row, {
    row: row.rowNo,
    stateName: contract.importRowStates[row.state],
    cells: own ? cells : masked(cells),
  })
}
export function masked(cells: contract.ImportCells): contract.ImportCells {
  const hide = (field: contract.ImportField, mask: (v: string) => string) => (cells[field] ? { [field]: mask(cells[field]) } : {})
  return {
    ...cells,
    ...hide('idCardNumber', maskIdCard),
    ...hide('cellPhone', maskPhone),
    ...hide('urgentLinkManPhone', maskPhone),
    ...hide('bankCard', maskBankCard),
    ...hide('address', () => '***'),
    ...hide('birthday', () => '***'),
    ...hide('hasBadMedicalHistory', () => '***'),
  }
}

interface RowQuery {
  rowState?: readonly string[] | undefined
  issue?: readonly string[] | undefined
  team?: string | undefined
}
const rowConditions = (importId: string, query: RowQuery): Condition =>
  allOf(
    condition(sql`r.import_id = ${importId}`),
    ...anyOf('r.state', query.rowState),
    ...equals('r.team', query.team),
    ...(query.issue?.length ? [condition(sql`r.issues @> any (${query.issue.map((kind) => JSON.stringify([{ kind }]))}::jsonb[])`)] : []),
  )
export async function findRows(ctx: Pick<Context, 'db'>, importId: string, query: RowQuery, page?: { limit: number; offset: number }) {
  const { rows } = await sql<StoredRow>`
    select r.* from worker_import_row r where ${rowConditions(importId, query)} order by r.row_no
    ${page ? sql`limit ${page.limit} offset ${page.offset}` : sql``}`.execute(ctx.db)
  return rows
}
export async function countFound(ctx: Pick<Context, 'db'>, importId: string, query: RowQuery): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    select count(*)::int as n from worker_import_row r where ${rowConditions(importId, query)}`.execute(ctx.db)
  return rows[0]?.n ?? 0
}

/** Kinds of errors shown beside the rows; with more of them, the user should upload a corrected file. */
const mostKinds = 200
const mostBlack = 100
const mostTeams = 500

/** The errors of all rows, grouped, most frequent first. */
async function issuesOf(ctx: Pick<Context, 'db'>, importId: string) {
  const { rows } = await sql<{
    field: contract.ImportField
    kind: contract.ImportIssueKind
    level: 'error' | 'warning'
    text: string
    value: string | null
    suggest: string | null
    count: number
  }>`
    select x ->> 'field' as field, x ->> 'kind' as kind, x ->> 'level' as level, min(x ->> 'text') as text, x ->> 'value' as value,
      min(x ->> 'suggest') as suggest, count(*)::int as count
    from worker_import_row r, jsonb_array_elements(r.issues) x where r.import_id = ${importId} and r.state <> 'done'
    group by 1, 2, 3, 5 order by 3, 7 desc, 1 limit ${mostKinds}`.execute(ctx.db)
  return rows
}

export const getImport: HandlerOf<typeof contract.getImport> = async ({ params, query }, ctx) => {
  const one = await findImport(ctx, params.id)
  const own = one.createBy === ctx.user.id
  const rows = await findRows(ctx, one.id, query, pageSlice(query))
  const black = await findRows(ctx, one.id, { issue: ['black'] }, { limit: mostBlack, offset: 0 })
  const teams = await sql<{ team: string }>`
    select distinct team from worker_import_row where import_id = ${one.id} and team is not null order by 1 limit ${mostTeams}`.execute(
    ctx.db,
  )
  const counts = await countRows(ctx.db, one.id)
  return {
    ...toRecord(one),
    success: counts.all ? counts.done : one.success,
    unknownColumns: one.unknownColumns,
    remarks: one.remarks,
    own,
    counts,
    issues: await issuesOf(ctx, one.id),
    black: black.map((row) => openCells(ctx, row).name ?? ''),
    teams: teams.rows.map((t) => t.team),
    list: rows.map((row) => toRow(ctx, row, own)),
  }
}
