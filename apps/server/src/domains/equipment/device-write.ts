import type * as calls from '@zhugong/contract/equipment/device-access'
import { paramsSaidByAccess } from '@zhugong/contract/equipment/said-by-access'
import { AppError } from '@zhugong/contract/kit/errors'
import { withPlainPlate } from '@zhugong/contract/kit/plate'
import { protocols } from '@zhugong/contract/protocols/catalogue'
import type { Protocol } from '@zhugong/contract/protocols/protocol'
import { type Family, familyNamed } from '@zhugong/contract/telemetry/families'
import { sql } from 'kysely'
import { type Context, found, oneProject, projectsFor } from '#kit/context'
import { allOf, equals, inProjects } from '#kit/list'
import { noteChange } from './change-log.ts'
import { askReview, endReviews } from './device-flow.ts'
import { type DeviceListRow, deviceColumns, deviceTables } from './device-view.ts'
import { getGatewayRow } from './gateway-store.ts'
import { paramsToFill } from './model-rules.ts'
import { getModelRecord, pollMapOf } from './models.ts'
import { isLimitedAt, ownerOf } from './own-machines.ts'
import { paramErrors } from './params.ts'
import { letRegister } from './registrations.ts'
import { keepServiceDue } from './service-due.ts'
import { newPassword } from './station-password.ts'
import type { DeviceAccess } from './tables.ts'
import { guarded, type Numbers, requireFewTaken, takenReason } from './taken-numbers.ts'

export interface DeviceDetailRow extends DeviceListRow {
  access: DeviceAccess
  accessKey: string
  intervalSeconds: number
  lng: number | null
  lat: number | null
  leader: string | null
  updateTime: Date | null
  alarmCount: number
  recordCount: number
  files: string[]
}

export async function getDeviceRow(ctx: Pick<Context, 'db' | 'scope' | 'scopeChecks'>, id: string): Promise<DeviceDetailRow> {
  const { rows } = await sql<DeviceDetailRow>`
    select ${deviceColumns}, d.access, d.access_key, d.interval_seconds, d.lng, d.lat, d.leader, d.update_time, d.files,
      (select count(*)::int from alarm a where a.device_id = d.id and not a.simulated) as alarm_count,
      (select count(*)::int from device_record r where r.device_id = d.id) as record_count
    from ${deviceTables} where ${allOf(...equals('d.id', id), ...inProjects('d.project_code', projectsFor(ctx)))}`.execute(ctx.db)
  return found(rows[0], '设备')
}

export function familyGiven(body: { family?: string | undefined; category?: string | undefined; type?: string | undefined }): Family {
  const family = [body.family, body.category, body.type].flatMap((name) => (name ? (familyNamed(name) ?? []) : []))[0]
  if (!family) throw new AppError('invalidInput', '请选择设备类别', { field: 'family' })
  return family
}

export interface NewDevice {
  name: string
  deviceSn: string
  projectCode: string
  family?: string | undefined
  category?: string | undefined
  type?: string | undefined
  access?: calls.AccessInput | undefined
  factoryName?: string | null | undefined
  brandName?: string | null | undefined
  modelName?: string | null | undefined
  modelId?: string | null | undefined
  providerId?: string | null | undefined
  specialRecordNo?: string | null | undefined
  ownerCorp?: string | null | undefined
  params: Record<string, unknown>
  intervalSeconds?: number | undefined
  lng?: number | null | undefined
  lat?: number | null | undefined
  installPlace?: string | null | undefined
  installDate?: string | null | undefined
  dueDate?: string | null | undefined
  leader?: string | null | undefined
  files?: string[] | undefined
}

