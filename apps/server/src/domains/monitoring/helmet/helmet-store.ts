import { AppError } from '@zhugong/contract/kit/errors'
import { alarmsOfTheBox, helmetHours, helmetRow } from '@zhugong/contract/monitoring/helmet/helmets'
import { sql } from 'kysely'
import { formatInstant } from '#kit/clock'
import type { Context } from '#kit/context'
import { allOf, anyOf, anywhere, condition, equals, inProjects } from '#kit/list'
import { pick } from '#kit/pick'
import { rowOf } from '#kit/row-of'
import { onlookerOf, type Veil } from '../../readings/public.ts'
import type { DeviceRow } from '../shared/devices.ts'
import { numberOr, textOr } from '../shared/family.ts'

export const familyOfCategory = (category: '700' | '701') => (category === '701' ? 'baseStationHelmet' : 'smartHelmet')

export const helmetFamilies = ['smartHelmet', 'baseStationHelmet']

export const lowBattery = 20

export const heart = { low: 50, high: 120 }

/** Regulators see counts and alarms, no persons. */
type Looking = Pick<Context, 'db' | 'group' | 'codes' | 'scope'>

export const seesPersons = (ctx: Pick<Looking, 'group' | 'codes' | 'scope'>): boolean => !onlookerOf(ctx).isRegulator

export interface HelmetRow extends DeviceRow {
  workerId: string | null
  workerName: string | null
  teamName: string | null
  workerExited: boolean
  groupId: string | null
  groupName: string | null
  wearerAlarms: number
}

export const helmetColumns = sql`d.id, d.project_code, p.name as project_name, p.area_code, d.name, d.device_sn, d.family, d.params, d.points, d.interval_seconds, d.install_place,
  d.lng, d.lat, d.status, d.protocol, l.ts, l.received_at, l.v, l.quality, l.held, l.pace_seconds, l.online, l.online_since,
  (select min(a.level) from alarm a where a.device_id = d.id and a.active and not a.simulated) as open_level,
  (select count(*)::int from alarm a where a.device_id = d.id and a.active and not a.simulated and not a.historical
    and a.alarm_key <> all (${[...alarmsOfTheBox]})) as wearer_alarms,
  d.params ->> 'workerId' as worker_id, w.worker_name, w.team_name, coalesce(w.exited, false) as worker_exited, m.group_id, g.name as group_name`

export const helmetTables = sql`device d join project p on p.project_code = d.project_code left join device_latest l on l.device_id = d.id
  left join helmet_group_member m on m.device_id = d.id left join helmet_group g on g.id = m.group_id
  left join lateral (
    select pw.worker_name, t.team_name, pw.exit_time is not null as exited from project_worker pw left join team t on t.id = pw.team_id
    where pw.project_code = d.project_code and pw.worker_id = d.params ->> 'workerId' order by pw.exit_time is not null, pw.entry_time desc limit 1) w on true`

export interface HelmetFilter {
  families: readonly string[]
  projects: readonly string[] | undefined
  deviceId?: string | undefined
  groupId?: string | undefined
  name?: string | undefined
}

export async function findHelmets(ctx: Looking, f: HelmetFilter): Promise<HelmetRow[]> {
  const where = allOf(
    ...anyOf('d.family', f.families),
    ...equals('d.id', f.deviceId),
    ...equals('m.group_id', f.groupId),
    ...inProjects('d.project_code', f.projects),
    ...equals('d.status', '1'),
    // Base stations belong to the same family but are not helmets.
    condition(sql`d.params ->> 'stationId' is null`),
    ...(f.name
      ? [condition(sql`(d.name ilike ${anywhere(f.name)} or (${seesPersons(ctx)} and w.worker_name ilike ${anywhere(f.name)}))`)]
      : []),
  )
  const { rows } = await sql<HelmetRow>`select ${helmetColumns} from ${helmetTables} where ${where}
    order by open_level nulls last, coalesce(l.online, false) desc, d.name, d.id limit 5000`.execute(ctx.db)
  return rows
}

export function wearerOf(veil: Veil, row: HelmetRow) {
  const shown = veil.seesPerson(row)
  return {
    workerId: shown ? row.workerId : null,
    workerName: shown ? row.workerName : null,
    ...pick(row, 'teamName', 'workerExited', 'groupId', 'groupName'),
  }
}

const hourOf = (at: number): number => Number(formatInstant(new Date(at)).slice(11, 13))
/** Outside working hours a helmet that is not worn is not in use. */
export const isRacked = (row: HelmetRow, now: number): boolean =>
  row.v?.wearing === false && (hourOf(now) < helmetHours.from || hourOf(now) >= helmetHours.to)

/** 离线, 在线, 未佩戴, 报警, 充电 by the family's codes. */
export function helmetStatus(row: HelmetRow, now: number): string {
  if (!row.online) return '0'
  if (row.openLevel !== null) return row.family === 'baseStationHelmet' ? '2' : '3'
  if (row.family === 'baseStationHelmet') return '1'
  return row.v?.wearing === false && !isRacked(row, now) ? '2' : '1'
}

export function toHelmet(veil: Veil, row: HelmetRow, now: number) {
  const rate = veil.seesPerson(row) ? numberOr(row.v?.heartRate) : null
  return rowOf(helmetRow, row, {
    deviceId: row.id,
    deviceName: row.name,
    category: row.family === 'baseStationHelmet' ? '701' : '700',
    ...wearerOf(veil, row),
    online: row.online ?? false,
    status: helmetStatus(row, now),
    batteryPercent: numberOr(row.v?.batteryPercent),
    wearing: typeof row.v?.wearing === 'boolean' ? row.v.wearing : null,
    racked: isRacked(row, now),
    motion: textOr(row.v?.motion),
    heartState: rate === null ? null : rate < heart.low || rate > heart.high ? '异常' : '正常',
    heartRate: veil.seesMetric(row, 'heartRate', 'now') ? rate : null,
    signal: numberOr(row.v?.signal) ?? numberOr(row.v?.rssi),
    positioned: typeof row.v?.positioned === 'boolean' ? row.v.positioned : null,
    lastTime: row.receivedAt?.getTime() ?? null,
  })
}

export async function getHelmetRow(ctx: Context, id: string): Promise<HelmetRow> {
  const projects = ctx.scopeChecks && !ctx.scope.all ? ctx.scope.projects : undefined
  const [row] = await findHelmets(ctx, { families: helmetFamilies, projects, deviceId: id })
  if (!row) throw new AppError('notFound', '设备不存在或已删除')
  return row
}
