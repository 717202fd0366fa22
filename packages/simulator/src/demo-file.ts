import { readFile } from 'node:fs/promises'
import { type GateForm, gateForms } from './city-types.ts'
import type { MeterProtocol } from './meter-wire.ts'

/** File written by the platform with everything the simulator needs to connect. */
export interface DemoFile {
  url: string
  gateways: { gatewayId: string; secret: string; projectCode: string; devices: { deviceId: string; deviceSn: string; family: string }[] }[]
  hj212: { mn: string; password: string; projectCode: string; deviceId: string }[]
  openApps: { appId: string; appSecret: string; projectCode: string }[]
  jt808Port: number | null
  jt808: { phone: string; plateNo: string; projectCode: string; deviceId: string }[]
  /** Meter lines: the ports that the platform polls. */
  meterLines: {
    gatewayId: string
    wire: MeterProtocol
    port: number
    projectCode: string
    devices: { deviceSn: string; address: string }[]
  }[]
  /** Gates that push, with the key in their URL. */
  gatePush: { deviceSn: string; form: GateForm; key: string; projectCode: string }[]
  /** `gatesWait`: gates keep passages back while the platform still writes the history. */
  simulation: { seed: number; today: string; gatesWait: boolean } | null
}

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null
const list = (value: unknown): Record<string, unknown>[] => (Array.isArray(value) ? value.filter(isRecord) : [])
const text = (value: unknown) => (typeof value === 'string' ? value : '')
const whole = (value: unknown) => (typeof value === 'number' && Number.isInteger(value) ? value : null)
const wires: readonly MeterProtocol[] = ['modbusTcp', 'modbusRtu', 'dlt645', 'cjt188']

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
    jt808Port: whole(raw.jt808Port),
    jt808: list(raw.jt808).map((truck) => ({
      phone: text(truck.phone),
      plateNo: text(truck.plateNo),
      projectCode: text(truck.projectCode),
      deviceId: text(truck.deviceId),
    })),
    meterLines: list(raw.meterLines).flatMap((line) => {
      const wire = wires.find((one) => one === line.wire)
      const port = whole(line.port)
      if (!wire || !port) return []
      return [
        {
          gatewayId: text(line.gatewayId),
          wire,
          port,
          projectCode: text(line.projectCode),
          devices: list(line.devices).map((meter) => ({ deviceSn: text(meter.deviceSn), address: text(meter.address) })),
        },
      ]
    }),
    gatePush: list(raw.gatePush).flatMap((gate) => {
      const form = gateForms.find((one) => one === gate.form)
      return form ? [{ deviceSn: text(gate.deviceSn), form, key: text(gate.key), projectCode: text(gate.projectCode) }] : []
    }),
    simulation:
      simulation && typeof simulation.seed === 'number' && typeof simulation.today === 'string'
        ? { seed: simulation.seed, today: simulation.today, gatesWait: simulation.gatesWait === true }
        : null,
  }
}

export const readDemoFile = async (path: string) => parseDemoFile(await readFile(path, 'utf8'))
