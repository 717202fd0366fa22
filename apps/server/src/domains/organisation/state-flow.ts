import { AppError } from '@zhugong/contract/kit/errors'
import { type ProjectAction, projectActions } from '@zhugong/contract/organisation/model'
import { dictName } from '@zhugong/contract/settings/dictionaries'
import { approvalStates } from '@zhugong/contract/workflow/flow'
import { sql } from 'kysely'
import { formatDay } from '#kit/clock'
import { type Context, groupTypes } from '#kit/context'
import type { Db, Row, Tx } from '#kit/db'
import { markStateChanged } from '../attendance/public.ts'
import { type Decision, type FlowStart, type Item, registerKind, type WorkDocument } from '../workflow/public.ts'
import { getRaw, type RawProject } from './project-rows.ts'
import { missingForStart } from './project-rules.ts'

/** 项目状态 as it is decided over: by the authority, whoever stands above it, or the platform. */
export const stateKind = 'projectState'

export function registerStateKind(): void {
  registerKind({
    kind: stateKind,
    name: '项目状态',
    noun: '此申请',
    prefix: 'XMZT',
    facts: {
      action: {
        label: '状态动作',
        type: 'code',
        options: Object.fromEntries(Object.entries(projectActions).map(([key, { name }]) => [key, name])),
      },
    },
    flow: [
      {
        key: 'authority',
        name: '监督机构',
        places: ['authority', 'above', 'platform'],
        by: { kind: 'code', code: 'project.state' },
        hours: 72,
        locked: true,
      },
    ],
    settableBy: [groupTypes.platform, groupTypes.government],
    withdrawBy: 'group',
    withdraw: 'running',
    reads: ['project.view'],
    link: ({ projectCode }) => `/system/project/information?projectCode=${projectCode ?? ''}`,
    document: stateDocument,
    findings: stateFindings,
    waiting: waitingApplies,
    decided: writeDecision,
  })
}

type Apply = Row<'projectStateApply'>
export const actionOf = (name: string) => projectActions[name as ProjectAction]

async function applyOf(db: Db | Tx, id: string): Promise<Apply | undefined> {
  return db.selectFrom('projectStateApply').selectAll().where('id', '=', id).executeTakeFirst()
}

export const flowStart = (
  apply: Pick<Apply, 'id' | 'projectCode' | 'action'>,
  project: Pick<RawProject, 'name'>,
  groupId: string,
): FlowStart => ({
  kind: stateKind,
  groupId,
  projectCode: apply.projectCode,
  objectId: apply.id,
  title: `${actionOf(apply.action).name} ${project.name}`,
  facts: { action: apply.action },
})

async function stateDocument({ db }: Pick<Context, 'db'>, id: string): Promise<WorkDocument | undefined> {
  const apply = await applyOf(db, id)
  if (!apply) return undefined
  const { name, to } = actionOf(apply.action)
  return {
    fields: [
      { label: '动作', value: name },
      { label: '原因', value: apply.reason || null },
      { label: '申请', value: apply.filedName },
    ],
    changes: [
      { label: '项目状态', before: dictName('projectState', apply.fromState) ?? null, after: dictName('projectState', to) ?? null },
    ],
  }
}

/** What lacks for a step of the state machine; empty where nothing does. */
async function lacksFor(db: Context['db'], project: RawProject, action: string): Promise<string[]> {
  if (project.prjStatus !== actionOf(action).from) return ['当前状态不允许该操作']
  if (action === 'start') {
    const missing = await missingForStart(db, project)
    return missing.length > 0 ? [`还不能确认开工，缺少：${missing.join('、')}`] : []
  }
  if (action !== 'complete') return []
  const { rows } = await sql<{
    teams: number
  }>`select count(*)::int as teams from team where project_code = ${project.projectCode} and exit_time is null`.execute(db)
  return rows[0]?.teams ? [`还有 ${rows[0].teams} 个班组未退场，不能确认完工`] : []
}

