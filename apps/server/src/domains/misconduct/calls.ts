import { AppError } from '@zhugong/contract/kit/errors'
import * as contract from '@zhugong/contract/misconduct/calls'
import { badTargets } from '@zhugong/contract/misconduct/codes'
import { type BadAction, badMoves } from '@zhugong/contract/misconduct/moves'
import { sql } from 'kysely'
import { type Context, found, oneProject } from '#kit/context'
import { isUniqueViolation } from '#kit/db'
import { pageSlice } from '#kit/list'
import type { HandlerOf, Serve } from '#kit/serve'
import { tellKeepers } from '../notify/public.ts'
import { forgetRecord, replaceTodos, take, writeLog } from '../process/public.ts'
import { isRemovable, ofNotice, preview, readBadAction } from './detail.ts'
import { holdExpert } from './effects.ts'
import { badKind, type Misconduct, pageOf } from './kind.ts'
import { exportPaper } from './paper.ts'
import * as rows from './rows.ts'
import { targetChoices } from './targets.ts'
import { draftValues, numberFor, submitValues, write } from './writes.ts'

export function misconductRoutes(serve: Serve, publicUrl: string | undefined): void {
  serve(contract.listBadActions, listBadActions)
  serve(contract.listExpertMisconduct, listExpertMisconduct)
  serve(contract.badTargetChoices, targetChoices)
  serve(contract.previewBadAction, preview)
  serve(contract.badActionOfNotice, ofNotice)
  serve(contract.exportBadAction, exportPaper(publicUrl))
  serve(contract.getBadAction, readBadAction)
  serve(contract.createBadAction, createBadAction)
  serve(contract.changeBadAction, changeBadAction)
  serve(contract.removeBadAction, removeBadAction)
}

const listBadActions: HandlerOf<typeof contract.listBadActions> = async ({ query }, ctx) => ({
  list: await rows.readRows(ctx, query, pageSlice(query)),
  total: await rows.countRows(ctx, query),
  counts: await rows.countsOf(ctx, query),
})

const listExpertMisconduct: HandlerOf<typeof contract.listExpertMisconduct> = async ({ query }, ctx) => ({
  list: await rows.readExpertRows(ctx, query, pageSlice(query)),
  total: await rows.countExpertRows(ctx, query),
  counts: await rows.expertCountsOf(ctx),
})

const createBadAction: HandlerOf<typeof contract.createBadAction> = async ({ body }, ctx) => {
  const { id: given, action, projectCode: named, ...fields } = body
  const isExpert = fields.targetType === badTargets.expert
  requireCode(ctx, isExpert)
  const projectCode = named === '*' && isExpert ? null : oneProject(ctx, named)
  const id = given ?? ctx.newId()
  const repeated = await sql<{ code: string | null }>`select code from misconduct where id = ${id} and create_by = ${ctx.user.id}`.execute(
    ctx.db,
  )
  if (repeated.rows[0]) return { id, code: repeated.rows[0].code }
  await ctx.db
    .insertInto('misconduct')
    .values({
      id,
      ...(await draftValues(ctx, { projectCode }, fields)),
      projectCode,
      groups: [ctx.group.id],
      proposeGroup: ctx.group.id,
      proposeGroupName: ctx.group.name,
      createBy: ctx.user.id,
      createTime: new Date(ctx.clock.now()),
    })
    .execute()
    .catch((error: unknown) => {
      throw isUniqueViolation(error) ? new AppError('refused', '该编号已被使用，请重新填写', { field: 'id' }) : error
    })
  const row = await badKind.lock(ctx, id)
  if (action === 'save') {
    await writeLog(ctx, badKind.kind, row, { action: 'create', from: null, to: row.state })
    ctx.note('起草不良行为', id)
    return { id, code: null }
  }
  const after = await take(ctx, badKind, { id, action, version: row.version }, async () => {
    const values = await submitValues(ctx, row, fields)
    await holdExpert(ctx, { ...row, ...values })
    return { values: { ...values, code: await numberFor(ctx, row) } }
  })
  await tell(ctx, action, after)
  return { id, code: after.code }
}

/** One call writes both registers: each asks for its own code. */
function requireCode(ctx: Context, isExpert: boolean): void {
  const [inspection, experts] = badMoves.submit.needs
  if (!ctx.principal.codes.has(isExpert ? experts : inspection)) throw new AppError('forbidden', '您没有提出这类不良行为的权限')
}

const changeBadAction: HandlerOf<typeof contract.changeBadAction> = async ({ body }, ctx) => {
  found(await rows.rowFor(ctx, body.id), '不良行为记录')
  const after = await take(ctx, badKind, body, (row) => write(ctx, row, body))
  // The engine took the to-do from the row as it was locked: what the party asked for meanwhile counts as well.
  if (body.action === 'applyRepair' || body.action === 'refuseRepair') await replaceTodos(ctx, badKind, await badKind.lock(ctx, body.id))
  await tell(ctx, body.action, after)
  return undefined
}

const removeBadAction: HandlerOf<typeof contract.removeBadAction> = async ({ params: { id } }, ctx) => {
  found(await rows.rowFor(ctx, id), '不良行为记录')
  const row = await badKind.lock(ctx, id)
  if (row.proposeGroup !== ctx.group.id) throw new AppError('forbidden', '草稿由提出单位删除')
  if (!isRemovable(ctx, row))
    throw new AppError('refused', row.system ? '系统建议请提交或不采纳' : `记录${badKind.stateName(row.state)}，只有草稿可以删除`)
  requireCode(ctx, row.targetType === badTargets.expert)
  await forgetRecord(ctx, badKind.kind, row.id)
  await ctx.db.deleteFrom('misconduct').where('id', '=', row.id).execute()
  ctx.note('删除不良行为草稿', row.id)
  return undefined
}

type Message = { title: string; to: 'party' | 'decider' | 'proposer' }
/** Messages beside the to-do. */
const messages: Partial<Record<BadAction, Message>> = {
  submit: { title: '收到不良行为，请认定', to: 'decider' },
  decide: { title: '收到不良行为认定书，请签收', to: 'party' },
  reject: { title: '提出的不良行为被驳回', to: 'proposer' },
  appeal: { title: '收到不良行为申诉，请审理', to: 'decider' },
  applyRepair: { title: '收到信用修复申请，请处理', to: 'decider' },
  uphold: { title: '申诉维持原认定', to: 'party' },
  cancel: { title: '不良行为认定已撤销，扣分退回', to: 'party' },
  repair: { title: '信用修复通过，扣分退回', to: 'party' },
  refuseRepair: { title: '信用修复未通过', to: 'party' },
}

async function tell(ctx: Context, action: BadAction, row: Misconduct): Promise<void> {
  const message = messages[action]
  // Experts have no account: their library tells them.
  if (!message || row.projectCode === null || row.targetType === badTargets.expert) return
  const text = `${row.code ?? ''} ${badKind.stateName(row.state)}`
  const notification = {
    projectCode: row.projectCode,
    corpCode: null,
    exceptSite: true as const,
    title: message.title,
    text,
    link: pageOf(row),
    kind: 'badaction',
  }
  const of = { party: 'receive', decider: 'decide', proposer: 'submit' } as const
  const code = badMoves[of[message.to]].needs[0]
  const groups = { party: [row.partyGroup, row.siteGroup], decider: [row.decideGroup], proposer: [row.proposeGroup] }[message.to]
  const answering = message.to === 'party' && !(row.workerId || row.teamId || row.ofLeader) ? groups.slice(0, 1) : groups
  for (const groupId of answering) if (groupId) await tellKeepers(ctx, { ...notification, groupId, code })
}
