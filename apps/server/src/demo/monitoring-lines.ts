import { createHash, randomBytes } from 'node:crypto'
import type { City } from '@zhugong/simulator/city-types'
import type { DemoFile } from '@zhugong/simulator/demo-file'
import { meterRegisters } from '@zhugong/simulator/live-lines'
import type { Config } from '#kit/config'
import type { Client } from './past-readings.ts'
import type { MachineSecrets } from './seed-machines.ts'

/** Settings for the simulator: lines to meters, and pushing gates. */
export type MonitoringLines = Pick<DemoFile, 'meterLines' | 'gatePush'>

export function linesOf(city: City, machines: MachineSecrets, config: Config): MonitoringLines {
  // Derived from the platform's own ports, so that demonstrations on other ports do not collide.
  const port = (i: number) => 1024 + ((config.hj212Port + 1000 + i) % 60_000)
  return {
    meterLines: city.gateways
      .filter((g) => g.wire)
      .map((g, i) => ({
        gatewayId: machines.gateways.get(g.code)?.id ?? g.id,
        wire: g.wire ?? 'dlt645',
        port: port(i),
        projectCode: g.projectCode,
        devices: city.devices.flatMap((d) =>
          d.access.protocol === 'poll' && d.access.gatewayCode === g.code ? [{ deviceSn: d.deviceSn, address: d.access.address }] : [],
        ),
      })),
    gatePush: city.devices.flatMap((d) =>
      d.access.protocol === 'push'
        ? [{ deviceSn: d.deviceSn, form: d.access.form, key: randomBytes(18).toString('base64url'), projectCode: d.projectCode }]
        : [],
    ),
  }
}

export async function writeLines(client: Client, city: City, { meterLines, gatePush }: MonitoringLines): Promise<void> {
  const bySn = new Map(city.devices.map((d) => [d.deviceSn, d]))
  for (const line of meterLines) {
    await client.query(
      `insert into poll_gateway (id, protocol, host, port, interval_seconds) values ($1, $2, '127.0.0.1', $3, 60) on conflict do nothing`,
      [line.gatewayId, line.wire, line.port],
    )
    for (const meter of line.devices) {
      const registers = line.wire.startsWith('modbus') ? meterRegisters.map((r) => ({ ...r, table: 'holding' })) : []
      await client.query('insert into poll_device (id, gateway_id, address, registers) values ($1, $2, $3, $4) on conflict do nothing', [
        bySn.get(meter.deviceSn)?.id,
        line.gatewayId,
        meter.address,
        JSON.stringify(registers),
      ])
    }
  }
  for (const gate of gatePush) {
    await client.query('insert into gate_push (id, adapter, key_hash) values ($1, $2, $3) on conflict do nothing', [
      bySn.get(gate.deviceSn)?.id,
      gate.form,
      createHash('sha256').update(gate.key).digest(),
    ])
  }
}