/** Throws AppError `refused` for what the project is not ready for; asked when it is applied for, and again when it is decided. */
export async function requireReady(db: Context['db'], project: RawProject, action: string): Promise<void> {
  const [lack] = await lacksFor(db, project, action)
  if (lack === undefined) return
  const missing = action === 'start' && project.prjStatus === actionOf(action).from ? await missingForStart(db, project) : undefined
  throw new AppError('refused', lack, ...(missing ? [{ missing }] : []))
}

async function stateFindings(ctx: Pick<Context, 'db'>, item: Item) {
  const apply = await applyOf(ctx.db, item.objectId)
  const project = apply && (await ctx.db.selectFrom('project').selectAll().where('projectCode', '=', apply.projectCode).executeTakeFirst())
  if (!apply || !project) return []
  const lacks = await lacksFor(ctx.db, project as unknown as RawProject, apply.action)
  if (lacks.length > 0) return lacks.map((text) => ({ level: 'bad' as const, text }))
  return [{ level: 'good' as const, text: '具备变更条件' }]
}

async function waitingApplies(db: Db | Tx, objectId?: string): Promise<FlowStart[]> {
  const { rows } = await sql<Apply & { name: string; ownerGroup: string }>`
    select x.*, p.name, coalesce(f.id, s.id) as owner_group from project_state_apply x join project p using (project_code)
      left join tenant f on f.id = x.filed_group left join tenant s on s.type = ${groupTypes.project} and s.code = x.project_code
    where x.state = ${approvalStates.running} and coalesce(f.id, s.id) is not null and ${objectId === undefined ? sql`true` : sql`x.id = ${objectId}`}
      and not exists (select 1 from work_item i where i.kind = ${stateKind} and i.object_id = x.id and i.state = '1')`.execute(db)
  return rows.map((x) => ({
    ...flowStart(x, x, x.ownerGroup),
    since: x.createTime,
    applicant: { id: x.filedBy, name: x.filedName, groupId: x.ownerGroup },
  }))
}

/** The state, its log and what attendance counts are written with the decision, or nothing is. */
async function writeDecision(ctx: Context, item: Item, { act, opinion, state, at }: Decision): Promise<void> {
  if (state === approvalStates.running) return
  const apply = await applyOf(ctx.db, item.objectId)
  if (!apply) throw new AppError('refused', '项目不在您的查看范围内，不能办理')
  if (state === approvalStates.passed) await moveProject(ctx, apply)
  await ctx.db
    .updateTable('projectStateApply')
    .set({
      state,
      opinion: opinion || null,
      decidedName: act === 'withdraw' ? null : `${ctx.group.name} ${ctx.user.name}`.trim(),
      decideTime: at,
      version: apply.version + 1,
    })
    .where('id', '=', apply.id)
    .execute()
}

async function moveProject(ctx: Context, apply: Apply): Promise<void> {
  await sql`select 1 from project where project_code = ${apply.projectCode} for update`.execute(ctx.db)
  const project = await getRaw(ctx, apply.projectCode)
  await requireReady(ctx.db, project, apply.action)
  const action = actionOf(apply.action)
  const today = formatDay(ctx.clock.now())
  const done = await ctx.db
    .updateTable('project')
    .set({
      prjStatus: action.to,
      version: project.version + 1,
      actualStartDate: apply.action === 'start' ? today : undefined,
      actualCompleteDate: apply.action === 'complete' ? today : undefined,
    })
    .where('projectCode', '=', apply.projectCode)
    .where('version', '=', project.version)
    .executeTakeFirst()
  if (done.numUpdatedRows === 0n) throw new AppError('conflict', '项目已被他人修改，请刷新后重试')
  await ctx.db
    .insertInto('projectStateLog')
    .values({
      id: ctx.newId(),
      projectCode: apply.projectCode,
      fromState: project.prjStatus,
      toState: action.to,
      at: new Date(ctx.clock.now()),
      reason: apply.reason,
      byUser: ctx.user.id,
    })
    .execute()
  await markStateChanged(ctx.db, apply.projectCode, ctx.clock.now(), null, ctx.clock.now())
}