/** Registers a device; the model provides missing values. */
export async function registerDevice(ctx: Context, given: NewDevice, from: { source: '1' | '2'; origin: string }) {
  const projectCode = oneProject(ctx, given.projectCode)
  await requireFewTaken(ctx)
  const model = given.modelId ? await usableModel(ctx, given.modelId) : undefined
  const family = familyGiven(model && !given.family && !given.category && !given.type ? { family: model.family } : given)
  if (model && model.family !== family.key)
    throw new AppError('invalidInput', `型号 ${model.name} 不是${family.name}`, { field: 'modelId' })
  if (given.providerId) await requireProvider(ctx, given.providerId)
  const access = await accessOf(ctx, given.access ?? { protocol: 'http' }, given.deviceSn, projectCode)
  const ofModel = model ? paramsToFill(model.params, given.params) : undefined
  const params = withPlainPlate({ ...ofModel, ...given.params, ...paramsFrom(family, access.stored) })
  checkParams(family, params)
  const id = ctx.newId()
  const now = new Date(ctx.clock.now())
  // A reviewer's device goes into service at once. Devices of others, and of companies limited to their own machines, need a review.
  const status = ctx.codes.has('device-admin.audit') && !isLimitedAt(ctx, projectCode) ? '1' : '0'
  const ownerCorp = ownerOf(ctx, projectCode, given.ownerCorp)
  if (ownerCorp) await requireTakingPart(ctx, projectCode, ownerCorp)
  const numbers = numbersOf(given.deviceSn, access.stored.protocol, access.key, params)
  await guarded(
    ctx,
    numbers,
    sql`insert into device (id, project_code, name, device_sn, family, category, type, factory_name, brand_name, model_name, access, protocol, access_key, access_secret,
        gateway_id, params, interval_seconds, lng, lat, install_place, install_date, due_date, leader, status, direction, gate_role, create_time, create_by,
        factory_id, brand_id, model_id, provider_id, special_record_no, source, origin, apply_time, files, owner_corp)
      values (${id}, ${projectCode}, ${given.name}, ${given.deviceSn}, ${family.key}, ${String(family.code)}, ${given.type ?? null},
        ${model?.factoryName ?? given.factoryName ?? null}, ${model?.brandName ?? given.brandName ?? null}, ${model?.name ?? given.modelName ?? null},
        ${JSON.stringify(access.stored)}::jsonb, ${access.stored.protocol}, ${access.key}, ${access.secret ? ctx.secrets.seal(access.secret) : null},
        ${access.stored.gatewayId ?? null}, ${JSON.stringify(params)}::jsonb, ${given.intervalSeconds ?? family.intervalSeconds}, ${given.lng ?? null}, ${given.lat ?? null},
        ${given.installPlace ?? null}, ${given.installDate ?? null}, ${given.dueDate ?? null}, ${given.leader ?? null}, ${status}, ${textParam(params, 'direction')},
        ${textParam(params, 'role')}, ${now}, ${ctx.user.name}, ${model?.factoryId ?? null}, ${model?.brandId ?? null}, ${model?.id ?? null}, ${given.providerId ?? null},
        ${given.specialRecordNo ?? null}, ${from.source}, ${from.origin}, ${now}, ${given.files ?? []}, ${ownerCorp})`.execute(ctx.db),
  )
  await tellPoller(ctx, id, access.stored, numbers, model?.registers ?? [])
  if (given.dueDate) await keepServiceDue(ctx, { id, projectCode }, given.dueDate)
  if (access.stored.protocol === 'jt808') await letRegister(ctx, id)
  await sql`delete from unregistered_device where identifier = any (${[given.deviceSn, access.key]}) and reason <> ${takenReason}`.execute(
    ctx.db,
  )
  await noteChange(ctx, { subject: 'device', id, projectCode, act: status === '1' ? '登记并启用' : '提交登记' })
  await askReview(ctx, id)
  return { id, status, password: access.isNew && access.secret ? access.secret : undefined }
}

/** The owner of a machine must be a company on the site. Throws AppError `invalidInput` at `ownerCorp`. */
export async function requireTakingPart(ctx: Pick<Context, 'db'>, projectCode: string, corpCode: string): Promise<void> {
  const { rows } =
    await sql`select 1 from project_corp where project_code = ${projectCode} and corp_code = ${corpCode} and exit_time is null`.execute(
      ctx.db,
    )
  if (rows.length === 0) throw new AppError('invalidInput', '产权单位不是该项目的在场参建单位', { field: 'ownerCorp' })
}

