import type { ParsedFor } from '@zhugong/contract/kit/endpoint'
import { AppError } from '@zhugong/contract/kit/errors'
import * as calls from '@zhugong/contract/rules/endpoints'
import { execKinds, execRow, linkageCommands, rectifyPart } from '@zhugong/contract/rules/exec-model'
import { deviceCommands } from '@zhugong/contract/telemetry/commands'
import { sql } from 'kysely'
import { changeRow, conflictOf } from '#kit/change-row'
import { formatInstant } from '#kit/clock'
import { type Context, found, groupTypes, oneProject, projectsFor, requireCode, requireProject } from '#kit/context'
import { allOf, anyOf, type Condition, condition, contains, equals, pageSlice } from '#kit/list'
import { rowOf } from '#kit/row-of'
import type { HandlerOf, Serve } from '#kit/serve'
import type { ListContext } from '../exports/registry.ts'

type Body = ParsedFor<typeof calls.createExec>['body']

interface ExecRecord {
  id: string
  name: string
  kind: keyof typeof execKinds
  projectCode: string | null
  projectName: string | null
  groupId: string | null
  definition: Record<string, unknown>
  hasSecret: boolean
  enabled: boolean
  version: number
  usedBy: number
  lastRun: Date | null
  failed30d: number
  createTime: Date
  updateTime: Date | null
}

const columns = sql`e.id, e.name, e.kind, e.project_code, p.name as project_name, e.group_id, e.definition, e.secret is not null as has_secret, e.enabled, e.version,
  (select count(*)::int from rule_trigger t where e.id = any (t.exec_ids)) as used_by,
  (select max(x.create_time) from exec_log x where x.exec_id = e.id) as last_run,
  (select count(*)::int from exec_log x where x.exec_id = e.id and x.state = 'failed' and x.create_time > now() - interval '30 days') as failed30d,
  e.create_time, e.update_time`

const ofOwners = (ctx: ListContext, requested?: string): Condition => {
  const projects = projectsFor(ctx, requested)
  const ofProjects = projects ? sql`e.project_code = any (${[...projects]})` : sql`e.project_code is not null`
  const ofGroup =
    ctx.group.type === groupTypes.platform ? sql`e.group_id is null` : sql`(e.group_id is null or e.group_id = ${ctx.group.id})`
  return condition(sql`(${ofProjects} or (e.project_code is null and ${ofGroup}))`)
}

function toExec(row: ExecRecord) {
  const part = (kind: ExecRecord['kind']) => (row.kind === kind ? row.definition : null)
  return rowOf(execRow, row, {
    kindName: execKinds[row.kind] ?? row.kind,
    notify: part('notify'),
    linkage: part('linkage'),
    rectify: row.kind === 'rectify' ? rectifyPart.parse(row.definition) : null,
    webhook: row.kind === 'webhook' ? { url: String(row.definition.url ?? ''), hasSecret: row.hasSecret } : null,
    lastRun: row.lastRun ? formatInstant(row.lastRun) : null,
    updateTime: formatInstant(row.updateTime ?? row.createTime),
  })
}

/**
 * An action the user may see.
 * @throws AppError when it does not exist or is hidden.
 */
export async function findExec(ctx: Context, id: string, lock = false): Promise<ExecRecord> {
  const { rows } = await sql<ExecRecord>`select ${columns} from rule_exec e left join project p on p.project_code = e.project_code
    where e.id = ${id} and ${ofOwners(ctx)} ${lock ? sql`for update of e` : sql``}`.execute(ctx.db)
  return found(rows[0], '执行动作')
}

async function ownExec(ctx: Context, id: string): Promise<ExecRecord> {
  const row = await findExec(ctx, id, true)
  const foreign = row.projectCode === null && row.groupId === null && ctx.group.type !== groupTypes.platform
  if (foreign) throw new AppError('forbidden', '平台的执行动作只能由平台修改')
  return row
}

