import { maskIdCard, maskPhone } from '@zhugong/contract/kit/checks'
import { isOn } from '@zhugong/contract/kit/enable'
import { AppError } from '@zhugong/contract/kit/errors'
import * as contract from '@zhugong/contract/organisation/corporations'
import type { CorporationDetail, CorporationRow } from '@zhugong/contract/organisation/model'
import { areaName, dictName } from '@zhugong/contract/settings/dictionaries'
import { sql } from 'kysely'
import { addDays, formatDay, formatInstant } from '#kit/clock'
import { type Context, found, groupTypes } from '#kit/context'
import { isUniqueViolation, type Row } from '#kit/db'
import {
  allOf,
  anyOf,
  between,
  type Condition,
  condition,
  contains,
  daysBetween,
  equals,
  inAreas,
  instantsBetween,
  orderBy,
  pageSlice,
} from '#kit/list'
import type { HandlerOf, Serve } from '#kit/serve'
import { exportOf } from '../exports/registry.ts'
import { keptFiles, linkOf } from '../files/public.ts'
import { isOfArea } from './registration.ts'

/** A safety licence ending within this many days is worth a warning (entities.md, 企业). */
const licenceWarningDays = 90

export function corporationRoutes(serve: Serve) {
  serve(contract.listCorporations, listCorporations)
  serve(contract.corporationFigures, corporationFigures)
  serve(contract.pickCorporations, pickCorporations)
  serve(contract.findCorporation, findCorporation)
  serve(contract.getCorporation, getCorporation)
  serve(contract.createCorporation, createCorporation)
  serve(contract.updateCorporation, updateCorporation)
  serve(contract.removeCorporation, removeCorporation)
  serve(contract.switchCorporation, switchCorporation)
}

export const listCorporations: HandlerOf<typeof contract.listCorporations> = async ({ query }, ctx) => {
  const { limit, offset } = pageSlice(query)
  const where = conditions(query)
  const { rows } =
    await sql<RawCorporation>`select * from (${select}) c where ${where} order by ${order(query.sort)} limit ${limit} offset ${offset}`.execute(
      ctx.db,
    )
  return { list: rows.map(toRow), total: await count(ctx, where) }
}

const corporationFigures: HandlerOf<typeof contract.corporationFigures> = async (_input, ctx) => {
  const today = formatDay(ctx.clock.now())
  const { rows } = await sql<{ total: number; licenceEnding: number; licenceEnded: number; incomplete: number }>`
      select count(*)::int as total,
        count(*) filter (where safety_license_end between ${today}::date and ${addDays(today, licenceWarningDays)}::date)::int as licence_ending,
        count(*) filter (where safety_license_end < ${today}::date)::int as licence_ended,
        count(*) filter (where license_file is null or link_phone is null or (corp_kind @> '{4}' and safety_license_no is null))::int as incomplete
      from corporation`.execute(ctx.db)
  return rows[0] ?? { total: 0, licenceEnding: 0, licenceEnded: 0, incomplete: 0 }
}

const pickCorporations: HandlerOf<typeof contract.pickCorporations> = async ({ query }, ctx) => {
  const rows = await ctx.db
    .selectFrom('corporation')
    .select(['corpCode', 'corpName', 'areaCode'])
    .where('enable', '=', '1')
    .where(allOf(...contains('corpName', query.name)))
    .orderBy('corpName')
    .limit(200)
    .execute()
  return { list: rows.map((r) => ({ code: r.corpCode, name: r.corpName, areaCode: r.areaCode })), total: rows.length }
}

const findCorporation: HandlerOf<typeof contract.findCorporation> = async ({ query }, ctx) => {
  const visible = await ctx.db.selectFrom('corporation').select('corpName').where('corpCode', '=', query.corpCode).executeTakeFirst()
  // The library as a whole is not for browsing, but whoever knows the exact code may learn that the company is in it, and its name.
  const known =
    visible ?? (await ctx.system.selectFrom('corporation').select('corpName').where('corpCode', '=', query.corpCode).executeTakeFirst())
  return { found: known !== undefined, corpCode: query.corpCode, corpName: known?.corpName ?? null, visible: visible !== undefined }
}

export const getCorporation: HandlerOf<typeof contract.getCorporation> = ({ params }, ctx) => detail(ctx, params.corpCode)

