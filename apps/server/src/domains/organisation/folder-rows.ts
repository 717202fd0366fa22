import type { OutputFor, ParsedFor } from '@zhugong/contract/kit/endpoint'
import { folderModules, type listFolderProjects } from '@zhugong/contract/organisation/project-groups'
import { areaName, dictName } from '@zhugong/contract/settings/dictionaries'
import { sql } from 'kysely'
import { formatInstant } from '#kit/clock'
import { type Context, projectsFor } from '#kit/context'
import type { Row } from '#kit/db'
import {
  allOf,
  anyOf,
  between,
  type Condition,
  condition,
  contains,
  equals,
  inAreas,
  inProjects,
  instantsBetween,
  orderBy,
} from '#kit/list'
import { pick } from '#kit/pick'
import { awaits } from '../alarms/public.ts'

/** States in which a project is finished. */
export const overStates = ['004', '006', '007']

export type RawFolder = Row<'projectGroup'> & { path: string; depth: number; head: string | null; own: number; projects: number }

/** The context of a read, in a request or an export. */
export type Looker = Pick<Context, 'db' | 'group' | 'scope' | 'scopeChecks'>

/** Projects visible to the caller, each with its folder in the module, if any. */
const placed = (ctx: Looker, module: string) => sql`
  select p.*, i.project_group_id as group_id, i.join_time from project p
    left join project_group_item i on i.project_code = p.project_code and i.group_id = ${ctx.group.id} and i.module = ${module}
  where ${allOf(...inProjects('p.projectCode', projectsFor(ctx)))}`

/** All folders of the caller's group in a module, with path and projects; parents before children. */
const folders = (ctx: Looker, module: string) => sql`
  with recursive down as (
    select n.*, n.name as path, 1 as depth, lpad(n.sort::text, 6, '0') || n.id as place from project_group n
      where n.group_id = ${ctx.group.id} and n.module = ${module} and n.parent_id is null
    union all
    select n.*, d.path || '/' || n.name, d.depth + 1, d.place || '/' || lpad(n.sort::text, 6, '0') || n.id
      from project_group n join down d on n.parent_id = d.id),
  up as (
    select id, id as above from down
    union all select u.id, n.parent_id from up u join project_group n on n.id = u.above where n.parent_id is not null),
  inside as (
    select u.above, count(*)::int as projects, (count(*) filter (where u.id = u.above))::int as own
    from up u join (${placed(ctx, module)}) p on p.group_id = u.id group by u.above)
  select d.*, coalesce(i.projects, 0) as projects, coalesce(i.own, 0) as own,
    (select a.name from member m join app_user a on a.id = m.user_id where m.id = d.head_id) as head
  from down d left join inside i on i.above = d.id`

export async function readFolders(ctx: Looker, module: string): Promise<RawFolder[]> {
  const { rows } = await sql<RawFolder>`select * from (${folders(ctx, module)}) n order by n.place`.execute(ctx.db)
  return rows
}

export async function folderPage(
  ctx: Looker,
  query: { module: string; name?: string | undefined; enable?: string | undefined },
  slice: { limit: number; offset: number },
) {
  const where = allOf(...contains('n.name', query.name), ...equals('n.enable', query.enable))
  const from = sql`(${folders(ctx, query.module)}) n where ${where}`
  const { rows } = await sql<RawFolder>`select * from ${from} order by n.place limit ${slice.limit} offset ${slice.offset}`.execute(ctx.db)
  const total = await sql<{ n: number }>`select count(*)::int as n from ${from}`.execute(ctx.db)
  return { rows, total: total.rows[0]?.n ?? 0 }
}

export interface FolderFigures {
  total: number
  ungrouped: number
  finished: number
  building: number
  stopped: number
  onSite: number
}
/** Figures above the list, computed with the conditions of the lists they open. */
export async function folderFigures(ctx: Looker, module: string): Promise<FolderFigures> {
  const { rows } = await sql<FolderFigures>`
    select count(*)::int as total, (count(*) filter (where p.group_id is null))::int as ungrouped,
      (count(*) filter (where p.prj_status = any (${overStates})))::int as finished,
      (count(*) filter (where p.prj_status = '003'))::int as building, (count(*) filter (where p.prj_status = '005'))::int as stopped,
      coalesce(sum(${onSite}), 0)::int as on_site
    from (${placed(ctx, module)}) p`.execute(ctx.db)
  return rows[0] ?? { total: 0, ungrouped: 0, finished: 0, building: 0, stopped: 0, onSite: 0 }
}

