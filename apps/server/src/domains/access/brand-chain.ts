import { type BrandField, type BrandPolicy, brandFieldNames, brandPolicy } from '@zhugong/contract/organisation/brand'
import { sql } from 'kysely'
import { groupTypes } from '#kit/context'
import type { Db, Row, Tx } from '#kit/db'

type Tenant = Row<'tenant'>

export const brandPolicyOf = (tenant: Pick<Tenant, 'settings'>): BrandPolicy => brandPolicy.parse(tenant.settings.brandPolicy ?? {})

/**
 * The groups from which a group inherits its brand, nearest first: a project from its contractor, an authority from the one above it,
 * all from the platform.
 */
export async function brandsAbove(db: Db | Tx, { id, type, code }: Pick<Tenant, 'id' | 'type' | 'code'>): Promise<Tenant[]> {
  if (type === groupTypes.platform) return []
  const { rows } = await sql<Tenant & { far: number }>`
    with recursive up as (
      select parent_gov_code as code, 1 as far from government where ${type} = 1 and gov_code = ${code}
      union all select g.parent_gov_code, up.far + 1 from government g join up on g.gov_code = up.code where up.far < 20)
    select t.*, up.far from up join tenant t on t.type = 1 and t.code = up.code
    union all select t.*, 1 from project p join tenant t on t.type = 2 and t.code = p.contractor_corp_code where ${type} = 3 and p.project_code = ${code}
    union all select t.*, 100 from tenant t where t.type = 0
    order by far`.execute(db)
  return rows.filter((row) => row.id !== id)
}

export interface Shown {
  value: string | null
  /** The group whose value applies; null for the product's default. */
  from: Pick<Tenant, 'id' | 'name'> | null
  /** Name of the higher group that fixes the value; null if it is not locked. */
  lockedBy: string | null
}
/** The brand shown to a group's users, per field: the topmost locked value, else the group's own, else the nearest group above. */
export function shownBrand(tenant: Tenant, above: readonly Tenant[]): Record<BrandField, Shown> {
  const one = (field: BrandField): Shown => {
    const locker = above.findLast((each) => each[field] && brandPolicyOf(each).locked.includes(field))
    const from = locker ?? [tenant, ...above].find((each) => each[field])
    return { value: from?.[field] ?? null, from: from ? { id: from.id, name: from.name } : null, lockedBy: locker?.name ?? null }
  }
  return Object.fromEntries((Object.keys(brandFieldNames) as BrandField[]).map((field) => [field, one(field)])) as Record<BrandField, Shown>
}
