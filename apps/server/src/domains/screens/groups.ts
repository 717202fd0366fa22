import { AppError } from '@zhugong/contract/kit/errors'
import { sql } from 'kysely'
import { type Context, groupTypes } from '#kit/context'
import type { Row } from '#kit/db'

export type Tenant = Row<'tenant'>

export interface Whose {
  projectCode?: string | undefined
  corpCode?: string | undefined
  govCode?: string | undefined
  groupId?: string | undefined
}

/** The kind of screen a group uses; the platform uses that of authorities. */
export const levelOf = (tenant: Pick<Tenant, 'type'>): number => (tenant.type === groupTypes.platform ? groupTypes.government : tenant.type)

const outOfReach = () => new AppError('notFound', '机构不存在或不在您的管辖范围内', { field: 'groupId' })

/**
 * The group whose screen is requested: the caller's own, or one below it. Looked up without row-level security, which hides other groups;
 * the permission is checked in the request's transaction.
 */
export async function whoseWall(ctx: Context, whose: Whose): Promise<Tenant> {
  const named = [
    [groupTypes.project, whose.projectCode],
    [groupTypes.corporation, whose.corpCode],
    [groupTypes.government, whose.govCode],
  ] as const
  const [type, code] = named.find(([, given]) => given && given !== '*') ?? []
  const query = ctx.system.selectFrom('tenant').selectAll()
  const tenant = await (type !== undefined && code
    ? query.where('type', '=', type).where('code', '=', code)
    : query.where('id', '=', whose.groupId ?? ctx.group.id)
  ).executeTakeFirst()
  if (!tenant) throw outOfReach()
  if (tenant.id === ctx.group.id) return tenant
  if (ctx.principal.display) throw new AppError('forbidden', '墙屏令牌只用于签发它的机构')
  if (ctx.group.type === groupTypes.platform) return tenant
  const { rows } = await sql<{ below: boolean }>`select zg_group_below(${tenant.id}) as below`.execute(ctx.db)
  if (!rows[0]?.below) throw outOfReach()
  return tenant
}
