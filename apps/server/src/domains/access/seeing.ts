import { permissionModules } from '@zhugong/contract/access/codes'
import type * as contract from '@zhugong/contract/access/users'
import type { OutputFor } from '@zhugong/contract/kit/endpoint'
import { AppError } from '@zhugong/contract/kit/errors'
import { areaName } from '@zhugong/contract/settings/dictionaries'
import { sql } from 'kysely'
import { formatDay, formatInstant } from '#kit/clock'
import { type Context, found, type Group, type GroupType, groupTypes } from '#kit/context'
import { pageSlice } from '#kit/list'
import { pick } from '#kit/pick'
import { codesWithin } from '#kit/reach'
import type { HandlerOf } from '#kit/serve'
import { factsOf } from './find-rights.ts'
import { closedBy, isNothing, judge, type RightsFacts, type Source, sourcesOf } from './rights.ts'
import { factsOfRole } from './role-facts.ts'
import { findScope } from './scope.ts'
import { findHidden, settle } from './sight.ts'

/** Reasons why a group's members see a project. */
const groupSource = ['platform', 'area', 'part', 'own'] as const

/** The modules of a project that a set of codes opens, with the level of access. */
function modulesOf(codes: ReadonlySet<string>): { module: string; name: string; may: 'edit' | 'view' }[] {
  return permissionModules.flatMap((m) => {
    const existing = m.permissions.filter((p) => codes.has(p.code))
    if (existing.length === 0) return []
    const edits = existing.some((p) => !/\.(view|export|stats|verify)$/.test(p.code))
    return [{ module: m.module, name: m.name, may: edits ? ('edit' as const) : ('view' as const) }]
  })
}

/** Projects added to an authority's scope by hand. */
async function addedTo(ctx: Context, group: { type: number; code: string }): Promise<readonly string[]> {
  if (group.type !== groupTypes.government) return []
  const row = await ctx.system.selectFrom('government').select('addedProjects').where('govCode', '=', group.code).executeTakeFirst()
  return row?.addedProjects ?? []
}

/** A project shown by hand to a user who has no other source for it. */
function shownByHand(facts: RightsFacts, now: number, project: string): { source: string; until: string | null } | undefined {
  const today = formatDay(now)
  const hand = facts.hand?.find((one) => one.shows && one.projectCode === project && (one.until === null || one.until >= today))
  return hand && { source: 'hand', until: hand.until }
}