export const createCorporation: HandlerOf<typeof contract.createCorporation> = async ({ body }, ctx) => {
  if (!body.legalManIdCardNumber) throw new AppError('invalidInput', '请填写法人证件号', { field: 'legalManIdCardNumber' })
  if (!body.linkPhone) throw new AppError('invalidInput', '请填写联系人电话', { field: 'linkPhone' })
  await requireLicence(ctx, body.licenseFile, null)
  try {
    await ctx.db
      .insertInto('corporation')
      .values({ ...sealed(ctx, body), id: ctx.newId(), corpCode: body.corpCode, createBy: ctx.user.id, ownerGroup: ctx.group.id })
      .execute()
  } catch (error) {
    if (isUniqueViolation(error)) throw new AppError('refused', '该统一社会信用代码的企业已在库中', { field: 'corpCode' })
    throw error
  }
  ctx.note(`新增企业 ${body.corpName}`, body.corpCode)
  return { corpCode: body.corpCode }
}

export const updateCorporation: HandlerOf<typeof contract.updateCorporation> = async ({ params, body }, ctx) => {
  const before = await getRaw(ctx, params.corpCode)
  if (!mayEdit(ctx, before)) throw new AppError('forbidden', '只有平台和企业本身可以修改企业档案')
  await requireLicence(ctx, body.licenseFile, before.licenseFile)
  const done = await ctx.db
    .updateTable('corporation')
    .set({ ...sealed(ctx, body), updateTime: new Date(ctx.clock.now()), updateBy: ctx.user.id, version: before.version + 1 })
    .where('corpCode', '=', params.corpCode)
    .where('version', '=', body.version ?? before.version)
    .executeTakeFirst()
  if (done.numUpdatedRows === 0n) throw new AppError('conflict', '企业档案已被他人修改，请刷新后重试')
  ctx.note(`修改企业 ${before.corpName}`, params.corpCode)
  return undefined
}

const removeCorporation: HandlerOf<typeof contract.removeCorporation> = async ({ params }, ctx) => {
  const row = await getRegulated(ctx, params.corpCode)
  await requireUnused(ctx, row)
  await ctx.db.deleteFrom('corporation').where('corpCode', '=', params.corpCode).execute()
  ctx.note(`删除企业 ${row.corpName}`, params.corpCode)
  return undefined
}

const switchCorporation: HandlerOf<typeof contract.switchCorporation> = async ({ body }, ctx) => {
  const row = await getRegulated(ctx, body.corpCode)
  await ctx.db.updateTable('corporation').set({ enable: body.status }).where('corpCode', '=', body.corpCode).execute()
  ctx.note(`${isOn(body.status) ? '启用' : '停用'}企业 ${row.corpName}`, body.corpCode)
  return undefined
}

type RawCorporation = Row<'corporation'> & { projectCount: number; onSite: number }

const select = sql`
  select c.*,
    (select count(distinct pc.project_code)::int from project_corp pc where pc.corp_code = c.corp_code) as project_count,
    (select count(*)::int from project_worker pw where pw.corp_code = c.corp_code and pw.exit_time is null) as on_site
  from corporation c`

const order = (sort: Filters['sort']) =>
  orderBy(
    sort,
    {
      corpName: 'c.corpName',
      corpCode: 'c.corpCode',
      createTime: 'c.createTime',
      creditScore: 'c.creditScore',
      safetyLicenseEnd: 'c.safetyLicenseEnd',
      projectCount: 'c.projectCount',
      onSite: 'c.onSite',
    },
    '-createTime',
    'c.corpCode',
  )

type Filters = Partial<NonNullable<(typeof contract.listCorporations)['types']>['parsed']['query']>

function conditions(query: Filters): Condition {
  const kinds = query.corpKind?.length ? [condition(sql`c.corp_kind && ${query.corpKind}`)] : []
  const quick = query.q ? [condition(sql`(${allOf(...contains('c.corpName', query.q))} or c.corp_code = ${query.q.toUpperCase()})`)] : []
  return allOf(
    ...contains('c.corpName', query.corpName),
    ...contains('c.corpCode', query.corpCode?.toUpperCase()),
    ...kinds,
    ...anyOf('c.corpType', query.corpType),
    ...inAreas('c.areaCode', query.areaCode),
    ...daysBetween('c.safetyLicenseEnd', query.safetyLicenseEnd),
    ...between('c.creditScore', query.creditScore),
    ...between('c.projectCount', query.projectCount),
    ...between('c.onSite', query.onSite),
    ...equals('c.enable', query.enable),
    ...instantsBetween('c.createTime', query.createTime),
    ...quick,
  )
}

