import { permissionModules } from '@zhugong/contract/access/codes'
import type * as contract from '@zhugong/contract/access/users'
import { AppError } from '@zhugong/contract/kit/errors'
import { areaName } from '@zhugong/contract/settings/dictionaries'
import { sql } from 'kysely'
import { formatInstant } from '#kit/clock'
import { type Context, found, type Group, type GroupType, groupTypes, type Rights } from '#kit/context'
import { codesWithin } from '#kit/reach'
import type { HandlerOf } from '#kit/serve'
import { factsOf } from './find-rights.ts'
import { closedBy, isNothing, judge, type RightsFacts, type Source, sourcesOf } from './rights.ts'
import { findScope } from './scope.ts'

/** Why a group's people see the projects it sees. */
const groupSource = ['platform', 'area', 'part', 'own'] as const

/** Whether and in which modules a set of codes shows a project. */
function modulesOf(codes: ReadonlySet<string>): { module: string; name: string; may: 'edit' | 'view' }[] {
  return permissionModules.flatMap((m) => {
    const held = m.permissions.filter((p) => codes.has(p.code))
    if (held.length === 0) return []
    const edits = held.some((p) => !/\.(view|export|stats|verify)$/.test(p.code))
    return [{ module: m.module, name: m.name, may: edits ? ('edit' as const) : ('view' as const) }]
  })
}

/** What brings a project into sight: what reaches as far as the group comes before roles tied to it, and these before what ends soon. */
function sourceAt(type: number, sources: readonly Source[], project: string): { source: string; until: string | null } | undefined {
  const here = sources.filter((one) => one.state === 'holds' && (one.projects === null || one.projects.includes(project)))
  const best =
    here.find((one) => one.kind === 'role' && one.projects === null) ??
    here.find((one) => one.kind === 'role') ??
    here.toSorted((a, b) => (b.until ?? '').localeCompare(a.until ?? ''))[0]
  if (!best) return undefined
  const source = best.kind === 'temporary' ? 'temporary' : best.projects === null ? (groupSource[type] ?? 'own') : 'role'
  return { source, until: best.until }
}

/** The facts of one role alone, as if somebody had it for good. */
async function factsOfRole(ctx: Context, roleId: string): Promise<RightsFacts> {
  const role = found(
    await ctx.db
      .selectFrom('role')
      .select(['id', 'name', 'codes', 'dataScope', 'projects', 'enable'])
      .where('id', '=', roleId)
      .where('groupsType', '=', ctx.group.type)
      .executeTakeFirst(),
    '角色',
  )
  const projects = role.dataScope === '4' ? role.projects : null
  const fact = { id: role.id, name: role.name, codes: role.codes, taken: [], enabled: role.enable === '1', deadline: null, projects }
  return { groupsType: ctx.group.type, enabled: true, deadline: null, roles: [fact], temporary: [], stopped: [], open: 'every' }
}

export const seenProjects: HandlerOf<typeof contract.seenProjects> = async ({ query }, ctx) => {
  const isOther = query.memberId !== undefined || query.roleId !== undefined
  if (isOther && !ctx.codes.has('visible.view')) throw new AppError('forbidden', '您没有此项权限（visible.view）', { code: 'visible.view' })
  const now = ctx.clock.now()
  const memberId = query.memberId ?? (await ownMemberId(ctx))
  const member = await ctx.db
    .selectFrom('member')
    .select('id')
    .where('id', '=', memberId)
    .where('groupId', '=', ctx.group.id)
    .executeTakeFirst()
  if (query.memberId) found(member, '组成员')
  const facts = query.roleId ? await factsOfRole(ctx, query.roleId) : found(await factsOf(ctx.system, memberId, now), '组成员')
  const rights = judge(facts, now)
  const sources = isNothing(facts, now) ? [] : sourcesOf(facts, now)
  const scope = await findScope(ctx.system, ctx.group, ctx.user.id)
  let rows = ctx.db.selectFrom('project').select(['projectCode', 'name', 'areaCode']).where('enable', '=', '1')
  if (!scope.all) rows = rows.where('projectCode', 'in', scope.projects.length ? [...scope.projects] : [''])
  return (await rows.orderBy('areaCode').orderBy('name').execute()).flatMap((project) => {
    const seen = sourceAt(ctx.group.type, sources, project.projectCode)
    const modules = modulesOf(codesWithin(rights, [project.projectCode])).filter((one) => !query.module || one.module === query.module)
    if (!seen && !isOther) return []
    return [
      {
        projectCode: project.projectCode,
        name: project.name,
        areaCode: project.areaCode,
        areaName: areaName(project.areaCode) ?? project.areaCode,
        source: seen?.source ?? 'none',
        until: seen?.until ?? null,
        modules: seen ? modules : [],
      },
    ]
  })
}

