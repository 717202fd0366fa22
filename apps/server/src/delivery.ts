import { deliverRoles } from '#domains/access/roles'
import { deliverApps } from '#domains/apps/delivery'
import { deliverScreens } from '#domains/screens/deliver'
import type { Db } from '#kit/db'

/** Writes the roles, screens and apps that this version delivers, before other data is written to the database. */
export async function deliver(db: Db): Promise<void> {
  await deliverRoles(db)
  await deliverScreens(db)
  await deliverApps(db)
}
