import { AppError } from '@zhugong/contract/kit/errors'
import { asProduct, type BackgroundDependencies } from '#kit/background'
import { runningItem, whoWasFirst } from './act.ts'
import { kindNamed, knownKinds } from './kinds.ts'
import type { FlowStart, Item, WorkContext } from './model.ts'
import { newestItem } from './renew.ts'
import { startFlow } from './start.ts'

/**
 * The running item of a business record. Starts its flow now if the record is older than flows. Throws if the record does not wait for
 * a decision. The caller has checked that the record is visible to the user; the new item may still belong to another group.
 */
export async function itemOf(ctx: WorkContext, kind: string, objectId: string): Promise<Item> {
  const running = await runningItem(ctx, kind, objectId)
  if (running) return running
  const [start] = (await kindNamed(kind).waiting?.(ctx.system, objectId)) ?? []
  if (!start) throw new AppError('refused', await whyNot(ctx, kind, objectId))
  await startFlow(ctx, start)
  const begun = await runningItem(ctx, kind, objectId)
  if (!begun) throw new AppError('refused', '当前状态不允许该操作')
  return begun
}

/** Explains the refusal; names the person who has just decided the item. */
async function whyNot(ctx: WorkContext, kind: string, objectId: string): Promise<string> {
  const ended = await newestItem(ctx, kind, objectId)
  return ended ? whoWasFirst(ctx, ended) : '当前状态不允许该操作'
}

/**
 * Starts the flows of all records that wait without one; returns their number. Safe to run in several processes: each record gets one
 * item.
 */
export async function adoptWaiting(deps: BackgroundDependencies): Promise<number> {
  let begun = 0
  for (const kind of knownKinds()) for (const start of (await kind.waiting?.(deps.db)) ?? []) begun += (await adopt(deps, start)) ? 1 : 0
  return begun
}

async function adopt(deps: BackgroundDependencies, start: FlowStart): Promise<boolean> {
  try {
    const clock = start.since ? { now: () => start.since?.getTime() ?? deps.clock.now() } : deps.clock
    await asProduct(
      { ...deps, clock },
      { userId: start.applicant?.id ?? '', name: start.applicant?.name ?? '系统', groupId: start.groupId },
      (ctx) => startFlow(ctx, start),
    )
    return true
  } catch (error) {
    // Another process or a user started the flow first.
    if (error instanceof AppError) return false
    throw error
  }
}
