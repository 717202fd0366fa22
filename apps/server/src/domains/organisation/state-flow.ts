import { AppError } from '@zhugong/contract/kit/errors'
import { formerActions, type ProjectAction, projectActions } from '@zhugong/contract/organisation/model'
import { dictName } from '@zhugong/contract/settings/dictionaries'
import { approvalStates } from '@zhugong/contract/workflow/flow'
import { sql } from 'kysely'
import { changeRow } from '#kit/change-row'
import { formatDay } from '#kit/clock'
import { type Context, groupTypes } from '#kit/context'
import type { Db, Row, Tx } from '#kit/db'
import { type Decision, type FlowStart, type Item, registerKind, type WorkDocument } from '../workflow/public.ts'
import type { RawProject } from './project-rows.ts'
import { missingForStart } from './project-rules.ts'
import { holdProject, writeState } from './write-state.ts'

/** Workflow item 项目状态: decided by the authority, one above it, or the platform. */
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
/** What an action is called and leads to, also one of an earlier version. */
export const actionOf = (name: string): { name: string; to: string } =>
  projectActions[name as ProjectAction] ?? formerActions[name] ?? { name, to: '' }

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

/** The unmet requirements of a state change; empty if there are none. */
async function lacksFor(db: Context['db'], project: RawProject, action: string): Promise<string[]> {
  if (action in formerActions) return [`${actionOf(action).name}改由停复工申请办理，请驳回此申请`]
  if (project.prjStatus !== projectActions[action as ProjectAction].from) return ['当前状态不允许该操作']
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

/** Throws AppError `refused` with the first unmet requirement. Called for the application and again for the decision. */
export async function requireReady(db: Context['db'], project: RawProject, action: string): Promise<void> {
  const [lack] = await lacksFor(db, project, action)
  if (lack === undefined) return
  const missing = action === 'start' && project.prjStatus === projectActions.start.from ? await missingForStart(db, project) : undefined
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

/** State, log and attendance settings are written in the transaction of the decision. */
async function writeDecision(ctx: Context, item: Item, { act, opinion, state, at }: Decision): Promise<void> {
  if (state === approvalStates.running) return
  const apply = await applyOf(ctx.db, item.objectId)
  if (!apply) throw new AppError('refused', '项目不在您的查看范围内，不能办理')
  if (state === approvalStates.passed) await moveProject(ctx, apply)
  await changeRow(ctx, 'projectStateApply', {
    key: { id: apply.id },
    version: apply.version,
    noun: '申请',
    values: {
      state,
      opinion: opinion || null,
      decidedName: act === 'withdraw' ? null : `${ctx.group.name} ${ctx.user.name}`.trim(),
      decideTime: at,
    },
  })
}

async function moveProject(ctx: Context, apply: Apply): Promise<void> {
  const project = await holdProject(ctx, apply.projectCode)
  await requireReady(ctx.db, project, apply.action)
  const today = formatDay(ctx.clock.now())
  await writeState(ctx, project, {
    to: actionOf(apply.action).to,
    reason: apply.reason,
    values: {
      actualStartDate: apply.action === 'start' ? today : undefined,
      actualCompleteDate: apply.action === 'complete' ? today : undefined,
    },
  })
}
