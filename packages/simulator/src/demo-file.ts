import { readFile } from 'node:fs/promises'

/** What the platform writes for whoever brings its demonstration to life. */
export interface DemoFile {
  url: string
  gateways: { gatewayId: string; secret: string; projectCode: string; devices: { deviceId: string; deviceSn: string; family: string }[] }[]
  hj212: { mn: string; password: string; projectCode: string; deviceId: string }[]
  openApps: { appId: string; appSecret: string; projectCode: string }[]
  simulation: { seed: number; today: string } | null
}

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null
const list = (value: unknown): Record<string, unknown>[] => (Array.isArray(value) ? value.filter(isRecord) : [])
const text = (value: unknown) => (typeof value === 'string' ? value : '')

export function parseDemoFile(content: string): DemoFile {
  const raw: unknown = JSON.parse(content)
  if (!isRecord(raw)) throw new Error('demo.json does not hold an object')
  const simulation = isRecord(raw.simulation) ? raw.simulation : null
  return {
    url: text(raw.url),
    gateways: list(raw.gateways).map((gateway) => ({
      gatewayId: text(gateway.gatewayId),
      secret: text(gateway.secret),
      projectCode: text(gateway.projectCode),
      devices: list(gateway.devices).map((device) => ({
        deviceId: text(device.deviceId),
        deviceSn: text(device.deviceSn),
        family: text(device.family),
      })),
    })),
    hj212: list(raw.hj212).map((station) => ({
      mn: text(station.mn),
      password: text(station.password),
      projectCode: text(station.projectCode),
      deviceId: text(station.deviceId),
    })),
    openApps: list(raw.openApps).map((app) => ({
      appId: text(app.appId),
      appSecret: text(app.appSecret),
      projectCode: text(app.projectCode),
    })),
    simulation:
      simulation && typeof simulation.seed === 'number' && typeof simulation.today === 'string'
        ? { seed: simulation.seed, today: simulation.today }
        : null,
  }
}

export const readDemoFile = async (path: string) => parseDemoFile(await readFile(path, 'utf8'))
