import { randomBytes } from 'node:crypto'
import { dayMs } from '@zhugong/contract/kit/time'
import type { City, Device } from '@zhugong/simulator/city-types'
import { sql } from 'kysely'
import { intervalOf } from '#domains/telemetry/public'
import type { Db, Tx } from '#kit/db'
import type { Secrets } from '#kit/secret'
import { insertAll } from './seed-trade.ts'
import { shanghai } from './trade-given.ts'

export interface MachineSecrets {
  gateways: Map<string, { id: string; secret: string }>
  openApps: Map<string, { id: string; secret: string }>
}

const random = (bytes: number) => randomBytes(bytes).toString('hex')

/** Cranes and lifts are owned by a rental company. */
const rentedFamilies: readonly string[] = ['towerCrane', 'lifter']
const rentalPart = '002'

/** Gateways, devices and open applications; secrets are generated for this installation and stored encrypted. */
export async function seedMachines(tx: Tx, city: City, secrets: Secrets): Promise<MachineSecrets> {
  const gateways = new Map(city.gateways.map((g) => [g.code, { id: g.id, secret: random(16) }]))
  const openApps = new Map(city.openApps.map((a) => [a.code, { id: random(8), secret: random(16) }]))
  await insertAll(
    tx,
    'gateway' as never,
    city.gateways.map((g) => ({
      id: g.id,
      projectCode: g.projectCode,
      name: g.name,
      connectionType: g.wire ?? 'mqtt',
      secret: secrets.seal(gateways.get(g.code)?.secret ?? ''),
      status: '1',
    })) as never,
  )
  await insertAll(
    tx,
    'openApp' as never,
    city.openApps.map((a) => ({
      id: openApps.get(a.code)?.id,
      name: a.name,
      projectCode: a.projectCode,
      secret: secrets.seal(openApps.get(a.code)?.secret ?? ''),
      families: a.families,
    })) as never,
  )
  const models = new Map(city.deviceModels.map((m) => [m.id, m]))
  const rental = new Map(city.projectCorps.flatMap((c) => (c.corpType === rentalPart ? [[c.projectCode, c.corpCode] as const] : [])))
  await insertAll(
    tx,
    'device' as never,
    city.devices.map((d) => {
      const model = models.get(d.modelId)
      const gateway = d.access.protocol === 'mqtt' || d.access.protocol === 'poll' ? gateways.get(d.access.gatewayCode) : undefined
      const retired = d.behaviour === 'notActivated'
      return {
        id: d.id,
        projectCode: d.projectCode,
        name: d.name,
        deviceSn: d.deviceSn,
        family: d.family,
        category: d.category,
        factoryName: model?.factory ?? null,
        brandName: model?.brand ?? null,
        modelName: model?.name ?? null,
        access: JSON.stringify(publicAccess(d, gateway?.id, openApps)),
        protocol: d.access.protocol === 'push' ? 'http' : d.access.protocol,
        accessKey: accessKeyOf(d, gateway?.id),
        accessSecret: d.access.protocol === 'hj212' ? secrets.seal(d.access.password) : null,
        gatewayId: gateway?.id ?? null,
        params: JSON.stringify({ ...d.params, x: d.x, y: d.y, behaviour: d.behaviour }),
        intervalSeconds: intervalOf(d.family),
        lng: d.installPos.lng,
        lat: d.installPos.lat,
        installPlace: d.place,
        installDate: d.installTime.slice(0, 10),
        dueDate: d.dueDate,
        status: retired ? '0' : '1',
        createTime: shanghai(d.installTime),
        direction: typeof d.params.direction === 'string' ? d.params.direction : null,
        gateRole: typeof d.params.role === 'string' ? d.params.role : null,
        ownerCorp: rentedFamilies.includes(d.family) ? (rental.get(d.projectCode) ?? null) : null,
      }
    }) as never,
  )
  return { gateways, openApps }
}

/** Permits unregistered terminals to register for a day after every start, so that trying a terminal needs no manual step. */
export async function letTerminalsRegister(db: Db, now: number): Promise<void> {
  await sql`insert into jt808_registration (device_id, opened_at, open_until, by_name)
    select d.id, ${new Date(now)}, ${new Date(now + dayMs)}, '演示' from device d left join jt808_terminal t on t.device_id = d.id
    where d.protocol = 'jt808' and d.status = '1' and t.device_id is null
    on conflict (device_id) do update set opened_at = excluded.opened_at, open_until = excluded.open_until`.execute(db)
}

function accessKeyOf(d: Device, gatewayId: string | undefined): string {
  switch (d.access.protocol) {
    case 'mqtt':
      return `${gatewayId}/${d.deviceSn}`
    case 'hj212':
      return d.access.mn
    case 'jt808':
      return d.access.phone
    case 'poll':
      return `${gatewayId}/${d.access.address}`
    case 'http':
    case 'push':
      return d.deviceSn
  }
}

function publicAccess(d: Device, gatewayId: string | undefined, apps: MachineSecrets['openApps']) {
  switch (d.access.protocol) {
    case 'mqtt':
      return { protocol: 'mqtt', gatewayId }
    case 'hj212':
      return { protocol: 'hj212', mn: d.access.mn, units: d.access.units, crcMode: d.access.crcMode }
    case 'jt808':
      return { protocol: 'jt808', phone: d.access.phone }
    case 'poll':
      return { protocol: 'poll', gatewayId, address: d.access.address }
    case 'push':
      return { protocol: 'http' }
    case 'http':
      return { protocol: 'http', appId: apps.get(d.access.appCode)?.id }
  }
}
