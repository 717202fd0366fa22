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

/** The kind of screen a group runs; the platform watches as an authority does. */
export const levelOf = (tenant: Pick<Tenant, 'type'>): number => (tenant.type === groupTypes.platform ? groupTypes.government : tenant.type)

const outOfReach = () => new AppError('notFound', '机构不存在或不在您的管辖范围内', { field: 'groupId' })

/**
 * The group whose wall is meant: one's own, or one that one answers for. Found without row-level security, as a group is seen from inside
 * alone; whether one answers for it is asked in the request's own transaction.
 */
export async function whoseWall(ctx: Context, whose: Whose): Promise<Tenant> {
  const named = [
    [groupTypes.project, whose.projectCode],
    [groupTypes.corporation, whose.corpCode],
    [groupTypes.government, whose.govCode],
  ] as const
  const [type, code] = named.find(([, given]) => given && given !== '*') ?? []
  const asked = ctx.system.selectFrom('tenant').selectAll()
  const tenant = await (type !== undefined && code
    ? asked.where('type', '=', type).where('code', '=', code)
    : asked.where('id', '=', whose.groupId ?? ctx.group.id)
  ).executeTakeFirst()
  if (!tenant) throw outOfReach()
  if (tenant.id === ctx.group.id) return tenant
  if (ctx.principal.display) throw new AppError('forbidden', '墙屏令牌只用于签发它的机构')
  if (ctx.group.type === groupTypes.platform) return tenant
  const { rows } = await sql<{ below: boolean }>`select zg_group_below(${tenant.id}) as below`.execute(ctx.db)
  if (!rows[0]?.below) throw outOfReach()
  return tenant
}
