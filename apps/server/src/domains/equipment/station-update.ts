import type * as calls from '@zhugong/contract/equipment/gateway-endpoints'
import { paramsSaidByAccess } from '@zhugong/contract/equipment/said-by-access'
import type { ParsedFor } from '@zhugong/contract/kit/endpoint'
import { AppError } from '@zhugong/contract/kit/errors'
import { parseInstant } from '@zhugong/contract/kit/fields'
import { segmentLimits } from '@zhugong/contract/protocols/hj212'
import { familyOf } from '@zhugong/contract/telemetry/families'
import { sql } from 'kysely'
import { changeRow, conflictOf } from '#kit/change-row'
import { formatInstant } from '#kit/clock'
import { type Context, oneProject, requireCode } from '#kit/context'
import { holdItem } from '../workflow/public.ts'
import { type Difference, noteChange } from './change-log.ts'
import { accessKind, askReview } from './device-flow.ts'
import { moveDevice, usableModel } from './device-write.ts'
import { checkCodes, particulates } from './station-codes.ts'
import { newStationPassword } from './station-password.ts'
import { getStationRow } from './station-store.ts'
import type { DeviceAccess } from './tables.ts'
import { guarded, requireFewTaken } from './taken-numbers.ts'

type Update = ParsedFor<typeof calls.updateGateway> extends { body: infer B } ? B : never

type StationRow = Awaited<ReturnType<typeof getStationRow>>
/** The new model; null for none, undefined if unchanged. */
type NewModel = Awaited<ReturnType<typeof usableModel>> | null | undefined

export async function updateStation(ctx: Context, id: string, body: Update): Promise<{ id: string; secret?: string }> {
  await holdItem(ctx, accessKind, id)
  const row = await getStationRow(ctx, id)
  if (body.version !== undefined && body.version !== row.version) throw await conflictOf(ctx, 'device', { id: row.id }, '环境网关')
  const { station, modelMatch, projectMatch } = body
  if (modelMatch) checkCodes(familyOf(row.family), modelMatch.codes)
  const access = accessAfter(row, body, formatInstant(ctx.clock.now()))
  const model = await newModelOf(ctx, row, modelMatch?.modelId)
  if (body.renewSecret) requireCode(ctx, 'device-admin.secret')
  const secret = body.renewSecret ? newStationPassword() : undefined
  let projectCode = row.projectCode
  if (projectMatch && projectMatch.projectCode !== row.projectCode) {
    requireCode(ctx, 'device-admin.transfer')
    projectCode = oneProject(ctx, projectMatch.projectCode)
  }
  await writeDevice(ctx, row, body, { access, model, secret, projectCode })
  if (station?.sm4Key || station?.firstActions) await writeStation(ctx, row.id, station)
  if (projectCode !== row.projectCode)
    await moveDevice(ctx, row, projectCode, {
      since: projectMatch?.since ? parseInstant(projectMatch.since) : undefined,
      reason: projectMatch?.reason ?? '',
    })
  await askReview(ctx, row.id)
  await noteChange(ctx, {
    subject: 'device',
    id: row.id,
    projectCode,
    act: projectCode !== row.projectCode ? '调拨' : secret ? '重置密码' : modelMatch ? '修改型号匹配' : '修改接入',
    detail: differences(row, body, model),
  })
  ctx.note(secret ? `重置监测站密码 ${row.name}` : `修改环境网关 ${row.name}`, row.id)
  return { id: row.id, secret: secret || undefined }
}

function accessAfter(row: StationRow, { station, modelMatch }: Update, now: string): DeviceAccess {
  const access: DeviceAccess = { ...row.access }
  if (station?.units) access.units = station.units
  if (station?.crcMode) access.crcMode = station.crcMode
  if (station?.maxLength) access.maxLength = station.maxLength
  if (station?.mn) access.mn = station.mn
  if (modelMatch) {
    access.codes = modelMatch.codes
    // Codes apply from now on; stored readings are not recomputed.
    access.codesSince = now
  }
  return access
}

