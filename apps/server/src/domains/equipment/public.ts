export { Fleet, type FleetApp, type FleetChange, type FleetDevice, type FleetGateway, followFleet } from './fleet.ts'
export { paramErrors } from './params.ts'
export { Strangers } from './strangers.ts'
export type { DeviceAccess } from './tables.ts'
