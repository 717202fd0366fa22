import { maskIdCard, maskPhone } from '@zhugong/contract/kit/checks'
import { isOn } from '@zhugong/contract/kit/enable'
import { AppError } from '@zhugong/contract/kit/errors'
import { stations } from '@zhugong/contract/labour/codes'
import { answeringParts, singleParts, subcontractParts, type UnitRow } from '@zhugong/contract/labour/model'
import * as contract from '@zhugong/contract/labour/units'
import { dictName } from '@zhugong/contract/settings/dictionaries'
import { sql } from 'kysely'
import { formatDay } from '#kit/clock'
import { type Context, found, groupTypes, oneProject, projectsFor, requireCode } from '#kit/context'
import { isUniqueViolation, type Row } from '#kit/db'
import { allOf, anyOf, between, type Condition, contains, daysBetween, equals, inProjects, orderBy, pageSlice } from '#kit/list'
import type { HandlerOf, Serve } from '#kit/serve'
import { exportOf, type ListContext } from '../exports/registry.ts'
import { keptFiles, linksOf } from '../files/public.ts'
import { requireCompanyUnlisted } from './black-hold.ts'

type Filters = Partial<NonNullable<(typeof contract.listUnits)['types']>['parsed']['query']>

const conditions = (ctx: ListContext, query: Filters): Condition =>
  allOf(
    ...inProjects('u.projectCode', projectsFor(ctx, query.projectCode)),
    ...equals('u.corpCode', query.corpCode),
    ...contains('u.corpName', query.corpName),
    ...contains('u.pmName', query.pmName),
    ...anyOf('u.corpType', query.corpType),
    ...anyOf('u.contractNo', query.contractNo),
    ...equals('u.stationed', query.stationed),
    ...between('u.onSite', query.onSite),
    ...daysBetween('u.entryTime', query.entryTime),
    ...daysBetween('u.exitTime', query.exitTime),
  )
/** Who answers for the project stands first: 建设, 总包, 监理, then the others as they came. */
const order = (sort: Filters['sort']) =>
  sort
    ? orderBy(
        sort,
        {
          corpType: 'u.corpType!',
          corpName: 'u.corpName',
          teamCount: 'u.teamCount',
          onSite: 'u.onSite',
          entryTime: 'u.entryTime!',
          exitTime: 'u.exitTime',
        },
        '-corpType',
        'u.id',
      )
    : sql`u.project_code, u.corp_type desc, u.entry_time, u.id`

async function findUnits(ctx: ListContext, query: Filters, page?: { limit: number; offset: number }): Promise<UnitRow[]> {
  const { rows } = await sql<RawUnit>`
    select * from (${select}) u where ${conditions(ctx, query)} order by ${order(query.sort)}
    ${page ? sql`limit ${page.limit} offset ${page.offset}` : sql``}`.execute(ctx.db)
  return rows.map(toUnit)
}
async function countUnits(ctx: ListContext, query: Filters): Promise<number> {
  const { rows } = await sql<{ n: number }>`select count(*)::int as n from (${select}) u where ${conditions(ctx, query)}`.execute(ctx.db)
  return rows[0]?.n ?? 0
}
type UnitQuery = NonNullable<(typeof contract.listUnits)['types']>['parsed']['query']
const unitPage = async ({ query }: { query: UnitQuery }, ctx: Context) => ({
  list: await findUnits(ctx, query, pageSlice(query)),
  total: await countUnits(ctx, query),
})

export function registerUnitExport(): void {
  exportOf(
    contract.unitList,
    {
      title: '参建单位',
      widths: { corpName: 30, parentCorpCode: 30, projectName: 30, contractNo: 20 },
      async *rows(ctx, query) {
        yield* await findUnits(ctx, query)
      },
      count: countUnits,
    },
    {
      corpName: (u) => u.corpName,
      corpType: (u) => u.corpTypeName,
      parentCorpCode: (u) => u.parentCorpName,
      projectName: (u) => u.projectName,
      contractNo: (u) => u.contractNo,
      contractAmount: (u) => u.contractAmount,
      pmName: (u) => u.pmName,
      pmPhone: (u) => u.pmPhone,
      teamCount: (u) => u.teamCount,
      onSite: (u) => u.onSite,
      payType: (u) => u.payTypeName,
      entryTime: (u) => u.entryTime,
      exitTime: (u) => u.exitTime,
      stationed: (u) => (u.exitTime ? '退场' : '进场'),
    },
  )
}