const onSite = sql`(select count(*) from project_worker w where w.project_code = p.project_code and w.exit_time is null)`

/** Per folder, without subfolders: projects by state, people on site and open alarms. */
export async function projectsByFolder(ctx: Looker, module: string) {
  const { rows } = await sql<{ groupId: string; prjStatus: string; projects: number; onSite: number; openAlarms: number }>`
    select p.group_id, p.prj_status, count(*)::int as projects, sum(${onSite})::int as on_site,
      sum((select count(*) from alarm a where a.project_code = p.project_code and ${awaits('a')}))::int as open_alarms
    from (${placed(ctx, module)}) p where p.group_id is not null group by 1, 2`.execute(ctx.db)
  return rows
}

type Filters = ParsedFor<typeof listFolderProjects>['query']
type FolderProject = OutputFor<typeof listFolderProjects>['list'][number]
export interface RawFolderProject extends Pick<Row<'project'>, 'projectCode' | 'name' | 'prjStatus' | 'areaCode'> {
  groupId: string | null
  groupPath: string | null
  manager: string | null
  ourRole: string[]
  onSite: number
  joinTime: Date | null
}

/** The visible projects with their columns, in all folders. */
export const folderProjects = (ctx: Looker, module: string) => sql`
  select p.project_code, p.name, p.prj_status, p.area_code, p.group_id, p.join_time, f.path as group_path, ${onSite}::int as on_site,
    (select pc.pm_name from project_corp pc where pc.project_code = p.project_code and pc.corp_type = '009' order by pc.entry_time desc limit 1) as manager,
    array(select pc.corp_type from project_corp pc where pc.project_code = p.project_code and pc.corp_code = ${ctx.group.code} order by 1) as our_role
  from (${placed(ctx, module)}) p left join (${folders(ctx, module)}) f on f.id = p.group_id`

/** `inside`: the selected folders; undefined for all. */
export function folderProjectConditions(query: Partial<Filters>, inside: readonly string[] | undefined): Condition {
  return allOf(
    ...(inside ? anyOf('p.groupId', inside) : []),
    ...(query.view === 'ungrouped' ? [condition(sql`p.group_id is null`)] : []),
    ...(query.view === 'finished' ? anyOf('p.prjStatus', overStates) : []),
    ...contains('p.name', query.name),
    ...contains('p.projectCode', query.projectCode),
    ...anyOf('p.prjStatus', query.prjStatus),
    ...inAreas('p.areaCode', query.areaCode),
    ...(query.ourRole?.length ? [condition(sql`p.our_role && ${query.ourRole}`)] : []),
    ...contains('p.manager', query.manager),
    ...between('p.onSite', query.onSite),
    ...instantsBetween('p.joinTime', query.joinTime),
  )
}
export const folderProjectOrder = (sort: Filters['sort'] | undefined) =>
  orderBy(
    sort,
    { joinTime: 'p.joinTime', name: 'p.name', projectCode: 'p.projectCode', prjStatus: 'p.prjStatus', onSite: 'p.onSite' },
    '-joinTime',
    'p.projectCode',
  )

export const toFolderProject = (p: RawFolderProject): FolderProject => ({
  ...pick(p, 'projectCode', 'name', 'groupId', 'groupPath', 'prjStatus', 'areaCode', 'manager', 'ourRole', 'onSite'),
  prjStatusName: dictName('projectState', p.prjStatus),
  areaName: areaName(p.areaCode),
  ourRoleName: p.ourRole.map((role) => dictName('projectCorpType', role)).join('、'),
  joinTime: p.joinTime && formatInstant(p.joinTime),
})

export const moduleName = (module: string): string => (folderModules as Readonly<Record<string, string>>)[module] ?? module