/** The definition to store and the encrypted webhook secret. Commands to machines need their own permission. */
function definitionOf(ctx: Context, body: Body): { definition: Record<string, unknown>; secret: Buffer | undefined } {
  requireCode(ctx, body.kind === 'linkage' ? 'rules.linkage' : 'rules.edit')
  const { secret, ...definition } = { secret: undefined as string | undefined, ...body[body.kind] } as Record<string, unknown> & {
    secret?: string
  }
  return { definition, secret: secret ? (ctx.secrets.seal(secret) ?? undefined) : undefined }
}

async function checkTargets(ctx: Context, body: Body): Promise<void> {
  if (body.linkage?.selector.kind !== 'list') return
  const ids = [...new Set(body.linkage.selector.deviceIds)]
  const projects = projectsFor(ctx)
  const { rows } = await sql<{
    name: string
    family: string
  }>`select name, family from device where id = any (${ids}) and ${projects ? sql`project_code = any (${[...projects]})` : sql`true`}`.execute(
    ctx.db,
  )
  const field = { field: 'linkage.selector' }
  if (rows.length < ids.length) throw new AppError('invalidInput', '联动设备不存在或不在您的管辖范围内', field)
  const families: readonly string[] = linkageCommands[body.linkage.command].families
  const other = rows.find((d) => !families.includes(d.family))
  if (other) throw new AppError('invalidInput', `${other.name}不执行“${deviceCommands[body.linkage.command]}”`, field)
}

/** The owner of a new action: the project, or otherwise the group that creates it. */
function ownerOf(ctx: Context, requested: string | undefined) {
  const projectCode = requested ?? (ctx.projectCode === '*' ? undefined : ctx.projectCode)
  if (projectCode || ctx.group.type === groupTypes.project) return { projectCode: oneProject(ctx, projectCode), groupId: null }
  return { projectCode: null, groupId: ctx.group.type === groupTypes.platform ? null : ctx.group.id }
}

async function insertExec(
  ctx: Context,
  row: {
    name: string
    kind: string
    definition: unknown
    secret: Buffer | null
    enabled: boolean
    projectCode: string | null
    groupId: string | null
  },
): Promise<string> {
  const id = ctx.newId()
  await sql`insert into rule_exec (id, name, kind, project_code, group_id, definition, secret, enabled, create_by, create_time)
    values (${id}, ${row.name}, ${row.kind}, ${row.projectCode}, ${row.groupId}, ${JSON.stringify(row.definition)}::jsonb, ${row.secret}, ${row.enabled},
      ${ctx.user.name}, ${new Date(ctx.clock.now())})`.execute(ctx.db)
  return id
}

export function execRoutes(serve: Serve): void {
  serve(calls.listExecs, listExecs)
  serve(calls.getExec, getExec)
  serve(calls.createExec, createExec)
  serve(calls.updateExec, updateExec)
  serve(calls.deleteExec, deleteExec)
  serve(calls.duplicateExec, duplicateExec)
}

type ExecQuery = ParsedFor<typeof calls.listExecs>['query']

const whereOf = (ctx: ListContext, query: ExecQuery): Condition =>
  allOf(
    ofOwners(ctx, query.projectCode),
    ...anyOf('e.kind', query.kind),
    ...contains('e.name', query.name),
    ...equals('e.enabled', query.enabled),
  )

/** A page of actions, the last changed first. */
export async function findExecs(ctx: ListContext, query: ExecQuery) {
  const { limit, offset } = pageSlice(query)
  const { rows } = await sql<ExecRecord>`select ${columns} from rule_exec e left join project p on p.project_code = e.project_code
      where ${whereOf(ctx, query)} order by coalesce(e.update_time, e.create_time) desc, e.id limit ${limit} offset ${offset}`.execute(
    ctx.db,
  )
  return rows.map(toExec)
}

