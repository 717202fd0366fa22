import * as contract from '@zhugong/contract/apps/apply-endpoints'
import { isBeyond } from '@zhugong/contract/apps/codes'
import { AppError } from '@zhugong/contract/kit/errors'
import { dictName } from '@zhugong/contract/settings/dictionaries'
import { approvalStates } from '@zhugong/contract/workflow/flow'
import { sql } from 'kysely'
import { changeRow, conflictOf } from '#kit/change-row'
import { formatDay, formatInstant } from '#kit/clock'
import { type Context, found, groupTypes } from '#kit/context'
import type { Row } from '#kit/db'
import { allOf, anyOf, condition, pageSlice } from '#kit/list'
import { rowOf } from '#kit/row-of'
import type { HandlerOf, Serve } from '#kit/serve'
import {
  actionsFor,
  actOn,
  type Decision,
  type FlowStart,
  type Item,
  itemOf,
  registerKind,
  startFlow,
  type WorkDocument,
} from '../workflow/public.ts'
import { getAvailable } from './apps.ts'
import { getTargets, give, livingGrants, spanFault, withNeeded } from './grants.ts'

/** Applications for apps: a group applies and the platform decides; the approval grants the apps in the same transaction. */
export function applyRoutes(serve: Serve) {
  serve(contract.listAppApplies, listAppApplies)
  serve(contract.applyForApps, applyForApps)
  serve(contract.decideAppApply, decideAppApply)
}

export const applyKind = 'appApply'
const { waiting, passed, refused } = contract.applyStates

type Raw = Row<'appApply'> & { groupName: string; groupType: number; apps: { id: string; name: string }[] | null }
const select = sql`select x.*, t.name as group_name, t.type as group_type,
  (select json_agg(json_build_object('id', a.id, 'name', a.name) order by a.sort) from app a where a.id = any (x.app_ids)) as apps
  from app_apply x join tenant t on t.id = x.group_id`

const listAppApplies: HandlerOf<typeof contract.listAppApplies> = async ({ query }, ctx) => {
  const where = allOf(...anyOf('x.state', query.state), ...(query.appId ? [condition(sql`${query.appId} = any (x.app_ids)`)] : []))
  const { limit, offset } = pageSlice(query)
  const { rows } = await sql<Raw>`${select} where ${where}
    order by x.state <> ${waiting}, case when x.state = ${waiting} then x.create_time end, x.create_time desc, x.id limit ${limit} offset ${offset}`.execute(
    ctx.db,
  )
  const { rows: counted } = await sql<{ total: number; waiting: number }>`
    select count(*) filter (where ${where})::int as total, count(*) filter (where x.state = ${waiting})::int as waiting from app_apply x`.execute(
    ctx.db,
  )
  const actions = await actionsFor(
    ctx,
    applyKind,
    rows.map((row) => row.id),
  )
  const { total = 0, waiting: open = 0 } = counted[0] ?? {}
  return {
    list: rows.map((row) => toApply(row, actions.get(row.id)?.actions ?? [], ctx)),
    total,
    waiting: open,
  }
}

const toApply = (row: Raw, actions: readonly string[], ctx: Pick<Context, 'codes'>): contract.AppApply =>
  rowOf(contract.appApply, row, {
    apps: row.apps ?? [],
    stateName: dictName('auditStatus', row.state),
    createTime: formatInstant(row.createTime),
    decideTime: row.decideTime && formatInstant(row.decideTime),
    mayDecide: actions.includes('pass') && ctx.codes.has('grant.create'),
    mayWithdraw: actions.includes('withdraw'),
  })

