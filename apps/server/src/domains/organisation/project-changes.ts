import { AppError } from '@zhugong/contract/kit/errors'
import { changeStates, projectStates } from '@zhugong/contract/organisation/codes'
import {
  factNames,
  type ProjectChangeRow,
  projectChangeRow,
  type RegisteredFact,
  type RegistrationField,
  registeredFacts,
} from '@zhugong/contract/organisation/model'
import * as contract from '@zhugong/contract/organisation/project-changes'
import { areaName, dictName } from '@zhugong/contract/settings/dictionaries'
import { approvalStates } from '@zhugong/contract/workflow/flow'
import { sql } from 'kysely'
import { changeRow, conflictOf } from '#kit/change-row'
import { formatInstant } from '#kit/clock'
import { type Context, found, groupTypes, oneProject, projectsFor } from '#kit/context'
import { isUniqueViolation, type Row } from '#kit/db'
import { allOf, anyOf, inProjects, pageSlice } from '#kit/list'
import { rowOf } from '#kit/row-of'
import type { HandlerOf, Serve } from '#kit/serve'
import { actOn, type Decision, type FlowStart, type Item, itemOf, registerKind, startFlow, type WorkDocument } from '../workflow/public.ts'
import { changedFields, requireRegistrar, requireSound } from './registration.ts'