/** Number of actions for a query, with the counts shown above the list. */
export async function countExecs(ctx: ListContext, query: ExecQuery) {
  const { rows: counts } = await sql<{ n: number; enabled: number; unused: number }>`
      select count(*)::int as n, count(*) filter (where e.enabled)::int as enabled,
        count(*) filter (where not exists (select 1 from rule_trigger t where e.id = any (t.exec_ids)))::int as unused from rule_exec e where ${whereOf(ctx, query)}`.execute(
    ctx.db,
  )
  const { n = 0, enabled = 0, unused = 0 } = counts[0] ?? {}
  return { total: n, counts: { enabled, unused } }
}

const listExecs: HandlerOf<typeof calls.listExecs> = async ({ query }, ctx) => ({
  list: await findExecs(ctx, query),
  ...(await countExecs(ctx, query)),
})

const getExec: HandlerOf<typeof calls.getExec> = async ({ params }, ctx) => {
  const row = await findExec(ctx, params.id)
  const { rows } = await sql<{
    id: string
    name: string
  }>`select id, name from rule_trigger where ${params.id} = any (exec_ids) order by name limit 200`.execute(ctx.db)
  return { ...toExec(row), triggers: rows }
}

const createExec: HandlerOf<typeof calls.createExec> = async ({ body }, ctx) => {
  const { definition, secret } = definitionOf(ctx, body)
  await checkTargets(ctx, body)
  const id = await insertExec(ctx, { ...body, definition, secret: secret ?? null, ...ownerOf(ctx, body.projectCode) })
  ctx.note(`新增执行动作：${body.name}`, id)
  return { id }
}

const updateExec: HandlerOf<typeof calls.updateExec> = async ({ params, body }, ctx) => {
  const before = await ownExec(ctx, params.id)
  if (body.version !== undefined && body.version !== before.version) throw await conflictOf(ctx, 'ruleExec', { id: before.id }, '执行动作')
  if (body.projectCode !== undefined && body.projectCode !== before.projectCode) {
    requireProject(ctx, body.projectCode)
    throw new AppError('invalidInput', '执行动作不能改到其他项目，请复制', { field: 'projectCode' })
  }
  if (body.kind !== before.kind) throw new AppError('invalidInput', '不能改变动作类型，请新建', { field: 'kind' })
  const { definition, secret } = definitionOf(ctx, body)
  await checkTargets(ctx, body)
  // A secret that is not sent stays unchanged.
  const version = await changeRow(ctx, 'ruleExec', {
    key: { id: params.id },
    version: before.version,
    noun: '执行动作',
    by: ctx.user.name,
    values: {
      name: body.name,
      definition: JSON.stringify(definition),
      secret: sql`coalesce(${secret ?? null}, secret)`,
      enabled: body.enabled,
    },
  })
  ctx.note(`修改执行动作：${body.name}`, params.id)
  return { id: params.id, version }
}

const deleteExec: HandlerOf<typeof calls.deleteExec> = async ({ params }, ctx) => {
  const row = await ownExec(ctx, params.id)
  const { rows } = await sql<{
    id: string
    name: string
  }>`select id, name from rule_trigger where ${params.id} = any (exec_ids) order by name limit 20`.execute(ctx.db)
  if (row.usedBy > 0) {
    const names = rows.map((r) => r.name).join('、')
    throw new AppError('refused', `有 ${row.usedBy} 条规则在使用此动作${names ? `：${names}` : ''}`, { triggers: rows })
  }
  await sql`delete from rule_exec where id = ${params.id}`.execute(ctx.db)
  ctx.note(`删除执行动作：${row.name}`, params.id)
}

const duplicateExec: HandlerOf<typeof calls.duplicateExec> = async ({ params, body }, ctx) => {
  const row = await findExec(ctx, params.id)
  if (row.kind === 'linkage') requireCode(ctx, 'rules.linkage')
  const id = await insertExec(ctx, {
    name: `${row.name} 副本`.slice(0, 100),
    kind: row.kind,
    definition: row.definition,
    // Secrets are not copied.
    secret: null,
    enabled: false,
    ...ownerOf(ctx, body.projectCode ?? row.projectCode ?? undefined),
  })
  ctx.note(`复制执行动作：${row.name}`, id)
  return { id }
}
