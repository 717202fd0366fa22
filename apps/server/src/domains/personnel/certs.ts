import { maskName } from '@zhugong/contract/kit/checks'
import { AppError } from '@zhugong/contract/kit/errors'
import { addYears } from '@zhugong/contract/kit/years'
import { auditStates, certRights, certTypes } from '@zhugong/contract/personnel/codes'
import { type CertRow, certRow } from '@zhugong/contract/personnel/paper-model'
import * as contract from '@zhugong/contract/personnel/papers'
import { expiringDays, kindDictionaryOf, licencesFor, licenceTypes } from '@zhugong/contract/personnel/rules'
import { dictName } from '@zhugong/contract/settings/dictionaries'
import { sql } from 'kysely'
import { changeRow } from '#kit/change-row'
import { addDays, formatDay, formatInstant } from '#kit/clock'
import type { Trail } from '#kit/columns'
import { type Context, found } from '#kit/context'
import { isUniqueViolation, type Row } from '#kit/db'
import { rowOf } from '#kit/row-of'
import type { HandlerOf, Serve } from '#kit/serve'
import { keptFiles, linksOf } from '../files/public.ts'
import { filedBy, getHeldWorker, getSeenWorker } from './store.ts'

export function certRoutes(serve: Serve) {
  serve(contract.workerCerts, workerCerts)
  serve(contract.saveCert, saveCert)
  serve(contract.saveCerts, saveCerts)
  serve(contract.removeCert, removeCert)
  serve(contract.auditCert, auditCert)
}

export const workerCerts: HandlerOf<typeof contract.workerCerts> = async ({ params }, ctx) => {
  const { until } = await getSeenWorker(ctx, params.id)
  const today = formatDay(ctx.clock.now())
  const rows = await ctx.db
    .selectFrom('workerCert')
    .selectAll()
    .where('workerId', '=', params.id)
    .where(filedBy(until))
    .orderBy('validEnd', (o) => o.asc().nullsLast())
    .orderBy('id')
    .execute()
  const stays = await ctx.db
    .selectFrom('projectWorker')
    .select('workType')
    .distinct()
    .where('workerId', '=', params.id)
    .where('exitTime', 'is', null)
    .execute()
  const list = rows.map((row) => toCert(ctx, row, today))
  const demands = stays.flatMap(({ workType }) => {
    const kinds = licencesFor(workType)
    if (!workType || kinds.length === 0) return []
    const current = list
      .filter((c) => isLicence(c.certType) && kinds.includes(c.specialType?.slice(0, 2) ?? '') && ['valid', 'expiring'].includes(c.state))
      .sort((a, b) => ((b.validEnd ?? '9') > (a.validEnd ?? '9') ? 1 : -1))[0]
    return [
      {
        workTypeName: dictName('workerType', workType) ?? workType,
        licence: `特种作业操作资格证 ${kinds.map((k) => dictName('specialCertType', k)).join(' 或 ')}`,
        met: current !== undefined,
        remark: current ? `有效至 ${current.validEnd ?? '长期'}` : '缺证',
      },
    ]
  })
  return { list, total: list.length, demands }
}

const saveCert: HandlerOf<typeof contract.saveCert> = async ({ body }, ctx) => {
  const { workerId, ...cert } = body
  const worker = await getHeldWorker(ctx, workerId)
  const id = await upsertCert(ctx, worker.id, cert)
  ctx.note(`保存证书 ${body.name}：${maskName(worker.name)}`, id)
  return { id }
}

const saveCerts: HandlerOf<typeof contract.saveCerts> = async ({ body }, ctx) => {
  const worker = await getHeldWorker(ctx, body.workerId)
  const ids: string[] = []
  for (const [i, cert] of body.list.entries()) {
    try {
      ids.push(await upsertCert(ctx, worker.id, cert))
    } catch (error) {
      if (error instanceof AppError && typeof error.detail?.field === 'string')
        throw new AppError(error.kind, `第 ${i + 1} 本：${error.message}`, { field: `list.${i}.${error.detail.field}` })
      throw error
    }
  }
  ctx.note(`批量保存证书 ${ids.length} 本：${maskName(worker.name)}`, worker.id)
  return { ids }
}

export const removeCert: HandlerOf<typeof contract.removeCert> = async ({ params }, ctx) => {
  const cert = await getCert(ctx, params.id)
  await getHeldWorker(ctx, cert.workerId)
  if (cert.auditStatus === auditStates.passed) throw new AppError('refused', '证书已审核通过，不能删除；失效请改为注销')
  await ctx.db.deleteFrom('workerCert').where('id', '=', cert.id).execute()
  ctx.note(`删除证书 ${cert.name}`, cert.id)
  return undefined
}

const auditCert: HandlerOf<typeof contract.auditCert> = async ({ body }, ctx) => {
  const cert = await getCert(ctx, body.id)
  await getHeldWorker(ctx, cert.workerId)
  if (cert.auditStatus !== auditStates.waiting) throw new AppError('refused', '当前状态不允许该操作')
  if ((cert.updateBy ?? cert.createBy) === ctx.user.id) throw new AppError('refused', '录入人不能审核自己录入的证书')
  await changeRow(ctx, 'workerCert', {
    key: { id: cert.id },
    version: cert.version,
    by: null,
    noun: '证书',
    values: { auditStatus: body.result },
  })
  ctx.note(`${body.result === auditStates.passed ? '通过' : '驳回'}证书 ${cert.name}${body.opinion ? `（${body.opinion}）` : ''}`, cert.id)
  return undefined
}

