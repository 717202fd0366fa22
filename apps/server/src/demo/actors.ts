import type { Tx } from '#kit/db'

/** Who acts in the invented history of a record. */
export interface Actor {
  id: string
  name: string
  groupId: string
  groupName: string
}

/** The accounts of the demonstration by name, and the groups by `type/code`. */
export async function actorsOf(tx: Tx) {
  const found = await tx
    .selectFrom('member as m')
    .innerJoin('appUser as u', 'u.id', 'm.userId')
    .innerJoin('tenant as t', 't.id', 'm.groupId')
    .where('m.isDefault', '=', true)
    .select(['u.id', 'u.name', 'u.account', 't.id as groupId', 't.name as groupName'])
    .execute()
  const tenants = await tx.selectFrom('tenant').select(['id', 'type', 'code', 'name']).execute()
  const actors = new Map<string, Actor>(found.map(({ account, ...actor }) => [account, actor]))
  return {
    of: (account: string) => actors.get(account),
    groups: new Map(tenants.map((t) => [`${t.type}/${t.code}`, { groupId: t.id, groupName: t.name }])),
  }
}
