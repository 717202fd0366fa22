import { AppError } from '@zhugong/contract/kit/errors'
import { dayMs } from '@zhugong/contract/kit/time'
import * as contract from '@zhugong/contract/organisation/aptitudes'
import { dictEntry, dictionaryOf, dictName } from '@zhugong/contract/settings/dictionaries'
import { sql } from 'kysely'
import { changeRow, conflictOf } from '#kit/change-row'
import { addDays, formatDay, formatInstant } from '#kit/clock'
import { type Context, found, groupTypes, projectsFor } from '#kit/context'
import { isUniqueViolation, type Row } from '#kit/db'
import { allOf, inProjects } from '#kit/list'
import { rowOf } from '#kit/row-of'
import type { HandlerOf, Serve } from '#kit/serve'
import { fileIdsOf, keptFiles, linksOf } from '../files/public.ts'

/** Qualifications of companies with their validity. Edited by the company and the platform, visible to all who may see the company. */
export function aptitudeRoutes(serve: Serve) {
  serve(contract.listAptitudes, listAptitudes)
  serve(contract.addAptitude, addAptitude)
  serve(contract.changeAptitude, changeAptitude)
  serve(contract.setAptitudeReminder, setAptitudeReminder)
}

type QualificationRow = Row<'corpQualification'>
const { valid, cancelled, ended, lowered } = contract.aptitudeStates

const stateOf = (row: Pick<QualificationRow, 'status' | 'endDate'>, today: string): string =>
  row.status !== cancelled && row.endDate < today ? ended : row.status

const daysTo = (day: string, today: string): number => Math.round((Date.parse(day) - Date.parse(today)) / dayMs)

const listAptitudes: HandlerOf<typeof contract.listAptitudes> = async ({ params }, ctx) => {
  const company = await getCompany(ctx, params.corpCode)
  const rows = await ctx.db
    .selectFrom('corpQualification')
    .selectAll()
    .where('corpCode', '=', company.corpCode)
    .orderBy('certTypeNum')
    .orderBy('tradeBoundNum')
    .orderBy('endDate', 'desc')
    .execute()
  const today = formatDay(ctx.clock.now())
  const list = rows.map((row) => toAptitude(ctx, row, today, company.aptitudeRemindDays))
  const running = list.filter((one) => one.status === valid || one.status === lowered)
  return {
    list,
    total: list.length,
    figures: {
      valid: running.length,
      ending: running.filter((one) => one.ending).length,
      ended: list.filter((one) => one.status === ended).length,
    },
    beyond: await beyond(ctx, company.corpCode, running),
    remindDays: company.aptitudeRemindDays,
    mayEdit: mayEdit(ctx, company.corpCode),
  }
}

function toAptitude(ctx: Pick<Context, 'secrets' | 'clock'>, row: QualificationRow, today: string, remindDays: number): contract.Aptitude {
  const status = stateOf(row, today)
  return rowOf(contract.aptitude, row, {
    certTypeName: dictName('corpCertType', row.certTypeNum),
    tradeBoundName: dictName('corpTrade', row.tradeBoundNum),
    titleLevelName: dictName('corpCertLevel', row.titleLevelNum),
    left: daysTo(row.endDate, today),
    status,
    statusName: dictName('corpCertStatus', status),
    ending: (status === valid || status === lowered) && row.endDate <= addDays(today, remindDays),
    files: linksOf(ctx, row.files),
    updateTime: formatInstant(row.updateTime),
  })
}

interface RunningPart {
  projectCode: string
  projectName: string
  corpType: string
  category: string
  buildingArea: number | null
}

/** Parts in a project that require a qualification: general contractor, supervisor, specialist subcontractor. */
const leads = '009'
const supervises = '007'
const special = '001'
/** 房屋建筑工程 of dictionary projectCategory. */
const building = '01'

