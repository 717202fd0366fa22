import type { auditDriver, changeDriver, createDriver, removeDriver, sendDriver } from '@zhugong/contract/drivers/calls'
import { checksOf, driverTypes, failing } from '@zhugong/contract/drivers/rules'
import type { ParsedFor } from '@zhugong/contract/kit/endpoint'
import { AppError } from '@zhugong/contract/kit/errors'
import { sql } from 'kysely'
import { asProduct, type BackgroundDependencies } from '#kit/background'
import { changeRow } from '#kit/change-row'
import { formatDay } from '#kit/clock'
import { type Context, oneProject } from '#kit/context'
import { isUniqueViolation } from '#kit/db'
import type { HandlerOf } from '#kit/serve'
import { putOperator, takeOperator } from '../equipment/public.ts'
import { tellKeepers } from '../notify/public.ts'
import { forgetRecord, replaceTodos, take, writeLog } from '../process/public.ts'
import { type Driver, driverKind, driverKindName, driverPage, readDriverRow } from './kind.ts'

type Fields = Omit<ParsedFor<typeof createDriver>['body'], 'projectCode'>
const refuse = (field: string, message: string) => new AppError('invalidInput', message, { field })

/** Last day of a licence without an end. */
const forEver = '9999-12-31'

interface File {
  corpCode: string
  name: string
  idCardMask: string
  phoneMask: string | null
  certNo: string
  certType: string | null
  validEnd: string | null
  files: unknown[]
}

/** What a person's own file says: identity and licence are never typed again. @throws AppError `invalidInput` at the field */
async function fileOf(ctx: Context, projectCode: string, { workerId, certId, driverType }: Fields) {
  const { rows } =
    await sql<File>`select pw.corp_code, pw.worker_name as name, pw.id_card_mask, pw.cell_phone_mask as phone_mask, c.cert_no,
      c.special_type as cert_type, c.valid_end, c.files
    from project_worker pw join worker_cert c on c.worker_id = pw.worker_id and c.id = ${certId}
    where pw.project_code = ${projectCode} and pw.worker_id = ${workerId} and pw.exit_time is null limit 1`.execute(ctx.db)
  const file = rows[0]
  if (!file) throw refuse('workerId', '人员不在本项目场内，或证书不是本人的')
  const certValidEnd = file.validEnd ?? forEver
  const certType = file.certType ?? ''
  const today = formatDay(ctx.clock.now())
  const wrong = failing(checksOf({ driverType, certType, certValidEnd, realName: true, onSite: true, listed: false }, today))
  if (wrong) throw refuse('certId', `证书${wrong}`)
  const { corpCode, name, idCardMask, phoneMask, certNo, files } = file
  const certFiles = files.filter((one): one is string => typeof one === 'string')
  return { corpCode, name, idCardMask, phoneMask, certNo, certType, certValidEnd, certFiles }
}

/** Machines of the project that fit the type. @throws AppError `invalidInput` at the field */
async function requireMachines(ctx: Context, projectCode: string, { deviceIds, driverType }: Fields): Promise<string[]> {
  const wanted = [...new Set(deviceIds)]
  const families = driverTypes[driverType]?.families ?? []
  const { rows } = await sql<{
    id: string
  }>`select id from device where id = any (${wanted}) and project_code = ${projectCode} and status = '1'
    and family = any (${[...families]})`.execute(ctx.db)
  if (rows.length < wanted.length) throw refuse('deviceIds', '设备不在本项目使用，或与人员类型不符')
  return wanted
}

async function writeDevices(ctx: Context, row: Driver, deviceIds: readonly string[]): Promise<void> {
  const { projectCode, corpCode, shownAt, groups } = row
  await sql`delete from machine_driver_device where driver_id = ${row.id}`.execute(ctx.db)
  for (const deviceId of deviceIds)
    await ctx.db
      .insertInto('machineDriverDevice')
      .values({ id: ctx.newId(), driverId: row.id, deviceId, projectCode, corpCode, shownAt, groups })
      .execute()
}

