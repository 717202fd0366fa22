import { type CertStockRow, certStockRow } from '@zhugong/contract/personnel/certificate-model'
import type { listCerts } from '@zhugong/contract/personnel/certificates'
import { type RawBuilder, sql } from 'kysely'
import { formatDay } from '#kit/clock'
import { type Context, projectsFor } from '#kit/context'
import type { Row } from '#kit/db'
import { allOf, anyOf, type Condition, condition, contains, daysBetween, equals, inProjects, instantsBetween, orderBy } from '#kit/list'
import { rowOf } from '#kit/row-of'
import { workName } from './cert-dues.ts'
import { toCert } from './certs.ts'
import { cursor, type ListScope } from './people-filters.ts'

type Parsed = NonNullable<(typeof listCerts)['types']>['parsed']['query']
export type StockQuery = Partial<Omit<Parsed, 'view'>>
/** What building a certificate list needs, both in a request and in an export. */
type Writing = ListScope & Pick<Context, 'user'>

type RawCert = Row<'workerCert'> & {
  projectWorkerId: string
  workerName: string
  projectCode: string
  projectName: string | null
  corpCode: string
  corpName: string | null
  teamId: string | null
  teamName: string | null
  workType: string | null
  post: string | null
  exitTime: Date | null
}

/** Each certificate once, with its holder's current or last visible stay. For people who have left, only certificates on file by then. */
function heldCerts(ctx: ListScope, query: StockQuery): RawBuilder<unknown> {
  const stays = allOf(...inProjects('s.projectCode', projectsFor(ctx, query.projectCode)))
  return sql`worker_cert c join lateral (
      select s.* from project_worker s where s.worker_id = c.worker_id and ${stays} order by s.exit_time is null desc, s.exit_time desc limit 1
    ) w on w.exit_time is null or coalesce(c.update_time, c.create_time) <= w.exit_time`
}
function stockConditions(query: StockQuery): Condition {
  return allOf(
    ...contains('w.workerName', query.name ?? query.q),
    ...equals('w.corpCode', query.corpCode),
    ...equals('w.teamId', query.teamId),
    ...anyOf('w.workType', query.workType),
    ...anyOf('c.certType', query.certType),
    ...anyOf('c.specialType', query.specialType),
    ...contains('c.name', query.title),
    ...contains('c.certNo', query.certNo),
    ...contains('c.grantOrg', query.grantOrg),
    ...daysBetween('c.issueDate', query.issueDate),
    ...daysBetween('c.validEnd', query.validEnd),
    ...anyOf('c.status', query.certStatus),
    ...anyOf('c.auditStatus', query.auditStatus),
    ...instantsBetween('c.createTime', query.createTime),
    ...(query.onSite ? [condition(query.onSite === '1' ? sql`w.exit_time is null` : sql`w.exit_time is not null`)] : []),
  )
}
const stockOrder = (sort: StockQuery['sort']) =>
  orderBy(
    sort,
    { createTime: 'c.createTime!', validEnd: 'c.validEnd', issueDate: 'c.issueDate!', name: 'w.workerName', auditStatus: 'c.auditStatus!' },
    'auditStatus',
    'c.id',
  )
const stockColumns = sql`c.*, w.id as project_worker_id, w.worker_name, w.project_code, w.corp_code, w.team_id, w.work_type, w.post, w.exit_time,
  u.corp_name, t.team_name, pr.name as project_name`
const stockJoins = sql`left join corporation u on u.corp_code = w.corp_code left join team t on t.id = w.team_id
  left join project pr on pr.project_code = w.project_code`

export async function stockRows(ctx: Writing, query: StockQuery, page: { limit: number; offset: number }): Promise<CertStockRow[]> {
  const { rows } = await sql<RawCert>`
    select ${stockColumns} from ${heldCerts(ctx, query)} ${stockJoins} where ${stockConditions(query)}
    order by ${stockOrder(query.sort)} limit ${page.limit} offset ${page.offset}`.execute(ctx.db)
  const today = formatDay(ctx.clock.now())
  return rows.map((row) => toStock(ctx, row, today))
}
export async function countStock(ctx: ListScope, query: StockQuery): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    select count(*)::int as n from ${heldCerts(ctx, query)} where ${stockConditions(query)}`.execute(ctx.db)
  return rows[0]?.n ?? 0
}
export async function* streamStock(ctx: Writing, query: StockQuery): AsyncIterable<CertStockRow> {
  const today = formatDay(ctx.clock.now())
  const raw = sql<RawCert>`
    select ${stockColumns} from ${heldCerts(ctx, query)} ${stockJoins} where ${stockConditions(query)} order by ${stockOrder(query.sort)}`
  for await (const row of cursor<RawCert>(ctx, raw)) yield toStock(ctx, row, today)
}

function toStock(ctx: Writing, row: RawCert, today: string): CertStockRow {
  return rowOf(certStockRow, row, {
    ...toCert(ctx, row, today),
    name: row.workerName,
    title: row.name,
    workTypeName: workName(row),
    onSite: row.exitTime === null,
  })
}
