import { type Family, familyOf } from '@zhugong/contract/telemetry/families'
import { deviceNow, type Limit, type ReadingView } from '@zhugong/contract/telemetry/model'
import type { PointMarks } from '@zhugong/contract/telemetry/point-marks'
import { sql } from 'kysely'
import { type Context, found } from '#kit/context'
import type { Tx } from '#kit/db'
import { allOf, contains, equals, inProjects } from '#kit/list'
import { rowOf } from '#kit/row-of'
import { type LatestColumns, newestValues } from '../../readings/public.ts'
import { clearLimitOf, inWords, limitOf, rulesInForce, thresholdsOf, wordingOf } from '../../rules/public.ts'

export interface DeviceRow extends LatestColumns {
  id: string
  projectCode: string
  projectName: string
  areaCode: string
  name: string
  deviceSn: string
  family: string
  params: Record<string, unknown>
  points: PointMarks
  intervalSeconds: number
  installPlace: string | null
  lng: number | null
  lat: number | null
  status: string
  protocol: string
  online: boolean | null
  onlineSince: Date | null
  openLevel: number | null
}

const columns = sql`d.id, d.project_code, p.name as project_name, p.area_code, d.name, d.device_sn, d.family, d.params, d.points, d.interval_seconds, d.install_place,
  d.lng, d.lat, d.status, d.protocol, l.ts, l.received_at, l.v, l.quality, l.held, l.pace_seconds, l.online, l.online_since,
  (select min(a.level) from alarm a where a.device_id = d.id and a.active and not a.simulated) as open_level`
const joined = sql`device d join project p on p.project_code = d.project_code left join device_latest l on l.device_id = d.id`

/** Owner and model of a device `d`. */
export const ownerColumns = sql`(select o.corp_name from corporation o where o.corp_code = d.owner_corp) as owner_corp_name, d.model_name`

/** SQL query of the ids of a family's devices in use. */
export const devicesInUse = (family: string, scope: { projects: readonly string[] | undefined; deviceId?: string | undefined }) =>
  sql`select d.id from device d where ${allOf(
    ...equals('d.family', family),
    ...equals('d.status', '1'),
    ...equals('d.id', scope.deviceId),
    ...inProjects('d.project_code', scope.projects),
  )}`

/** A device of a family that the user may see. The error is the same whether it is hidden or does not exist. */
export async function getDeviceRow(ctx: Pick<Context, 'db' | 'scope' | 'scopeChecks'>, id: string, family: string): Promise<DeviceRow> {
  const { rows } = await sql<DeviceRow>`select ${columns} from ${joined} where d.id = ${id} and d.family = ${family}
    and ${allOf(...inProjects('d.project_code', ctx.scopeChecks && !ctx.scope.all ? ctx.scope.projects : undefined))}`.execute(ctx.db)
  return found(rows[0], '设备')
}

export async function findDeviceRows(
  db: Tx,
  family: string,
  projects: readonly string[] | undefined,
  filter: { deviceId?: string | undefined; name?: string | undefined } = {},
  slice?: { limit: number; offset: number },
): Promise<{ rows: DeviceRow[]; total: number }> {
  const where = allOf(
    ...equals('d.family', family),
    ...equals('d.id', filter.deviceId),
    ...inProjects('d.project_code', projects),
    ...contains('d.name', filter.name),
  )
  const { rows } = await sql<DeviceRow & { total: number }>`select ${columns}, count(*) over ()::int as total from ${joined} where ${where}
    order by open_level nulls last, coalesce(l.online, false), d.name, d.id ${slice ? sql`limit ${slice.limit} offset ${slice.offset}` : sql``}`.execute(
    db,
  )
  return { rows, total: rows[0]?.total ?? 0 }
}

export const familyRequired = (key: string): Family => {
  const family = familyOf(key)
  if (!family) throw new Error(`no family ${key}`)
  return family
}

export const latestOf = (row: DeviceRow): ReadingView | null => newestValues(row)

/** The status shown on pages, in the family's own codes. */
export function statusOf(row: DeviceRow): string {
  if (row.status === '3') return '5'
  if (!row.online) return '0'
  const words = familyOf(row.family)?.statuses ?? {}
  const find = (...names: string[]) => Object.keys(words).find((key) => names.some((name) => words[key]?.includes(name)))
  if (Object.keys(row.quality ?? {}).some((key) => row.quality?.[key] === 'fault')) return find('故障') ?? '1'
  if (row.openLevel !== null) return find('报警', '超标', '告警') ?? '1'
  const working = row.family === 'towerCrane' && Number(row.v?.load ?? 0) >= 0.3
  return (working ? find('作业') : undefined) ?? '1'
}

export function toDeviceNow(row: DeviceRow) {
  return rowOf(deviceNow, row, {
    deviceId: row.id,
    deviceName: row.name,
    online: row.online ?? false,
    onlineSince: row.onlineSince?.getTime() ?? null,
    status: statusOf(row),
    latest: latestOf(row),
  })
}

/** Gauge marks: the thresholds of the rules that currently apply to this device. */
export async function limitsOf(db: Tx, row: Pick<DeviceRow, 'id' | 'projectCode' | 'family' | 'params'>): Promise<Limit[]> {
  const family = familyRequired(row.family)
  const limits: Limit[] = []
  for (const rule of await rulesInForce(db, row)) {
    const around = wordingOf(row.family, rule.trigger.on, row.params)
    for (const level of rule.levels) {
      for (const condition of thresholdsOf(level.condition)) {
        limits.push({
          metric: condition.metric,
          alarmKey: rule.alarmKey,
          label: family.alarm(rule.alarmKey)?.label ?? rule.name,
          level: level.level,
          op: condition.op,
          value: limitOf(condition, around) ?? null,
          clearValue: clearLimitOf(condition, around) ?? null,
          text: inWords(level, around),
          ruleId: rule.id,
          version: rule.version,
        })
      }
    }
  }
  return limits
}
