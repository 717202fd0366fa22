import { AppError } from '@zhugong/contract/kit/errors'
import { parseInstant } from '@zhugong/contract/kit/fields'
import { dayMs } from '@zhugong/contract/kit/time'
import { dictName } from '@zhugong/contract/settings/dictionaries'
import * as calls from '@zhugong/contract/workflow/endpoints'
import { formatInstant } from '#kit/clock'
import type { HandlerOf, Serve } from '#kit/serve'
import { actOn, resubmit } from './act.ts'
import { approvalDetail, colleaguesOf, getRow } from './detail.ts'
import { getFlowSettings, saveFlowSetting, tryFlow } from './flow-settings.ts'
import { memberOf } from './people.ts'

export function workflowRoutes(serve: Serve): void {
  serve(calls.getFlowSettings, getFlowSettings)
  serve(calls.saveFlowSetting, saveFlowSetting)
  serve(calls.tryFlow, tryFlow)
  serve(calls.listDeputies, listDeputies)
  serve(calls.appointDeputy, appointDeputy)
  serve(calls.endDeputy, endDeputy)
  serve(calls.actOnApproval, actOnApproval)
  serve(calls.changeApproval, changeApproval)
  serve(calls.getApproval, ({ params }, ctx) => approvalDetail(ctx, params.id))
}

const actOnApproval: HandlerOf<typeof calls.actOnApproval> = async ({ params, body }, ctx) => {
  const item = await actOn(ctx, params.id, body)
  ctx.note(`${calls.approvalActs[body.result]}审批 ${item.code}`, item.id)
  return { id: item.id, state: item.state, stateName: dictName('approvalState', item.state), node: item.node, version: item.version }
}

const changeApproval: HandlerOf<typeof calls.changeApproval> = async ({ params, body }, ctx) => {
  // Everyone who may read an item may comment; `approvalDetail` refuses all others.
  const seen = await approvalDetail(ctx, params.id)
  if (body.action === 'resubmit') {
    const item = await resubmit(ctx, params.id, body.version)
    ctx.note(`重新提交审批 ${item.code}`, item.id)
    return { id: item.id, version: item.version }
  }
  const now = new Date(ctx.clock.now())
  if (body.action === 'read')
    await ctx.db
      .updateTable('workCopy')
      .set({ readAt: now })
      .where('itemId', '=', params.id)
      .where('userId', '=', ctx.user.id)
      .where('readAt', 'is', null)
      .execute()
  else
    await ctx.db
      .insertInto('workComment')
      .values({
        id: ctx.newId(),
        itemId: params.id,
        at: now,
        userId: ctx.user.id,
        userName: ctx.user.name,
        groupName: ctx.group.name,
        text: body.text,
      })
      .execute()
  ctx.note(`${body.action === 'read' ? '阅读' : '评论'}审批 ${seen.code}`, params.id)
  return { id: params.id, version: (await getRow(ctx, params.id)).version }
}

const listDeputies: HandlerOf<typeof calls.listDeputies> = async (_, ctx) => {
  const now = ctx.clock.now()
  const rows = await ctx.db
    .selectFrom('workDeputy as d')
    .innerJoin('appUser as u', 'u.id', 'd.deputyId')
    .select(['d.id', 'd.deputyId', 'u.name as deputyName', 'd.fromTime', 'd.toTime', 'd.reason', 'd.endedAt'])
    .where('d.userId', '=', ctx.user.id)
    .where('d.groupId', '=', ctx.group.id)
    .orderBy('d.createTime', 'desc')
    .limit(20)
    .execute()
  return {
    list: rows.map(({ fromTime, toTime, endedAt, ...r }) => ({
      ...r,
      fromTime: formatInstant(fromTime),
      toTime: formatInstant(endedAt && endedAt < toTime ? endedAt : toTime),
      running: endedAt === null && fromTime.getTime() <= now && toTime.getTime() > now,
    })),
    colleagues: await colleaguesOf(ctx, null),
  }
}

/** Longest deputy appointment; longer absences need a proper replacement in the post. */
const longestDeputyMs = 90 * dayMs

const appointDeputy: HandlerOf<typeof calls.appointDeputy> = async ({ body }, ctx) => {
  const [from, to] = [parseInstant(body.fromTime) ?? 0, parseInstant(body.toTime) ?? 0]
  const now = ctx.clock.now()
  if (to <= from) throw new AppError('invalidInput', '结束时间须晚于开始时间', { field: 'toTime' })
  if (to <= now) throw new AppError('invalidInput', '结束时间已过', { field: 'toTime' })
  if (to - from > longestDeputyMs) throw new AppError('invalidInput', '一次最多委托 90 天', { field: 'toTime' })
  if (body.deputyId === ctx.user.id) throw new AppError('invalidInput', '不能委托给自己', { field: 'deputyId' })
  const person = await memberOf(ctx, ctx.group.id, body.deputyId)
  if (!person) throw new AppError('invalidInput', '所选人员不在本单位', { field: 'deputyId' })
  const overlapping = await ctx.db
    .selectFrom('workDeputy')
    .select('id')
    .where('userId', '=', ctx.user.id)
    .where('groupId', '=', ctx.group.id)
    .where('endedAt', 'is', null)
    .where('fromTime', '<', new Date(to))
    .where('toTime', '>', new Date(from))
    .executeTakeFirst()
  if (overlapping) throw new AppError('refused', '此时间内已有委托，请先结束', { field: 'fromTime' })
  const id = ctx.newId()
  await ctx.db
    .insertInto('workDeputy')
    .values({
      id,
      groupId: ctx.group.id,
      userId: ctx.user.id,
      deputyId: person.id,
      fromTime: new Date(from),
      toTime: new Date(to),
      reason: body.reason,
      endedAt: null,
      createTime: new Date(now),
    })
    .execute()
  ctx.note(`委托审批给 ${person.name}`, id)
  return { id }
}

const endDeputy: HandlerOf<typeof calls.endDeputy> = async ({ params }, ctx) => {
  const done = await ctx.db
    .updateTable('workDeputy')
    .set({ endedAt: new Date(ctx.clock.now()) })
    .where('id', '=', params.id)
    .where('userId', '=', ctx.user.id)
    .where('groupId', '=', ctx.group.id)
    .where('endedAt', 'is', null)
    .executeTakeFirst()
  if (done.numUpdatedRows === 0n) throw new AppError('notFound', '委托不存在或已结束')
  ctx.note('结束审批委托', params.id)
  return undefined
}
