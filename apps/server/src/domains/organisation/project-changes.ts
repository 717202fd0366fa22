import { AppError } from '@zhugong/contract/kit/errors'
import { changeStates, projectStates } from '@zhugong/contract/organisation/codes'
import { type ProjectChangeRow, type RegistrationField, registrationFields } from '@zhugong/contract/organisation/model'
import * as contract from '@zhugong/contract/organisation/project-changes'
import { areaName, dictName } from '@zhugong/contract/settings/dictionaries'
import { sql } from 'kysely'
import { formatInstant } from '#kit/clock'
import { type Context, found, oneProject, projectsFor } from '#kit/context'
import { isUniqueViolation, type Row } from '#kit/db'
import { allOf, anyOf, inProjects, pageSlice } from '#kit/list'
import type { HandlerOf, Serve } from '#kit/serve'
import { changedFields, requireRegistrar, requireSound } from './registration.ts'

/** A project or a company applies for another registration; the authority of the area or the platform decides. */
export function projectChangeRoutes(serve: Serve) {
  serve(contract.listProjectChanges, listProjectChanges)
  serve(contract.fileProjectChange, fileProjectChange)
  serve(contract.withdrawProjectChange, withdrawProjectChange)
  serve(contract.auditProjectChange, auditProjectChange)
}

const listProjectChanges: HandlerOf<typeof contract.listProjectChanges> = async ({ query }, ctx) => {
  const where = allOf(...inProjects('x.projectCode', projectsFor(ctx, query.projectCode)), ...anyOf('x.state', query.state))
  const { limit, offset } = pageSlice(query)
  const { rows } = await sql<RawChange>`${select} where ${where}
      order by x.state, x.create_time desc, x.id limit ${limit} offset ${offset}`.execute(ctx.db)
  const total = await sql<{ n: number }>`select count(*)::int as n from project_change x where ${where}`.execute(ctx.db)
  const names = await namesOf(ctx, rows)
  return { list: rows.map((row) => toChange(ctx, row, names)), total: total.rows[0]?.n ?? 0 }
}

const fileProjectChange: HandlerOf<typeof contract.fileProjectChange> = async ({ body }, ctx) => {
  const project = await getProject(ctx, oneProject(ctx, body.projectCode))
  if (ctx.scope.limited.includes(project.projectCode))
    throw new AppError('forbidden', '登记变更由项目部或建设、总承包单位申请', { field: 'projectCode' })
  const changed = changedFields(project, body)
  const fields = Object.keys(changed) as RegistrationField[]
  if (fields.length === 0) throw new AppError('refused', '所填内容与现登记相同', { field: 'areaCode' })
  await requireSoundWish(ctx, project, changed)
  const id = ctx.newId()
  try {
    await ctx.db
      .insertInto('projectChange')
      .values({
        id,
        projectCode: project.projectCode,
        changes: JSON.stringify(Object.fromEntries(fields.map((field) => [field, { from: project[field], to: changed[field] }]))),
        reason: body.reason,
        filedGroup: ctx.group.id,
        filedBy: ctx.user.id,
        filedName: `${ctx.group.name} ${ctx.user.name}`,
        createTime: new Date(ctx.clock.now()),
      })
      .execute()
  } catch (error) {
    if (isUniqueViolation(error)) throw new AppError('refused', '本项目已有待审核的登记变更申请，请等待审定或先撤回')
    throw error
  }
  ctx.note(`申请变更项目登记（${fields.map((field) => registrationFields[field]).join('、')}）：${project.name}`, id)
  return { id }
}

const withdrawProjectChange: HandlerOf<typeof contract.withdrawProjectChange> = async ({ params }, ctx) => {
  const change = await getChange(ctx, params.id)
  if (change.filedGroup !== ctx.group.id) throw new AppError('forbidden', '只能撤回本单位的申请')
  if (change.state !== changeStates.waiting) throw new AppError('refused', '申请已审定，不能撤回')
  await ctx.db.deleteFrom('projectChange').where('id', '=', change.id).where('state', '=', '0').execute()
  ctx.note(`撤回登记变更申请：${change.projectName}`, change.id)
  return undefined
}