async function count(ctx: Pick<Context, 'db'>, where: Condition): Promise<number> {
  const { rows } = await sql<{ n: number }>`select count(*)::int as n from (${select}) c where ${where}`.execute(ctx.db)
  return rows[0]?.n ?? 0
}

async function getRaw(ctx: Pick<Context, 'db'>, corpCode: string): Promise<RawCorporation> {
  const { rows } = await sql<RawCorporation>`select * from (${select}) c where corp_code = ${corpCode}`.execute(ctx.db)
  return found(rows[0], '企业')
}

/** A company that the asker may switch or remove: the platform any, an authority those of its area. */
async function getRegulated(ctx: Context, corpCode: string): Promise<RawCorporation> {
  const row = await getRaw(ctx, corpCode)
  if (!isOfArea(ctx, row.areaCode)) throw new AppError('forbidden', '只能办理注册地在本辖区的企业')
  return row
}

/** Parts and accounts out of the asker's sight count as well. */
async function requireUnused(ctx: Pick<Context, 'system'>, row: RawCorporation): Promise<void> {
  const { rows } = await sql<{ projects: number; accounts: number }>`
    select (select count(distinct p.project_code)::int from project p left join project_corp u using (project_code)
        where ${row.corpCode} in (u.corp_code, p.contractor_corp_code, p.build_corp_code)) as projects,
      (select count(*)::int from member m join tenant t on t.id = m.group_id where t.type = 2 and t.code = ${row.corpCode}) as accounts`.execute(
    ctx.system,
  )
  const { projects = 0, accounts = 0 } = rows[0] ?? {}
  if (projects > 0) throw new AppError('refused', `企业“${row.corpName}”参与过 ${projects} 个项目，不能删除`)
  if (accounts > 0) throw new AppError('refused', `企业“${row.corpName}”还有 ${accounts} 个账号，不能删除`)
}

const mayEdit = (ctx: Context, row: RawCorporation) =>
  ctx.codes.has('corporation.edit') &&
  (ctx.group.type === groupTypes.platform || (ctx.group.type === groupTypes.corporation && ctx.group.code === row.corpCode))

/** The body as columns: personal data sealed and masked; what was left out stays as it is. */
/** Whoever sees the company sees its licence: it may be no file that the one who names it does not see. */
async function requireLicence(ctx: Context, id: string | null | undefined, before: string | null): Promise<void> {
  if (id) await keptFiles(ctx, [id], [before], 'licenseFile')
}

function sealed(ctx: Pick<Context, 'secrets'>, body: Parameters<typeof toColumns>[0]) {
  return {
    ...toColumns(body),
    ...(body.legalManIdCardNumber
      ? {
          legalManIdCardNumber: ctx.secrets.seal(String(body.legalManIdCardNumber)),
          legalManIdCardMask: maskIdCard(String(body.legalManIdCardNumber)),
        }
      : {}),
    ...(body.linkPhone ? { linkPhone: ctx.secrets.seal(String(body.linkPhone)), linkPhoneMask: maskPhone(String(body.linkPhone)) } : {}),
  }
}
type CorporationInput = NonNullable<(typeof contract.createCorporation)['types']>['parsed']['body']
function toColumns(body: CorporationInput) {
  const { corpCode: _code, legalManIdCardNumber: _id, linkPhone: _phone, version: _version, ...rest } = body
  return rest
}

