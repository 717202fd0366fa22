import { permissionModules } from '@zhugong/contract/access/codes'
import { AppError } from '@zhugong/contract/kit/errors'
import type * as calls from '@zhugong/contract/workflow/endpoints'
import { flowVersion } from '@zhugong/contract/workflow/endpoints'
import { type FlowFacts, type FlowNode, type FlowPlace, flowPlaces, isFor, missingLocks, stagesOf } from '@zhugong/contract/workflow/flow'
import { sql } from 'kysely'
import { formatInstant } from '#kit/clock'
import { type Context, groupTypes, projectsFor } from '#kit/context'
import { rowOf } from '#kit/row-of'
import type { HandlerOf } from '#kit/serve'
import { chainOf, flowOf, newestSettings, type Setting } from './flow-in-force.ts'
import { isKnownKind, kindNamed, knownKinds, lackingPlace } from './kinds.ts'
import type { KnownKind } from './model.ts'
import { memberOf, type Person, resolve } from './people.ts'

interface Subject {
  id: string
  name: string
  type: number
  code: string
}

/** The group whose setting is requested: the user's own group, or the group of a project it runs. */
async function subjectOf(ctx: Context, groupId: string | undefined): Promise<Subject> {
  const own: Subject = { id: ctx.group.id, name: ctx.group.name, type: ctx.group.type, code: ctx.group.code }
  if (!groupId || groupId === own.id) return own
  // Row-level security hides a site's account group from companies, so permission is derived from the project.
  const row = await ctx.system.selectFrom('tenant').select(['id', 'name', 'type', 'code']).where('id', '=', groupId).executeTakeFirst()
  const { scope } = ctx.principal
  const runs =
    row?.type === groupTypes.project &&
    scope.projects.includes(row.code) &&
    !scope.limited.includes(row.code) &&
    !scope.supervised.includes(row.code)
  if (row && (scope.all || runs)) return row
  throw new AppError('notFound', '单位不存在或不在您的管辖范围内', { field: 'groupId' })
}

function kindRequested(bizType: string): KnownKind {
  if (!isKnownKind(bizType)) throw new AppError('invalidInput', '没有这种业务', { field: 'bizType' })
  return kindNamed(bizType)
}

export const getFlowSettings: HandlerOf<typeof calls.getFlowSettings> = async ({ query }, ctx) => {
  const subject = await subjectOf(ctx, query.groupId)
  const chain = await chainOf(ctx.system, subject.id)
  const kinds = knownKinds()
  const settings = await newestSettings(
    ctx.system,
    kinds.map((k) => k.kind),
    chain.map((g) => g.id),
  )
  const running = await runningByKind(ctx)
  const list = await Promise.all(
    kinds.map(async (kind) => ({
      kind: kind.kind,
      name: kind.name,
      mode: modeOf(settings, kind, subject.id),
      running: running.get(kind.kind) ?? 0,
      empty: (await resolvedSteps(ctx, subject, flowOf(kind, chain, settings).nodes, undefined)).some((s) => s.empty),
    })),
  )
  return {
    groupId: subject.id,
    groupName: subject.name,
    kinds: list,
    setting: query.bizType === undefined ? null : await wholeSetting(ctx, subject, kindRequested(query.bizType), chain, settings),
  }
}

function modeOf(settings: readonly Setting[], kind: KnownKind, groupId: string): 'upper' | 'own' | 'none' {
  const mode = settings.find((s) => s.groupId === groupId && s.kind === kind.kind)?.mode
  return mode === 'own' || mode === 'none' ? mode : 'upper'
}

async function runningByKind(ctx: Context): Promise<Map<string, number>> {
  const { rows } = await sql<{ kind: string; n: number }>`select kind, count(*)::int as n from work_item
    where state = '1' and group_id = ${ctx.group.id} group by kind`.execute(ctx.db)
  return new Map(rows.map((r) => [r.kind, r.n]))
}

type Chain = Awaited<ReturnType<typeof chainOf>>

