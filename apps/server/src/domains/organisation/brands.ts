import { AppError } from '@zhugong/contract/kit/errors'
import * as contract from '@zhugong/contract/organisation/brand'
import { sql } from 'kysely'
import { type Context, groupTypes, requireCode } from '#kit/context'
import { allOf, contains, pageSlice } from '#kit/list'
import { rowOf, rowSchemaOf } from '#kit/row-of'
import type { HandlerOf, Serve } from '#kit/serve'
import { brandPolicyOf, brandsAbove, changeGroup, shownBrand } from '../access/public.ts'
import { fileIdsOf, shownLinks } from '../files/public.ts'
import { getTenant, type Tenant, toBrand, writeBrand } from './groups.ts'

/** Branding of a group: its own, otherwise inherited from the group above, unless locked there. */
export function brandRoutes(serve: Serve) {
  serve(contract.brandsBelow, brandsBelow)
  serve(contract.saveBrandPolicy, saveBrandPolicy)
}

const fields = Object.keys(contract.brandFieldNames) as contract.BrandField[]
const linkOf = (ctx: Context, logo: string | null) => (logo ? (shownLinks(ctx, [logo])[0] ?? null) : null)

export const getBrand: HandlerOf<typeof contract.getBrand> = async (_, ctx) => {
  if (!ctx.codes.has('org.view')) requireCode(ctx, 'org.set')
  const tenant = await getTenant(ctx, ctx.group.id)
  const shown = shownBrand(tenant, await brandsAbove(ctx.system, tenant))
  return {
    ...toBrand(ctx, tenant),
    type: tenant.type,
    ownName: tenant.sysName,
    shown: Object.fromEntries(
      fields.map((field) => {
        const { value, from, lockedBy } = shown[field]
        return [
          field,
          { value: field === 'logo' ? linkOf(ctx, value) : value, fromName: from?.name ?? null, own: from?.id === tenant.id, lockedBy },
        ]
      }),
    ) as Record<contract.BrandField, { value: string | null; fromName: string | null; own: boolean; lockedBy: string | null }>,
    policy: brandPolicyOf(tenant),
  }
}

export async function saveBrand(ctx: Context, { version, part: _, ...wanted }: contract.BrandGiven): Promise<undefined> {
  requireCode(ctx, 'org.set')
  const tenant = await getTenant(ctx, ctx.group.id)
  const shown = shownBrand(tenant, await brandsAbove(ctx.system, tenant))
  for (const field of fields) {
    const given = field === 'logo' ? (fileIdsOf(wanted.logo ? [wanted.logo] : [])[0] ?? null) : wanted[field]
    if (shown[field].lockedBy && (given ?? null) !== tenant[field])
      throw new AppError('forbidden', `${contract.brandFieldNames[field]}已由${shown[field].lockedBy}锁定`, { field })
  }
  await writeBrand(ctx, tenant, version, wanted)
  ctx.note('修改机构标识', ctx.group.id)
  return undefined
}

/** Groups whose nearest branding comes from the caller's group. */
const belowOf = (ctx: Context) =>
  ctx.group.type === groupTypes.corporation
    ? sql`t.type = 3 and t.code in (select project_code from project where contractor_corp_code = ${ctx.group.code})`
    : ctx.group.type === groupTypes.government
      ? sql`t.type = 1 and t.code <> ${ctx.group.code} and zg_is_below(t.code, ${ctx.group.code})`
      : sql`t.type in (1, 2)`

/** Groups are not visible from outside. This list shows only branding, to the group it is inherited from. */
const brandsBelow: HandlerOf<typeof contract.brandsBelow> = async ({ query }, ctx) => {
  const { limit, offset } = pageSlice(query)
  const where = sql`t.enable = '1' and ${belowOf(ctx)} and ${allOf(...contains('t.name', query.name))}`
  const { rows } =
    await sql<Tenant>`select t.* from tenant t where ${where} order by t.type, t.name, t.id limit ${limit} offset ${offset}`.execute(
      ctx.system,
    )
  const total = await sql<{ n: number }>`select count(*)::int as n from tenant t where ${where}`.execute(ctx.system)
  return {
    list: rows.map((t) =>
      rowOf(rowSchemaOf(contract.brandsBelow), t, {
        logo: linkOf(ctx, t.logo),
        own: fields.filter((field) => t[field]),
      }),
    ),
    total: total.rows[0]?.n ?? 0,
  }
}

const saveBrandPolicy: HandlerOf<typeof contract.saveBrandPolicy> = async ({ body }, ctx) => {
  const tenant = await getTenant(ctx, ctx.group.id)
  const empty = body.locked.find((field) => !tenant[field])
  if (empty) throw new AppError('refused', `本机构未设置${contract.brandFieldNames[empty]}，不能锁定`, { field: 'locked' })
  await changeGroup(ctx, tenant.id, body.version, {
    settings: JSON.stringify({ ...tenant.settings, brandPolicy: { locked: [...new Set(body.locked)] } }),
  })
  ctx.note(`锁定下级机构标识：${body.locked.map((field) => contract.brandFieldNames[field]).join('、') || '无'}`, tenant.id)
  return undefined
}