/** Current parts of the company that its valid qualifications do not cover. */
async function beyond(ctx: Context, corpCode: string, current: readonly contract.Aptitude[]) {
  const { rows } = await sql<RunningPart>`
    select pc.project_code, p.name as project_name, pc.corp_type, p.category, p.building_area::float8 as building_area
    from project_corp pc join project p using (project_code)
    where pc.corp_code = ${corpCode} and pc.exit_time is null and pc.corp_type in (${leads}, ${supervises}, ${special})
      and p.prj_status in ('002', '003', '005') and ${allOf(...inProjects('pc.projectCode', projectsFor(ctx)))}
    order by p.name, pc.corp_type`.execute(ctx.db)
  return rows.flatMap((part) => {
    const why = whyBeyond(part, current)
    return why
      ? [{ projectCode: part.projectCode, projectName: part.projectName, corpTypeName: dictName('projectCorpType', part.corpType), why }]
      : []
  })
}

function whyBeyond(part: RunningPart, current: readonly contract.Aptitude[]): string | undefined {
  if (part.corpType === supervises) return current.some((one) => one.certTypeNum === '4') ? undefined : '没有有效的工程监理资质'
  const trades = current.filter((one) => one.certTypeNum === '3')
  if (part.corpType === special)
    return trades.some((one) => !one.tradeBoundNum.startsWith(contract.leadingTrade)) ? undefined : '没有有效的专业承包资质'
  const leading = trades.filter((one) => one.tradeBoundNum.startsWith(contract.leadingTrade))
  if (leading.length === 0) return '没有有效的施工总承包资质'
  if (part.category !== building) return undefined
  const own = leading.filter((one) => contract.isBuildingTrade(one.tradeBoundNum))
  if (own.length === 0) return '没有有效的建筑工程施工总承包资质'
  const most = Math.max(...own.map((one) => contract.largestArea(one.titleLevelNum)))
  return part.buildingArea !== null && part.buildingArea > most
    ? `建筑面积 ${part.buildingArea.toLocaleString('zh-CN')} ㎡ 超过资质等级上限 ${most.toLocaleString('zh-CN')} ㎡`
    : undefined
}

const getCompany = async (ctx: Pick<Context, 'db'>, corpCode: string) =>
  found(
    await ctx.db
      .selectFrom('corporation')
      .select(['corpCode', 'corpName', 'aptitudeRemindDays'])
      .where('corpCode', '=', corpCode)
      .executeTakeFirst(),
    '企业',
  )

const mayEdit = (ctx: Pick<Context, 'codes' | 'group'>, corpCode: string): boolean =>
  ctx.codes.has('corporation.edit') &&
  (ctx.group.type === groupTypes.platform || (ctx.group.type === groupTypes.corporation && ctx.group.code === corpCode))

function requireOwn(ctx: Pick<Context, 'codes' | 'group'>, corpCode: string): void {
  if (!mayEdit(ctx, corpCode)) throw new AppError('forbidden', '只有平台和企业本身可以维护企业资质')
}

/** Trade and level must fit the type of certificate. */
function requireFitting({
  certTypeNum,
  tradeBoundNum,
  titleLevelNum,
}: Pick<QualificationRow, 'certTypeNum' | 'tradeBoundNum' | 'titleLevelNum'>): void {
  const group = contract.tradeGroupOf(certTypeNum)
  const parent = dictEntry('corpTrade', tradeBoundNum)?.parent
  if (!parent) throw new AppError('invalidInput', '请选择具体专业', { field: 'tradeBoundNum' })
  if (group && parent !== group) throw new AppError('invalidInput', '专业类别与资质类型不匹配', { field: 'tradeBoundNum' })
  const levels = (dictionaryOf('corpCertLevel')?.items ?? []).filter((one) => one.parent === certTypeNum)
  if (levels.length > 0 && !levels.some((one) => one.code === titleLevelNum))
    throw new AppError('invalidInput', '资质等级与资质类型不匹配', { field: 'titleLevelNum' })
}

const taken = (error: unknown): unknown =>
  isUniqueViolation(error) ? new AppError('refused', '该证书编号已登记', { field: 'certCode' }) : error