/** A company's part in a project: comes first, leaves last. */
export function unitRoutes(serve: Serve) {
  serve(contract.listUnits, unitPage)
  serve(contract.fillUnit, async ({ params }, ctx) => fillUnit(ctx, await getUnit(ctx, params.id)))
  serve(contract.unitFigures, unitFigures)
  serve(contract.addUnit, addUnit)
  serve(contract.updateUnit, updateUnit)
  serve(contract.setUnitTime, setUnitTime)
  serve(contract.removeUnit, removeUnit)
  serve(contract.teamTree, teamTree)
}

export const fillUnit = (ctx: Context, u: RawUnit) => ({
  ...toUnit(u),
  pmIdCardType: u.pmIdCardType,
  pmIdCardNumber: u.pmIdCardMask,
  contractFile: linksOf(ctx, u.contractFile),
})

/** Figures above the list, counted over its own rows; people once, however many parts their company has. */
const unitFigures: HandlerOf<typeof contract.unitFigures> = async ({ query }, ctx) => {
  const projects = projectsFor(ctx, query.projectCode)
  const where = conditions(ctx, { ...query, stationed: stations.present })
  const { rows } = await sql<{ present: number; noContract: number; types: string[] }>`
    select count(*)::int as present, count(*) filter (where u.contract_no is null and u.corp_type = any (${[...subcontractParts]}))::int as no_contract,
      coalesce(array_agg(distinct u.corp_type), '{}') as types from (${select}) u where ${where}`.execute(ctx.db)
  const people = await sql<{ n: number }>`
    select count(*)::int as n from project_worker w where w.exit_time is null and ${allOf(...inProjects('w.projectCode', projects))}`.execute(
    ctx.db,
  )
  const { present = 0, noContract = 0, types = [] } = rows[0] ?? {}
  return {
    present,
    noContract,
    onSite: people.rows[0]?.n ?? 0,
    parts:
      projects?.length === 1
        ? answeringParts.map((code) => ({ code, name: dictName('projectCorpType', code) ?? code, there: types.includes(code) }))
        : null,
  }
}

const addUnit: HandlerOf<typeof contract.addUnit> = async ({ body }, ctx) => {
  const projectCode = oneProject(ctx, body.projectCode)
  const corporation = found(
    await ctx.db.selectFrom('corporation').select(['corpName', 'enable']).where('corpCode', '=', body.corpCode).executeTakeFirst(),
    '企业',
  )
  return { id: await joinUnit(ctx, { ...body, projectCode }, corporation) }
}

type UnitInput = NonNullable<(typeof contract.addUnit)['types']>['parsed']['body']

/** A company takes part in a project from now on: none that is switched off or kept out, none a second time, below a unit that is in place. */
export async function joinUnit(ctx: Context, body: UnitInput, corporation: { corpName: string; enable: string }): Promise<string> {
  const { projectCode } = body
  if (!isOn(corporation.enable)) throw new AppError('refused', `企业“${corporation.corpName}”已停用，不能加入项目`, { field: 'corpCode' })
  await requireCompanyUnlisted(ctx, { projectCode, corpCode: body.corpCode }, 'join')
  await requireFreePart(ctx, projectCode, body.corpType)
  requirePartWriter(ctx, body.corpType)
  await requireParent(ctx, projectCode, body.corpCode, body.parentCorpCode)
  const id = ctx.newId()
  const { pmIdCardNumber, pmPhone, contractFile, ...rest } = body
  try {
    await ctx.db
      .insertInto('projectCorp')
      .values({
        ...rest,
        id,
        projectCode,
        ...sealedLeader(ctx, pmIdCardNumber, pmPhone),
        contractFile: JSON.stringify(await keptFiles(ctx, contractFile)),
        bankAccounts: '[]',
        createBy: ctx.user.id,
      })
      .execute()
  } catch (error) {
    if (isUniqueViolation(error))
      throw new AppError('refused', `“${corporation.corpName}”已在本项目任${dictName('projectCorpType', body.corpType)}`, {
        field: 'corpCode',
      })
    throw error
  }
  ctx.note(`添加参建单位 ${corporation.corpName}`, id)
  return id
}