type CertColumns = Omit<Row<'workerCert'>, 'id' | 'workerId' | 'auditStatus' | 'files' | keyof Trail>
export interface CertInput extends CertColumns {
  id?: string | undefined
  files: string[]
}
const isLicence = (type: string) => (licenceTypes as readonly string[]).includes(type)

/** Default validity of special operation licences, in years (建质〔2008〕75号). */
const licenceYears = 2

function withDefaults(cert: CertInput): Omit<CertInput, 'id' | 'files'> {
  const { id: _id, files: _files, ...rest } = cert
  if (rest.validEnd || rest.certType !== certTypes.special) return rest
  return { ...rest, validEnd: addYears(rest.issueDate, licenceYears) }
}

/** Refuses a certificate number that another person has. Checked before the insert, since a failed insert aborts the transaction. */
async function requireFree(ctx: Context, cert: CertInput): Promise<void> {
  const taken = await ctx.system
    .selectFrom('workerCert as c')
    .innerJoin('worker as w', 'w.id', 'c.workerId')
    .select(['c.id', 'w.id as workerId', 'w.name'])
    .where('c.certType', '=', cert.certType)
    .where('c.certNo', '=', cert.certNo)
    .executeTakeFirst()
  if (!taken || taken.id === cert.id) return
  // The holder is named only when visible to the caller.
  const seen = await ctx.db
    .selectFrom('worker')
    .select('id')
    .where('id', '=', taken.workerId)
    .where(sql<boolean>`(${ctx.scope.all} or zg_holds_worker(id))`)
    .executeTakeFirst()
  throw new AppError('refused', `该证书编号已登记在${seen ? ` ${maskName(taken.name)} ` : '他人'}名下`, { field: 'certNo' })
}

export async function insertCert(ctx: Context, workerId: string, cert: CertInput): Promise<string> {
  await requireFree(ctx, cert)
  const id = ctx.newId()
  try {
    await ctx.db
      .insertInto('workerCert')
      .values({
        ...withDefaults(cert),
        id,
        workerId,
        files: JSON.stringify(await keptFiles(ctx, cert.files)),
        createBy: ctx.user.id,
      })
      .execute()
  } catch (error) {
    if (isUniqueViolation(error)) throw new AppError('refused', '该证书编号已登记', { field: 'certNo' })
    throw error
  }
  return id
}

/** A changed certificate goes back to review. */
async function upsertCert(ctx: Context, workerId: string, cert: CertInput): Promise<string> {
  if (!cert.id) return insertCert(ctx, workerId, cert)
  const before = await getCert(ctx, cert.id)
  if (before.workerId !== workerId) throw new AppError('notFound', '证书不存在或已删除')
  await requireFree(ctx, cert)
  await changeRow(ctx, 'workerCert', {
    key: { id: cert.id },
    version: before.version,
    noun: '证书',
    by: ctx.user.id,
    values: { ...withDefaults(cert), files: JSON.stringify(await keptFiles(ctx, cert.files, before.files)), auditStatus: '0' },
  })
  return cert.id
}

async function getCert(ctx: Pick<Context, 'db'>, id: string) {
  return found(await ctx.db.selectFrom('workerCert').selectAll().where('id', '=', id).executeTakeFirst(), '证书')
}

function stateOf(c: Row<'workerCert'>, today: string): CertRow['state'] {
  // A refused, cancelled or suspended certificate never counts, whatever its dates.
  if (c.auditStatus === auditStates.refused || c.status === certRights.cancelled || c.status === certRights.withheld) return 'void'
  if (c.auditStatus === auditStates.waiting) return 'pending'
  if (c.status === certRights.expired || (c.validEnd && c.validEnd < today)) return 'expired'
  return c.validEnd && c.validEnd <= addDays(today, expiringDays) ? 'expiring' : 'valid'
}

export function toCert(ctx: Pick<Context, 'secrets' | 'clock' | 'user'>, c: Row<'workerCert'>, today: string): CertRow {
  const kinds = kindDictionaryOf[c.certType]
  return rowOf(certRow, c, {
    certTypeName: dictName('certType', c.certType),
    specialTypeName: kinds ? dictName(kinds, c.specialType) : c.specialType,
    levelName: c.certType === certTypes.title ? dictName('titleLevel', c.level) : dictName('certLevel', c.level),
    statusName: dictName('certStatus', c.status),
    auditStatusName: dictName('auditStatus', c.auditStatus),
    files: linksOf(ctx, c.files),
    state: stateOf(c, today),
    own: (c.updateBy ?? c.createBy) === ctx.user.id,
    createTime: formatInstant(c.createTime),
    updateTime: c.updateTime ? formatInstant(c.updateTime) : null,
  })
}
