import { type listRoles, type role, role as roleSchema } from '@zhugong/contract/access/endpoints'
import type { ParsedFor } from '@zhugong/contract/kit/endpoint'
import { sql } from 'kysely'
import type { z } from 'zod'
import { formatInstant } from '#kit/clock'
import { type Context, groupTypes } from '#kit/context'
import { allOf, anyOf, between, type Condition, condition, contains, daysBetween, equals, orderBy } from '#kit/list'
import { rowOf } from '#kit/row-of'
import { dataScopeOf } from './roles.ts'

export interface RawRole {
  id: string
  groupId: string | null
  groupsType: number
  name: string
  codes: string[]
  builtIn: boolean
  administrator: boolean
  roleScope: string | null
  dataScope: string | null
  remark: string
  enable: string
  createTime: Date
  updateTime: Date
  updateBy: string | null
  version: number
  groupName: string | null
  templateName: string | null
  functionCount: number
  userCount: number
  narrowed: number
  drift: number
}

type Looker = Pick<Context, 'db' | 'group' | 'scope'>
type Query = Partial<ParsedFor<typeof listRoles>['query']>

/** SQL source: roles with their use. Counts only holders visible to the caller: those of the own group or, for the platform, all. */
export const roles = sql`
  select r.id, r.group_id, r.groups_type, r.name, r.codes, r.built_in, r.administrator, r.role_scope, r.data_scope, r.remark, r.enable,
    r.create_time, r.update_time, r.update_by, r.version, t.name as group_name, p.name as template_name,
    cardinality(r.codes) as function_count,
    (select count(distinct m.user_id)::int from member_role mr join member m on m.id = mr.member_id where mr.role_id = r.id) as user_count,
    (select count(*)::int from role_narrowing n where n.role_id = r.id and cardinality(n.codes) > 0) as narrowed,
    case when p.id is null then 0 else (
      select count(*)::int from (
        (select unnest(r.codes) except select unnest(p.codes)) union all (select unnest(p.codes) except select unnest(r.codes))) d) end as drift
  from role r left join tenant t on t.id = r.group_id left join role p on p.id = r.template_id`

/** Which roles the caller may read: those usable in the caller's group. The platform chooses between templates and groups' own roles. */
function reach({ group }: Looker, view: Query['view']): Condition[] {
  if (group.type === groupTypes.platform && view === 'template') return [condition(sql`r.group_id is null`)]
  if (group.type === groupTypes.platform && view === 'group') return [condition(sql`r.group_id is not null`)]
  const own = condition(sql`r.groups_type = ${group.type} and (r.group_id is null or r.group_id = ${group.id})`)
  const half = view === 'template' ? sql`r.group_id is null` : sql`r.group_id is not null`
  return view ? [own, condition(half)] : [own]
}

const whether = (column: string, requested: '1' | '0' | undefined): Condition[] =>
  requested ? [condition(requested === '1' ? sql`${sql.ref(column)} > 0` : sql`${sql.ref(column)} = 0`)] : []

export const roleConditions = (looker: Looker, query: Query): Condition =>
  allOf(
    ...reach(looker, query.view),
    ...contains('r.name', query.name),
    ...contains('r.groupName', query.groupName),
    ...equals('r.groupsType', query.groupsType),
    ...anyOf('r.roleScope', query.roleScope),
    ...equals('r.builtIn', query.builtIn && query.builtIn === '1'),
    ...whether('r.narrowed', query.narrowed),
    ...whether('r.drift', query.drift),
    ...between('r.functionCount', query.functionCount),
    ...between('r.userCount', query.userCount),
    ...daysBetween('r.updateTime', query.updateTime),
  )

/** Delivered roles first, then by name, unless sorted otherwise. */
export const roleOrder = ({ sort }: Query) =>
  sort
    ? orderBy(
        sort,
        { name: 'r.name', functionCount: 'r.functionCount', userCount: 'r.userCount', updateTime: 'r.updateTime' },
        'name',
        'r.id',
      )
    : sql`r.built_in desc, r.name, r.id`

export async function findRole(db: Looker['db'], id: string): Promise<RawRole | undefined> {
  const { rows } = await sql<RawRole>`select * from (${roles}) r where r.id = ${id}`.execute(db)
  return rows[0]
}

export const toRole = (row: RawRole): z.output<typeof role> =>
  rowOf(roleSchema, row, {
    roleScope: row.roleScope ?? (row.groupId ? '5' : String(row.groupsType + 1)),
    dataScope: row.dataScope ?? dataScopeOf(row.groupsType),
    createTime: formatInstant(row.createTime),
    updateTime: formatInstant(row.updateTime),
  })