async function wholeSetting(ctx: Context, subject: Subject, kind: KnownKind, chain: Chain, settings: readonly Setting[]) {
  const current = flowOf(kind, chain, settings)
  const upper = flowOf(
    kind,
    chain.filter((g) => g.id !== subject.id),
    settings,
  )
  const versions = await ctx.system
    .selectFrom('flowSetting')
    .selectAll()
    .where('groupId', '=', subject.id)
    .where('kind', '=', kind.kind)
    .orderBy('version', 'desc')
    .limit(30)
    .execute()
  const locked = new Set(upper.locks.map((n) => n.key))
  const choices = await choicesFor(ctx, subject)
  return {
    kind: kind.kind,
    name: kind.name,
    mode: modeOf(settings, kind, subject.id),
    version: versions[0]?.version ?? 0,
    nodes: current.nodes,
    locked: [...locked],
    from: current.group?.id === subject.id ? null : (current.group?.name ?? '产品默认'),
    upper: upper.nodes,
    mayExempt: kind.mayExempt === true && locked.size === 0,
    maySet: kind.settableBy === undefined || kind.settableBy.includes(subject.type),
    facts: Object.entries(kind.facts).map(([key, fact]) => ({
      key,
      label: fact.label,
      type: fact.type,
      options: Object.entries(fact.options ?? {}).map(([value, label]) => ({ value, label })),
    })),
    resolved: await shownSteps(ctx, subject, current.nodes, undefined),
    versions: versions.map((v) =>
      rowOf(flowVersion, v, {
        by: v.createName,
        at: formatInstant(v.createTime),
      }),
    ),
    places: placesOf(kind),
    codes: permissionModules.flatMap((m) => m.permissions.map((p) => ({ key: p.code, name: `${m.name}：${p.name}` }))),
    ...choices,
  }
}

/** The places that items of the kind may have, with their names. */
const placesOf = (kind: KnownKind): { key: string; name: string }[] =>
  (Object.entries(flowPlaces) as [FlowPlace, string][])
    .filter(([place]) => !lackingPlace(kind, { places: [place] }))
    .map(([key, name]) => ({ key, name: (key === 'named' && kind.namedAs) || name }))

async function choicesFor(ctx: Context, subject: Subject) {
  const roles = await ctx.db
    .selectFrom('role')
    .select(['id', 'name', 'groupsType'])
    .where((eb) => eb.or([eb('groupId', 'is', null), eb('groupId', '=', subject.id)]))
    .orderBy('groupsType')
    .orderBy('name')
    .limit(200)
    .execute()
  const { rows: people } = await sql<{ id: string; name: string }>`select u.id, u.name from member m join app_user u on u.id = m.user_id
    where m.group_id = ${subject.id} and m.enable = '1' and u.enable = '1' order by u.name limit 200`.execute(ctx.system)
  const { rows: posts } = await sql<{
    post: string
  }>`select distinct post from org_member where group_id = ${subject.id} and post <> '' order by 1 limit 100`.execute(ctx.system)
  const { scope } = ctx.principal
  const closed = new Set([...scope.limited, ...scope.supervised])
  const projects =
    ctx.group.type === groupTypes.project
      ? []
      : await ctx.db.selectFrom('project').select(['projectCode', 'name']).orderBy('name').limit(500).execute()
  return { roles, people, posts: posts.map((p) => p.post), projects: projects.filter((p) => !closed.has(p.projectCode)) }
}

interface Sample {
  facts: FlowFacts
  applicantId?: string | undefined
  projectCode?: string | undefined
}
/** A person with the group id, which is not part of the response. */
type Shown = Pick<Person, 'name' | 'groupName' | 'groupId'>

/** The people each step would go to for an applicant of the group. Without facts, all steps are assumed to apply. */
async function resolvedSteps(ctx: Context, subject: Subject, nodes: readonly FlowNode[], sample: Sample | undefined) {
  const projectCode = sample?.projectCode ?? (subject.type === groupTypes.project ? subject.code : null)
  const from = { ownGroup: subject.id, projectCode, applicantId: sample?.applicantId ?? '', corpCode: null, named: [] }
  const stages = stagesOf(nodes)
  return Promise.all(
    nodes.map(async (node) => {
      const { people, fallback } = await resolve(ctx, node, from)
      // Without a project, places that depend on a project have no approver yet; nor have places that depend on the item itself.
      const needsProject =
        projectCode === null && node.places.every((p) => !['own', 'platform'].includes(p)) && subject.type !== groupTypes.government
      const isUnknown = needsProject || (fallback && node.places.some((p) => p === 'named' || p === 'corp'))
      return {
        key: node.key,
        name: node.name,
        stage: stages.findIndex((s) => s.includes(node)),
        meant: sample === undefined || isFor(node, sample.facts),
        people: isUnknown ? [] : people.slice(0, 20).map((p): Shown => ({ name: p.name, groupName: p.groupName, groupId: p.groupId })),
        empty: fallback && !isUnknown,
      }
    }),
  )
}

