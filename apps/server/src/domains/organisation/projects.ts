import { maskPhone } from '@zhugong/contract/kit/checks'
import { isOn } from '@zhugong/contract/kit/enable'
import { AppError } from '@zhugong/contract/kit/errors'
import { projectStates } from '@zhugong/contract/organisation/codes'
import * as contract from '@zhugong/contract/organisation/endpoints'
import { type ProjectAction, type ProjectRow, projectActions } from '@zhugong/contract/organisation/model'
import { areaName, dictName } from '@zhugong/contract/settings/dictionaries'
import { sql } from 'kysely'
import { formatDay, formatInstant } from '#kit/clock'
import { type Context, found, groupTypes, oneProject, projectsFor } from '#kit/context'
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
  inProjects,
  orderBy,
  pageSlice,
} from '#kit/list'
import type { Serve } from '#kit/serve'
import { awaits } from '../alarms/public.ts'
import { markStateChanged } from '../attendance/public.ts'
import { exportOf } from '../exports/registry.ts'
import { enterParties, requireOwnProject } from './project-parties.ts'
import { missingForStart, nextProjectCode } from './project-rules.ts'
import {
  changedFields,
  isOfArea,
  requireCorporation,
  requireOwnArea,
  requireOwnLine,
  requireRegistrar,
  requireSupervisor,
} from './registration.ts'

