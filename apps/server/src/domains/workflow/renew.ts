import { approvalStates, seatStates, stepStates } from '@zhugong/contract/workflow/flow'
import { changeRow } from '#kit/change-row'
import { documentHash } from './hash.ts'
import { kindNamed, soundFacts } from './kinds.ts'
import type { FlowStart, Item, WorkContext } from './model.ts'
import { reachItems } from './record-items.ts'
import { finish, startFlow, writeEvent } from './start.ts'
import { advance, currentSteps, repeatSteps, setStep, showPlace } from './steps.ts'

/**
 * The running item of a record, locked. Code that changes the record must lock the item first, in the same order as a decision, to
 * avoid deadlocks.
 */
export async function holdItem(ctx: Pick<WorkContext, 'db'>, kind: string, objectId: string): Promise<Item | undefined> {
  await reachItems(ctx, kind, objectId)
  return ctx.db
    .selectFrom('workItem')
    .selectAll()
    .where('kind', '=', kind)
    .where('objectId', '=', objectId)
    .where('state', '=', approvalStates.running)
    .forUpdate()
    .executeTakeFirst()
}

/** The newest item of a record, in any state. */
export async function newestItem(ctx: Pick<WorkContext, 'db'>, kind: string, objectId: string): Promise<Item | undefined> {
  await reachItems(ctx, kind, objectId)
  return ctx.db
    .selectFrom('workItem')
    .selectAll()
    .where('kind', '=', kind)
    .where('objectId', '=', objectId)
    .orderBy('createTime', 'desc')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
}

/**
 * Restarts the flow after a change of a record that may be waiting. The flow begins again at the first step with the current data;
 * earlier decisions remain in their own round. The applicant stays the same. Starts a flow if none runs; does nothing if the data are
 * unchanged.
 */
export async function renewFlow(ctx: WorkContext, start: FlowStart): Promise<void> {
  const item = await holdItem(ctx, start.kind, start.objectId)
  if (item && item.projectCode !== start.projectCode) {
    await endFlow(ctx, start.kind, [start.objectId], '已调往其他项目')
    await startFlow(ctx, { ...start, applicant: { id: item.applicantId, name: item.applicantName, groupId: item.applicantGroup } })
    return
  }
  if (!item) {
    await startFlow(ctx, start)
    return
  }
  const kind = kindNamed(start.kind)
  const document = await kind.document(ctx, start.objectId)
  if (!document) throw new Error(`${start.kind} ${start.objectId} has no document to decide over`)
  const title = start.title.slice(0, 200)
  const hash = documentHash({ ...item, title }, document)
  if (hash === item.hash) return
  const now = new Date(ctx.clock.now())
  const again: Item = { ...item, title, hash, snapshot: document, facts: soundFacts(kind, start.facts ?? {}), round: item.round + 1 }
  await endSteps(ctx, item, now)
  await changeRow(ctx, 'workItem', {
    key: { id: item.id },
    version: item.version,
    noun: '审批单',
    values: { title, hash, snapshot: JSON.stringify(document), facts: JSON.stringify(again.facts), round: again.round, updateTime: now },
  })
  await writeEvent(ctx, item, { action: 'renew', at: now })
  await repeatSteps(ctx, again, await currentSteps(ctx.db, item.id), 0)
  await advance(ctx, again)
  await showPlace(ctx, again)
}

/** Ends the flows of records without a decision, because the records were deleted or the request was dropped. */
export async function endFlow(ctx: WorkContext, kind: string, objectIds: readonly string[], why: string): Promise<void> {
  const now = new Date(ctx.clock.now())
  for (const objectId of objectIds) {
    const item = await holdItem(ctx, kind, objectId)
    if (!item) continue
    await endSteps(ctx, item, now)
    await finish(ctx, item, approvalStates.withdrawn, now)
    await changeRow(ctx, 'workItem', { key: { id: item.id }, version: item.version, noun: '审批单', values: { updateTime: now } })
    await writeEvent(ctx, item, { action: 'end', at: now, note: why })
  }
}

async function endSteps(ctx: WorkContext, item: Item, now: Date): Promise<void> {
  for (const step of await currentSteps(ctx.db, item.id))
    if (step.state === stepStates.open) await setStep(ctx, step, { state: stepStates.returned, endedAt: now })
  await ctx.db
    .updateTable('workApprover')
    .set({ state: seatStates.elsewhere })
    .where('itemId', '=', item.id)
    .where('state', 'in', [seatStates.later, seatStates.open])
    .execute()
}
