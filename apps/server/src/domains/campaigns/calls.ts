import * as contract from '@zhugong/contract/campaigns/calls'
import * as checks from '@zhugong/contract/campaigns/checks'
import { campaignStates } from '@zhugong/contract/campaigns/moves'
import { AppError } from '@zhugong/contract/kit/errors'
import { sql } from 'kysely'
import { found } from '#kit/context'
import { pageSlice } from '#kit/list'
import type { HandlerOf, Serve } from '#kit/serve'
import { forgetRecord, replaceTodos, take, writeLog } from '../process/public.ts'
import { listChecks, readMatrix, readMine, readProgress } from './checks.ts'
import { readDetail } from './detail.ts'
import { verify } from './draws.ts'
import { change as changeEntrust } from './entrust.ts'
import { followChecks } from './follow.ts'
import { campaignKind } from './kind.ts'
import { readOwn } from './own.ts'
import { readPool } from './pool.ts'
import { countRows, countsOf, readRows, rowFor } from './rows.ts'
import { draftValues, readPeople, requireComplete, writeSetup } from './setup.ts'
import { readStanding } from './standing.ts'
import { removeNamed } from './tasks.ts'
import { issueValues, write } from './writes.ts'

export function campaignRoutes(serve: Serve): void {
  followChecks()
  serve(contract.listCampaigns, list)
  serve(contract.campaignPeople, readPeople)
  serve(checks.listMyChecks, readMine)
  serve(checks.campaignStanding, readStanding)
  serve(checks.changeStanding, changeEntrust)
  serve(contract.getCampaign, readDetail)
  serve(contract.createCampaign, create)
  serve(contract.changeCampaign, change)
  serve(contract.removeCampaign, remove)
  serve(contract.removeTask, removeOne)
  serve(contract.listPool, readPool)
  serve(contract.verifyCampaignDraw, verify)
  serve(checks.listCampaignChecks, listChecks)
  serve(checks.campaignMatrix, readMatrix)
  serve(checks.campaignProgress, readProgress)
}

const list: HandlerOf<typeof contract.listCampaigns> = async ({ query }, ctx) => ({
  list: await readRows(ctx, query, pageSlice(query)),
  total: await countRows(ctx, query),
  counts: await countsOf(ctx, query.tab),
})

export const create: HandlerOf<typeof contract.createCampaign> = async ({ body: { action, ...fields } }, ctx) => {
  const id = ctx.newId()
  if (action === 'issue') requireComplete(ctx, fields)
  await ctx.db
    .insertInto('campaign')
    .values({
      id,
      ...draftValues(fields),
      code: null,
      organiserGroup: ctx.group.id,
      organiserName: ctx.group.name,
      groups: [ctx.group.id],
      shownAt: null,
      createBy: ctx.user.id,
      createTime: new Date(ctx.clock.now()),
    })
    .execute()
  await writeSetup(ctx, id, fields)
  const row = await campaignKind.lock(ctx, id)
  await writeLog(ctx, campaignKind.kind, row, { action: 'create', from: null, to: row.state })
  await replaceTodos(ctx, campaignKind, row)
  if (action === 'issue')
    await take(ctx, campaignKind, { id, action, version: row.version }, async () => ({ values: await issueValues(ctx) }))
  else ctx.note('起草督查', id)
  return { id }
}

const change: HandlerOf<typeof contract.changeCampaign> = async ({ params: { id }, body }, ctx) => {
  found(await rowFor(ctx, id), '督查')
  await take(ctx, campaignKind, { id, action: body.action, version: body.version }, (row) => write(ctx, row, body))
  return undefined
}

const remove: HandlerOf<typeof contract.removeCampaign> = async ({ params: { id } }, ctx) => {
  await readOwn(ctx, id)
  const row = await campaignKind.lock(ctx, id)
  if (row.state !== campaignStates.draft) throw new AppError('refused', `督查${campaignKind.stateName(row.state)}，只有草稿可以删除`)
  await forgetRecord(ctx, campaignKind.kind, id)
  await ctx.db.deleteFrom('campaign').where('id', '=', id).execute()
  ctx.note('删除督查草稿', id)
  return undefined
}

const removeOne: HandlerOf<typeof contract.removeTask> = async ({ params: { taskId } }, ctx) => {
  const { rows } = await sql<{ campaignId: string }>`select campaign_id from campaign_project where id = ${taskId}`.execute(ctx.db)
  const { campaignId } = found(rows[0], '受检项目')
  await readOwn(ctx, campaignId)
  const row = await campaignKind.lock(ctx, campaignId)
  if (row.state !== campaignStates.issued) throw new AppError('refused', '名单已锁定，不能移出项目')
  await removeNamed(ctx, row, taskId)
  await writeLog(ctx, campaignKind.kind, row, { action: 'removeTask', from: row.state, to: row.state })
  ctx.note('移出指定项目', campaignId)
  return undefined
}
