import { AppError } from '@zhugong/contract/kit/errors'
import { sql } from 'kysely'
import { type Context, groupTypes } from '#kit/context'
import type { Db, Tx } from '#kit/db'

type Asker = Pick<Context, 'group' | 'principal'>

/**
 * The groups below the asker's, as a condition on `tenant t`: all for the platform, its own included; for an authority the bodies below it
 * and the projects of its area; for a company the projects it owns or leads.
 */
export function isBelow({ group, principal: { scope } }: Asker) {
  if (group.type === groupTypes.platform) return scope.all ? sql`true` : sql`false`
  const reviewed = new Set([...scope.limited, ...scope.supervised])
  const projects = scope.projects.filter((code) => !reviewed.has(code))
  if (group.type === groupTypes.corporation) return sql`(t.type = 3 and t.code = any (${projects}))`
  if (group.type === groupTypes.government)
    return sql`((t.type = 3 and t.code = any (${projects})) or (t.type = 1 and t.id <> ${group.id} and zg_is_below(t.code, ${group.code})))`
  return sql`false`
}

/**
 * Refuses a group that is not below the asker's. Answers the database in which its people are seen and changed: the request's own
 * transaction for the platform; for those above a group the one without row-level security, as a group's people are seen from inside it
 * alone, and this has been judged here.
 */
export async function requireBelow(ctx: Asker & Pick<Context, 'system' | 'scope' | 'db'>, groupId: string): Promise<Db | Tx> {
  const { rows } = await sql`select 1 from tenant t where t.id = ${groupId} and ${isBelow(ctx)}`.execute(ctx.system)
  if (rows.length === 0) throw new AppError('notFound', '机构不存在或不在您的管理之下', { field: 'groupId' })
  return ctx.scope.all ? ctx.db : ctx.system
}
