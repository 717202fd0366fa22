import { ringsOf } from '@zhugong/contract/organisation/fence'
import { familyOf } from '@zhugong/contract/telemetry/families'
import { sql } from 'kysely'
import type { Context } from '#kit/context'
import { pick } from '#kit/pick'
import { type Check, deviceChecks } from './device-checks.ts'

/** The automatic checks for the devices of one page. */
export async function findChecks(ctx: Pick<Context, 'db' | 'clock'>, ids: readonly string[]): Promise<Map<string, Check[]>> {
  if (ids.length === 0) return new Map()
  const since = new Date(ctx.clock.now() - 3_600_000)
  const { rows } = await sql<{
    id: string
    family: string
    params: Record<string, unknown>
    pending: { body?: { params?: Record<string, unknown>; specialRecordNo?: string } } | null
    protocol: string
    gatewayProject: string | null
    gatewayStatus: string | null
    projectCode: string
    heard: boolean
    modelName: string | null
    modelEnable: string | null
    specialRecordNo: string | null
    lng: number | null
    lat: number | null
    areaRule: unknown
    twins: number
  }>`select d.id, d.family, d.params, d.pending, d.protocol, g.project_code as gateway_project, g.status as gateway_status, d.project_code, d.model_name, m.enable as model_enable,
      d.special_record_no, d.lng, d.lat, p.area_rule,
      (coalesce(l.received_at > ${since}, false) or exists (select 1 from unregistered_device u where u.identifier in (d.device_sn, d.access_key) and u.last_time > ${since})
        or exists (select 1 from device_frame f where f.device_id = d.id and f.time > ${since})) as heard,
      (select count(*)::int from device t where t.project_code = d.project_code and t.family = d.family and t.name = d.name and t.id <> d.id) as twins
    from device d join project p on p.project_code = d.project_code left join gateway g on g.id = d.gateway_id left join device_latest l on l.device_id = d.id
    left join model m on m.id = d.model_id where d.id = any (${[...ids]})`.execute(ctx.db)
  return new Map(
    rows.map((r) => [
      r.id,
      deviceChecks({
        family: familyOf(r.family),
        params: { ...r.params, ...r.pending?.body?.params },
        ...pick(r, 'protocol', 'heard', 'modelName', 'twins'),
        gateway: r.gatewayStatus === null ? null : { enabled: r.gatewayStatus === '1', sameProject: r.gatewayProject === r.projectCode },
        modelEnabled: r.modelEnable === null ? null : r.modelEnable === '1',
        specialRecordNo: r.pending?.body?.specialRecordNo ?? r.specialRecordNo,
        place: r.lng === null || r.lat === null ? null : [r.lng, r.lat],
        fence: ringsOf(r.areaRule),
      }),
    ]),
  )
}