export function projectRoutes(serve: Serve) {
  serve(contract.listProjects, async ({ query }, ctx) => {
    const { limit, offset } = pageSlice(query)
    const where = conditions(query, projectsFor(ctx))
    const { rows } =
      await sql<RawProject>`select * from (${select}) p where ${where} order by ${order(query.sort)} limit ${limit} offset ${offset}`.execute(
        ctx.db,
      )
    return { list: rows.map((row) => toRow(row, ctx)), total: await countWhere(ctx, where) }
  })
  serve(contract.projectCounts, async (_input, ctx) => {
    const within = allOf(...inProjects('p.projectCode', projectsFor(ctx)))
    const { rows } = await sql<Record<keyof typeof chips | 'total', number>>`
      select count(*)::int as total, ${sql.join(
        Object.entries(chips).map(([name, condition]) => sql`count(*) filter (where ${condition})::int as ${sql.id(name)}`),
      )} from project p where ${within}`.execute(ctx.db)
    return rows[0] ?? { total: 0, building: 0, stopped: 0, toStart: 0, noSuperviseNo: 0, noFence: 0, silent: 0 }
  })
  serve(contract.pickProjects, async ({ query }, ctx) => {
    const where = allOf(...contains('name', query.name), ...inProjects('projectCode', projectsFor(ctx)))
    const { limit, offset } = pageSlice(query)
    const rows = await ctx.db
      .selectFrom('project')
      .select(['projectCode', 'name', 'areaCode', 'prjStatus'])
      .where('enable', '=', '1')
      .where(where)
      .orderBy('areaCode')
      .orderBy('name')
      .limit(limit)
      .offset(offset)
      .execute()
    const total = await ctx.db
      .selectFrom('project')
      .select((eb) => eb.fn.countAll<number>().as('n'))
      .where('enable', '=', '1')
      .where(where)
      .executeTakeFirstOrThrow()
    return { list: rows.map((r) => ({ ...r, areaName: areaName(r.areaCode) })), total: total.n }
  })
  serve(contract.fillProject, async ({ params }, ctx) => {
    const p = await getRaw(ctx, params.projectCode)
    return {
      ...toRow(p, ctx),
      description: p.description,
      areaRule: p.areaRule as never,
      builderLicenses: p.builderLicenses,
      investProjectCode: p.investProjectCode,
      approvalNum: p.approvalNum,
      prjSize: p.prjSize,
      propertyNum: p.propertyNum,
      functionNum: p.functionNum,
      contractPrice: p.contractPrice,
      laborCostRatio: p.laborCostRatio,
      buildingLength: p.buildingLength,
      structureType: p.structureType,
      floorsUp: p.floorsUp,
      floorsDown: p.floorsDown,
      fundSource: p.fundSource,
      projectMode: p.projectMode,
      linkMan: p.linkMan,
      linkPhone: p.linkPhoneMask,
      chargeEmail: p.chargeEmail,
      attendanceStartTime: p.attendanceStartTime,
      attendanceEndTime: p.attendanceEndTime,
      isClosedSite: p.isClosedSite,
      sitePlan: p.sitePlan ?? null,
      missingForStart: await missingForStart(ctx.db, p),
    }
  })
  serve(contract.createProject, async ({ body }, ctx) => {
    const projectCode = await insertProject(ctx, { ...columns(ctx, body), prjStatus: '001' }, body)
    ctx.note(`新增项目 ${body.name}`, projectCode)
    return { projectCode }
  })
  serve(contract.createProjectFast, async ({ body }, ctx) => {
    const today = formatDay(ctx.clock.now())
    const { linkPhone, ...rest } = body
    const govCode = ctx.group.type === groupTypes.government ? ctx.group.code : null
    const projectCode = await insertProject(
      ctx,
      {
        ...rest,
        ...phoneColumns(ctx, linkPhone),
        prjStatus: '001',
        lng: 0,
        lat: 0,
        builderLicenses: '[]',
        propertyNum: '001',
        invest: 0,
        startDate: today,
        completeDate: `${Number(today.slice(0, 4)) + 2}${today.slice(4)}`,
      },
      { ...body, superviseOrg: govCode },
    )
    ctx.note(`快速新建项目 ${body.name}`, projectCode)
    return { projectCode }
  })
  serve(contract.updateProject, async ({ params, body }, ctx) => {
    const before = await getRaw(ctx, params.projectCode)
    if (before.prjStatus === projectStates.closed) throw new AppError('refused', '项目已终止监督，资料只读')
    await requireRegistrar(ctx, before, changedFields(before, body))
    try {
      const done = await ctx.db
        .updateTable('project')
        .set({ ...columns(ctx, body), updateTime: new Date(ctx.clock.now()), updateBy: ctx.user.id, version: before.version + 1 })
        .where('projectCode', '=', params.projectCode)
        .where('version', '=', body.version ?? before.version)
        .executeTakeFirst()
      if (done.numUpdatedRows === 0n) throw new AppError('conflict', '项目已被他人修改，请刷新后重试')
    } catch (error) {
      throw sameName(error)
    }
    ctx.note(`修改项目 ${before.name}`, params.projectCode)
    return undefined
  })
  serve(contract.removeProject, async ({ params }, ctx) => {
    const p = await getRegulated(ctx, params.projectCode)
    if (p.prjStatus !== projectStates.planned) throw new AppError('refused', '只有筹备中的项目可以删除')
    const { rows } = await sql<{
      n: number
    }>`select (select count(*) from project_worker where project_code = ${p.projectCode}) + (select count(*) from device where project_code = ${p.projectCode}) as n`.execute(
      ctx.db,
    )
    if (Number(rows[0]?.n ?? 0) > 0) throw new AppError('refused', `项目“${p.name}”已有人员或设备，不能删除`)
    await requireNoAccounts(ctx, p)
    for (const table of ['projectStateLog', 'projectCorp'] as const) {
      await ctx.db.deleteFrom(table).where('projectCode', '=', p.projectCode).execute()
    }
    await sql`delete from attendance_setting where project_code = ${p.projectCode}`.execute(ctx.db)
    await ctx.db.deleteFrom('project').where('projectCode', '=', p.projectCode).execute()
    ctx.note(`删除项目 ${p.name}`, p.projectCode)
    return undefined
  })
  serve(contract.switchProjectStatus, async ({ body }, ctx) => {
    const p = await getRegulated(ctx, body.projectCode)
    await ctx.db.updateTable('project').set({ enable: body.status }).where('projectCode', '=', p.projectCode).execute()
    ctx.note(`${isOn(body.status) ? '启用' : '停用'}项目 ${p.name}`, p.projectCode)
    return undefined
  })
  serve(contract.changeProjectState, async ({ body }, ctx) => {
    const p = await getRaw(ctx, body.projectCode)
    if (!mayChangeState(ctx, p)) throw new AppError('forbidden', '项目状态由监管机构、平台或建设单位变更')
    const action = projectActions[body.action]
    if (p.prjStatus !== action.from) throw new AppError('refused', '当前状态不允许该操作')
    if (action.needsReason && body.reason.length < 5)
      throw new AppError('invalidInput', `${action.name}请填写原因（至少 5 个字）`, { field: 'reason' })
    if (body.action === 'start') {
      const missing = await missingForStart(ctx.db, p)
      if (missing.length) throw new AppError('refused', `还不能确认开工，缺少：${missing.join('、')}`, { missing })
    }
    if (body.action === 'complete') await requireEmptySite(ctx, p.projectCode)
    const today = formatDay(ctx.clock.now())
    const done = await ctx.db
      .updateTable('project')
      .set({
        prjStatus: action.to,
        version: p.version + 1,
        ...(body.action === 'start' ? { actualStartDate: today } : {}),
        ...(body.action === 'complete' ? { actualCompleteDate: today } : {}),
      })
      .where('projectCode', '=', p.projectCode)
      .where('version', '=', body.version)
      .executeTakeFirst()
    if (done.numUpdatedRows === 0n) throw new AppError('conflict', '项目已被他人修改，请刷新后重试')
    await ctx.db
      .insertInto('projectStateLog')
      .values({
        id: ctx.newId(),
        projectCode: p.projectCode,
        fromState: p.prjStatus,
        toState: action.to,
        at: new Date(ctx.clock.now()),
        reason: body.reason,
        byUser: ctx.user.id,
      })
      .execute()
    await markStateChanged(ctx.db, p.projectCode, ctx.clock.now(), null, ctx.clock.now())
    ctx.note(`${action.name}：${p.name}`, p.projectCode)
    return { prjStatus: action.to, version: p.version + 1 }
  })
  serve(contract.assignSupervisor, async ({ body }, ctx) => {
    for (const code of body.projectCodes) {
      const project = await getRaw(ctx, code)
      await requireRegistrar(ctx, project, changedFields(project, { superviseOrg: body.govCode }))
    }
    await ctx.db.updateTable('project').set({ superviseOrg: body.govCode }).where('projectCode', 'in', body.projectCodes).execute()
    ctx.note(`指派监督机构：${body.projectCodes.length} 个项目`, body.govCode)
    return undefined
  })
  serve(contract.actualProject, async ({ query }, ctx) => {
    const p = await getRaw(ctx, oneProject(ctx, query.projectCode))
    return {
      projectCode: p.projectCode,
      name: p.name,
      prjStatus: p.prjStatus,
      prjStatusName: dictName('projectState', p.prjStatus),
      areaName: areaName(p.areaCode),
      address: p.address,
      lng: p.lng,
      lat: p.lat,
      areaRule: p.areaRule as never,
      sitePlan: p.sitePlan ?? null,
      contractorCorpName: p.contractorCorpName,
      buildCorpName: p.buildCorpName,
      phaseName: dictName('projectPhase', p.phase),
      startDate: p.startDate,
      completeDate: p.completeDate,
      onSite: p.onSite,
    }
  })
}

