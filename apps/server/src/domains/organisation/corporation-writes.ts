import { maskIdCard, maskPhone } from '@zhugong/contract/kit/checks'
import { isOn } from '@zhugong/contract/kit/enable'
import { AppError } from '@zhugong/contract/kit/errors'
import type * as contract from '@zhugong/contract/organisation/corporations'
import { sql } from 'kysely'
import { changeRow } from '#kit/change-row'
import type { Context } from '#kit/context'
import { isUniqueViolation } from '#kit/db'
import type { HandlerOf } from '#kit/serve'
import { keptFiles } from '../files/public.ts'
import { getRawCorporation, getRegulatedCorporation, mayEditCorporation, type RawCorporation } from './corporation-rows.ts'

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
  const before = await getRawCorporation(ctx, params.corpCode)
  if (!mayEditCorporation(ctx, before)) throw new AppError('forbidden', '只有平台和企业本身可以修改企业档案')
  await requireLicence(ctx, body.licenseFile, before.licenseFile)
  await changeRow(ctx, 'corporation', {
    key: { corpCode: params.corpCode },
    version: body.version ?? before.version,
    noun: '企业档案',
    by: ctx.user.id,
    values: { ...sealed(ctx, body) },
  })
  ctx.note(`修改企业 ${before.corpName}`, params.corpCode)
  return undefined
}

export const removeCorporation: HandlerOf<typeof contract.removeCorporation> = async ({ params }, ctx) => {
  const row = await getRegulatedCorporation(ctx, params.corpCode)
  await requireUnused(ctx, row)
  await ctx.db.deleteFrom('corporation').where('corpCode', '=', params.corpCode).execute()
  ctx.note(`删除企业 ${row.corpName}`, params.corpCode)
  return undefined
}

export const switchCorporation: HandlerOf<typeof contract.switchCorporation> = async ({ body }, ctx) => {
  const row = await getRegulatedCorporation(ctx, body.corpCode)
  await ctx.db.updateTable('corporation').set({ enable: body.status }).where('corpCode', '=', body.corpCode).execute()
  ctx.note(`${isOn(body.status) ? '启用' : '停用'}企业 ${row.corpName}`, body.corpCode)
  return undefined
}

/** Parts and accounts outside the caller's scope count too. */
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

/** The body as columns: personal data encrypted and masked; omitted fields stay unchanged. */
/** The licence is visible to all who see the company, so it must be a file that the caller may see. */
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
