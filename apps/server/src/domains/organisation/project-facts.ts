import { AppError } from '@zhugong/contract/kit/errors'
import { alterNames } from '@zhugong/contract/organisation/alter-types'
import { projectStates } from '@zhugong/contract/organisation/codes'
import * as contract from '@zhugong/contract/organisation/project-facts'
import { completenessOf, gapsOf, quarterOf, quarterWords } from '@zhugong/contract/organisation/project-gaps'
import { areaName, dictName } from '@zhugong/contract/settings/dictionaries'
import { sql } from 'kysely'
import { changeRow } from '#kit/change-row'
import { formatDay, formatInstant } from '#kit/clock'
import { type Context, groupTypes, oneProject } from '#kit/context'
import { isUniqueViolation, type RowUpdate } from '#kit/db'
import { pick } from '#kit/pick'
import { rowOf } from '#kit/row-of'
import type { HandlerOf, Serve } from '#kit/serve'
import { getRaw, type RawProject } from './project-rows.ts'
import { phoneColumns } from './project-rules.ts'
import { isOfArea } from './registration.ts'

/** Facts of a project: daily data edited by the site, and registered data edited by higher groups. */
export function projectFactRoutes(serve: Serve) {
  serve(contract.getProjectFacts, getProjectFacts)
  serve(contract.saveProjectDaily, saveProjectDaily)
  serve(contract.saveProjectRegistered, saveProjectRegistered)
  serve(contract.confirmProjectFacts, confirmProjectFacts)
}

const getProjectFacts: HandlerOf<typeof contract.getProjectFacts> = async ({ query }, ctx) => {
  const p = await getRaw(ctx, oneProject(ctx, query.projectCode))
  const today = formatDay(ctx.clock.now())
  const gaps = gapsOf(p, today, p.prjStatus === projectStates.building)
  const quarter = quarterOf(today)
  const { rows } = await sql<{ corpType: string; corpName: string }>`
    select distinct u.corp_type, c.corp_name from project_corp u join corporation c using (corp_code)
    where u.project_code = ${p.projectCode} and u.corp_type in ('007', '008', '009', '010', '011') order by 1, 2`.execute(ctx.db)
  const pending = await sql<{ n: number }>`
    select count(*)::int as n from project_change where project_code = ${p.projectCode} and state = '1'`.execute(ctx.db)
  const above = ctx.group.type !== groupTypes.project && ctx.codes.has('project.edit')
  return {
    ...pick(p, 'projectCode', 'name', 'version'),
    closed: p.prjStatus === projectStates.closed,
    daily: dailyOf(p),
    groups: groupsOf(p),
    registered: registeredOf(p),
    parties: rows.map((r) => ({ part: dictName('projectCorpType', r.corpType) ?? r.corpType, corpName: r.corpName })),
    mayRegister: above,
    mayRegisterBody: above && isRegulator(ctx),
    gaps,
    completeness: completenessOf(gaps),
    quarter: quarterWords(quarter),
    confirmed: p.confirmed?.quarter === quarter ? p.confirmed : null,
    pendingChanges: pending.rows[0]?.n ?? 0,
    updateBy: await nameOf(ctx, p.updateBy),
    updateTime: p.updateTime && formatInstant(p.updateTime),
  }
}

const isRegulator = (ctx: Pick<Context, 'group'>): boolean =>
  ctx.group.type === groupTypes.platform || ctx.group.type === groupTypes.government

/** The name of the last editor; rows contain the id. */
async function nameOf(ctx: Pick<Context, 'system'>, id: string | null): Promise<string | null> {
  if (!id) return null
  const row = await ctx.system.selectFrom('appUser').select('name').where('id', '=', id).executeTakeFirst()
  return row?.name ?? null
}

const dailyOf = (p: RawProject) => ({
  ...pick(
    p,
    'shortName',
    'linkMan',
    'chargeEmail',
    'description',
    'phase',
    'floorsUp',
    'floorsDown',
    'isClosedSite',
    'payRollCreateDay',
    'payRollDay',
  ),
  linkPhone: p.linkPhoneMask,
})

const registeredOf = (p: RawProject) => rowOf(contract.registeredRead, p, {})

const amount = (value: number | null, unit: string) => (value === null || value === 0 ? null : `${value.toLocaleString('zh-CN')} ${unit}`)

