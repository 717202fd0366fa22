import type * as calls from '@zhugong/contract/equipment/gateway-endpoints'
import { gatewayRow } from '@zhugong/contract/equipment/gateway-endpoints'
import { segmentLimits, hj212 as station, stationProtocol } from '@zhugong/contract/protocols/hj212'
import { sql } from 'kysely'
import { formatInstant } from '#kit/clock'
import { type Context, found, projectsFor } from '#kit/context'
import { allOf, condition, equals, inProjects } from '#kit/list'
import { rowOf } from '#kit/row-of'
import { badFrames } from './device-view.ts'
import { soundFrameResults } from './frame-words.ts'
import { particulates } from './station-codes.ts'
import type { DeviceAccess } from './tables.ts'

export interface Row {
  id: string
  name: string
  projectCode: string
  projectName: string
  family: string
  access: DeviceAccess
  accessKey: string
  status: string
  online: boolean
  ts: Date | null
  modelId: string | null
  modelName: string | null
  intervalSeconds: number
  bad: number
  edition: number | null
  address: string | null
  createTime: Date
  version: number
  lng: number | null
  lat: number | null
  projectLng: number | null
  projectLat: number
  areaRule: unknown
  hasKey: boolean
  firstActions: Record<string, unknown> | null
}

export const from = sql`device d join project p on p.project_code = d.project_code left join device_latest l on l.device_id = d.id left join hj212_station h on h.id = d.id`

export const missingUnits = sql`(select count(*)::int from unnest('{tsp,pm10,pm25}'::text[]) m where not coalesce(d.access -> 'units', '{}'::jsonb) ? m)`

export const columnsAt = (
  now: number,
) => sql`d.id, d.name, d.project_code, p.name as project_name, d.family, d.access, d.access_key, d.status, coalesce(l.online, false) as online, l.ts, d.model_id,
  d.model_name, d.interval_seconds, h.edition, (select f.address from device_frame f where f.device_id = d.id order by f.time desc limit 1) as address, d.create_time, d.version, d.lng, d.lat,
  p.lng as project_lng, p.lat as project_lat, p.area_rule, h.sm4_key is not null as has_key, h.first_actions, ${badFrames(now, soundFrameResults)} as bad`

export const editions: Readonly<Record<string, string>> = { '2005': '2005', '2017': '2017', '2025': '2025' }

export function toStation(r: Row, unknownCodes: number): calls.GatewayRow {
  const units = r.access.units ?? {}
  return rowOf(gatewayRow, r, {
    code: r.accessKey,
    connectionType: stationProtocol,
    connType: station.connType,
    status: r.status === '1' ? '1' : '0',
    ip: r.address,
    lastSeen: r.ts ? formatInstant(r.ts) : null,
    devices: 1,
    devicesOnline: r.online ? 1 : 0,
    refused24h: r.bad,
    remark: null,
    createTime: formatInstant(r.createTime),
    msgPerMin: Math.round((60 / Math.max(0.1, Number(r.intervalSeconds))) * 10) / 10,
    station: {
      mn: r.access.mn ?? r.accessKey,
      edition: r.edition === null ? null : (editions[String(r.edition)] ?? String(r.edition)),
      crcMode: r.access.crcMode ?? 'standard',
      maxLength: r.access.maxLength ?? segmentLimits.standard,
      unitsMissing: particulates.filter((metric) => !units[metric]),
      units,
      modelId: r.modelId,
      modelName: r.modelName,
      intervalSeconds: Number(r.intervalSeconds),
      badFrames24h: r.bad,
      unknownCodes,
    },
  })
}

export async function getStationRow(ctx: Context, id: string): Promise<Row> {
  const { rows } = await sql<Row>`select ${columnsAt(ctx.clock.now())} from ${from}
    where ${allOf(...equals('d.id', id), ...inProjects('d.project_code', projectsFor(ctx)), condition(sql`d.protocol = ${stationProtocol}`))}`.execute(
    ctx.db,
  )
  return found(rows[0], '环境网关')
}
