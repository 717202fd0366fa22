import { type DeviceRow, deviceRow } from '@zhugong/contract/equipment/endpoints'
import { areaName } from '@zhugong/contract/settings/dictionaries'
import { families, familyNamed, familyOf } from '@zhugong/contract/telemetry/families'
import { sql } from 'kysely'
import { formatDay, formatInstant } from '#kit/clock'
import { type Context, projectsFor } from '#kit/context'
import { allOf, anyOf, type Condition, condition, contains, daysBetween, equals, inAreas, inProjects, instantsBetween } from '#kit/list'
import { rowOf } from '#kit/row-of'
import { type LatestColumns, newestValues, type Veil, veiledValues } from '../readings/public.ts'
import type { Difference } from './change-log.ts'
import { hasDueSoon } from './in-use.ts'
import { missingParams } from './params.ts'

export interface DeviceListRow extends LatestColumns {
  id: string
  name: string
  deviceSn: string
  family: string
  category: string | null
  type: string | null
  projectCode: string
  projectName: string
  areaCode: string
  factoryName: string | null
  brandName: string | null
  modelName: string | null
  protocol: string
  gatewayId: string | null
  gatewayName: string | null
  installPlace: string | null
  installDate: string | null
  dueDate: string | null
  status: string
  online: boolean | null
  openLevel: number | null
  params: Record<string, unknown>
  createTime: Date
  version: number
  factoryId: string | null
  brandId: string | null
  modelId: string | null
  providerId: string | null
  providerName: string | null
  source: string
  origin: string
  specialRecordNo: string | null
  ownerCorp: string | null
  ownerCorpName: string | null
  createBy: string | null
  applyTime: Date | null
  auditTime: Date | null
  auditBy: string | null
  auditRemark: string | null
  pending: { difference: Difference[]; by: string } | null
  ageYears: number | null
}

// Devices registered through the signed open API have an application as their creator.
const origin = sql`case when d.create_by like '应用 %' then '4' else d.origin end`
export const deviceColumns = sql`d.id, d.name, d.device_sn, d.family, d.category, d.type, d.project_code, p.name as project_name, p.area_code, d.factory_name, d.brand_name, d.model_name,
  d.protocol, d.gateway_id, g.name as gateway_name, d.install_place, d.install_date, d.due_date, d.status, l.online, l.ts, l.received_at, l.v, l.quality, l.held, l.pace_seconds,
  (select min(a.level) from alarm a where a.device_id = d.id and a.active and not a.simulated) as open_level, d.params, d.create_time, d.version,
  d.factory_id, d.brand_id, d.model_id, d.provider_id, pv.name as provider_name, d.source, ${origin} as origin, d.special_record_no, d.owner_corp, (select corp_name from corporation o where o.corp_code = d.owner_corp) as owner_corp_name, d.create_by, d.apply_time, d.audit_time, d.audit_by,
  d.audit_remark, d.pending, round((extract(epoch from now() - d.install_date) / 31557600)::numeric, 1)::float8 as age_years`
export const deviceTables = sql`device d join project p on p.project_code = d.project_code left join gateway g on g.id = d.gateway_id left join device_latest l on l.device_id = d.id
  left join factory pv on pv.id = d.provider_id`

/** A device as responses contain it. The latest reading may be personal data, so it requires a veil (`Veil`). */
export function toDevice(row: DeviceListRow, veil?: Veil, withLatest = false): DeviceRow {
  const family = familyOf(row.family)
  const all = family?.params.length ?? 0
  const newest = newestValues(row)
  return rowOf(deviceRow, row, {
    familyName: family?.name ?? row.family,
    category: row.category ?? (family ? String(family.code) : null),
    areaName: areaName(row.areaCode) ?? null,
    online: row.online ?? false,
    lastTime: row.ts?.getTime() ?? null,
    complete: all ? Math.round((1 - missingParams(family, row.params).length / all) * 100) : 100,
    createTime: formatInstant(row.createTime),
    applicant: row.pending?.by ?? row.createBy,
    applyTime: formatInstant(row.applyTime ?? row.createTime),
    auditTime: row.auditTime ? formatInstant(row.auditTime) : null,
    pending: veil?.seesPerson(row) ? (row.pending?.difference ?? []) : [],
    latest: veil && withLatest ? newest && veiledValues(newest, veil.values(row, newest.values, 'now')) : undefined,
    onlinePercent30d: undefined,
    health: undefined,
    checks: undefined,
    review: undefined,
  })
}

/** Family keys from filter values that may be keys or codes. */
export function familyKeysOf(...given: (string[] | undefined)[]): string[] | undefined {
  const names = given.flatMap((g) => g ?? [])
  if (names.length === 0) return undefined
  return names.map((name) => familyNamed(name)?.key ?? name)
}