type RawProject = Row<'project'> & {
  contractorCorpName: string | null
  buildCorpName: string | null
  superviseOrgName: string | null
  onSite: number
  openAlarms: number
}

/** Names come through the owner's eyes: whoever sees a project may read who builds it, even a company outside one's own library. */
const select = sql`
  select p.*, cc.corp_name as contractor_corp_name, bc.corp_name as build_corp_name, g.name as supervise_org_name,
    (select count(*)::int from project_worker pw where pw.project_code = p.project_code and pw.exit_time is null) as on_site,
    (select count(*)::int from alarm a where a.project_code = p.project_code and ${awaits('a')}) as open_alarms
  from project p
    left join corporation cc on cc.corp_code = p.contractor_corp_code
    left join corporation bc on bc.corp_code = p.build_corp_code
    left join government g on g.gov_code = p.supervise_org`

const chips = {
  building: condition(sql`p.prj_status = '003'`),
  stopped: condition(sql`p.prj_status = '005'`),
  toStart: condition(sql`p.prj_status = '002'`),
  noSuperviseNo: condition(sql`coalesce(p.supervise_no, '') = ''`),
  noFence: condition(sql`p.area_rule is null or p.area_rule = 'null'::jsonb`),
  silent: condition(
    sql`p.prj_status = '003' and not exists (select 1 from attendance_day d where d.project_code = p.project_code and d.work_day > current_date - 7 and d.record_count > 0)`,
  ),
} as const

type Filters = NonNullable<(typeof contract.listProjects)['types']>['parsed']['query']