const applyForApps: HandlerOf<typeof contract.applyForApps> = async ({ body }, ctx) => {
  if (body.groupId && body.groupId !== ctx.group.id) throw new AppError('forbidden', '只能为本组申请', { field: 'groupId' })
  const today = formatDay(ctx.clock.now())
  const fault = spanFault({ start: today, deadline: body.deadline }, today)
  if (fault) throw new AppError('invalidInput', fault, { field: 'deadline' })
  const appIds = [...new Set(body.appIds)]
  const apps = await getAvailable(ctx, appIds)
  const existing = await livingGrants(ctx, [ctx.group.id], appIds)
  for (const app of apps.values()) {
    if (!app.groupTypes.includes(ctx.group.type)) throw new AppError('refused', `“${app.name}”不提供给本组`, { field: 'appIds' })
    const same = existing.find((one) => one.appId === app.id)
    if (same && !isBeyond(body.deadline, same.deadline))
      throw new AppError('refused', `“${app.name}”已开通${same.deadline ? `到 ${same.deadline}` : ''}，续期应更晚`, { field: 'deadline' })
  }
  const { rows: busy } = await sql<{ name: string }>`
    select a.name from app_apply x join app a on a.id = any (x.app_ids) and a.id = any (${appIds})
    where x.group_id = ${ctx.group.id} and x.state = ${waiting} limit 1`.execute(ctx.db)
  if (busy[0]) throw new AppError('refused', `“${busy[0].name}”的申请正在审批`, { field: 'appIds' })
  const id = ctx.newId()
  const projectCode = ctx.group.type === groupTypes.project ? ctx.group.code : null
  await ctx.db
    .insertInto('appApply')
    .values({
      id,
      groupId: ctx.group.id,
      projectCode,
      appIds,
      deadline: body.deadline,
      reason: body.reason,
      filedBy: ctx.user.id,
      filedName: ctx.user.name,
      createTime: new Date(ctx.clock.now()),
    })
    .execute()
  const names = appIds.map((one) => apps.get(one)?.name ?? '')
  const { code } = await startFlow(ctx, {
    kind: applyKind,
    groupId: ctx.group.id,
    projectCode,
    objectId: id,
    title: titleOf(ctx.group.name, names),
    facts: { apps: appIds.length, groupType: String(ctx.group.type) },
  })
  ctx.note(`申请应用 ${names.join('、')}，至 ${body.deadline ?? '长期'}`, id)
  return { id, code }
}

const titleOf = (group: string, names: readonly string[]) => `应用申请 ${group}：${names.join('、')}`

const decideAppApply: HandlerOf<typeof contract.decideAppApply> = async ({ params, body }, ctx) => {
  const row = found(
    await ctx.db.selectFrom('appApply').select(['id', 'state', 'version', 'groupId']).where('id', '=', params.id).executeTakeFirst(),
    '应用申请',
  )
  if (row.state !== waiting) throw new AppError('refused', '申请已审定')
  if (row.version !== body.version) throw await conflictOf(ctx, 'appApply', { id: row.id }, '申请')
  await actOn(ctx, (await itemOf(ctx, applyKind, row.id)).id, {
    result: body.action,
    opinion: body.opinion,
    ...(body.action === 'withdraw' ? {} : { code: 'grant.create' }),
    choice: body.deadline ? { deadline: body.deadline } : {},
  })
  const group = await ctx.system.selectFrom('tenant').select('name').where('id', '=', row.groupId).executeTakeFirst()
  ctx.note(`${body.action === 'pass' ? '同意' : body.action === 'reject' ? '驳回' : '撤回'} ${group?.name ?? ''} 的应用申请`, row.id)
  return undefined
}

/** Registers applications for apps as a kind of approval. Only the platform decides them. */
export function registerApplyKind(): void {
  registerKind({
    kind: applyKind,
    name: '应用开通',
    noun: '此申请',
    prefix: 'YYSQ',
    facts: {
      apps: { label: '应用个数', type: 'number' },
      groupType: { label: '机构类型', type: 'code', options: { '1': '监管机构', '2': '企业', '3': '项目' } },
    },
    flow: [{ key: 'platform', name: '平台', places: ['platform'], by: { kind: 'code', code: 'grant.create' }, hours: 72, locked: true }],
    settableBy: [groupTypes.platform],
    withdrawBy: 'group',
    batch: true,
    reads: ['app.view'],
    link: () => '/applyCentre',
    document: applyDocument,
    waiting: waitingApplies,
    decided: writeDecision,
  })
}

