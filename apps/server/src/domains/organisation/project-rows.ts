import { type ProjectAction, type ProjectRow, projectActions, projectRow } from '@zhugong/contract/organisation/model'
import type * as contract from '@zhugong/contract/organisation/projects'
import { areaName, dictName } from '@zhugong/contract/settings/dictionaries'
import { sql } from 'kysely'
import { formatInstant } from '#kit/clock'
import { type Context, found, groupTypes, projectsFor } from '#kit/context'
import type { Row } from '#kit/db'
import {
  allOf,
  anyOf,
  between,
  type Condition,
  condition,
  contains,
  daysBetween,
  equals,
  filtersOf,
  inAreas,
  inProjects,
  orderBy,
} from '#kit/list'
import { rowOf } from '#kit/row-of'
import { awaits } from '../alarms/public.ts'

export type RawProject = Row<'project'> & {
  contractorCorpName: string | null
  buildCorpName: string | null
  superviseOrgName: string | null
  onSite: number
  openAlarms: number
}

/**
 * Company names are read with the database owner's rights: users who see a project may read its companies, even those outside their own
 * library.
 */
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
    filtersOf(query, {
      name: [contains, 'p.name'],
      projectCode: [contains, 'p.projectCode'],
      areaCode: [inAreas, 'p.areaCode'],
      category: [anyOf, 'p.category'],
      prjStatus: [anyOf, 'p.prjStatus'],
      superviseOrg: [anyOf, 'p.superviseOrg'],
      superviseNo: [anyOf, 'p.superviseNo'],
      contractorCorpName: [contains, 'p.contractorCorpName'],
      buildCorpName: [contains, 'p.buildCorpName'],
      buildingArea: [between, 'p.buildingArea'],
      invest: [between, 'p.invest'],
      phase: [anyOf, 'p.phase'],
      startDate: [daysBetween, 'p.startDate'],
      completeDate: [daysBetween, 'p.completeDate'],
      enable: [equals, 'p.enable'],
      chip: (value) => chips[value],
      q: (value) => condition(sql`(${allOf(...contains('p.name', value))} or p.project_code = ${value})`),
    }),
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
  return rowOf(projectRow, p, {
    areaName: areaName(p.areaCode),
    categoryName: dictName('projectCategory', p.category),
    prjStatusName: dictName('projectState', p.prjStatus),
    phaseName: dictName('projectPhase', p.phase),
    hasFence: Boolean(p.areaRule),
    createTime: formatInstant(p.createTime),
    actions:
      ctx.codes.has('project.state') && mayChangeState(ctx, p)
        ? Object.keys(projectActions).filter((name) => projectActions[name as ProjectAction].from === p.prjStatus)
        : [],
  })
}

/** A company may change the state of a project it owns; for others the authority does. */
export const mayChangeState = (ctx: Pick<Context, 'group'>, p: Pick<RawProject, 'buildCorpCode'>): boolean =>
  ctx.group.type !== groupTypes.corporation || p.buildCorpCode === ctx.group.code