export const tryFlow: HandlerOf<typeof calls.tryFlow> = async ({ body }, ctx) => {
  const kind = kindRequested(body.bizType)
  requireSoundNodes(kind, body.nodes)
  const subject = await subjectOf(ctx, undefined)
  if (body.projectCode) await requireProject(ctx, body.projectCode)
  if (body.applicantId && !(await memberOf(ctx, subject.id, body.applicantId)))
    throw new AppError('invalidInput', '申请人不是本单位人员', { field: 'applicantId' })
  return { steps: await shownSteps(ctx, subject, body.nodes, body) }
}

/** A step may name any right of any group, so names are shown only for groups whose people the caller may see. */
async function shownSteps(ctx: Context, subject: Subject, nodes: readonly FlowNode[], sample: Sample | undefined) {
  const steps = await resolvedSteps(ctx, subject, nodes, sample)
  const named = await groupsNamed(ctx, subject)
  return steps.map((step) => ({ ...step, people: withoutStrangers(step.people, named) }))
}

/** Throws AppError `invalidInput` for a project outside the caller's scope, whether it exists or not. */
async function requireProject(ctx: Context, projectCode: string): Promise<void> {
  const codes = projectsFor(ctx)
  const row = await ctx.db.selectFrom('project').select('projectCode').where('projectCode', '=', projectCode).executeTakeFirst()
  if (!row || (codes && !codes.includes(projectCode)))
    throw new AppError('invalidInput', '项目不存在或不在您的管辖范围内', { field: 'projectCode' })
}

/** Ids of the groups whose names may be shown: the user's own and the sites visible completely. Undefined means all. */
async function groupsNamed(ctx: Context, subject: Subject): Promise<ReadonlySet<string> | undefined> {
  if (ctx.scope.all) return undefined
  const closed = [...ctx.scope.limited, ...ctx.scope.supervised]
  const rows = await ctx.system
    .selectFrom('tenant')
    .select('id')
    .where('type', '=', groupTypes.project)
    .where('code', 'in', [...ctx.scope.projects, ''])
    .where('code', 'not in', [...closed, ''])
    .execute()
  return new Set([subject.id, ...rows.map((row) => row.id)])
}

/** Hides names of people in other groups; only their presence is shown. */
function withoutStrangers(people: readonly Shown[], named: ReadonlySet<string> | undefined) {
  const shown = people.map(({ groupId, name, groupName }) => ({ name: !named || named.has(groupId) ? name : '有权人员', groupName }))
  return shown.filter((one, at) => shown.findIndex((other) => other.name === one.name && other.groupName === one.groupName) === at)
}

/** Refuses facts and places the kind does not have, unknown permission codes, and hand-overs without a recipient. */
function requireSoundNodes(kind: KnownKind, nodes: readonly FlowNode[]): void {
  const codes = new Set(permissionModules.flatMap((m) => m.permissions.map((p) => p.code)))
  for (const [at, node] of nodes.entries()) {
    const wrong = (message: string, field: string) =>
      new AppError('invalidInput', `${node.name}：${message}`, { field: `nodes.${at}.${field}` })
    const strange = node.when.find(({ fact }) => !Object.hasOwn(kind.facts, fact))
    if (strange) throw wrong('条件所用的内容在此业务中没有', 'when')
    const lacking = lackingPlace(kind, node)
    if (lacking) throw wrong(`此业务没有${flowPlaces[lacking]}`, 'places')
    if (node.by.kind === 'code' && !codes.has(node.by.code)) throw wrong('没有这个权限', 'by')
    if (node.late === 'hand' && !node.handTo) throw wrong('请选择超时转给谁', 'handTo')
    if (node.late !== 'remind' && node.hours === null) throw wrong('请填写时限', 'hours')
  }
  if (nodes[0]?.beside) throw new AppError('invalidInput', '第一个步骤之前没有可以同时进行的步骤', { field: 'nodes.0.beside' })
  if (nodes.length > 0 && nodes.every((n) => n.when.length > 0) && !nodes.some((n) => n.locked))
    throw new AppError('invalidInput', '至少有一个步骤不设条件，否则可能无人审批', { field: 'nodes' })
}