async function applyDocument(ctx: Pick<Context, 'db' | 'system'>, id: string): Promise<WorkDocument | undefined> {
  const { rows } = await sql<Raw>`${select} where x.id = ${id}`.execute(ctx.db)
  const row = rows[0]
  return (
    row && {
      fields: [
        { label: '机构', value: row.groupName },
        { label: '应用', value: (row.apps ?? []).map((one) => one.name).join('、') },
        { label: '使用到', value: row.deadline ?? '长期' },
        { label: '原因', value: row.reason },
        { label: '申请人', value: row.filedName },
      ],
    }
  )
}

async function waitingApplies(db: Context['system'], objectId?: string): Promise<FlowStart[]> {
  const { rows } = await sql<Raw>`${select} where x.state = ${waiting} and ${objectId === undefined ? sql`true` : sql`x.id = ${objectId}`}
    and not exists (select 1 from work_item i where i.kind = ${applyKind} and i.object_id = x.id and i.state = '1')`.execute(db)
  return rows.map((row) => ({
    kind: applyKind,
    groupId: row.groupId,
    projectCode: row.projectCode,
    objectId: row.id,
    title: titleOf(
      row.groupName,
      (row.apps ?? []).map((one) => one.name),
    ),
    facts: { apps: row.appIds.length, groupType: String(row.groupType) },
    since: row.createTime,
    applicant: { id: row.filedBy, name: row.filedName, groupId: row.groupId },
  }))
}

async function writeDecision(ctx: Context, item: Item, { act, opinion, state, at, choice }: Decision): Promise<void> {
  if (act === 'withdraw') {
    await ctx.db.deleteFrom('appApply').where('id', '=', item.objectId).where('state', '=', waiting).execute()
    return
  }
  if (state === approvalStates.running) return
  const row = await ctx.db.selectFrom('appApply').selectAll().where('id', '=', item.objectId).executeTakeFirstOrThrow()
  const granted = state === approvalStates.passed
  const deadline = typeof choice.deadline === 'string' ? choice.deadline : row.deadline
  if (granted) await grantAll(ctx, row, deadline)
  await changeRow(ctx, 'appApply', {
    key: { id: row.id },
    version: row.version,
    noun: '申请',
    values: {
      state: granted ? passed : refused,
      opinion: opinion || null,
      deadline: granted ? deadline : undefined,
      decidedName: `${ctx.group.name} ${ctx.user.name}`,
      decideTime: at,
    },
  })
}

/** Grants the requested apps and those they require, except where the group already holds them as long. */
async function grantAll(ctx: Context, row: Row<'appApply'>, deadline: string | null): Promise<void> {
  const today = formatDay(ctx.clock.now())
  const fault = spanFault({ start: today, deadline }, today)
  if (fault) throw new AppError('refused', `申请的期限不能授权：${fault}`, { field: 'deadline' })
  const target = found((await getTargets(ctx, [row.groupId])).get(row.groupId), '申请的机构')
  const { all } = await withNeeded(ctx, target.id, row.appIds)
  const apps = await getAvailable(ctx, all)
  const existing = await livingGrants(ctx, [target.id], all)
  const origin = { parentId: null, byGroup: ctx.group.id, start: null, deadline: null }
  for (const appId of all) {
    const app = found(apps.get(appId), '应用')
    if (existing.some((one) => one.appId === appId && one.parentId === null && !isBeyond(deadline, one.deadline))) continue
    await give(ctx, { target, appId, appName: app.name, origin, start: today, deadline, reason: row.reason, sort: app.sort })
  }
}