const updateUnit: HandlerOf<typeof contract.updateUnit> = async ({ body }, ctx) => {
  const before = await getUnit(ctx, body.id)
  requirePartWriter(ctx, before.corpType)
  await requireParent(ctx, before.projectCode, before.corpCode, body.parentCorpCode)
  const { id, version, pmIdCardNumber, pmPhone, contractFile, ...rest } = body
  const done = await ctx.db
    .updateTable('projectCorp')
    .set({
      ...rest,
      ...sealedLeader(ctx, pmIdCardNumber, pmPhone),
      contractFile: JSON.stringify(await keptFiles(ctx, contractFile, before.contractFile)),
      updateBy: ctx.user.id,
      updateTime: new Date(ctx.clock.now()),
      version: version + 1,
    })
    .where('id', '=', id)
    .where('version', '=', version)
    .executeTakeFirst()
  if (done.numUpdatedRows === 0n) throw new AppError('conflict', '参建单位已被他人修改，请刷新后重试')
  ctx.note(`修改参建单位 ${before.corpName}`, id)
  return undefined
}

const setUnitTime: HandlerOf<typeof contract.setUnitTime> = async ({ body }, ctx) => {
  const unit = await getUnit(ctx, body.id)
  requirePartWriter(ctx, unit.corpType)
  if (!body.exitTime && unit.exitTime) await requireFreePart(ctx, unit.projectCode, unit.corpType)
  const entryTime = body.entryTime ?? unit.entryTime
  if (body.exitTime) {
    requireCode(ctx, 'labour.unitExit')
    if (body.exitTime < entryTime) throw new AppError('invalidInput', '退场时间不能早于进场时间', { field: 'exitTime' })
    if (body.exitTime > formatDay(ctx.clock.now())) throw new AppError('invalidInput', '退场时间不能晚于今天', { field: 'exitTime' })
    await requireEmptyUnit(ctx, unit)
  } else requireCode(ctx, 'labour.unit')
  await ctx.db
    .updateTable('projectCorp')
    .set({ entryTime, exitTime: body.exitTime, stationed: body.exitTime ? '2' : '1', version: unit.version + 1 })
    .where('id', '=', unit.id)
    .execute()
  ctx.note(`${body.exitTime ? '单位退场' : '设置单位进场时间'}：${unit.corpName}`, unit.id)
  return undefined
}

const removeUnit: HandlerOf<typeof contract.removeUnit> = async ({ body }, ctx) => {
  const unit = await getUnit(ctx, body.id)
  requirePartWriter(ctx, unit.corpType)
  const { teams, people } = await siteUse(ctx, unit.projectCode, unit.corpCode)
  if (teams + people > 0)
    throw new AppError('refused', `“${unit.corpName}”已有 ${teams} 个班组、${people} 条人员记录，只能退场，不能移除`, { teams, people })
  await ctx.db.deleteFrom('projectCorp').where('id', '=', unit.id).execute()
  ctx.note(`移除参建单位 ${unit.corpName}`, unit.id)
  return undefined
}

const teamTree: HandlerOf<typeof contract.teamTree> = async ({ query }, ctx) => {
  const projects = projectsFor(ctx, query.projectCode && query.projectCode !== '*' ? query.projectCode : undefined)
  const corps = await sql<{ id: string; name: string; count: number }>`
      select u.corp_code as id, c.corp_name as name, coalesce(p.n, 0)::int as count
      from (select distinct corp_code from project_corp u where u.exit_time is null and ${allOf(...inProjects('u.projectCode', projects))}) u
        join corporation c using (corp_code)
        left join (select corp_code, count(*) as n from project_worker pw
          where pw.exit_time is null and ${allOf(...inProjects('pw.projectCode', projects))} group by 1) p using (corp_code)
      order by count desc, c.corp_name limit 300`.execute(ctx.db)
  const teams = await sql<{ id: string; name: string; corpCode: string; count: number }>`
      select t.id, t.team_name as name, t.corp_code, coalesce(p.n, 0)::int as count
      from team t left join (select team_id, count(*) as n from project_worker pw
          where pw.exit_time is null and pw.team_id is not null and ${allOf(...inProjects('pw.projectCode', projects))} group by 1) p on p.team_id = t.id
      where t.exit_time is null and ${allOf(...inProjects('t.projectCode', projects))} order by t.team_name limit 2000`.execute(ctx.db)
  const below = Map.groupBy(teams.rows, (t) => t.corpCode)
  return corps.rows.map((c) => {
    const children = (below.get(c.id) ?? []).map((t) => ({ ...t, kind: 'team' as const }))
    return { ...c, kind: 'corp' as const, corpCode: c.id, ...(children.length ? { children } : {}) }
  })
}