export const saveFlowSetting: HandlerOf<typeof calls.saveFlowSetting> = async ({ body }, ctx) => {
  const kind = kindRequested(body.bizType)
  const subject = await subjectOf(ctx, undefined)
  if (kind.settableBy && !kind.settableBy.includes(subject.type)) throw new AppError('refused', '此业务的审批由上级设置')
  if (body.mode === 'none' && !kind.mayExempt) throw new AppError('invalidInput', '此业务不能免审', { field: 'mode' })
  requireSoundNodes(kind, body.nodes)
  const version = await writeVersion(ctx, kind, subject.id, body, body.version)
  let copied = 0
  for (const projectCode of body.copyTo) {
    const project = await ctx.system
      .selectFrom('tenant')
      .select('id')
      .where('type', '=', groupTypes.project)
      .where('code', '=', projectCode)
      .executeTakeFirst()
    if (!project) throw new AppError('invalidInput', '项目不存在或不在您的管辖范围内', { field: 'copyTo' })
    await subjectOf(ctx, project.id)
    await writeVersion(ctx, kind, project.id, body, undefined)
    copied++
  }
  ctx.note(`保存审批设置 ${kind.name} 第 ${version} 版${copied ? `，复制到 ${copied} 个项目` : ''}`, kind.kind)
  return { version, copied }
}

type Saving = Parameters<typeof saveFlowSetting>[0]['body']

async function writeVersion(
  ctx: Context,
  kind: KnownKind,
  groupId: string,
  { mode, nodes, note }: Saving,
  looked: number | undefined,
): Promise<number> {
  // Serialises concurrent saves of the same setting.
  await sql`select pg_advisory_xact_lock(hashtextextended(${`flow ${kind.kind} ${groupId}`}, 0))`.execute(ctx.db)
  const chain = await chainOf(ctx.system, groupId)
  const above = chain.filter((g) => g.id !== groupId)
  const { locks } = flowOf(
    kind,
    above,
    await newestSettings(
      ctx.system,
      [kind.kind],
      above.map((g) => g.id),
    ),
  )
  if (mode === 'none' && locks.length > 0)
    throw new AppError('refused', `上级锁定了${locks.map((n) => n.name).join('、')}，不能免审`, { field: 'mode' })
  if (mode === 'own') {
    const missing = missingLocks(nodes, locks)
    if (missing.length > 0)
      throw new AppError('refused', `不能去掉上级锁定的步骤：${missing.map((n) => n.name).join('、')}`, { field: 'nodes' })
    const changed = locks.find(
      (lock) => JSON.stringify(pinned(lock)) !== JSON.stringify(pinned(nodes.find((n) => n.key === lock.key) ?? lock)),
    )
    if (changed) throw new AppError('refused', `不能改动上级锁定的步骤：${changed.name}`, { field: 'nodes' })
  }
  const last = await ctx.db
    .selectFrom('flowSetting')
    .select(['version', 'createName'])
    .where('groupId', '=', groupId)
    .where('kind', '=', kind.kind)
    .orderBy('version', 'desc')
    .limit(1)
    .executeTakeFirst()
  if (looked !== undefined && (last?.version ?? 0) !== looked)
    throw new AppError('conflict', `审批设置已由 ${last?.createName ?? '他人'} 保存为第 ${last?.version ?? 0} 版，请刷新后重试`)
  const version = (last?.version ?? 0) + 1
  await ctx.db
    .insertInto('flowSetting')
    .values({
      id: ctx.newId(),
      groupId,
      kind: kind.kind,
      version,
      mode,
      nodes: JSON.stringify(mode === 'own' ? nodes : []),
      note,
      createBy: ctx.user.id,
      createName: ctx.user.name,
      createTime: new Date(ctx.clock.now()),
    })
    .execute()
  return version
}

/** The properties fixed by a lock: approvers, mode, condition, signature. Each group may set its own time limits and copies. */
const pinned = ({ name, places, by, mode, when, sign }: FlowNode) => ({ name, places, by, mode, when, sign })