export const numbersOf = (deviceSn: string, protocol: string, accessKey: string, params: Record<string, unknown>): Numbers => ({
  deviceSn,
  protocol,
  accessKey,
  camera: textParam(params, 'gbDeviceId'),
})

/** Writes a polled device and its registers to the poller's list. */
export async function tellPoller(
  ctx: Context,
  id: string,
  access: DeviceAccess,
  numbers: Numbers,
  registers: Parameters<typeof pollMapOf>[0],
): Promise<void> {
  if (access.protocol !== 'poll') {
    await sql`delete from poll_device where id = ${id}`.execute(ctx.db)
    return
  }
  await guarded(
    ctx,
    numbers,
    sql`insert into poll_device (id, gateway_id, address, registers) values (${id}, ${access.gatewayId}, ${access.address}, ${JSON.stringify(pollMapOf(registers))}::jsonb)
      on conflict (id) do update set gateway_id = excluded.gateway_id, address = excluded.address,
        registers = case when ${registers.length > 0} then excluded.registers else poll_device.registers end`.execute(ctx.db),
  )
}

export async function usableModel(ctx: Pick<Context, 'db'>, id: string) {
  const model = await getModelRecord(ctx.db, id)
  if (model.enable !== '1') throw new AppError('invalidInput', `型号 ${model.name} 已停用，不能用于新设备`, { field: 'modelId' })
  return model
}

export async function requireProvider(ctx: Pick<Context, 'db'>, id: string): Promise<void> {
  const { rows } =
    await sql`select 1 from factory where id = ${id} and enable = '1' and roles && '{sale,rent,install,maintain}'::text[]`.execute(ctx.db)
  if (rows.length === 0) throw new AppError('invalidInput', '供应商不存在或已停用', { field: 'providerId' })
}

export interface Access {
  stored: DeviceAccess
  key: string
  secret?: string
  isNew?: boolean
}

/** Splits the access input: what is stored openly, the lookup key, and what is stored encrypted. */
export async function accessOf(
  ctx: Context,
  requested: calls.AccessInput,
  deviceSn: string,
  projectCode: string,
  before?: DeviceDetailRow,
): Promise<Access> {
  const { protocol } = requested
  const entry: Protocol = protocols[protocol]
  if ('gatewayId' in requested) await requireGateway(ctx, requested, projectCode, entry)
  if ('appId' in requested && requested.appId) await requireApp(ctx, requested.appId, projectCode)
  const kept = before?.protocol === protocol ? before : undefined
  const key = entry.keyOf(requested, deviceSn)
  return {
    stored: { protocol, ...entry.stored(requested, kept?.access as Record<string, unknown> | undefined) },
    key,
    ...passwordOf(entry, requested, kept?.accessKey === key),
  }
}

/** The password of a device that has one of its own: the given one, or a new one unless the device `keeps` its password. */
function passwordOf({ passwordLength }: Protocol, requested: calls.AccessInput, keeps: boolean): Pick<Access, 'secret' | 'isNew'> {
  if (passwordLength === undefined) return {}
  const given = 'password' in requested ? requested.password : undefined
  return { secret: given ?? (keeps ? undefined : newPassword(passwordLength)), isNew: !given }
}

async function requireGateway(
  ctx: Context,
  requested: { gatewayId: string; address?: string | undefined },
  projectCode: string,
  { gateway: kind }: Protocol,
): Promise<void> {
  const gateway = await getGatewayRow(ctx, requested.gatewayId)
  if (gateway.projectCode !== projectCode) throw new AppError('invalidInput', '网关属于另一个项目', { field: 'access.gatewayId' })
  if (kind !== 'polled') return
  if (gateway.connectionType.startsWith('mqtt')) throw new AppError('invalidInput', '该网关不是轮询网关', { field: 'access.gatewayId' })
  if (gateway.connectionType.startsWith('modbus') && !(Number(requested.address) >= 1 && Number(requested.address) <= 247))
    throw new AppError('invalidInput', 'Modbus 从站号应为 1～247', { field: 'access.address' })
}

