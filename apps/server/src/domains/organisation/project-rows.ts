import { type ProjectAction, type ProjectRow, projectActions } from '@zhugong/contract/organisation/model'
import type * as contract from '@zhugong/contract/organisation/projects'
import { areaName, dictName } from '@zhugong/contract/settings/dictionaries'
import { sql } from 'kysely'
import { formatInstant } from '#kit/clock'
import { type Context, found, groupTypes, projectsFor } from '#kit/context'
import type { Row } from '#kit/db'
import { allOf, anyOf, between, type Condition, condition, contains, daysBetween, equals, inAreas, inProjects, orderBy } from '#kit/list'
import { awaits } from '../alarms/public.ts'

export type RawProject = Row<'project'> & {
  contractorCorpName: string | null
  buildCorpName: string | null
  superviseOrgName: string | null
  onSite: number
  openAlarms: number
}

/** Names come through the owner's eyes: whoever sees a project may read who builds it, even a company outside one's own library. */
export const select = sql`
  select p.*, cc.corp_name as contractor_corp_name, bc.corp_name as build_corp_name, g.name as supervise_org_name,
    (select count(*)::int from project_worker pw where pw.project_code = p.project_code and pw.exit_time is null) as on_site,
    (select count(*)::int from alarm a where a.project_code = p.project_code and ${awaits('a')}) as open_alarms
  from project p
    left join corporation cc on cc.corp_code = p.contractor_corp_code
    left join corporation bc on bc.corp_code = p.build_corp_code
    left join government g on g.gov_code = p.supervise_org`

export const chips = {
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

export function conditions(query: Partial<Filters>, projects: readonly string[] | undefined): Condition {
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

export const order = (sort: Filters['sort']) =>
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

export async function countWhere(ctx: Pick<Context, 'db'>, where: Condition): Promise<number> {
  const { rows } = await sql<{ n: number }>`select count(*)::int as n from (${select}) p where ${where}`.execute(ctx.db)
  return rows[0]?.n ?? 0
}

export async function getRaw(ctx: Pick<Context, 'db' | 'scope' | 'scopeChecks'>, projectCode: string): Promise<RawProject> {
  const within = allOf(...inProjects('p.projectCode', projectsFor(ctx, projectCode)))
  const { rows } = await sql<RawProject>`select * from (${select}) p where ${within} and p.project_code = ${projectCode}`.execute(ctx.db)
  return found(rows[0], '项目')
}

export function toRow(p: RawProject, ctx: Pick<Context, 'codes' | 'group'>): ProjectRow {
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

/** A company moves the state of a project it owns; elsewhere that is the authority's. */
export const mayChangeState = (ctx: Pick<Context, 'group'>, p: Pick<RawProject, 'buildCorpCode'>): boolean =>
  ctx.group.type !== groupTypes.corporation || p.buildCorpCode === ctx.group.code