function groupsOf(p: RawProject) {
  const item = (field: string, label: string, value: string | null | undefined) => ({
    field,
    label,
    value: value ?? null,
    appliesFor: field in alterNames,
  })
  return [
    {
      group: '登记',
      keeper: '监督机构',
      items: [
        item('name', '项目名称', p.name),
        item('projectCode', '项目编码', p.projectCode),
        item('areaCode', '项目所在地', areaName(p.areaCode)),
        item('address', '项目地址', p.address),
        item('category', '项目分类', dictName('projectCategory', p.category)),
        item('buildCorpCode', '建设单位', p.buildCorpName),
        item('contractorCorpCode', '总承包单位', p.contractorCorpName),
        item('startDate', '开工日期', p.startDate),
        item('completeDate', '计划竣工日期', p.completeDate),
      ],
    },
    {
      group: '规模与造价',
      keeper: '总承包单位、监督机构',
      items: [
        item('invest', '总投资', amount(p.invest, '万元')),
        item('contractPrice', '合同总价', amount(p.contractPrice, '万元')),
        item('buildingArea', '总面积', amount(p.buildingArea, '㎡')),
        item('prjSize', '建设规模', dictName('prjSize', p.prjSize)),
        item('structureType', '结构类型', dictName('structureType', p.structureType)),
        item('fundSource', '资金来源', dictName('fundSource', p.fundSource)),
        item('investProjectCode', '投资项目代码', p.investProjectCode),
        item('approvalNum', '立项文号', p.approvalNum),
      ],
    },
    {
      group: '监督',
      keeper: '监督机构',
      items: [
        item('superviseOrg', '监督机构', p.superviseOrgName),
        item('superviseNo', '监督登记号', p.superviseNo),
        item('payRollDelayDays', '工资允许延迟', p.payRollDelayDays === null ? null : `${p.payRollDelayDays} 天`),
      ],
    },
  ]
}

/** The project, if it may still be edited. Throws AppError `refused` if it is closed. */
async function openProject(ctx: Context, requested: string): Promise<RawProject> {
  const p = await getRaw(ctx, oneProject(ctx, requested))
  if (p.prjStatus === projectStates.closed) throw new AppError('refused', '项目已终止监督，资料只读')
  return p
}

async function write(ctx: Context, p: RawProject, version: number, change: RowUpdate<'project'>): Promise<void> {
  await changeRow(ctx, 'project', { key: { projectCode: p.projectCode }, version, noun: '项目', by: ctx.user.id, values: { ...change } })
}

const saveProjectDaily: HandlerOf<typeof contract.saveProjectDaily> = async ({ body }, ctx) => {
  const { projectCode, version, linkPhone, ...fields } = body
  const p = await openProject(ctx, projectCode)
  await write(ctx, p, version, { ...fields, ...phoneColumns(ctx, linkPhone) })
  ctx.note(`修改项目日常信息：${p.name}`, p.projectCode)
  return undefined
}

const saveProjectRegistered: HandlerOf<typeof contract.saveProjectRegistered> = async ({ body }, ctx) => {
  const { projectCode, version, reason, builderLicenses, superviseNo, payRollDelayDays, ...fields } = body
  const p = await openProject(ctx, projectCode)
  if (!isOfArea(ctx, p.areaCode)) throw new AppError('forbidden', '只能办理本辖区的项目', { field: 'name' })
  if (ctx.group.type === groupTypes.platform && reason.length < 2)
    throw new AppError('invalidInput', '平台代为修改登记信息，请填写原因', { field: 'reason' })
  if (!isRegulator(ctx)) {
    if (superviseNo !== undefined && superviseNo !== p.superviseNo)
      throw new AppError('forbidden', '监督登记号由监督机构维护', { field: 'superviseNo' })
    if (payRollDelayDays !== undefined && payRollDelayDays !== p.payRollDelayDays)
      throw new AppError('forbidden', '工资允许延迟天数由监督机构维护', { field: 'payRollDelayDays' })
  }
  try {
    await write(ctx, p, version, { ...fields, superviseNo, payRollDelayDays, builderLicenses: JSON.stringify(builderLicenses) })
  } catch (error) {
    throw isUniqueViolation(error) ? new AppError('refused', '同一地区已有同名项目', { field: 'name' }) : error
  }
  ctx.note(`修改项目登记信息：${p.name}${reason ? `（${reason}）` : ''}`, p.projectCode)
  return undefined
}

const confirmProjectFacts: HandlerOf<typeof contract.confirmProjectFacts> = async ({ body }, ctx) => {
  const p = await openProject(ctx, body.projectCode)
  const now = ctx.clock.now()
  const quarter = quarterOf(formatDay(now))
  if (p.confirmed?.quarter === quarter) throw new AppError('refused', `${quarterWords(quarter)}已由 ${p.confirmed.by} 确认`)
  const confirmed = { quarter, by: ctx.user.name, at: formatInstant(new Date(now)) }
  await ctx.db
    .updateTable('project')
    .set({ confirmed: JSON.stringify(confirmed) })
    .where('projectCode', '=', p.projectCode)
    .execute()
  ctx.note(`确认${quarterWords(quarter)}项目信息属实：${p.name}`, p.projectCode)
  return confirmed
}