const auditProjectChange: HandlerOf<typeof contract.auditProjectChange> = async ({ body }, ctx) => {
  const change = await getChange(ctx, body.id)
  if (change.state !== changeStates.waiting) throw new AppError('refused', '当前状态不允许该操作')
  if (body.result === changeStates.passed) await accept(ctx, change, body.superviseOrg)
  const done = await ctx.db
    .updateTable('projectChange')
    .set({
      state: body.result,
      opinion: body.opinion || null,
      decidedName: `${ctx.group.name} ${ctx.user.name}`,
      decideTime: new Date(ctx.clock.now()),
      version: body.version + 1,
    })
    .where('id', '=', change.id)
    .where('version', '=', body.version)
    .executeTakeFirst()
  if (done.numUpdatedRows === 0n) throw new AppError('conflict', '申请已被他人办理，请刷新后重试')
  ctx.note(`${body.result === changeStates.passed ? '通过' : '驳回'}登记变更申请：${change.projectName}`, change.id)
  return undefined
}

type RawChange = Row<'projectChange'> & { projectName: string }

const select = sql`select x.*, p.name as project_name from project_change x join project p using (project_code)`

async function getChange(ctx: Context, id: string): Promise<RawChange> {
  const within = allOf(...inProjects('x.projectCode', projectsFor(ctx)))
  const { rows } = await sql<RawChange>`${select} where x.id = ${id} and ${within}`.execute(ctx.db)
  return found(rows[0], '变更申请')
}

async function getProject(ctx: Pick<Context, 'db'>, projectCode: string) {
  return found(await ctx.db.selectFrom('project').selectAll().where('projectCode', '=', projectCode).executeTakeFirst(), '项目')
}

/** Another area alone may be wished for: who supervises there is the authority's to say. */
async function requireSoundWish(ctx: Context, project: Row<'project'>, changed: Partial<Record<RegistrationField, string>>): Promise<void> {
  if (changed.areaCode && !changed.superviseOrg) await requireSound(ctx, { ...project, superviseOrg: null }, changed)
  else await requireSound(ctx, project, changed)
}

/** Writes what was asked for, as far as the registration still stands as it did when it was asked. */
async function accept(ctx: Context, change: RawChange, superviseOrg: string | undefined): Promise<void> {
  const project = await getProject(ctx, change.projectCode)
  if (project.prjStatus === projectStates.closed) throw new AppError('refused', '项目已终止监督，资料只读')
  const entries = Object.entries(change.changes) as [RegistrationField, { from: string | null; to: string }][]
  if (entries.some(([field, { from }]) => project[field] !== from))
    throw new AppError('conflict', '项目登记在申请后已有变化，请驳回并由申请单位重新申请')
  const wanted = Object.fromEntries(entries.map(([field, { to }]) => [field, to]))
  const changed = changedFields(project, { ...wanted, ...(superviseOrg ? { superviseOrg } : {}) })
  await requireRegistrar(ctx, project, changed)
  try {
    await ctx.db
      .updateTable('project')
      .set({ ...changed, updateTime: new Date(ctx.clock.now()), updateBy: ctx.user.id, version: project.version + 1 })
      .where('projectCode', '=', project.projectCode)
      .execute()
  } catch (error) {
    if (isUniqueViolation(error)) throw new AppError('refused', '新所在地已有同名项目', { field: 'areaCode' })
    throw error
  }
}

/** Names of the authorities and companies that applications speak of: references, shown to whoever sees the project. */
async function namesOf(ctx: Pick<Context, 'system'>, rows: readonly RawChange[]): Promise<Map<string, string>> {
  const codes = rows.flatMap((row) => Object.values(row.changes).flatMap(({ from, to }) => (from ? [from, to] : [to])))
  const { rows: known } = await sql<{ code: string; name: string }>`
    select gov_code as code, name from government where gov_code = any (${codes})
    union all select corp_code, corp_name from corporation where corp_code = any (${codes})`.execute(ctx.system)
  return new Map(known.map(({ code, name }) => [code, name]))
}

function toChange(ctx: Pick<Context, 'group'>, row: RawChange, names: ReadonlyMap<string, string>): ProjectChangeRow {
  const nameOf = (field: string, code: string | null) =>
    code === null ? null : ((field === 'areaCode' ? areaName(code) : names.get(code)) ?? code)
  return {
    id: row.id,
    projectCode: row.projectCode,
    projectName: row.projectName,
    changes: Object.entries(row.changes).map(([field, { from, to }]) => ({
      field,
      label: registrationFields[field as RegistrationField],
      from,
      fromName: nameOf(field, from),
      to,
      toName: nameOf(field, to),
    })),
    reason: row.reason,
    state: row.state,
    stateName: dictName('auditStatus', row.state),
    opinion: row.opinion,
    filedName: row.filedName,
    createTime: formatInstant(row.createTime),
    decidedName: row.decidedName,
    decideTime: row.decideTime ? formatInstant(row.decideTime) : null,
    mayWithdraw: row.state === changeStates.waiting && row.filedGroup === ctx.group.id,
    version: row.version,
  }
}
