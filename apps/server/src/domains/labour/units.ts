import { isOn } from '@zhugong/contract/kit/enable'
import { AppError } from '@zhugong/contract/kit/errors'
import { stations } from '@zhugong/contract/labour/codes'
import { answeringParts, subcontractParts } from '@zhugong/contract/labour/model'
import * as contract from '@zhugong/contract/labour/units'
import { dictName } from '@zhugong/contract/settings/dictionaries'
import { sql } from 'kysely'
import { changeRow } from '#kit/change-row'
import { formatDay } from '#kit/clock'
import { type Context, found, oneProject, projectsFor, requireCode } from '#kit/context'
import { isUniqueViolation } from '#kit/db'
import { allOf, inProjects } from '#kit/list'
import type { HandlerOf, Serve } from '#kit/serve'
import { keptFiles } from '../files/public.ts'
import { requireCompanyUnlisted } from './black-hold.ts'
import {
  requireEmptyUnit,
  requireFreePart,
  requireParent,
  requirePartWriter,
  requireSameLeader,
  sealedLeader,
  siteUse,
} from './unit-checks.ts'
import { conditions, fillUnit, getUnit, select, unitPage } from './unit-list.ts'

/** Routes of a company's part in a project: it joins first and leaves last. */
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

/** Figures above the list, over the same rows. People count once, however many parts their company has. */
const unitFigures: HandlerOf<typeof contract.unitFigures> = async ({ query }, ctx) => {
  const projects = projectsFor(ctx, query.projectCode)
  const where = conditions(ctx, { ...query, stationed: stations.present })
  const { rows } = await sql<{ present: number; places: number; noContract: number; types: string[] }>`
    select count(distinct u.corp_code)::int as present, count(*)::int as places, count(*) filter (where u.contract_no is null and u.corp_type = any (${[...subcontractParts]}))::int as no_contract,
      coalesce(array_agg(distinct u.corp_type), '{}') as types from (${select}) u where ${where}`.execute(ctx.db)
  const people = await sql<{ n: number }>`
    select count(*)::int as n from project_worker w where w.exit_time is null and ${allOf(...inProjects('w.projectCode', projects))}`.execute(
    ctx.db,
  )
  const { present = 0, places = 0, noContract = 0, types = [] } = rows[0] ?? {}
  return {
    present,
    places,
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

/** Adds a company to a project. Throws if it is disabled or black-listed, has this part already, or its parent unit is not present. */
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
  await requireSameLeader(ctx, before, rest.pmName)
  await changeRow(ctx, 'projectCorp', {
    key: { id },
    version,
    noun: '参建单位',
    by: ctx.user.id,
    values: {
      ...rest,
      ...sealedLeader(ctx, pmIdCardNumber, pmPhone),
      contractFile: JSON.stringify(await keptFiles(ctx, contractFile, before.contractFile)),
    },
  })
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
  await changeRow(ctx, 'projectCorp', {
    key: { id: unit.id },
    version: unit.version,
    by: ctx.user.id,
    noun: '参建单位',
    values: { entryTime, exitTime: body.exitTime, stationed: body.exitTime ? '2' : '1' },
  })
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
    return { ...c, kind: 'corp' as const, corpCode: c.id, children: children.length ? children : undefined }
  })
}