async function requireApp(ctx: Context, id: string, projectCode: string): Promise<void> {
  const { rows } = await sql`select 1 from open_app where id = ${id} and project_code = ${projectCode}`.execute(ctx.db)
  if (rows.length === 0) throw new AppError('invalidInput', '开放应用不存在或不属于该项目', { field: 'access.appId' })
}

/** The family's parameters that the access settings determine. */
export const paramsFrom = (family: Family, access: DeviceAccess): Record<string, string> =>
  Object.fromEntries(Object.entries(paramsSaidByAccess(access)).filter(([key]) => family.params.some((p) => p.key === key)))

export function checkParams(family: Family, params: Record<string, unknown>): void {
  const [first] = paramErrors(family, params)
  if (first) throw new AppError('invalidInput', first.text, { field: `params.${first.key}` })
  if (JSON.stringify(params).length > 16_384) throw new AppError('invalidInput', '设备参数过长', { field: 'params' })
}

export const textParam = (params: Record<string, unknown>, key: string) =>
  typeof params[key] === 'string' ? (params[key] as string) : null

export async function closeAlarms(ctx: Context, ids: readonly string[]): Promise<void> {
  const now = new Date(ctx.clock.now())
  await sql`with closed as (
      update alarm set active = false, stale = false, clear_time = ${now}, clear_reason = 'deviceRemoved' where device_id = any (${[...ids]}) and active returning id, project_code)
    insert into alarm_log (id, alarm_id, project_code, at, event, text, by_name)
    select replace(gen_random_uuid()::text, '-', ''), id, project_code, ${now}, 'clear', '设备已移除', ${ctx.user.name} from closed`.execute(
    ctx.db,
  )
  await sql`delete from rule_state where device_id = any (${[...ids]})`.execute(ctx.db)
}

/** Deletes devices; readings, records and alarms stay for later investigations. */
export async function removeDevices(ctx: Context, ids: readonly string[]): Promise<void> {
  await endReviews(ctx, ids)
  await closeAlarms(ctx, ids)
  const { rows } = await sql<{
    id: string
    name: string
    projectCode: string
  }>`delete from device where id = any (${[...ids]}) returning id, name, project_code`.execute(ctx.db)
  for (const one of rows) await noteChange(ctx, { subject: 'device', id: one.id, projectCode: one.projectCode, act: `删除 ${one.name}` })
}

/** Moves a device to another site from now on. Earlier readings and their alarms stay with the old site. */
export async function moveDevice(
  ctx: Context,
  row: Pick<DeviceDetailRow, 'id' | 'name' | 'projectCode'>,
  toProject: string,
  move: { since?: number | undefined; reason: string },
): Promise<void> {
  const now = ctx.clock.now()
  const since = move.since ?? now
  if (since > now + 60_000) throw new AppError('invalidInput', '调拨时间不能晚于现在', { field: 'transfer.since' })
  if (since < now - 3_600_000 && ctx.group.type !== 0) throw new AppError('refused', '回溯调拨只能由平台办理', { field: 'transfer.since' })
  await sql`insert into device_move (id, device_id, device_name, from_project, to_project, at, since, by_name, reason)
    values (${ctx.newId()}, ${row.id}, ${row.name}, ${row.projectCode}, ${toProject}, ${new Date(now)}, ${new Date(since)}, ${ctx.user.name}, ${move.reason})`.execute(
    ctx.db,
  )
  await sql`update device_due set project_code = ${toProject} where device_id = ${row.id}`.execute(ctx.db)
  await sql`delete from gate_face where device_id = ${row.id}`.execute(ctx.db)
  await closeAlarms(ctx, [row.id])
}
