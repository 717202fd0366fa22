import { groupTypes } from '@zhugong/contract/access/group-types'
import { corporationRoles } from './delivered/corporation.ts'
import { governmentRoles } from './delivered/government.ts'
import { platformRoles } from './delivered/platform.ts'
import { projectRoles } from './delivered/project.ts'
import type { DeliveredRole } from './delivered/role.ts'

const ofType = (type: number, roles: readonly DeliveredRole[]) => roles.map((role) => ({ type, ...role }))

/** The roles delivered with the product, by kind of group. Groups create their own roles from these templates. */
export const deliveredRoles: readonly (DeliveredRole & { type: number })[] = [
  ...ofType(groupTypes.platform, platformRoles),
  ...ofType(groupTypes.government, governmentRoles),
  ...ofType(groupTypes.corporation, corporationRoles),
  ...ofType(groupTypes.project, projectRoles),
]
