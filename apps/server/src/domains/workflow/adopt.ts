import { AppError } from '@zhugong/contract/kit/errors'
import { runningItem, whoWasFirst } from './act.ts'
import { type BackgroundDeps, inBackground } from './background.ts'
import { type Item, kindNamed, knownKinds, type WorkContext } from './kinds.ts'
import { type FlowStart, startFlow } from './start.ts'

/**
 * The item a thing waits with; begun now where the thing is older than its flow. Refuses what waits for nothing. The caller has seen to
 * it that the thing is in sight; whose item it becomes is not always.
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

/** Whoever decided it a moment ago is named. */
async function whyNot(ctx: WorkContext, kind: string, objectId: string): Promise<string> {
  const ended = await ctx.db
    .selectFrom('workItem')
    .selectAll()
    .where('kind', '=', kind)
    .where('objectId', '=', objectId)
    .orderBy('createTime', 'desc')
    .limit(1)
    .executeTakeFirst()
  return ended ? whoWasFirst(ctx, ended) : '当前状态不允许该操作'
}

/** Begins the flows of whatever waits without one; answers how many. Several processes may do it at once: each thing waits once. */
export async function adoptWaiting(deps: BackgroundDeps): Promise<number> {
  let begun = 0
  for (const kind of knownKinds()) for (const start of (await kind.waiting?.(deps.db)) ?? []) begun += (await adopt(deps, start)) ? 1 : 0
  return begun
}

async function adopt(deps: BackgroundDeps, start: FlowStart): Promise<boolean> {
  try {
    const clock = start.since ? { now: () => start.since?.getTime() ?? deps.clock.now() } : deps.clock
    await inBackground(
      { ...deps, clock },
      { userId: start.applicant?.id ?? '', name: start.applicant?.name ?? '系统', groupId: start.groupId },
      (ctx) => startFlow(ctx, start),
    )
    return true
  } catch (error) {
    // Another process, or somebody who turned to it, was first.
    if (error instanceof AppError) return false
    throw error
  }
}
