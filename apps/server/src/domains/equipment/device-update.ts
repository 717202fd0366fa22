import type * as deviceAccessCalls from '@zhugong/contract/equipment/device-access'
import { AppError } from '@zhugong/contract/kit/errors'
import { parseInstant } from '@zhugong/contract/kit/fields'
import { withPlainPlate } from '@zhugong/contract/kit/plate'
import { familyOf } from '@zhugong/contract/telemetry/families'
import { sql } from 'kysely'
import { type Context, oneProject, requireCode } from '#kit/context'
import { fileIdsOf, keptFiles } from '../files/public.ts'
import { noteChange } from './change-log.ts'
import { applyPending, changesOf, type keyPartOf } from './device-pending.ts'
import {
  accessOf,
  checkParams,
  familyGiven,
  type getDeviceRow,
  moveDevice,
  numbersOf,
  paramsFrom,
  requireProvider,
  requireTakingPart,
  tellPoller,
  textParam,
  usableModel,
} from './device-write.ts'
import { letRegister } from './registrations.ts'
import { keepServiceDue } from './service-due.ts'
import { guarded, requireFewTaken } from './taken-numbers.ts'

export type Row = Awaited<ReturnType<typeof getDeviceRow>>

export type Change = Omit<Parameters<typeof keyPartOf>[0], never>

/** What a review means for a change that waited: it is written, or dropped. */
export async function keepPending(ctx: Context, row: Row, passed: boolean, remark: string | undefined): Promise<void> {
  const body = applyPending(row)
  await sql`update device set pending = null, audit_time = ${new Date(ctx.clock.now())}, audit_by = ${ctx.user.name}, audit_remark = ${remark ?? null} where id = ${row.id}`.execute(
    ctx.db,
  )
  if (passed) await writeDevice(ctx, row, body)
  await noteChange(ctx, {
    subject: 'device',
    id: row.id,
    projectCode: row.projectCode,
    act: passed ? '变更审核通过' : '变更被驳回',
    detail: remark ? [{ label: '意见', before: null, after: remark }] : [],
  })
}

