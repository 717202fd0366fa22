import { AppError } from '@zhugong/contract/kit/errors'
import { sql } from 'kysely'
import type { Context } from '#kit/context'

type Acting = Pick<Context, 'db' | 'scope' | 'scopeChecks' | 'group'>

/** Where a company ends at its own machines, those of others are refused. Throws AppError `forbidden` with the machine's name. */
export async function requireOwnMachines(ctx: Acting, ids: readonly string[]): Promise<void> {
  if (!ctx.scopeChecks || ctx.scope.limited.length === 0) return
  const { rows } = await sql<{ name: string }>`
    select name from device where id = any (${[...ids]}) and project_code = any (${[...ctx.scope.limited]})
      and (owner_corp is null or owner_corp <> all (${[...ctx.scope.corps]})) limit 1`.execute(ctx.db)
  const [other] = rows
  if (other) throw new AppError('forbidden', `设备“${other.name}”不属于您的单位，不能办理`)
}

/** Whose a machine is that is entered now: a company that ends at its own machines enters its own, whoever runs the site names anybody. */
export function ownerOf(ctx: Acting, projectCode: string, asked: string | null | undefined): string | null {
  if (!isLimitedAt(ctx, projectCode)) return asked ?? null
  const own = asked ?? ctx.group.code
  if (ctx.scopeChecks && !ctx.scope.corps.includes(own)) throw new AppError('forbidden', '只能登记本单位的设备', { field: 'ownerCorp' })
  return own
}

/** Whether the caller ends at its own machines there: then what it enters waits for the site's review. */
export const isLimitedAt = (ctx: Pick<Acting, 'scope'>, projectCode: string): boolean => ctx.scope.limited.includes(projectCode)
