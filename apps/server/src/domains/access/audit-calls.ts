import type * as contract from '@zhugong/contract/access/endpoints'
import { auditRow } from '@zhugong/contract/access/endpoints'
import type { ParsedFor } from '@zhugong/contract/kit/endpoint'
import { AppError } from '@zhugong/contract/kit/errors'
import { parseInstant } from '@zhugong/contract/kit/fields'
import { sql } from 'kysely'
import { formatInstant } from '#kit/clock'
import type { Context } from '#kit/context'
import type { Row } from '#kit/db'
import { allOf, anywhere, type Condition, condition, contains, pageSlice } from '#kit/list'
import { rowOf } from '#kit/row-of'
import type { HandlerOf } from '#kit/serve'

type Query = Partial<ParsedFor<typeof contract.listAudit>['query']>

const instant = (field: 'startTime' | 'endTime', text: string | undefined): Date | undefined => {
  if (!text) return undefined
  const at = parseInstant(text)
  if (at === undefined) throw new AppError('invalidInput', '时间格式应为 yyyy-MM-dd HH:mm:ss', { field })
  return new Date(at)
}

/** Conditions for the caller's own group; for the platform, for all groups. */
export function auditConditions({ scope, group }: Pick<Context, 'scope' | 'group'>, query: Query): Condition {
  const [from, to] = [instant('startTime', query.startTime), instant('endTime', query.endTime)]
  return allOf(
    ...(scope.all ? [] : [condition(sql`a.group_id = ${group.id}`)]),
    ...(query.account
      ? [condition(sql`(a.account ilike ${anywhere(query.account)} or a.user_name ilike ${anywhere(query.account)})`)]
      : []),
    ...contains('a.summary', query.summary),
    ...(query.object ? [condition(sql`${query.object} in (a.object_id, a.project_code)`)] : []),
    ...(query.result ? [condition(query.result === 'ok' ? sql`a.result = 'ok'` : sql`a.result <> 'ok'`)] : []),
    ...(query.ip ? [condition(sql`starts_with(a.ip, ${query.ip})`)] : []),
    ...(from ? [condition(sql`a.at >= ${from}`)] : []),
    ...(to ? [condition(sql`a.at < ${to}`)] : []),
  )
}

type AuditRow = Row<'auditLog'>
const toAudit = (row: AuditRow) =>
  rowOf(auditRow, row, {
    at: formatInstant(row.at),
  })

export const auditRows = async (ctx: Pick<Context, 'db' | 'scope' | 'group'>, query: Query & { page: number; size: number }) => {
  const { limit, offset } = pageSlice(query)
  const { rows } = await sql<AuditRow>`
    select a.* from audit_log a where ${auditConditions(ctx, query)} order by a.at desc, a.id limit ${limit} offset ${offset}`.execute(
    ctx.db,
  )
  return rows.map(toAudit)
}
export const countAudit = async (ctx: Pick<Context, 'db' | 'scope' | 'group'>, query: Query): Promise<number> => {
  const { rows } = await sql<{ n: number }>`select count(*)::int as n from audit_log a where ${auditConditions(ctx, query)}`.execute(ctx.db)
  return rows[0]?.n ?? 0
}

export const listAudit: HandlerOf<typeof contract.listAudit> = async ({ query }, ctx) => ({
  list: await auditRows(ctx, query),
  total: await countAudit(ctx, query),
})
