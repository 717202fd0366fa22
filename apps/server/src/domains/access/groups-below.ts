import { AppError } from '@zhugong/contract/kit/errors'
import { sql } from 'kysely'
import { type Context, groupTypes } from '#kit/context'
import type { Db, Tx } from '#kit/db'

type GroupContext = Pick<Context, 'group' | 'principal'>

/**
 * The groups below the caller's, as a condition on `tenant t`. Platform: all, including itself. Authority: the authorities below it and
 * the projects of its area. Company: the projects it owns or leads.
 */
export function isBelow({ group, principal: { scope } }: GroupContext) {
  if (group.type === groupTypes.platform) return scope.all ? sql`true` : sql`false`
  const reviewed = new Set([...scope.limited, ...scope.supervised])
  const projects = scope.projects.filter((code) => !reviewed.has(code))
  if (group.type === groupTypes.corporation) return sql`(t.type = 3 and t.code = any (${projects}))`
  if (group.type === groupTypes.government)
    return sql`((t.type = 3 and t.code = any (${projects})) or (t.type = 1 and t.id <> ${group.id} and zg_is_below(t.code, ${group.code})))`
  return sql`false`
}

/**
 * Throws if the group is not below the caller's. Returns the database in which to read and change its members. For the platform this is
 * the request's transaction. Others need the pool without row-level security, because members are visible only inside their group; the
 * check is done here.
 */
export async function requireBelow(ctx: GroupContext & Pick<Context, 'system' | 'scope' | 'db'>, groupId: string): Promise<Db | Tx> {
  const { rows } = await sql`select 1 from tenant t where t.id = ${groupId} and ${isBelow(ctx)}`.execute(ctx.system)
  if (rows.length === 0) throw new AppError('notFound', '机构不存在或不在您的管理之下', { field: 'groupId' })
  return ctx.scope.all ? ctx.db : ctx.system
}