/** Writes what was given; answers a station's new password when one was made. */
export async function writeDevice(
  ctx: Context,
  row: Row,
  body: Change,
  auditState?: '1' | '2',
  auditRemark?: string,
): Promise<string | undefined> {
  if (Object.keys(body).every((key) => key === 'version') && !auditState) return undefined
  const projectCode = body.projectCode ?? row.projectCode
  const moves = projectCode !== row.projectCode
  if (moves) requireMove(ctx, row, body, projectCode)
  const { model, family } = await kindAfter(ctx, row, body)
  if (body.providerId) await requireProvider(ctx, body.providerId)
  const ownerCorp = pick(body.ownerCorp, row.ownerCorp)
  if (ownerCorp && (moves || ownerCorp !== row.ownerCorp)) await requireTakingPart(ctx, projectCode, ownerCorp)
  const deviceSn = body.deviceSn ?? row.deviceSn
  const renews = body.renewSecret && row.protocol === 'hj212' && !body.access
  if (body.renewSecret) requireCode(ctx, 'device-admin.secret')
  const asked = body.access ?? (deviceSn === row.deviceSn && !renews ? undefined : (row.access as deviceAccessCalls.AccessInput))
  const access = asked ? await accessOf(ctx, asked, deviceSn, projectCode, renews ? { ...row, accessKey: '' } : row) : undefined
  const derived = access || body.params ? paramsFrom(family, access?.stored ?? row.access) : undefined
  const merged = withPlainPlate({ ...row.params, ...body.params, ...derived })
  if (body.params) checkParams(family, body.params)
  const status = auditState ?? body.status ?? (row.status === '2' && !auditState ? '0' : row.status)
  const files = body.files ? await keptFiles(ctx, fileIdsOf(body.files), row.files) : row.files
  const now = new Date(ctx.clock.now())
  const linked =
    body.modelId === null
      ? { factoryId: null, brandId: null, id: null }
      : (model ?? { factoryId: row.factoryId, brandId: row.brandId, id: row.modelId })
  const numbers = numbersOf(deviceSn, access?.stored.protocol ?? row.protocol, access?.key ?? row.accessKey, merged)
  const isRenumbered =
    deviceSn !== row.deviceSn || numbers.accessKey !== row.accessKey || numbers.camera !== textParam(row.params, 'gbDeviceId')
  if (isRenumbered) await requireFewTaken(ctx)
  await guarded(
    ctx,
    numbers,
    sql`update device set name = ${body.name ?? row.name}, device_sn = ${deviceSn}, project_code = ${projectCode}, family = ${family.key}, category = ${String(family.code)},
        factory_name = ${model?.factoryName ?? pick(body.factoryName, row.factoryName)}, brand_name = ${model?.brandName ?? pick(body.brandName, row.brandName)},
        model_name = ${model?.name ?? pick(body.modelName, row.modelName)}, factory_id = ${linked.factoryId}, brand_id = ${linked.brandId}, model_id = ${linked.id},
        provider_id = ${pick(body.providerId, row.providerId)}, special_record_no = ${pick(body.specialRecordNo, row.specialRecordNo)}, owner_corp = ${ownerCorp}, files = ${files},
        access = ${JSON.stringify(access?.stored ?? row.access)}::jsonb, protocol = ${access?.stored.protocol ?? row.protocol}, access_key = ${access?.key ?? row.accessKey},
        access_secret = coalesce(${access?.secret ? ctx.secrets.seal(access.secret) : null}::bytea, access_secret),
        gateway_id = ${access ? (access.stored.gatewayId ?? null) : row.gatewayId}, params = ${JSON.stringify(merged)}::jsonb,
        interval_seconds = ${body.intervalSeconds ?? row.intervalSeconds}, lng = ${pick(body.lng, row.lng)}, lat = ${pick(body.lat, row.lat)},
        install_place = ${pick(body.installPlace, row.installPlace)}, install_date = ${pick(body.installDate, row.installDate)}, due_date = ${pick(body.dueDate, row.dueDate)},
        leader = ${pick(body.leader, row.leader)}, status = ${status}, direction = ${textParam(merged, 'direction')}, gate_role = ${textParam(merged, 'role')},
        audit_time = ${auditState ? now : row.auditTime}, audit_by = ${auditState ? ctx.user.name : row.auditBy}, audit_remark = ${auditState ? (auditRemark ?? null) : row.auditRemark},
        apply_time = ${row.status === '2' && !auditState ? now : row.applyTime}, update_time = ${now}, update_by = ${ctx.user.name}, version = version + 1
      where id = ${row.id}`.execute(ctx.db),
  )
  if (access || model) await tellPoller(ctx, row.id, access?.stored ?? row.access, numbers, model?.registers ?? [])
  // Another card in the terminal, or let into service only now: it has to register.
  const isReviewed = auditState === '1' && row.status === '0'
  const isElsewhere = access !== undefined && (access.stored.protocol !== row.protocol || access.key !== row.accessKey)
  if ((access?.stored ?? row.access).protocol === 'jt808' && (isReviewed || isElsewhere)) await letRegister(ctx, row.id)
  if (moves)
    await moveDevice(ctx, row, projectCode, {
      since: body.transfer?.since ? parseInstant(body.transfer.since) : undefined,
      reason: body.transfer?.reason ?? '',
    })
  if (body.dueDate !== undefined && body.dueDate !== row.dueDate) await keepServiceDue(ctx, { id: row.id, projectCode }, body.dueDate)
  await noteChange(ctx, {
    subject: 'device',
    id: row.id,
    projectCode,
    act: actOf(auditState, moves, body.status),
    detail: [...changesOf(row, body), ...(auditRemark ? [{ label: '意见', before: null, after: auditRemark }] : [])],
  })
  return access?.isNew ? access.secret : undefined
}

function requireMove(ctx: Context, row: Row, body: Change, projectCode: string): void {
  requireCode(ctx, 'device-admin.transfer')
  oneProject(ctx, projectCode)
  if ((row.protocol === 'mqtt' || row.protocol === 'poll') && !body.access)
    throw new AppError('invalidInput', '设备经网关接入，调拨时请选择新项目的网关', { field: 'access.gatewayId' })
}

/** What it is, and of which model, which must be one of its kind. */
async function kindAfter(ctx: Context, row: Row, body: Change) {
  const model = body.modelId ? await usableModel(ctx, body.modelId) : undefined
  const family = body.family || body.category ? familyGiven(body) : familyOf(row.family)
  if (!family) throw new AppError('invalidInput', '设备类别不存在', { field: 'family' })
  if (model && model.family !== family.key)
    throw new AppError('invalidInput', `型号 ${model.name} 不是${family.name}`, { field: 'modelId' })
  return { model, family }
}

function actOf(auditState: '1' | '2' | undefined, moves: boolean, status: Change['status']): string {
  if (auditState) return auditState === '1' ? '审核通过' : '驳回'
  if (moves) return '调拨'
  if (status) return status === '3' ? '停用' : '启用'
  return '修改'
}

export const pick = <T>(given: T | undefined, before: T): T => (given === undefined ? before : given)
