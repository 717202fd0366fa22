import { networksIn, type Safety, safety } from '@zhugong/contract/settings/system'
import type { Db } from '#kit/db'
import { bareAddress, netsOf } from '#kit/outgoing-nets'

export const safetyKey = 'safety'

/** The limits configured by the operator, or the defaults. */
export async function limitsNow(db: Db) {
  const row = await db.selectFrom('setting').select('value').where('key', '=', safetyKey).executeTakeFirst()
  return limitsOf(safety.parse(row?.value ?? {}))
}

/** Whether an address may administer the platform. An empty list allows every address. */
export function isAdminAddress(list: string, ip: string): boolean {
  const networks = networksIn(list)
  if (networks.length === 0) return true
  const address = bareAddress(ip)
  return address !== undefined && netsOf(networks).has(address)
}

const limitsOf = ({ idleMinutes, keepHours, lockAfter, lockMinutes, adminAddresses }: Safety) => ({
  idleMs: idleMinutes * 60_000,
  keepMs: keepHours * 3_600_000,
  lockAfter,
  lockMs: lockMinutes * 60_000,
  adminAddresses,
})
