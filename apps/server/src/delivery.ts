import { deliverRoles } from '#domains/access/roles'
import { deliverApps } from '#domains/apps/delivery'
import { deliverScreens } from '#domains/screens/deliver'
import type { Db } from '#kit/db'

/** Every database holds what this version of the product brings along, before anything else is written to it. */
export async function deliver(db: Db): Promise<void> {
  await deliverRoles(db)
  await deliverScreens(db)
  await deliverApps(db)
}
