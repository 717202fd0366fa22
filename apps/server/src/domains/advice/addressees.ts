import type { AddresseeKind } from '@zhugong/contract/advice/calls'
import { AppError } from '@zhugong/contract/kit/errors'
import { sql } from 'kysely'
import { type Context, groupTypes } from '#kit/context'

interface Addressee {
  groupId: string
  name: string
  kind: AddresseeKind
}

/** Authorities of one list: those of the province, its cities and their districts fit. */
const mostAuthorities = 200

/**
 * Whom the caller may put an item to: the platform, the authorities above the project it is about (or above the caller's own place), and
 * from an authority the site itself. The platform, which has no place, may forward to any authority.
 */
export async function addresseesOf(ctx: Context, about: string | null): Promise<Addressee[]> {
  // The names of institutions are no secret, but no request role reads the groups of others.
  const { rows } = await sql<Addressee>`
    with place as (select coalesce((select p.area_code from project p where p.project_code = ${about}), ${ctx.group.areaCode}) as area)
    select t.id as group_id, t.name, 'platform' as kind, '' as front from tenant t where t.type = ${groupTypes.platform}
    union all
    select * from (
      select t.id, t.name, 'government', zg_area_front(g.area_code) as front from tenant t join government g on g.gov_code = t.code
      where t.type = ${groupTypes.government} and g.enable = '1'
        and ((select area from place) ^@ zg_area_front(g.area_code) or (select area from place) is null)
      order by length(zg_area_front(g.area_code)) desc, t.name limit ${mostAuthorities}
    ) g
    union all
    select t.id, t.name, 'project', '' from tenant t
    where t.type = ${groupTypes.project} and t.code = ${about} and ${ctx.group.type === groupTypes.government}`.execute(ctx.system)
  return rows.filter((one) => one.groupId !== ctx.group.id).map(({ groupId, name, kind }) => ({ groupId, name, kind }))
}

/**
 * The addressee by its group. A complaint is never put to a site.
 * @throws AppError `invalidInput` when the caller may not put the item there
 */
export async function addresseeBy(ctx: Context, about: string | null, groupId: string, secret: boolean): Promise<Addressee> {
  const one = (await addresseesOf(ctx, about)).find((known) => known.groupId === groupId)
  if (!one) throw new AppError('invalidInput', '不能提交给该机构，请从列表中选择', { field: 'addressee' })
  if (secret && one.kind === 'project') throw new AppError('invalidInput', '投诉举报不能提交给项目', { field: 'addressee' })
  return one
}
