import { codesFor, permissionModules } from '@zhugong/contract/access/codes'
import { groupTypes } from '@zhugong/contract/access/group-types'
import { sql } from 'kysely'
import type { Db } from '#kit/db'
import { newId } from '#kit/ids'
import { deliveredRoles } from './delivered-roles.ts'

/** Name of the delivered role that holds every permission of this type of group. */
export function administratorOf(type: number): string {
  const role = deliveredRoles.find((one) => one.type === type && one.codes === 'administrator')
  if (!role) throw new Error(`groups of type ${type} have no administrator`)
  return role.name
}

/** Updates the delivered roles to the product's version. Groups' own roles are never changed. */
export async function deliverRoles(db: Db): Promise<void> {
  for (const { type, name, remark, codes } of deliveredRoles) {
    const possible = codesFor(type)
    const existing = codes === 'administrator' ? possible : possible.filter((code) => names(codes, code))
    const administrator = codes === 'administrator'
    await sql`insert into role (id, group_id, groups_type, name, codes, built_in, remark, role_scope, data_scope, administrator)
      values (${newId()}, null, ${type}, ${name}, ${existing}, true, ${remark}, ${String(type + 1)}, ${dataScopeOf(type)}, ${administrator})
      on conflict (coalesce(group_id, ''), groups_type, name) do update set codes = excluded.codes, remark = excluded.remark, built_in = true,
        role_scope = excluded.role_scope, administrator = excluded.administrator
      where (role.codes, role.remark, role.built_in, role.administrator) is distinct from (excluded.codes, excluded.remark, true, excluded.administrator)`.execute(
      db,
    )
  }
}

function names(codes: Readonly<Record<string, string>>, code: string): boolean {
  const [module = '', verb = ''] = code.split('.')
  const verbs = codes[module]?.split(' ') ?? []
  return verbs.includes(verb) || verbs.includes('*')
}

/** Default data scope of a role by group type (dictionary dataScope). */
export const dataScopeOf = (type: number): string => (type === groupTypes.platform ? '1' : type === groupTypes.project ? '3' : '2')

/** The permission tree of the role editor: what a group type can hold, and which codes the caller holds and may pass on. */
export function permissionTreeFor(groupsType: number, current: ReadonlySet<string>) {
  return permissionModules
    .map((m) => ({
      module: m.module,
      name: m.name,
      permissions: m.permissions
        .filter((p) => p.types.includes(groupsType))
        .map((p) => ({ code: p.code, name: p.name, sensitive: p.sensitive, held: current.has(p.code) })),
    }))
    .filter((m) => m.permissions.length > 0)
}