/** A project or a company applies to change the registration; the authority of the area or the platform decides. */
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
  const facts = changedFacts(project, body)
  requireSpan(project, facts)
  const wanted: Record<string, string> = { ...changed, ...facts }
  const fields = Object.keys(wanted)
  if (fields.length === 0) throw new AppError('refused', '所填内容与现登记相同', { field: 'areaCode' })
  if (Object.keys(changed).length > 0) await requireSoundWish(ctx, project, changed)
  const id = ctx.newId()
  try {
    await ctx.db
      .insertInto('projectChange')
      .values({
        id,
        projectCode: project.projectCode,
        changes: JSON.stringify(
          Object.fromEntries(fields.map((field) => [field, { from: asText(project[field as ChangeField]), to: wanted[field] ?? '' }])),
        ),
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
  await startFlow(ctx, {
    kind: changeKind,
    groupId: ctx.group.id,
    projectCode: project.projectCode,
    objectId: id,
    title: `登记变更 ${project.name}：${fields.map((field) => factNames[field]).join('、')}`,
    facts: Object.fromEntries(fields.map((field) => [field, true])),
  })
  ctx.note(`申请变更项目登记（${fields.map((field) => factNames[field]).join('、')}）：${project.name}`, id)
  return { id }
}

const withdrawProjectChange: HandlerOf<typeof contract.withdrawProjectChange> = async ({ params }, ctx) => {
  const change = await getChange(ctx, params.id)
  if (change.filedGroup !== ctx.group.id) throw new AppError('forbidden', '只能撤回本单位的申请')
  if (change.state !== changeStates.waiting) throw new AppError('refused', '申请已审定，不能撤回')
  await actOn(ctx, (await itemOf(ctx, changeKind, change.id)).id, { result: 'withdraw' })
  ctx.note(`撤回登记变更申请：${change.projectName}`, change.id)
  return undefined
}

const auditProjectChange: HandlerOf<typeof contract.auditProjectChange> = async ({ body }, ctx) => {
  const change = await getChange(ctx, body.id)
  if (change.state !== changeStates.waiting) throw new AppError('refused', '当前状态不允许该操作')
  if (change.version !== body.version) throw await conflictOf(ctx, 'projectChange', { id: change.id }, '申请')
  await actOn(ctx, (await itemOf(ctx, changeKind, change.id)).id, {
    result: body.result === changeStates.passed ? 'pass' : 'reject',
    opinion: body.opinion,
    code: 'project.assign',
    choice: body.superviseOrg ? { superviseOrg: body.superviseOrg } : {},
  })
  ctx.note(`${body.result === changeStates.passed ? '通过' : '驳回'}登记变更申请：${change.projectName}`, change.id)
  return undefined
}

/** All fields an application can change; values are transferred as text. */
type ChangeField = RegistrationField | RegisteredFact
const numeric: ReadonlySet<ChangeField> = new Set(['invest', 'contractPrice', 'buildingArea'])
const isFact = (field: string): field is RegisteredFact => field in registeredFacts
const asText = (value: string | number | null): string | null => (value === null ? null : String(value))
const valueFor = (field: ChangeField, text: string): string | number => (numeric.has(field) ? Number(text) : text)

/** The registered facts of `wanted` that differ; omitted ones stay unchanged. */
function changedFacts(
  project: Row<'project'>,
  wanted: Partial<Record<RegisteredFact, string | number | undefined>>,
): Partial<Record<RegisteredFact, string>> {
  const changed: Partial<Record<RegisteredFact, string>> = {}
  for (const field of Object.keys(registeredFacts) as RegisteredFact[]) {
    const value = wanted[field]
    if (value !== undefined && String(value) !== asText(project[field])) changed[field] = String(value)
  }
  return changed
}

function requireSpan(project: Row<'project'>, { startDate, completeDate }: Partial<Record<RegisteredFact, string>>): void {
  const [from, to] = [startDate ?? project.startDate, completeDate ?? project.completeDate]
  if (from !== null && to !== null && to <= from)
    throw new AppError('invalidInput', '计划竣工日期应晚于开工日期', { field: completeDate ? 'completeDate' : 'startDate' })
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

/** An application may name only a new area: the authority there decides who supervises. */
async function requireSoundWish(ctx: Context, project: Row<'project'>, changed: Partial<Record<RegistrationField, string>>): Promise<void> {
  if (changed.areaCode && !changed.superviseOrg) await requireSound(ctx, { ...project, superviseOrg: null }, changed)
  else await requireSound(ctx, project, changed)
}

/** Applies the change. Fields must still have the value they had when the application was filed. */
async function accept(ctx: Context, change: Pick<RawChange, 'projectCode' | 'changes'>, superviseOrg: string | undefined): Promise<void> {
  const project = await getProject(ctx, change.projectCode)
  if (project.prjStatus === projectStates.closed) throw new AppError('refused', '项目已终止监督，资料只读')
  const entries = Object.entries(change.changes) as [ChangeField, { from: string | null; to: string }][]
  if (entries.some(([field, { from }]) => asText(project[field]) !== from))
    throw new AppError('conflict', '项目登记在申请后已有变化，请驳回并由申请单位重新申请')
  const wanted = Object.fromEntries(entries.map(([field, { to }]) => [field, to]))
  const facts = Object.fromEntries(entries.filter(([field]) => isFact(field)).map(([field, { to }]) => [field, valueFor(field, to)]))
  const changed = changedFields(project, { ...wanted, ...(superviseOrg ? { superviseOrg } : {}) })
  await requireRegistrar(ctx, project, changed)
  try {
    await changeRow(ctx, 'project', {
      key: { projectCode: project.projectCode },
      version: project.version,
      noun: '项目',
      by: ctx.user.id,
      values: { ...changed, ...facts },
    })
  } catch (error) {
    if (isUniqueViolation(error)) throw new AppError('refused', '所在地已有同名项目', { field: 'areaCode' })
    throw error
  }
}

/** Names of the authorities and companies in applications, which all who see the project may read. */
async function namesOf(ctx: Pick<Context, 'system'>, rows: readonly Pick<RawChange, 'changes'>[]): Promise<Map<string, string>> {
  const codes = rows.flatMap((row) => Object.values(row.changes).flatMap(({ from, to }) => (from ? [from, to] : [to])))
  const { rows: known } = await sql<{ code: string; name: string }>`
    select gov_code as code, name from government where gov_code = any (${codes})
    union all select corp_code, corp_name from corporation where corp_code = any (${codes})`.execute(ctx.system)
  return new Map(known.map(({ code, name }) => [code, name]))
}

const units: Readonly<Record<string, string>> = { invest: ' 万元', contractPrice: ' 万元', buildingArea: ' ㎡' }
const nameIn = (names: ReadonlyMap<string, string>, field: string, code: string | null) =>
  code === null
    ? null
    : isFact(field)
      ? `${code}${units[field] ?? ''}`
      : ((field === 'areaCode' ? areaName(code) : names.get(code)) ?? code)

function toChange(ctx: Pick<Context, 'group'>, row: RawChange, names: ReadonlyMap<string, string>): ProjectChangeRow {
  return rowOf(projectChangeRow, row, {
    changes: Object.entries(row.changes).map(([field, { from, to }]) => ({
      field,
      label: factNames[field] ?? field,
      from,
      fromName: nameIn(names, field, from),
      to,
      toName: nameIn(names, field, to),
    })),
    stateName: dictName('auditStatus', row.state),
    createTime: formatInstant(row.createTime),
    decideTime: row.decideTime ? formatInstant(row.decideTime) : null,
    mayWithdraw: row.state === changeStates.waiting && row.filedGroup === ctx.group.id,
  })
}

/** Workflow item 登记变更: decided by the authority, one above it, or the platform. */
const changeKind = 'projectChange'

export function registerChangeKind(): void {
  registerKind({
    kind: changeKind,
    name: '项目变更',
    noun: '此申请',
    prefix: 'XMBG',
    facts: Object.fromEntries(Object.entries(factNames).map(([key, label]) => [key, { label: `变更${label}`, type: 'flag' as const }])),
    flow: [
      {
        key: 'authority',
        name: '监督机构',
        places: ['authority', 'above', 'platform'],
        by: { kind: 'code', code: 'project.assign' },
        hours: 72,
        locked: true,
      },
    ],
    withdrawBy: 'group',
    reads: ['project.view'],
    link: ({ projectCode }) => `/system/project/setting?projectCode=${projectCode ?? ''}`,
    document: changeDocument,
    findings: changeFindings,
    waiting: waitingChanges,
    decided: writeDecision,
  })
}

async function changeDocument(ctx: Pick<Context, 'db' | 'system'>, id: string): Promise<WorkDocument | undefined> {
  const { rows } = await sql<RawChange>`${select} where x.id = ${id}`.execute(ctx.db)
  const change = rows[0]
  if (!change) return undefined
  const names = await namesOf(ctx, [change])
  return {
    fields: [
      { label: '项目', value: change.projectName },
      { label: '原因', value: change.reason },
      { label: '申请', value: change.filedName },
    ],
    changes: Object.entries(change.changes).map(([field, { from, to }]) => ({
      label: factNames[field] ?? field,
      before: nameIn(names, field, from),
      after: nameIn(names, field, to),
    })),
  }
}

/** Repeats the checks made at filing, because data may have changed since. */
async function changeFindings(ctx: Pick<Context, 'db'>, item: Item) {
  const change = await ctx.db.selectFrom('projectChange').selectAll().where('id', '=', item.objectId).executeTakeFirst()
  if (!change) return []
  const project = await getProject(ctx, change.projectCode)
  return (Object.entries(change.changes) as [ChangeField, { from: string | null; to: string }][])
    .filter(([field, { from }]) => asText(project[field]) !== from)
    .map(([field]) => ({ level: 'bad' as const, text: `${factNames[field]}：原值已变化，请驳回并由申请单位重新申请` }))
}

async function waitingChanges(db: Context['system'], objectId?: string): Promise<FlowStart[]> {
  // If the group that filed it has been closed, the site owns the application.
  const { rows } = await sql<RawChange & { ownerGroup: string }>`
    select x.*, p.name as project_name, coalesce(f.id, s.id) as owner_group from project_change x join project p using (project_code)
      left join tenant f on f.id = x.filed_group left join tenant s on s.type = ${groupTypes.project} and s.code = x.project_code
    where x.state = ${changeStates.waiting} and coalesce(f.id, s.id) is not null and ${objectId === undefined ? sql`true` : sql`x.id = ${objectId}`}
      and not exists (select 1 from work_item i where i.kind = ${changeKind} and i.object_id = x.id and i.state = '1')`.execute(db)
  return rows.map((x) => ({
    kind: changeKind,
    groupId: x.ownerGroup,
    projectCode: x.projectCode,
    objectId: x.id,
    title: `登记变更 ${x.projectName}：${Object.keys(x.changes)
      .map((field) => factNames[field])
      .join('、')}`,
    facts: Object.fromEntries(Object.keys(x.changes).map((field) => [field, true])),
    since: x.createTime,
    applicant: { id: x.filedBy, name: x.filedName, groupId: x.ownerGroup },
  }))
}

const stateAfter: Readonly<Record<string, string>> = { pass: changeStates.passed, reject: changeStates.refused }

async function writeDecision(ctx: Context, item: Item, { act, opinion, state, at, choice }: Decision): Promise<void> {
  const change = await ctx.db.selectFrom('projectChange').selectAll().where('id', '=', item.objectId).executeTakeFirstOrThrow()
  if (act === 'withdraw') {
    await ctx.db.deleteFrom('projectChange').where('id', '=', change.id).where('state', '=', changeStates.waiting).execute()
    return
  }
  if (state === approvalStates.running) return
  const { superviseOrg } = choice
  if (state === approvalStates.passed) await accept(ctx, change, typeof superviseOrg === 'string' ? superviseOrg : undefined)
  await changeRow(ctx, 'projectChange', {
    key: { id: change.id },
    version: change.version,
    noun: '变更申请',
    values: {
      state: stateAfter[act] ?? changeStates.passed,
      opinion: opinion || null,
      decidedName: `${ctx.group.name} ${ctx.user.name}`,
      decideTime: at,
    },
  })
}
