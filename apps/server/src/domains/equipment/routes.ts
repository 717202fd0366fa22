import type { Serve } from '#kit/serve'
import { deviceRoutes } from './devices.ts'
import { gatewayRoutes } from './gateways.ts'

export function equipmentRoutes(serve: Serve): void {
  gatewayRoutes(serve)
  deviceRoutes(serve)
}