async function ownMemberId(ctx: Context): Promise<string> {
  const row = await ctx.system
    .selectFrom('member')
    .select('id')
    .where('userId', '=', ctx.user.id)
    .where('groupId', '=', ctx.group.id)
    .executeTakeFirst()
  return found(row, '组成员').id
}

interface RawSeer {
  memberId: string
  userName: string
  groupId: string
  groupName: string
  groupsType: number
  groupCode: string
  areaCode: string | null
  lastSeen: Date | null
}

/**
 * Who sees a project. Of one's own group everybody by name; the platform by name whoever of any group; others see of foreign groups that
 * they are there and how many, as a group's people are seen from inside it alone.
 */
export const usersByProject: HandlerOf<typeof contract.usersByProject> = async ({ query }, ctx) => {
  const { scope } = ctx
  if (!scope.all && !scope.projects.includes(query.projectCode))
    throw new AppError('notFound', '项目不存在或不在您的管辖范围内', { field: 'projectCode' })
  const { rows } = await sql<RawSeer>`
    select m.id as member_id, u.name as user_name, t.id as group_id, t.name as group_name, t.type as groups_type, t.code as group_code, t.area_code,
      m.last_visit_at as last_seen
    from member m join app_user u on u.id = m.user_id and u.enable = '1' join tenant t on t.id = m.group_id and t.enable = '1'
    where m.enable = '1' ${scope.all ? sql`` : sql`and m.group_id = ${ctx.group.id}`} order by t.type, t.name, u.name limit ${mostSeers}`.execute(
    ctx.db,
  )
  const reach = new Map<string, Promise<boolean>>()
  const now = ctx.clock.now()
  const seers = []
  for (const row of rows) {
    const known = reach.get(row.groupId) ?? seesProject(ctx, row, query.projectCode)
    reach.set(row.groupId, known)
    if (!(await known)) continue
    const facts = await factsOf(ctx.system, row.memberId, now)
    if (!facts || isNothing(facts, now)) continue
    const seen = sourceAt(row.groupsType, usable(facts, now), query.projectCode)
    if (!seen || (query.source && seen.source !== query.source) || (query.name && !row.userName.includes(query.name))) continue
    const rights: Rights = judge(facts, now)
    seers.push({
      memberId: row.memberId,
      userName: row.userName,
      groupName: row.groupName,
      groupsType: row.groupsType,
      source: seen.source,
      modules: modulesOf(codesWithin(rights, [query.projectCode])).map((one) => one.name),
      until: seen.until,
      lastSeen: row.lastSeen && formatInstant(row.lastSeen),
    })
  }
  const from = (query.page - 1) * query.size
  return { list: seers.slice(from, from + query.size), total: seers.length }
}

/** People looked through for one project: each costs a reading of his facts. */
const mostSeers = 500

/** Sources that give anything at all. */
const usable = (facts: RightsFacts, now: number): Source[] => {
  const closed = closedBy(facts)
  return sourcesOf(facts, now).filter((one) => one.codes.some((code) => !one.taken.includes(code) && !closed(code)))
}

async function seesProject(ctx: Context, row: RawSeer, projectCode: string): Promise<boolean> {
  if (row.groupsType === groupTypes.platform) return true
  const group: Group = {
    id: row.groupId,
    type: row.groupsType as GroupType,
    code: row.groupCode,
    name: row.groupName,
    areaCode: row.areaCode,
  }
  return (await findScope(ctx.system, group, ctx.user.id)).projects.includes(projectCode)
}