function conditions(query: Partial<Filters>, projects: readonly string[] | undefined): Condition {
  return allOf(
    ...inProjects('p.projectCode', projects),
    ...contains('p.name', query.name),
    ...contains('p.projectCode', query.projectCode),
    ...inAreas('p.areaCode', query.areaCode),
    ...anyOf('p.category', query.category),
    ...anyOf('p.prjStatus', query.prjStatus),
    ...anyOf('p.superviseOrg', query.superviseOrg),
    ...anyOf('p.superviseNo', query.superviseNo),
    ...contains('p.contractorCorpName', query.contractorCorpName),
    ...contains('p.buildCorpName', query.buildCorpName),
    ...between('p.buildingArea', query.buildingArea),
    ...between('p.invest', query.invest),
    ...anyOf('p.phase', query.phase),
    ...daysBetween('p.startDate', query.startDate),
    ...daysBetween('p.completeDate', query.completeDate),
    ...equals('p.enable', query.enable),
    ...(query.chip ? [chips[query.chip]] : []),
    ...(query.q ? [condition(sql`(${allOf(...contains('p.name', query.q))} or p.project_code = ${query.q})`)] : []),
  )
}

const order = (sort: Filters['sort']) =>
  orderBy(
    sort,
    {
      createTime: 'p.createTime',
      name: 'p.name',
      projectCode: 'p.projectCode',
      startDate: 'p.startDate',
      completeDate: 'p.completeDate',
      invest: 'p.invest',
      buildingArea: 'p.buildingArea',
      onSite: 'p.onSite',
      openAlarms: 'p.openAlarms',
      prjStatus: 'p.prjStatus',
      areaCode: 'p.areaCode',
    },
    '-createTime',
    'p.projectCode',
  )

async function countWhere(ctx: Pick<Context, 'db'>, where: Condition): Promise<number> {
  const { rows } = await sql<{ n: number }>`select count(*)::int as n from (${select}) p where ${where}`.execute(ctx.db)
  return rows[0]?.n ?? 0
}

async function getRaw(ctx: Pick<Context, 'db' | 'scope' | 'scopeChecks'>, projectCode: string): Promise<RawProject> {
  const within = allOf(...inProjects('p.projectCode', projectsFor(ctx, projectCode)))
  const { rows } = await sql<RawProject>`select * from (${select}) p where ${within} and p.project_code = ${projectCode}`.execute(ctx.db)
  return found(rows[0], '项目')
}

/** A project that the asker may switch or remove: the platform any, an authority those of its area. */
async function getRegulated(ctx: Context, projectCode: string): Promise<RawProject> {
  const p = await getRaw(ctx, projectCode)
  if (!isOfArea(ctx, p.areaCode)) throw new AppError('forbidden', '只能办理本辖区的项目')
  return p
}

async function requireNoAccounts(ctx: Pick<Context, 'system'>, p: RawProject): Promise<void> {
  const { rows } = await sql<{ n: number }>`
    select count(*)::int as n from member m join tenant t on t.id = m.group_id where t.type = 3 and t.code = ${p.projectCode}`.execute(
    ctx.system,
  )
  const accounts = rows[0]?.n ?? 0
  if (accounts > 0) throw new AppError('refused', `项目“${p.name}”还有 ${accounts} 个账号，不能删除`)
}

/** A company moves the state of a project it owns; elsewhere that is the authority's. */
const mayChangeState = (ctx: Pick<Context, 'group'>, p: Pick<RawProject, 'buildCorpCode'>): boolean =>
  ctx.group.type !== groupTypes.corporation || p.buildCorpCode === ctx.group.code

type ProjectInput = NonNullable<(typeof contract.createProject | typeof contract.updateProject)['types']>['parsed']['body']

function phoneColumns(ctx: Pick<Context, 'secrets'>, phone: unknown) {
  return typeof phone === 'string' && phone ? { linkPhone: ctx.secrets.seal(phone), linkPhoneMask: maskPhone(phone) } : {}
}

function columns(ctx: Pick<Context, 'secrets'>, body: ProjectInput) {
  const { version: _version, linkPhone, areaRule, builderLicenses, ...rest } = body
  return {
    ...rest,
    ...phoneColumns(ctx, linkPhone),
    areaRule: JSON.stringify(areaRule ?? null),
    builderLicenses: JSON.stringify(builderLicenses),
  }
}

