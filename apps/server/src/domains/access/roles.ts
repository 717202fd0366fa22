import { codesFor, permissionModules } from '@zhugong/contract/access/codes'
import { groupTypes } from '@zhugong/contract/access/group-types'
import { sql } from 'kysely'
import type { Db } from '#kit/db'
import { newId } from '#kit/ids'
import { deliveredRoles } from './delivered-roles.ts'

/** The delivered role that holds whatever a group of this type can hold. */
export function administratorOf(type: number): string {
  const role = deliveredRoles.find((one) => one.type === type && one.codes === 'administrator')
  if (!role) throw new Error(`groups of type ${type} have no administrator`)
  return role.name
}

/** Brings the delivered roles up to the product's version: their codes follow it, a group's own roles are never touched. */
export async function deliverRoles(db: Db): Promise<void> {
  for (const { type, name, remark, codes } of deliveredRoles) {
    const possible = codesFor(type)
    const held = codes === 'administrator' ? possible : possible.filter((code) => names(codes, code))
    const administrator = codes === 'administrator'
    await sql`insert into role (id, group_id, groups_type, name, codes, built_in, remark, role_scope, data_scope, administrator)
      values (${newId()}, null, ${type}, ${name}, ${held}, true, ${remark}, ${String(type + 1)}, ${dataScopeOf(type)}, ${administrator})
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

/** How far a role of a kind of group reaches unless it is tied to projects (dictionary dataScope). */
export const dataScopeOf = (type: number): string => (type === groupTypes.platform ? '1' : type === groupTypes.project ? '3' : '2')

/** The permission tree as the role editor shows it: what a group type can hold, and what the asker holds and may pass on. */
export function permissionTreeFor(groupsType: number, held: ReadonlySet<string>) {
  return permissionModules
    .map((m) => ({
      module: m.module,
      name: m.name,
      permissions: m.permissions
        .filter((p) => p.types.includes(groupsType))
        .map((p) => ({ code: p.code, name: p.name, sensitive: p.sensitive, held: held.has(p.code) })),
    }))
    .filter((m) => m.permissions.length > 0)
}
