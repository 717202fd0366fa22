import type { ListenPorts } from '@zhugong/contract/equipment/gateway-endpoints'
import { type Config, devicePortsOf } from '#kit/config'
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
  const ports: ListenPorts = {
    ...devicePortsOf(config),
    broker: config.mqttUrl ? brokerAt(config.mqttUrl) : null,
  }
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

/** The address of the external broker for devices, without the ingest's own credentials. */
export function brokerAt(url: string): NonNullable<ListenPorts['broker']> {
  const { hostname, port, protocol } = new URL(url)
  const tls = /^(mqtts|ssl|wss|tls):$/.test(protocol)
  return { host: hostname, port: Number(port) || (tls ? 8883 : 1883), tls }
}