async function detail(ctx: Context, corpCode: string): Promise<CorporationDetail> {
  const c = await getRaw(ctx, corpCode)
  const parts = await sql<{
    id: string
    projectCode: string
    projectName: string
    prjStatus: string
    corpType: string
    entryTime: string
    exitTime: string | null
    onSite: number
    pmName: string
  }>`
    select pc.id, pc.project_code, p.name as project_name, p.prj_status, pc.corp_type, pc.entry_time, pc.exit_time, pc.pm_name,
      (select count(*)::int from project_worker pw where pw.project_code = pc.project_code and pw.corp_code = pc.corp_code and pw.exit_time is null) as on_site
    from project_corp pc join project p using (project_code) where pc.corp_code = ${corpCode} order by pc.entry_time desc, pc.id`.execute(
    ctx.db,
  )
  const trades = await sql<{ code: string | null; count: number }>`
    select work_type as code, count(*)::int as count from project_worker where corp_code = ${corpCode} and exit_time is null group by 1 order by 2 desc limit 12`.execute(
    ctx.db,
  )
  return {
    ...toRow(c),
    licenseNum: c.licenseNum,
    zipCode: c.zipCode,
    legalManDuty: c.legalManDuty,
    legalManProTitle: c.legalManProTitle,
    legalManIdCardType: c.legalManIdCardType,
    legalManIdCardNumber: c.legalManIdCardMask,
    regCapital: c.regCapital,
    factRegCapital: c.factRegCapital,
    capitalCurrencyType: c.capitalCurrencyType,
    registerDate: c.registerDate,
    establishDate: c.establishDate,
    officePhone: c.officePhone,
    faxNumber: c.faxNumber,
    email: c.email,
    webSite: c.webSite,
    licenseFile: c.licenseFile,
    licenseUrl: linkOf(ctx, c.licenseFile),
    canEdit: mayEdit(ctx, c),
    parts: parts.rows.map((p) => ({ ...p, corpTypeName: dictName('projectCorpType', p.corpType) })),
    trades: trades.rows.map((t) => ({
      code: t.code ?? '',
      name: t.code ? (dictName('workerType', t.code) ?? t.code) : '管理人员',
      count: t.count,
    })),
  }
}

function toRow(c: RawCorporation): CorporationRow {
  const missing = [
    ...(c.licenseFile ? [] : ['营业执照']),
    ...(c.linkPhone ? [] : ['联系电话']),
    ...(c.corpKind.includes('4') && !c.safetyLicenseNo ? ['安全生产许可证'] : []),
  ]
  return {
    id: c.id,
    corpCode: c.corpCode,
    corpName: c.corpName,
    corpType: c.corpType,
    corpTypeName: dictName('corpType', c.corpType),
    corpKind: c.corpKind,
    corpKindName: c.corpKind.map((k) => dictName('corpKind', k)).join('、'),
    areaCode: c.areaCode,
    areaName: areaName(c.areaCode),
    address: c.address,
    legalMan: c.legalMan,
    linkMan: c.linkMan,
    linkPhone: c.linkPhoneMask,
    safetyLicenseNo: c.safetyLicenseNo,
    safetyLicenseEnd: c.safetyLicenseEnd,
    creditScore: c.creditScore,
    projectCount: c.projectCount,
    onSite: c.onSite,
    missing,
    enable: c.enable,
    createTime: formatInstant(c.createTime),
    version: c.version,
  }
}

export function registerCorporationExport(): void {
  exportOf(
    contract.corporationList,
    {
      title: '企业列表',
      widths: { corpName: 32, corpCode: 22, linkMan: 24, missing: 24, createTime: 20 },
      count: (ctx, query) => count(ctx, conditions(query)),
      async *rows(ctx, query) {
        const where = conditions(query)
        const { rows } = await sql<RawCorporation>`select * from (${select}) c where ${where} order by ${order(query.sort)}`.execute(ctx.db)
        for (const row of rows) yield toRow(row)
      },
    },
    {
      corpName: (c) => c.corpName,
      corpCode: (c) => c.corpCode,
      corpKind: (c) => c.corpKindName,
      corpType: (c) => c.corpTypeName,
      areaCode: (c) => c.areaName,
      legalMan: (c) => c.legalMan,
      linkMan: (c) => `${c.linkMan} ${c.linkPhone ?? ''}`.trim(),
      safetyLicenseEnd: (c) => c.safetyLicenseEnd,
      projectCount: (c) => c.projectCount,
      onSite: (c) => c.onSite,
      creditScore: (c) => c.creditScore,
      missing: (c) => c.missing.join('、'),
      enable: (c) => (isOn(c.enable) ? '启用' : '停用'),
      createTime: (c) => c.createTime,
    },
  )
}