const addAptitude: HandlerOf<typeof contract.addAptitude> = async ({ params, body }, ctx) => {
  const company = await getCompany(ctx, params.corpCode)
  requireOwn(ctx, company.corpCode)
  requireFitting(body)
  const id = ctx.newId()
  const now = new Date(ctx.clock.now())
  const files = JSON.stringify(await keptFiles(ctx, fileIdsOf(body.files)))
  try {
    await ctx.db
      .insertInto('corpQualification')
      .values({
        ...body,
        id,
        corpCode: company.corpCode,
        files,
        status: valid,
        reason: null,
        createTime: now,
        updateTime: now,
        updateBy: ctx.user.name,
      })
      .execute()
  } catch (error) {
    throw taken(error)
  }
  await tell(ctx, company.corpCode, `取得 ${wordsOf(body)}`, [])
  ctx.note(`新增企业资质 ${wordsOf(body)}：${company.corpName}`, id)
  return { id }
}

const wordsOf = (one: Pick<QualificationRow, 'tradeBoundNum' | 'titleLevelNum' | 'certCode'>): string =>
  `${dictName('corpTrade', one.tradeBoundNum)} ${dictName('corpCertLevel', one.titleLevelNum)}（${one.certCode}）`

const changeAptitude: HandlerOf<typeof contract.changeAptitude> = async ({ params, body }, ctx) => {
  const company = await getCompany(ctx, params.corpCode)
  requireOwn(ctx, company.corpCode)
  const before = found(
    await ctx.db
      .selectFrom('corpQualification')
      .selectAll()
      .where('id', '=', params.id)
      .where('corpCode', '=', company.corpCode)
      .forUpdate()
      .executeTakeFirst(),
    '企业资质',
  )
  if (before.version !== body.version) throw await conflictOf(ctx, 'corpQualification', { id: before.id }, '资质')
  if (before.status === cancelled) throw new AppError('refused', '资质已注销，只能查看')
  const { action, version: _version, reason, files, ...fields } = body
  requireFitting(fields)
  if (action === 'lower' && fields.titleLevelNum === before.titleLevelNum)
    throw new AppError('invalidInput', '请选择降级后的等级', { field: 'titleLevelNum' })
  const status = action === 'cancel' ? cancelled : action === 'lower' ? lowered : before.status
  try {
    await changeRow(ctx, 'corpQualification', {
      key: { id: before.id },
      version: before.version,
      noun: '资质',
      by: ctx.user.name,
      values: {
        ...fields,
        files: JSON.stringify(await keptFiles(ctx, fileIdsOf(files), before.files)),
        status,
        reason: action === 'edit' ? before.reason : reason,
      },
    })
  } catch (error) {
    throw taken(error)
  }
  const word = action === 'cancel' ? '注销' : action === 'lower' ? '降级' : fields.endDate > before.endDate ? '延续' : '修改'
  await tell(ctx, company.corpCode, `${word} ${wordsOf(before)}`, [
    ...differing('titleLevelNum', dictName('corpCertLevel', before.titleLevelNum), dictName('corpCertLevel', fields.titleLevelNum)),
    ...differing('endDate', before.endDate, fields.endDate),
    ...(action === 'edit' ? [] : differing('reason', null, reason)),
  ])
  ctx.note(`${word}企业资质 ${wordsOf(before)}：${company.corpName}`, before.id)
  return undefined
}

const differing = (field: string, before: string | null, after: string | null) => (before === after ? [] : [{ field, before, after }])

/** Adds an entry to the company's history, signed with the caller's group and name. */
async function tell(
  ctx: Context,
  corpCode: string,
  title: string,
  changes: { field: string; before: string | null; after: string | null }[],
) {
  await ctx.db
    .insertInto('corpEvent')
    .values({
      id: ctx.newId(),
      corpCode,
      at: new Date(ctx.clock.now()),
      kind: 'aptitude',
      title,
      changes: JSON.stringify(changes),
      byName: `${ctx.group.name} ${ctx.user.name}`,
    })
    .execute()
}

const setAptitudeReminder: HandlerOf<typeof contract.setAptitudeReminder> = async ({ params, body }, ctx) => {
  const company = await getCompany(ctx, params.corpCode)
  requireOwn(ctx, company.corpCode)
  await ctx.db.updateTable('corporation').set({ aptitudeRemindDays: body.days }).where('corpCode', '=', company.corpCode).execute()
  ctx.note(`企业资质到期前 ${body.days} 天提醒：${company.corpName}`, company.corpCode)
  return undefined
}
