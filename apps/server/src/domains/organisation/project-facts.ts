import { AppError } from '@zhugong/contract/kit/errors'
import { projectStates } from '@zhugong/contract/organisation/codes'
import { factNames } from '@zhugong/contract/organisation/model'
import * as contract from '@zhugong/contract/organisation/project-facts'
import { completenessOf, gapsOf, quarterOf, quarterWords } from '@zhugong/contract/organisation/project-gaps'
import { areaName, dictName } from '@zhugong/contract/settings/dictionaries'
import { sql } from 'kysely'
import { formatDay, formatInstant } from '#kit/clock'
import { type Context, groupTypes, oneProject } from '#kit/context'
import { isUniqueViolation, type RowUpdate } from '#kit/db'
import type { HandlerOf, Serve } from '#kit/serve'
import { getRaw, type RawProject } from './project-rows.ts'
import { phoneColumns } from './project-rules.ts'
import { isOfArea } from './registration.ts'

/** What is known of a project: kept day by day by the site, registered by whoever stands above it. */
export function projectFactRoutes(serve: Serve) {
  serve(contract.getProjectFacts, getProjectFacts)
  serve(contract.saveProjectDaily, saveProjectDaily)
  serve(contract.saveProjectRegistered, saveProjectRegistered)
  serve(contract.saveProjectUnits, saveProjectUnits)
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
    select count(*)::int as n from project_change where project_code = ${p.projectCode} and state = '0'`.execute(ctx.db)
  const above = ctx.group.type !== groupTypes.project && ctx.codes.has('project.edit')
  return {
    projectCode: p.projectCode,
    name: p.name,
    closed: p.prjStatus === projectStates.closed,
    daily: dailyOf(p),
    groups: groupsOf(p),
    registered: registeredOf(p),
    units: p.unitWorks,
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
    version: p.version,
  }
}

const isRegulator = (ctx: Pick<Context, 'group'>): boolean =>
  ctx.group.type === groupTypes.platform || ctx.group.type === groupTypes.government

/** The name alone of whoever changed it last; rows hold his id. */
async function nameOf(ctx: Pick<Context, 'system'>, id: string | null): Promise<string | null> {
  if (!id) return null
  const row = await ctx.system.selectFrom('appUser').select('name').where('id', '=', id).executeTakeFirst()
  return row?.name ?? null
}

const dailyOf = (p: RawProject) => ({
  shortName: p.shortName,
  linkMan: p.linkMan,
  linkPhone: p.linkPhoneMask,
  chargeEmail: p.chargeEmail,
  description: p.description,
  phase: p.phase,
  floorsUp: p.floorsUp,
  floorsDown: p.floorsDown,
  isClosedSite: p.isClosedSite,
  payRollCreateDay: p.payRollCreateDay,
  payRollDay: p.payRollDay,
})

const registeredOf = (p: RawProject) => ({
  name: p.name,
  address: p.address,
  invest: p.invest,
  contractPrice: p.contractPrice,
  buildingArea: p.buildingArea,
  startDate: p.startDate,
  completeDate: p.completeDate,
  prjSize: p.prjSize,
  structureType: p.structureType,
  fundSource: p.fundSource,
  investProjectCode: p.investProjectCode,
  approvalNum: p.approvalNum,
  builderLicenses: p.builderLicenses,
  superviseNo: p.superviseNo,
  payRollDelayDays: p.payRollDelayDays,
})

const amount = (value: number | null, unit: string) => (value === null || value === 0 ? null : `${value.toLocaleString('zh-CN')} ${unit}`)

function groupsOf(p: RawProject) {
  const item = (field: string, label: string, value: string | null | undefined) => ({
    field,
    label,
    value: value ?? null,
    appliesFor: field in factNames,
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

/** The project as it may still be written. */
async function openProject(ctx: Context, asked: string): Promise<RawProject> {
  const p = await getRaw(ctx, oneProject(ctx, asked))
  if (p.prjStatus === projectStates.closed) throw new AppError('refused', '项目已终止监督，资料只读')
  return p
}

async function write(ctx: Context, p: RawProject, version: number, change: RowUpdate<'project'>): Promise<void> {
  const done = await ctx.db
    .updateTable('project')
    .set({ ...change, updateTime: new Date(ctx.clock.now()), updateBy: ctx.user.id, version: version + 1 })
    .where('projectCode', '=', p.projectCode)
    .where('version', '=', version)
    .executeTakeFirst()
  if (done.numUpdatedRows === 0n) throw new AppError('conflict', '项目已被他人修改，请刷新后重试')
}

const saveProjectDaily: HandlerOf<typeof contract.saveProjectDaily> = async ({ body }, ctx) => {
  const { projectCode, version, linkPhone, ...fields } = body
  const p = await openProject(ctx, projectCode)
  await write(ctx, p, version, { ...fields, ...phoneColumns(ctx, linkPhone) })
  ctx.note(`修改项目日常信息：${p.name}`, p.projectCode)
  return undefined
}

const saveProjectUnits: HandlerOf<typeof contract.saveProjectUnits> = async ({ body }, ctx) => {
  const p = await openProject(ctx, body.projectCode)
  await write(ctx, p, body.version, { unitWorks: JSON.stringify(body.list) })
  ctx.note(`维护单体工程（${body.list.length} 个）：${p.name}`, p.projectCode)
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