async function insertProject(
  ctx: Context,
  values: Omit<Parameters<ReturnType<Context['db']['insertInto']>['values']>[0], never> & Record<string, unknown>,
  body: {
    areaCode: string
    category: string
    name: string
    contractorCorpCode: string
    buildCorpCode: string
    superviseOrg: string | null
    startDate?: string
  },
): Promise<string> {
  requireOwnProject(ctx, body)
  await requireCorporation(ctx, 'contractorCorpCode', body.contractorCorpCode)
  await requireCorporation(ctx, 'buildCorpCode', body.buildCorpCode)
  requireOwnArea(ctx, [body.areaCode])
  await requireOwnLine(ctx, [body.superviseOrg])
  if (body.superviseOrg) await requireSupervisor(ctx, { govCode: body.superviseOrg, areaCode: body.areaCode, projectCode: null })
  const projectCode = await nextProjectCode(ctx.system, body.areaCode, body.category, formatDay(ctx.clock.now()))
  // A new project lies outside the scope this request began with; its row and group are the creator's to write once.
  await ctx.widenTo(projectCode)
  try {
    await ctx.db
      .insertInto('project')
      .values({ ...(values as object), superviseOrg: body.superviseOrg, id: ctx.newId(), projectCode, createBy: ctx.user.id } as never)
      .execute()
  } catch (error) {
    throw sameName(error)
  }
  await ctx.db
    .insertInto('tenant')
    .values({ id: ctx.newId(), type: 3, code: projectCode, name: body.name, areaCode: body.areaCode })
    .execute()
  await enterParties(ctx, projectCode, body, body.startDate)
  return projectCode
}

function sameName(error: unknown): unknown {
  return isUniqueViolation(error) ? new AppError('refused', '同一地区已有同名项目', { field: 'name' }) : error
}

async function requireEmptySite(ctx: Pick<Context, 'db'>, projectCode: string): Promise<void> {
  const { rows } = await sql<{
    teams: number
  }>`select count(*)::int as teams from team where project_code = ${projectCode} and exit_time is null`.execute(ctx.db)
  if (rows[0]?.teams) throw new AppError('refused', `还有 ${rows[0].teams} 个班组未退场，不能确认完工`)
}

function toRow(p: RawProject, ctx: Pick<Context, 'codes' | 'group'>): ProjectRow {
  return {
    id: p.id,
    projectCode: p.projectCode,
    name: p.name,
    shortName: p.shortName,
    areaCode: p.areaCode,
    areaName: areaName(p.areaCode),
    address: p.address,
    lng: p.lng,
    lat: p.lat,
    category: p.category,
    categoryName: dictName('projectCategory', p.category),
    prjStatus: p.prjStatus,
    prjStatusName: dictName('projectState', p.prjStatus),
    superviseOrg: p.superviseOrg,
    superviseOrgName: p.superviseOrgName,
    superviseNo: p.superviseNo,
    contractorCorpCode: p.contractorCorpCode,
    contractorCorpName: p.contractorCorpName,
    buildCorpCode: p.buildCorpCode,
    buildCorpName: p.buildCorpName,
    buildingArea: p.buildingArea,
    invest: p.invest,
    phase: p.phase,
    phaseName: dictName('projectPhase', p.phase),
    startDate: p.startDate,
    completeDate: p.completeDate,
    onSite: p.onSite,
    openAlarms: p.openAlarms,
    hasFence: Boolean(p.areaRule),
    enable: p.enable,
    createTime: formatInstant(p.createTime),
    version: p.version,
    actions:
      ctx.codes.has('project.state') && mayChangeState(ctx, p)
        ? Object.keys(projectActions).filter((name) => projectActions[name as ProjectAction].from === p.prjStatus)
        : [],
  }
}

export function registerProjectExport(): void {
  exportOf(
    contract.projectList,
    {
      title: '项目列表',
      widths: { name: 32, projectCode: 22, superviseOrg: 26, contractorCorpName: 26, buildCorpName: 26 },
      count: (ctx, query) => countWhere(ctx, conditions(query, projectsFor(ctx))),
      async *rows(ctx, query) {
        const where = conditions(query, projectsFor(ctx))
        const { rows } = await sql<RawProject>`select * from (${select}) p where ${where} order by ${order(query.sort)}`.execute(ctx.db)
        for (const row of rows) yield toRow(row, ctx)
      },
    },
    {
      name: (p) => p.name,
      projectCode: (p) => p.projectCode,
      prjStatus: (p) => p.prjStatusName,
      areaCode: (p) => p.areaName,
      category: (p) => p.categoryName,
      superviseOrg: (p) => p.superviseOrgName,
      superviseNo: (p) => p.superviseNo,
      contractorCorpName: (p) => p.contractorCorpName,
      buildCorpName: (p) => p.buildCorpName,
      onSite: (p) => p.onSite,
      openAlarms: (p) => p.openAlarms,
      buildingArea: (p) => p.buildingArea,
      invest: (p) => p.invest,
      phase: (p) => p.phaseName,
      startDate: (p) => p.startDate,
      completeDate: (p) => p.completeDate,
      enable: (p) => (isOn(p.enable) ? '启用' : '停用'),
    },
  )
}