/**
 * The source that makes a project visible. Roles covering the whole group take precedence over limited roles, and those without end
 * over those ending soon.
 */
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
  const sources = isNothing(facts, now) ? [] : sourcesOf(facts, now)
  const scope = await findScope(ctx.system, ctx.group, ctx.user.id)
  const rights = settle(judge(facts, now), scope, await findHidden(ctx.system, ctx.group, scope, now))
  const added = await addedTo(ctx, ctx.group)
  let rows = ctx.db.selectFrom('project').select(['projectCode', 'name', 'areaCode']).where('enable', '=', '1')
  if (!scope.all) rows = rows.where('projectCode', 'in', scope.projects.length ? [...scope.projects] : [''])
  return (await rows.orderBy('areaCode').orderBy('name').execute()).flatMap((project) => {
    const seen = sourceAt(ctx.group.type, sources, project.projectCode) ?? shownByHand(facts, now, project.projectCode)
    const all = modulesOf(codesWithin(rights, [project.projectCode]))
    const modules = all.filter((one) => !query.module || one.module === query.module)
    if (!isOther && (!seen || all.length === 0)) return []
    const source = seen?.source === 'area' && added.includes(project.projectCode) ? 'body' : seen?.source
    return [
      {
        ...pick(project, 'projectCode', 'name', 'areaCode'),
        areaName: areaName(project.areaCode) ?? project.areaCode,
        source: source ?? 'none',
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
 * Users who see a project. The caller's own group, and for the platform all groups, are listed by name. Other groups are shown only as
 * a number, because members are visible only inside their group.
 */
export const usersByProject: HandlerOf<typeof contract.usersByProject> = async ({ query }, ctx) => {
  const { scope } = ctx
  if (!scope.all && !scope.projects.includes(query.projectCode))
    throw new AppError('notFound', '项目不存在或不在您的管辖范围内', { field: 'projectCode' })
  const seers = await seersOf(ctx, query.projectCode)
  const list = chosenSeers(seers, query)
  const { limit, offset } = pageSlice(query)
  const sources = [...Map.groupBy(seers, (one) => one.source)].map(([source, of]) => ({ source, people: of.length }))
  return { list: list.slice(offset, offset + limit), total: list.length, sources }
}

type SeersQuery = Parameters<HandlerOf<typeof contract.usersByProject>>[0]['query']
type Seer = OutputFor<typeof contract.usersByProject>['list'][number]

/**
 * All users who see the project. Visibility is computed from each user's facts in memory, a few at a time, because SQL cannot express
 * it.
 */
async function seersOf(ctx: Context, projectCode: string): Promise<Seer[]> {
  // Candidate groups: the project itself, companies with a part in it, authorities and the platform.
  const { rows } = await sql<RawSeer>`
    select m.id as member_id, u.name as user_name, t.id as group_id, t.name as group_name, t.type as groups_type, t.code as group_code, t.area_code,
      m.last_visit_at as last_seen
    from member m join app_user u on u.id = m.user_id and u.enable = '1' join tenant t on t.id = m.group_id and t.enable = '1'
    where m.enable = '1' ${ctx.scope.all ? sql`` : sql`and m.group_id = ${ctx.group.id}`}
      and case t.type when 3 then t.code = ${projectCode} when 2 then exists (
        select 1 from project_corp pc where pc.corp_code = t.code and pc.project_code = ${projectCode}) else true end
    order by t.type, t.name, u.name, m.id`.execute(ctx.db)
  const now = ctx.clock.now()
  const reach = new Map<string, ReturnType<typeof groupAt>>()
  const seers: Seer[] = []
  for (let at = 0; at < rows.length; at += judgedAtOnce) {
    const some = await Promise.all(
      rows.slice(at, at + judgedAtOnce).map((row) => {
        const known = reach.get(row.groupId) ?? groupAt(ctx, row, projectCode, now)
        reach.set(row.groupId, known)
        return seerOf(ctx, row, known, projectCode)
      }),
    )
    seers.push(...some.filter((one) => one !== undefined))
  }
  return seers
}
/** Concurrent checks; the second connection pool also serves other requests. */
const judgedAtOnce = 8

async function seerOf(ctx: Context, row: RawSeer, known: ReturnType<typeof groupAt>, projectCode: string): Promise<Seer | undefined> {
  const now = ctx.clock.now()
  const at = await known
  if (!at) return undefined
  const facts = await factsOf(ctx.system, row.memberId, now)
  if (!facts || isNothing(facts, now)) return undefined
  const seen = sourceAt(row.groupsType, usable(facts, now), projectCode) ?? shownByHand(facts, now, projectCode)
  const modules = modulesOf(codesWithin(settle(judge(facts, now), at.scope, at.hidden), [projectCode])).map((one) => one.name)
  if (!seen || modules.length === 0) return undefined
  return {
    ...pick(row, 'memberId', 'userName', 'groupName', 'groupsType'),
    source: seen.source === 'area' && at.added ? 'body' : seen.source,
    modules,
    until: seen.until,
    lastSeen: row.lastSeen && formatInstant(row.lastSeen),
  }
}

const isAmong = (wanted: readonly string[] | undefined, ...values: readonly string[]): boolean =>
  !wanted?.length || values.some((value) => wanted.includes(value))
/** Days as yyyy-MM-dd. A missing day matches only if no range is requested. */
const isWithin = (day: string | null, range: SeersQuery['until']): boolean =>
  !(range?.from || range?.to) || (day !== null && day.slice(0, 10) >= (range.from ?? '') && day.slice(0, 10) <= (range.to ?? '9999'))

function chosenSeers(seers: readonly Seer[], query: SeersQuery): Seer[] {
  const list = seers.filter(
    (one) =>
      one.userName.includes(query.userName ?? '') &&
      one.groupName.includes(query.groupName ?? '') &&
      isAmong(query.groupsType, String(one.groupsType)) &&
      isAmong(query.source, one.source) &&
      isAmong(query.modules, ...one.modules) &&
      isWithin(one.until, query.until) &&
      isWithin(one.lastSeen, query.lastSeen),
  )
  if (!query.sort) return list
  const name = query.sort.replace('-', '') as 'userName' | 'groupName' | 'until' | 'lastSeen'
  const turn = query.sort.startsWith('-') ? -1 : 1
  return list.sort((a, b) => turn * (a[name] ?? '').localeCompare(b[name] ?? '', 'zh-CN') || a.memberId.localeCompare(b.memberId))
}

/** Sources with at least one code in effect. */
const usable = (facts: RightsFacts, now: number): Source[] => {
  const closed = closedBy(facts)
  return sourcesOf(facts, now).filter((one) => one.codes.some((code) => !one.taken.includes(code) && !closed(code)))
}

/** A group with its scope, if it sees the project. */
async function groupAt(ctx: Context, row: RawSeer, projectCode: string, now: number) {
  const group: Group = {
    id: row.groupId,
    type: row.groupsType as GroupType,
    code: row.groupCode,
    name: row.groupName,
    areaCode: row.areaCode,
  }
  const scope = await findScope(ctx.system, group, ctx.user.id)
  if (!scope.all && !scope.projects.includes(projectCode)) return undefined
  const hidden = await findHidden(ctx.system, group, scope, now)
  return { scope, hidden, added: (await addedTo(ctx, group)).includes(projectCode) }
}