export type RawUnit = Row<'projectCorp'> & {
  corpName: string | null
  parentCorpName: string | null
  projectName: string
  teamCount: number
  onSite: number
}
const select = sql`
  select u.*, c.corp_name, a.corp_name as parent_corp_name, p.name as project_name,
    (select count(*)::int from team t where t.project_code = u.project_code and t.corp_code = u.corp_code and t.exit_time is null) as team_count,
    (select count(*)::int from project_worker w where w.project_code = u.project_code and w.corp_code = u.corp_code and w.exit_time is null) as on_site
  from project_corp u join project p using (project_code) left join corporation c using (corp_code)
    left join corporation a on a.corp_code = u.parent_corp_code`

export async function getUnit(ctx: Context, id: string): Promise<RawUnit> {
  const within = allOf(...inProjects('u.projectCode', projectsFor(ctx)))
  const { rows } = await sql<RawUnit>`${select} where u.id = ${id} and ${within}`.execute(ctx.db)
  return found(rows[0], '参建单位')
}

/** Owner, leader and supervisor answer for the project: it does not enter, change or dismiss them itself. */
export function requirePartWriter(ctx: Pick<Context, 'group' | 'scopeChecks'>, corpType: string): void {
  if (ctx.scopeChecks && ctx.group.type === groupTypes.project && (answeringParts as readonly string[]).includes(corpType))
    throw new AppError('forbidden', `${dictName('projectCorpType', corpType)}由建设单位、总承包单位或平台登记和变更`, { field: 'corpType' })
}

/** A part that only one company can have is refused while another has it, by name. */
async function requireFreePart(ctx: Pick<Context, 'db'>, projectCode: string, corpType: string): Promise<void> {
  if (!(singleParts as readonly string[]).includes(corpType)) return
  const present = await sql<{ name: string }>`
    select c.corp_name as name from project_corp u join corporation c using (corp_code)
    where u.project_code = ${projectCode} and u.corp_type = ${corpType} and u.exit_time is null`.execute(ctx.db)
  const name = present.rows[0]?.name
  if (name) throw new AppError('refused', `本项目已有${dictName('projectCorpType', corpType)}：${name}`, { field: 'corpType' })
}

/** A parent takes part itself, and does not hang on the unit it is to stand above: whoever is above sees the people below. */
async function requireParent(ctx: Context, projectCode: string, corpCode: string, parent: string | null | undefined): Promise<void> {
  if (!parent) return
  await requirePresentUnit(ctx, projectCode, parent, 'parentCorpCode', '上级发包单位')
  const { rows } = await sql<{ code: string }>`
    with recursive above as (
      select ${parent}::text as code
      union select u.parent_corp_code from project_corp u join above a on u.corp_code = a.code
        where u.project_code = ${projectCode} and u.parent_corp_code is not null)
    select code from above where code = ${corpCode}`.execute(ctx.db)
  if (rows.length) throw new AppError('invalidInput', '上级发包单位不能是本单位或其下级', { field: 'parentCorpCode' })
}

interface SiteUse {
  teams: number
  teamsPresent: number
  people: number
  peoplePresent: number
}

/** What a unit still has on the site, whether or not the caller sees it: nothing is removed because its people were out of sight. */
async function siteUse(ctx: Pick<Context, 'db'>, projectCode: string, corpCode: string): Promise<SiteUse> {
  const { rows } = await sql<SiteUse>`select * from zg_site_use(${projectCode}, ${corpCode})`.execute(ctx.db)
  return rows[0] ?? { teams: 0, teamsPresent: 0, people: 0, peoplePresent: 0 }
}

