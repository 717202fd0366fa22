import { AppError } from '@zhugong/contract/kit/errors'
import { sql } from 'kysely'
import type { Context } from '#kit/context'

type Acting = Pick<Context, 'db' | 'scope' | 'scopeChecks' | 'group'>

/** Refuses machines of others to a company limited to its own machines. Throws AppError `forbidden` with the machine's name. */
export async function requireOwnMachines(ctx: Acting, ids: readonly string[]): Promise<void> {
  if (!ctx.scopeChecks || ctx.scope.limited.length === 0) return
  const { rows } = await sql<{ name: string }>`
    select name from device where id = any (${[...ids]}) and project_code = any (${[...ctx.scope.limited]})
      and (owner_corp is null or owner_corp <> all (${[...ctx.scope.corps]})) limit 1`.execute(ctx.db)
  const [other] = rows
  if (other) throw new AppError('forbidden', `设备“${other.name}”不属于您的单位，不能办理`)
}

/** The owner of a new machine: a limited company registers its own machines; the site's managers may name any company. */
export function ownerOf(ctx: Acting, projectCode: string, requested: string | null | undefined): string | null {
  if (!isLimitedAt(ctx, projectCode)) return requested ?? null
  const own = requested ?? ctx.group.code
  if (ctx.scopeChecks && !ctx.scope.corps.includes(own)) throw new AppError('forbidden', '只能登记本单位的设备', { field: 'ownerCorp' })
  return own
}

/** Whether the caller is limited to its own machines in the project; then its new machines need the site's review. */
export const isLimitedAt = (ctx: Pick<Acting, 'scope'>, projectCode: string): boolean => ctx.scope.limited.includes(projectCode)