async function newModelOf(ctx: Context, row: StationRow, modelId: string | null | undefined): Promise<NewModel> {
  if (modelId === undefined || modelId === null) return modelId
  const model = await usableModel(ctx, modelId)
  if (
    familyOf(row.family) &&
    (await sql`select 1 from model where id = ${model.id} and family = ${row.family}`.execute(ctx.db)).rows.length === 0
  )
    throw new AppError('invalidInput', `型号 ${model.name} 不是环境监测设备`, { field: 'modelMatch.modelId' })
  return model
}

/** The changed fields for the station's history. */
function differences(row: StationRow, { name, station, modelMatch }: Update, model: NewModel): Difference[] {
  const detail: Difference[] = []
  const change = (label: string, before: unknown, after: unknown) => {
    if (JSON.stringify(before ?? null) !== JSON.stringify(after ?? null))
      detail.push({
        label,
        before: before === undefined || before === null ? null : String(before),
        after: after === null ? null : String(after),
      })
  }
  const { access } = row
  if (station?.units) for (const metric of particulates) change(`${metric} 单位`, access.units?.[metric], station.units[metric])
  if (station?.crcMode) change('校验方式', access.crcMode ?? 'standard', station.crcMode)
  if (station?.maxLength) change('最大长度', access.maxLength ?? segmentLimits.standard, station.maxLength)
  if (station?.mn) change('MN', access.mn, station.mn)
  if (modelMatch) change('型号匹配', Object.keys(access.codes ?? {}).length, Object.keys(modelMatch.codes).length)
  if (model !== undefined) change('型号', row.modelName, model?.name ?? null)
  change('名称', row.name, name ?? row.name)
  return detail
}

interface Written {
  access: DeviceAccess
  model: NewModel
  secret: string | undefined
  projectCode: string
}

async function writeDevice(ctx: Context, row: StationRow, body: Update, { access, model, secret, projectCode }: Written): Promise<void> {
  const mn = access.mn ?? row.accessKey
  if (mn !== row.accessKey) await requireFewTaken(ctx)
  await guarded(
    ctx,
    { deviceSn: '', protocol: access.protocol, accessKey: mn, camera: null },
    changeRow(ctx, 'device', {
      key: { id: row.id },
      version: row.version,
      noun: '设备',
      by: ctx.user.name,
      values: {
        name: body.name ?? row.name,
        projectCode,
        access: JSON.stringify(access),
        accessKey: mn,
        accessSecret: sql`coalesce(${secret ? ctx.secrets.seal(secret) : null}::bytea, access_secret)`,
        intervalSeconds: body.station?.intervalSeconds ?? row.intervalSeconds,
        modelId: model === undefined ? row.modelId : (model?.id ?? null),
        modelName: model === undefined ? row.modelName : (model?.name ?? null),
        factoryId: sql`case when ${model === undefined} then factory_id else ${model?.factoryId ?? null} end`,
        factoryName: sql`case when ${model === undefined} then factory_name else ${model?.factoryName ?? null} end`,
        brandId: sql`case when ${model === undefined} then brand_id else ${model?.brandId ?? null} end`,
        brandName: sql`case when ${model === undefined} then brand_name else ${model?.brandName ?? null} end`,
        params: sql`params || ${JSON.stringify(paramsSaidByAccess(access))}::jsonb`,
      },
    }),
  )
}

/** Stores the fields that only HJ 212 stations have. */
async function writeStation(ctx: Context, id: string, { sm4Key, firstActions }: NonNullable<Update['station']>): Promise<void> {
  await sql`insert into hj212_station (id, sm4_key, first_actions) values (${id}, ${sm4Key ? ctx.secrets.seal(sm4Key) : null},
      ${JSON.stringify(firstActions ?? {})}::jsonb)
    on conflict (id) do update set sm4_key = coalesce(excluded.sm4_key, hj212_station.sm4_key),
      first_actions = case when ${firstActions !== undefined} then excluded.first_actions else hj212_station.first_actions end`.execute(
    ctx.db,
  )
}