function sealedLeader(ctx: Pick<Context, 'secrets'>, number: unknown, phone: unknown) {
  return {
    ...(typeof number === 'string' && number ? { pmIdCardNumber: ctx.secrets.seal(number), pmIdCardMask: maskIdCard(number) } : {}),
    ...(typeof phone === 'string' && phone ? { pmPhone: ctx.secrets.seal(phone), pmPhoneMask: maskPhone(phone) } : {}),
  }
}

/** The unit in place, or a refusal at the field. */
export async function requirePresentUnit(
  ctx: Pick<Context, 'db'>,
  projectCode: string,
  corpCode: string,
  field = 'corpCode',
  thing = '所在单位',
): Promise<{ entryTime: string }> {
  const unit = await ctx.db
    .selectFrom('projectCorp')
    .select('entryTime')
    .where('projectCode', '=', projectCode)
    .where('corpCode', '=', corpCode)
    .where('exitTime', 'is', null)
    .orderBy('entryTime')
    .executeTakeFirst()
  if (!unit) throw new AppError('refused', `${thing}不在本项目场内，请先办理单位进场`, { field })
  return unit
}

/** A unit leaves after its teams and people; those in place are named. A company's second part in the project keeps them. */
async function requireEmptyUnit(ctx: Context, unit: RawUnit): Promise<void> {
  const others = await ctx.db
    .selectFrom('projectCorp')
    .select('id')
    .where('projectCode', '=', unit.projectCode)
    .where('corpCode', '=', unit.corpCode)
    .where('exitTime', 'is', null)
    .where('id', '!=', unit.id)
    .executeTakeFirst()
  if (others) return
  const teams = await ctx.db
    .selectFrom('team')
    .select(['id', 'teamName as name'])
    .where('projectCode', '=', unit.projectCode)
    .where('corpCode', '=', unit.corpCode)
    .where('exitTime', 'is', null)
    .execute()
  if (teams.length)
    throw new AppError('refused', `“${unit.corpName}”还有 ${teams.length} 个班组在场，请先办理班组退场：${listed(teams)}`, { teams })
  const people = await ctx.db
    .selectFrom('projectWorker')
    .select(['id', 'workerName as name'])
    .where('projectCode', '=', unit.projectCode)
    .where('corpCode', '=', unit.corpCode)
    .where('exitTime', 'is', null)
    .execute()
  if (people.length)
    throw new AppError('refused', `“${unit.corpName}”还有 ${people.length} 人在场，请先办理人员退场：${listed(people)}`, { people })
  const { teamsPresent, peoplePresent } = await siteUse(ctx, unit.projectCode, unit.corpCode)
  if (teamsPresent + peoplePresent > 0)
    throw new AppError('refused', `“${unit.corpName}”还有 ${teamsPresent} 个班组、${peoplePresent} 人在场，不能退场`)
}

/** Up to eight names; the whole list goes along as detail. */
export const listed = (things: readonly { name: string }[]): string =>
  things
    .slice(0, 8)
    .map((t) => t.name)
    .join('、') + (things.length > 8 ? ` 等 ${things.length} 个` : '')

function toUnit(u: RawUnit): UnitRow {
  return {
    id: u.id,
    projectCode: u.projectCode,
    projectName: u.projectName,
    corpCode: u.corpCode,
    corpName: u.corpName ?? u.corpCode,
    corpType: u.corpType,
    corpTypeName: dictName('projectCorpType', u.corpType),
    parentCorpCode: u.parentCorpCode,
    parentCorpName: u.parentCorpName,
    contractNo: u.contractNo,
    contractAmount: u.contractAmount,
    pmName: u.pmName,
    pmPhone: u.pmPhoneMask,
    entryTime: u.entryTime,
    exitTime: u.exitTime,
    stationed: u.stationed,
    payType: u.payType,
    payTypeName: dictName('payChannel', u.payType),
    teamCount: u.teamCount,
    onSite: u.onSite,
    version: u.version,
  }
}