export async function devicesOf(ctx: Pick<Context, 'db'>, driverId: string): Promise<string[]> {
  const { rows } = await sql<{ deviceId: string }>`select device_id from machine_driver_device where driver_id = ${driverId}
    order by device_id`.execute(ctx.db)
  return rows.map((one) => one.deviceId)
}

export const createDriverRow: HandlerOf<typeof createDriver> = async ({ body }, ctx) => {
  const { projectCode: named, ...fields } = body
  const projectCode = oneProject(ctx, named)
  const known = await sql<{
    id: string
  }>`select id from machine_driver where project_code = ${projectCode} and worker_id = ${fields.workerId}
    and driver_type = ${fields.driverType}`.execute(ctx.db)
  const twin = known.rows[0]
  if (twin) throw new AppError('refused', '该人员已按此类型登记', { field: 'workerId', link: driverPage(twin.id), id: twin.id })
  const file = await fileOf(ctx, projectCode, fields)
  const deviceIds = await requireMachines(ctx, projectCode, fields)
  const id = ctx.newId()
  const now = new Date(ctx.clock.now())
  const { workerId, driverType, certId } = fields
  await ctx.db
    .insertInto('machineDriver')
    .values({ id, projectCode, shownAt: now, groups: [], workerId, driverType, certId, ...file, createBy: ctx.user.id, createTime: now })
    .execute()
    .catch((error: unknown) => {
      throw isUniqueViolation(error) ? new AppError('refused', '该人员已按此类型登记', { field: 'workerId' }) : error
    })
  const row = await driverKind.lock(ctx, id)
  await writeDevices(ctx, row, deviceIds)
  await writeLog(ctx, driverKindName, row, { action: 'create', from: null, to: row.state })
  await replaceTodos(ctx, driverKind, row)
  ctx.note('登记司机', id)
  return { id, version: row.version }
}

/** What was passed stays on the machines until the change is decided. */
export const changeDriverRow: HandlerOf<typeof changeDriver> = async ({ params: { id }, body }, ctx) => {
  const { version, ...fields } = body
  const after = await take(ctx, driverKind, { id, action: 'change', version }, async (row) => {
    if (fields.workerId !== row.workerId || fields.driverType !== row.driverType) throw refuse('workerId', '人员和类型不能更换，请另行登记')
    const file = await fileOf(ctx, row.projectCode, fields)
    const deviceIds = await requireMachines(ctx, row.projectCode, fields)
    const dropped = (await devicesOf(ctx, id)).filter((one) => !deviceIds.includes(one))
    await takeOperator(ctx, { workerId: row.workerId, deviceIds: dropped }, '不再操作该设备')
    await writeDevices(ctx, { ...row, corpCode: file.corpCode }, deviceIds)
    return { values: { ...file, certId: fields.certId, auditRemark: null, endedAt: null }, opinion: '修改后重新审核' }
  })
  return { id, version: after.version }
}

export const auditDriverRow: HandlerOf<typeof auditDriver> = async ({ params: { id }, body }, ctx) => {
  const { auditStatus, auditRemark } = body
  const action = auditStatus === '1' ? 'pass' : 'reject'
  if (action === 'reject' && !auditRemark) throw refuse('auditRemark', '驳回须填写审核意见')
  const version = body.version ?? (await readDriverRow(ctx, id)).version
  const after = await take(ctx, driverKind, { id, action, version }, async (row) => {
    const deviceIds = await devicesOf(ctx, id)
    if (action === 'reject') {
      await takeOperator(ctx, { workerId: row.workerId, deviceIds }, '审核驳回')
      return { values: { auditRemark }, opinion: auditRemark }
    }
    const { onSite, listed } = await standingOf(ctx, row)
    const { driverType, certType, certValidEnd, projectCode, corpCode, workerId } = row
    const wrong = failing(checksOf({ driverType, certType, certValidEnd, realName: true, onSite, listed }, formatDay(ctx.clock.now())))
    if (wrong) throw new AppError('refused', `不能通过：${wrong}`)
    await putOperator(ctx, { projectCode, corpCode, workerId, deviceIds })
    return { values: { auditRemark, endedAt: null }, opinion: auditRemark }
  })
  if (action === 'reject')
    await tellKeepers(ctx, {
      projectCode: after.projectCode,
      corpCode: after.corpCode,
      code: 'safety-management.driverEdit',
      title: `司机登记被驳回：${after.name}`,
      text: auditRemark ?? '',
      link: driverPage(id),
      kind: 'due',
    })
  return { id, version: after.version }
}

