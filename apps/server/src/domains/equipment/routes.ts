import type { Config } from '#kit/config'
import { createOutgoing } from '#kit/outgoing'
import type { Serve } from '#kit/serve'
import { brandRoutes } from './brands.ts'
import { importRoutes } from './device-import.ts'
import { deviceRoutes } from './devices.ts'
import { dockingRoutes } from './dockings.ts'
import { dueRoutes } from './dues.ts'
import { factoryRoutes } from './factories.ts'
import { gateRoutes } from './gates.ts'
import { gatewayRoutes } from './gateways.ts'
import { modelRoutes } from './models.ts'
import { openAppRoutes } from './open-apps.ts'
import { registrationRoutes } from './registration-routes.ts'
import { repairRoutes } from './repairs.ts'

export function equipmentRoutes(serve: Serve, config: Config): void {
  const ports = { mqtt: config.mqttPort, hj212: config.hj212Port, jt808: config.jt808Port }
  factoryRoutes(serve)
  brandRoutes(serve)
  modelRoutes(serve)
  gatewayRoutes(serve, createOutgoing(config, 'poll'), ports)
  openAppRoutes(serve)
  dockingRoutes(serve, createOutgoing(config, 'docking'))
  deviceRoutes(serve, ports)
  registrationRoutes(serve)
  importRoutes(serve)
  dueRoutes(serve)
  repairRoutes(serve)
  gateRoutes(serve)
}