type Range = { from?: string | undefined; to?: string | undefined }
type Numbers = { low?: number | undefined; high?: number | undefined }
export interface DeviceFilter {
  projectCode?: string | undefined
  name?: string | undefined
  deviceSn?: string | undefined
  family?: string[] | undefined
  category?: string[] | undefined
  type?: string[] | undefined
  protocol?: string[] | undefined
  gatewayId?: string | undefined
  status?: string[] | undefined
  auditState?: string[] | undefined
  online?: boolean | undefined
  dueDate?: Range | undefined
  due?: boolean | undefined
  createTime?: Range | undefined
  applyTime?: Range | undefined
  lastTime?: Range | undefined
  projectName?: string | undefined
  gatewayName?: string | undefined
  installPlace?: string | undefined
  applicant?: string | undefined
  specialRecordNo?: string | undefined
  openLevel?: string[] | undefined
  areaCode?: string[] | undefined
  factoryId?: string | undefined
  brandId?: string | undefined
  modelId?: string | undefined
  modelName?: string | undefined
  providerId?: string | undefined
  source?: string[] | undefined
  origin?: string[] | undefined
  complete?: Numbers | undefined
  badFrames24h?: Numbers | undefined
  onlinePercent30d?: Numbers | undefined
}

const bounds = (value: ReturnType<typeof sql>, range: Numbers | undefined): Condition[] => [
  ...(range?.low === undefined ? [] : [condition(sql`${value} >= ${range.low}`)]),
  ...(range?.high === undefined ? [] : [condition(sql`${value} <= ${range.high}`)]),
]

const paramKeys = JSON.stringify(Object.fromEntries(families.map((f) => [f.key, f.params.map((p) => p.key)])))
const completeness = sql`(select coalesce(round(100.0 * count(*) filter (where coalesce(d.params ->> k, '') <> '') / nullif(count(*), 0)), 100)
  from jsonb_array_elements_text(coalesce(${paramKeys}::jsonb -> d.family, '[]'::jsonb)) k)`

/** Share of online time over 30 days: five-minute spans with data in all spans. */
export const onlineShare = (now: number) => sql`(select round(100.0 * sum(least(x.spans, 288)) / nullif(count(*) * 288, 0), 1)::float8
  from device_day x where x.device_id = d.id and x.day >= ${formatDay(now - 30 * 86_400_000)}::date)`

export function badFrames(now: number, sound: readonly string[]) {
  return sql`(select count(*)::int from device_frame f where f.device_id = d.id and f.time > ${new Date(now - 86_400_000)} and not f.result = any (${[...sound]}))`
}

export function deviceWhere(ctx: Pick<Context, 'scope' | 'scopeChecks' | 'clock'>, query: DeviceFilter, sound: readonly string[] = []) {
  const now = ctx.clock.now()
  const states = query.status ?? query.auditState
  return allOf(
    ...inProjects('d.project_code', projectsFor(ctx, query.projectCode)),
    ...contains('d.name', query.name),
    ...contains('d.device_sn', query.deviceSn),
    ...anyOf('d.family', familyKeysOf(query.family, query.category, query.type)),
    ...anyOf('d.protocol', query.protocol),
    ...equals('d.gateway_id', query.gatewayId),
    // A pending change counts as waiting for review, though the device is in service.
    ...(query.auditState && !query.status && query.auditState.includes('0')
      ? [condition(sql`(d.status = any (${query.auditState}) or d.pending is not null)`)]
      : anyOf('d.status', states)),
    ...(query.online === undefined ? [] : [condition(sql`(d.status = '1' and coalesce(l.online, false) = ${query.online})`)]),
    ...daysBetween('d.due_date', query.dueDate),
    ...(query.due ? [hasDueSoon(formatDay(now))] : []),
    ...instantsBetween('d.create_time', query.createTime),
    ...(query.applyTime ? [allOf(...instantsBetween('d.apply_time', query.applyTime))] : []),
    ...instantsBetween('l.ts', query.lastTime),
    ...contains('p.name', query.projectName),
    ...contains('g.name', query.gatewayName),
    ...contains('d.install_place', query.installPlace),
    ...contains('d.create_by', query.applicant),
    ...contains('d.special_record_no', query.specialRecordNo),
    ...(query.openLevel?.length
      ? [
          condition(
            sql`exists (select 1 from alarm a where a.device_id = d.id and a.active and not a.simulated and a.level::text = any (${query.openLevel}))`,
          ),
        ]
      : []),
    ...inAreas('p.area_code', query.areaCode),
    ...equals('d.factory_id', query.factoryId),
    ...equals('d.brand_id', query.brandId),
    ...(query.modelId ? [condition(sql`d.model_id = ${query.modelId}`)] : []),
    ...contains('d.model_name', query.modelName),
    ...equals('d.provider_id', query.providerId),
    ...anyOf('d.source', query.source),
    ...(query.origin?.length ? [condition(sql`${origin} = any (${query.origin})`)] : []),
    ...bounds(completeness, query.complete),
    ...(query.badFrames24h ? bounds(badFrames(now, sound), query.badFrames24h) : []),
    ...(query.onlinePercent30d ? bounds(onlineShare(now), query.onlinePercent30d) : []),
  )
}
