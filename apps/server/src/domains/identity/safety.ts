import { networksIn, type Safety, safety } from '@zhugong/contract/settings/system'
import type { Db } from '#kit/db'
import { bareAddress, netsOf } from '#kit/outgoing-nets'

export const safetyKey = 'safety'

/** The limits the operator has set, as they hold now; delivered ones where nothing was set. */
export async function limitsNow(db: Db) {
  const row = await db.selectFrom('setting').select('value').where('key', '=', safetyKey).executeTakeFirst()
  return limitsOf(safety.parse(row?.value ?? {}))
}

/** Whether an address is in the list of those from which the platform is administered; an empty list holds every one. */
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
