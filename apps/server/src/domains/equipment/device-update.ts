import type * as deviceAccessCalls from '@zhugong/contract/equipment/device-access'
import { AppError } from '@zhugong/contract/kit/errors'
import { parseInstant } from '@zhugong/contract/kit/fields'
import { withPlainPlate } from '@zhugong/contract/kit/plate'
import { protocolOf } from '@zhugong/contract/protocols/catalogue'
import { familyOf } from '@zhugong/contract/telemetry/families'
import { sql } from 'kysely'
import { changeRow } from '#kit/change-row'
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

/** Completes the review of a pending change: applies or discards it. */
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

/** Writes the given fields. Returns a station's new password if one was generated. */
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
  const renews = body.renewSecret && protocolOf(row.protocol)?.passwordLength !== undefined && !body.access
  if (body.renewSecret) requireCode(ctx, 'device-admin.secret')
  const requested = body.access ?? (deviceSn === row.deviceSn && !renews ? undefined : (row.access as deviceAccessCalls.AccessInput))
  const access = requested ? await accessOf(ctx, requested, deviceSn, projectCode, renews ? { ...row, accessKey: '' } : row) : undefined
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
    changeRow(ctx, 'device', {
      key: { id: row.id },
      version: row.version,
      noun: '设备',
      by: ctx.user.name,
      values: {
        name: body.name ?? row.name,
        deviceSn,
        projectCode,
        family: family.key,
        category: String(family.code),
        factoryName: model?.factoryName ?? pick(body.factoryName, row.factoryName),
        brandName: model?.brandName ?? pick(body.brandName, row.brandName),
        modelName: model?.name ?? pick(body.modelName, row.modelName),
        factoryId: linked.factoryId,
        brandId: linked.brandId,
        modelId: linked.id,
        providerId: pick(body.providerId, row.providerId),
        specialRecordNo: pick(body.specialRecordNo, row.specialRecordNo),
        ownerCorp,
        files,
        access: JSON.stringify(access?.stored ?? row.access),
        protocol: access?.stored.protocol ?? row.protocol,
        accessKey: access?.key ?? row.accessKey,
        accessSecret: sql`coalesce(${access?.secret ? ctx.secrets.seal(access.secret) : null}::bytea, access_secret)`,
        gatewayId: access ? (access.stored.gatewayId ?? null) : row.gatewayId,
        params: JSON.stringify(merged),
        intervalSeconds: body.intervalSeconds ?? row.intervalSeconds,
        lng: pick(body.lng, row.lng),
        lat: pick(body.lat, row.lat),
        installPlace: pick(body.installPlace, row.installPlace),
        installDate: pick(body.installDate, row.installDate),
        dueDate: pick(body.dueDate, row.dueDate),
        leader: pick(body.leader, row.leader),
        status,
        direction: textParam(merged, 'direction'),
        gateRole: textParam(merged, 'role'),
        auditTime: auditState ? now : row.auditTime,
        auditBy: auditState ? ctx.user.name : row.auditBy,
        auditRemark: auditState ? (auditRemark ?? null) : row.auditRemark,
        applyTime: row.status === '2' && !auditState ? now : row.applyTime,
      },
    }),
  )
  if (access || model) await tellPoller(ctx, row.id, access?.stored ?? row.access, numbers, model?.registers ?? [])
  // A new SIM card, or approval only now: the terminal must register again.
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

/** The family and model after the change; the model must belong to the family. */
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