export async function standingOf(ctx: Pick<Context, 'db'>, { projectCode, workerId }: Pick<Driver, 'projectCode' | 'workerId'>) {
  const { rows } = await sql<{ listed: boolean }>`select black_hit as listed from project_worker where project_code = ${projectCode}
    and worker_id = ${workerId} and exit_time is null limit 1`.execute(ctx.db)
  return { onSite: rows.length > 0, listed: rows[0]?.listed ?? false }
}

export const sendDriverRow: HandlerOf<typeof sendDriver> = async ({ params: { id } }, ctx) => {
  const { version } = await readDriverRow(ctx, id)
  const after = await take(ctx, driverKind, { id, action: 'send', version }, async ({ projectCode, corpCode, workerId, endedAt }) => {
    if (endedAt) throw new AppError('refused', '证书已到期，请先更新证书并重新审核')
    await putOperator(ctx, { projectCode, corpCode, workerId, deviceIds: await devicesOf(ctx, id) })
    return {}
  })
  return { id, version: after.version }
}

export const removeDriverRow: HandlerOf<typeof removeDriver> = async ({ query: { id } }, ctx) => {
  const row = await driverKind.lock(ctx, id)
  await takeOperator(ctx, { workerId: row.workerId, deviceIds: await devicesOf(ctx, id) }, '司机登记已删除')
  await forgetRecord(ctx, driverKindName, id)
  await sql`delete from machine_driver where id = ${id}`.execute(ctx.db)
  ctx.note(`删除司机 ${row.name}`, id)
  return undefined
}

const atOnce = 200
/** Nightly: takes drivers off their machines whose licence has ended. Returns the number. */
export async function endLicences(deps: BackgroundDependencies): Promise<number> {
  const today = formatDay(deps.clock.now())
  const { rows } = await sql<{ id: string }>`select id from machine_driver where state = '1' and ended_at is null
    and cert_valid_end < ${today}::date order by cert_valid_end, id limit ${atOnce}`.execute(deps.db)
  for (const { id } of rows)
    await asProduct(deps, { userId: '', name: '系统', groupId: '' }, async (ctx) => {
      const row = await driverKind.lock(ctx, id)
      if (row.state !== '1' || row.endedAt !== null || row.certValidEnd >= today) return
      const values = { endedAt: new Date(ctx.clock.now()) }
      await changeRow(ctx, 'machineDriver', { key: { id }, version: row.version, noun: driverKind.noun, by: null, values })
      await takeOperator(ctx, { workerId: row.workerId, deviceIds: await devicesOf(ctx, id) }, '操作证已到期')
      await writeLog(ctx, driverKindName, row, {
        action: 'ended',
        from: row.state,
        to: row.state,
        opinion: `证书有效期至 ${row.certValidEnd}`,
      })
      await tellKeepers(ctx, {
        projectCode: row.projectCode,
        corpCode: row.corpCode,
        code: 'safety-management.driverEdit',
        title: `操作证到期：${row.name}`,
        text: `证书有效期至 ${row.certValidEnd}，已从设备撤回`,
        link: driverPage(id),
        kind: 'due',
      })
    })
  return rows.length
}
