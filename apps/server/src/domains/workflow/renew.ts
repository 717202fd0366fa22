import { approvalStates, seatStates, stepStates } from '@zhugong/contract/workflow/flow'
import { documentHash } from './hash.ts'
import { type Item, kindNamed, soundFacts, type WorkContext } from './kinds.ts'
import { type FlowStart, finish, startFlow, writeEvent } from './start.ts'
import { advance, currentSteps, repeatSteps, setStep, showPlace } from './steps.ts'

/**
 * The item a thing waits with, locked: whoever changes the thing takes it before the thing, as whoever decides does, so that neither waits
 * for the other.
 */
export const holdItem = (ctx: Pick<WorkContext, 'db'>, kind: string, objectId: string): Promise<Item | undefined> =>
  ctx.db
    .selectFrom('workItem')
    .selectAll()
    .where('kind', '=', kind)
    .where('objectId', '=', objectId)
    .where('state', '=', approvalStates.running)
    .forUpdate()
    .executeTakeFirst()

/** The newest item of a thing, however it stands. */
export const newestItem = (ctx: Pick<WorkContext, 'db'>, kind: string, objectId: string): Promise<Item | undefined> =>
  ctx.db
    .selectFrom('workItem')
    .selectAll()
    .where('kind', '=', kind)
    .where('objectId', '=', objectId)
    .orderBy('createTime', 'desc')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()

/**
 * A thing was changed that may wait: the flow it has begins again from its first step, over what it is now, and what was said of it before
 * stays in its own round. Whoever asked stays who asked. Where nothing runs, one begins; where nothing differs, nothing happens.
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
  await ctx.db
    .updateTable('workItem')
    .set({
      title,
      hash,
      snapshot: JSON.stringify(document),
      facts: JSON.stringify(again.facts),
      round: again.round,
      version: item.version + 1,
      updateTime: now,
    })
    .where('id', '=', item.id)
    .execute()
  await writeEvent(ctx, item, { action: 'renew', at: now })
  await repeatSteps(ctx, again, await currentSteps(ctx.db, item.id), 0)
  await advance(ctx, again)
  await showPlace(ctx, again)
}

/** What things waited with is over without a decision: they are gone, or nobody asks for it any more. */
export async function endFlow(ctx: WorkContext, kind: string, objectIds: readonly string[], why: string): Promise<void> {
  const now = new Date(ctx.clock.now())
  for (const objectId of objectIds) {
    const item = await holdItem(ctx, kind, objectId)
    if (!item) continue
    await endSteps(ctx, item, now)
    await finish(ctx, item, approvalStates.withdrawn, now)
    await ctx.db
      .updateTable('workItem')
      .set({ version: item.version + 1, updateTime: now })
      .where('id', '=', item.id)
      .execute()
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
