import { AppError } from '@zhugong/contract/kit/errors'
import { type ApprovalAct, eventNames } from '@zhugong/contract/workflow/endpoints'
import { approvalStates, seatStates, stepStates } from '@zhugong/contract/workflow/flow'
import { formatInstant } from '#kit/clock'
import type { Context } from '#kit/context'
import { differencesOf, documentHash } from './hash.ts'
import { type Asking, asksFor, hasSpoken, hatsOf, isUntouched, type Sitting, sittings, urgeEveryMs } from './hats.ts'
import { type Item, type KnownKind, kindNamed, type WorkContext } from './kinds.ts'
import { memberOf, peopleAt } from './people.ts'
import { keepSignature } from './signature.ts'
import { finish, writeEvent } from './start.ts'
import {
  addPersonSeat,
  advance,
  currentSteps,
  repeatSteps,
  type SeatRow,
  type Step,
  seatsOf,
  setSeat,
  setStep,
  showPlace,
} from './steps.ts'
import { tellPeople } from './tell.ts'

export interface Act {
  result: ApprovalAct
  opinion?: string | undefined
  signature?: string | undefined
  transferTo?: string | undefined
  addSign?: readonly string[] | undefined
  returnTo?: string | undefined
  choice?: Readonly<Record<string, unknown>> | undefined
  /** What the caller has to hold beside a seat, where it is not `approval.audit`. */
  code?: string | undefined
  /** Of the item as it was looked at; none where the caller has held the thing itself to a version. */
  version?: number | undefined
}

/** An item while something is done to it: locked, with its flow. */
interface Held {
  ctx: WorkContext
  kind: KnownKind
  item: Item
  steps: Step[]
  seats: SeatRow[]
  asking: Asking
  now: Date
}

/**
 * Decides over an item, hands it on, or takes it back, and writes what that means for the thing, in one transaction. Of two at the same
 * moment one wins; the other is told by whom it was done. Throws AppError: `conflict` where something has changed since it was looked at,
 * `forbidden` where the caller has no seat, `invalidInput` at the field, `refused` for what the item does not allow now.
 */
export async function actOn(ctx: WorkContext, itemId: string, act: Act): Promise<Item> {
  const item = await ctx.db.selectFrom('workItem').selectAll().where('id', '=', itemId).forUpdate().executeTakeFirst()
  if (!item) throw new AppError('notFound', '审批事项不存在或已删除')
  const held: Held = {
    ctx,
    kind: kindNamed(item.kind),
    item,
    steps: await currentSteps(ctx.db, itemId),
    seats: await seatsOf(ctx.db, itemId),
    asking: { userId: ctx.user.id, groupId: ctx.group.id, codes: ctx.codes, hats: await hatsOf(ctx) },
    now: new Date(ctx.clock.now()),
  }
  if (act.version !== undefined && act.version !== item.version) throw new AppError('conflict', await whoWasFirst(ctx, item))
  if (item.state !== approvalStates.running) throw new AppError('refused', await whoWasFirst(ctx, item))
  await acts[act.result](held, act)
  await ctx.db
    .updateTable('workItem')
    .set({ version: item.version + 1, updateTime: held.now })
    .where('id', '=', itemId)
    .execute()
  await showPlace(ctx, item)
  const done = await ctx.db.selectFrom('workItem').selectAll().where('id', '=', itemId).executeTakeFirstOrThrow()
  if (done.state !== approvalStates.running) {
    await ctx.db.updateTable('workItem').set({ node: '', deadline: null }).where('id', '=', itemId).execute()
    return { ...done, node: '', deadline: null }
  }
  return done
}

/** 已由 李工 于 10:12 同意, with the day where it was not today. */
export async function whoWasFirst(ctx: WorkContext, item: Item): Promise<string> {
  const last = await ctx.db
    .selectFrom('workEvent')
    .selectAll()
    .where('itemId', '=', item.id)
    .orderBy('seq', 'desc')
    .limit(1)
    .executeTakeFirst()
  if (!last) return '当前状态不允许该操作'
  const at = formatInstant(last.at)
  const today = formatInstant(ctx.clock.now()).slice(0, 10)
  return `已由 ${last.userName} 于 ${at.startsWith(today) ? at.slice(11, 16) : at.slice(0, 16)} ${eventNames[last.action] ?? last.action}，请刷新后再办理`
}

const acts: Record<ApprovalAct, (held: Held, act: Act) => Promise<void>> = { pass, reject, transfer, addSign, withdraw, urge }

/** The seat the caller decides from; refuses whoever has none, with the reason. */
function seatFor({ kind, item, steps, seats, asking }: Held, code: string): Sitting {
  if (item.applicantId === asking.userId) throw new AppError('refused', '审批人不能是申请人')
  const [first] = sittings(item, steps, seats, asking)
  const names = steps.filter((s) => s.state === stepStates.open).map((s) => s.name)
  if (!first) throw new AppError('refused', `${kind.noun ?? '此事项'}等待${names.join('、')}审批`)
  if (!asking.codes.has(code)) throw new AppError('forbidden', `您没有此项权限（${code}）`, { code })
  if (kind.apart && hasSpoken(steps, seats, asking.userId)) throw new AppError('refused', '同一人不能审批两次')
  return first
}

/** Nobody agrees to something else than what was handed in. */
async function requireUnchanged({ ctx, kind, item }: Held): Promise<void> {
  const document = await kind.document(ctx, item.objectId)
  if (!document) throw new AppError('refused', '单据已不存在或不在您的查看范围内，不能办理')
  if (documentHash({ ...item, title: item.title }, document) === item.hash) return
  throw new AppError('conflict', '单据在提交后已有变化，请由发起人重新提交', { differences: differencesOf(item.snapshot, document) })
}

async function pass(held: Held, act: Act): Promise<void> {
  const { ctx, item, now } = held
  const sitting = seatFor(held, act.code ?? 'approval.audit')
  const { step } = sitting
  await requireUnchanged(held)
  const signatureId = await signed(held, step, act)
  await takeSeat(held, sitting, seatStates.agreed, act.opinion)
  await writeEvent(ctx, item, { action: 'pass', at: now, node: step.name, opinion: act.opinion, note: standIn(sitting), signatureId })
  await closeIfDecided(held, step)
  const over = await advance(ctx, item, { id: ctx.user.id, name: ctx.user.name })
  if (over) await finish(ctx, item, approvalStates.passed, now)
  await decided(held, 'pass', step, act, over ? approvalStates.passed : approvalStates.running)
  if (over) tellApplicant(held, `${held.kind.words?.pass ?? '已通过'}：${item.title}`)
}

async function signed({ ctx, item }: Held, step: Step, act: Act): Promise<string | undefined> {
  if (step.node.sign && !act.signature) throw new AppError('invalidInput', '此步骤须手写签名', { field: 'signature' })
  return act.signature ? keepSignature(ctx, item, step, act.signature) : undefined
}

const standIn = ({ hat }: Sitting): string | undefined => (hat.own ? undefined : `代 ${hat.name} 办理`)

async function takeSeat({ ctx, now }: Held, { seat, hat }: Sitting, state: string, opinion: string | undefined): Promise<void> {
  await setSeat(ctx, seat, {
    state,
    actedBy: ctx.user.id,
    actedName: ctx.user.name,
    actedAt: now,
    forUser: hat.own ? null : hat.userId,
    opinion: opinion || null,
  })
}

/** 或签 needs one of its seats, 会签 and 依次 all of them; who was asked besides is waited for in each. */
async function closeIfDecided({ ctx, item, now }: Held, step: Step): Promise<void> {
  const seats = (await seatsOf(ctx.db, item.id)).filter((s) => s.stepId === step.id)
  const waits = (s: SeatRow) => s.state === seatStates.open || s.state === seatStates.later
  const besides = seats.filter((s) => s.origin === 'addSign')
  const flow = seats.filter((s) => s.origin !== 'addSign')
  // Whoever got it late stands in for those who did not come.
  const any =
    step.node.mode === 'any' || flow.some((s) => s.origin === 'fallback' || (s.origin === 'late' && s.state === seatStates.agreed))
  const enough = any ? flow.some((s) => s.state === seatStates.agreed) : !flow.some(waits)
  if (enough && any) for (const seat of flow.filter(waits)) await setSeat(ctx, seat, { state: seatStates.elsewhere })
  if (!enough && step.node.mode === 'turn' && !flow.some((s) => s.state === seatStates.open)) {
    const next = flow.find((s) => s.state === seatStates.later)
    if (next) {
      await setSeat(ctx, next, { state: seatStates.open })
      if (next.userId) tellPeople(ctx, [{ id: next.userId }], item, `待您审批：${item.title}`)
    }
  }
  if (enough && !besides.some(waits)) await setStep(ctx, step, { state: stepStates.passed, endedAt: now })
}

async function reject(held: Held, act: Act): Promise<void> {
  const { ctx, item, steps, now } = held
  const sitting = seatFor(held, act.code ?? 'approval.audit')
  const { step } = sitting
  const target = act.returnTo === undefined ? undefined : earlierStep(steps, step, act.returnTo)
  const signatureId = act.signature ? await signed(held, step, act) : undefined
  await takeSeat(held, sitting, seatStates.refused, act.opinion)
  await endOpenSteps(held, step)
  await writeEvent(ctx, item, {
    action: target ? 'return' : 'reject',
    at: now,
    node: step.name,
    opinion: act.opinion,
    note: target ? `退回到 ${target.name}` : standIn(sitting),
    signatureId,
  })
  if (!target) {
    await finish(ctx, item, approvalStates.rejected, now)
    await decided(held, 'reject', step, act, approvalStates.rejected)
    tellApplicant(held, `${held.kind.words?.reject ?? '被驳回'}：${item.title}`)
    return
  }
  await nextRound(held, target.stage)
  await decided(held, 'reject', step, act, approvalStates.running)
}

function earlierStep(steps: readonly Step[], from: Step, key: string): Step {
  const target = steps.find((s) => s.key === key && s.stage < from.stage)
  if (!target) throw new AppError('invalidInput', '只能退回到之前的步骤', { field: 'returnTo' })
  return target
}

/** What runs is over, without a decision but in the step `at`. */
async function endOpenSteps({ ctx, item, steps, now }: Held, at?: Step): Promise<void> {
  for (const step of steps.filter((s) => s.state === stepStates.open))
    await setStep(ctx, step, { state: step.id === at?.id ? stepStates.rejected : stepStates.returned, endedAt: now })
  await ctx.db
    .updateTable('workApprover')
    .set({ state: seatStates.elsewhere })
    .where('itemId', '=', item.id)
    .where('state', 'in', [seatStates.later, seatStates.open])
    .execute()
}

async function nextRound({ ctx, item, steps }: Held, fromStage: number): Promise<void> {
  const again = { ...item, round: item.round + 1 }
  await ctx.db.updateTable('workItem').set({ round: again.round }).where('id', '=', item.id).execute()
  await repeatSteps(ctx, again, steps, fromStage)
  await advance(ctx, again)
}

async function transfer(held: Held, act: Act): Promise<void> {
  const { ctx, item, now } = held
  const sitting = seatFor(held, 'approval.transfer')
  if (!sitting.step.node.mayTransfer) throw new AppError('refused', '此步骤不能转办')
  const to = await colleague(held, act.transferTo ?? '', 'transferTo')
  await takeSeat(held, sitting, seatStates.handed, act.opinion)
  await addPersonSeat(ctx, sitting.step, to, sitting.seat.origin === 'addSign' ? 'addSign' : 'transfer')
  await writeEvent(ctx, item, { action: 'transfer', at: now, node: sitting.step.name, opinion: act.opinion, note: `转给 ${to.name}` })
  tellPeople(ctx, [to], item, `转给您审批：${item.title}`)
}

async function addSign(held: Held, act: Act): Promise<void> {
  const { ctx, item, now } = held
  const { step } = seatFor(held, 'approval.transfer')
  const people = []
  for (const id of act.addSign ?? []) people.push(await colleague(held, id, 'addSign'))
  for (const person of people) await addPersonSeat(ctx, step, person, 'addSign')
  await writeEvent(ctx, item, {
    action: 'addSign',
    at: now,
    node: step.name,
    opinion: act.opinion,
    note: `加签 ${people.map((p) => p.name).join('、')}`,
  })
  tellPeople(ctx, people, item, `请您加签：${item.title}`)
}

/** One of the caller's own group who is asked for nothing here yet, and has not asked for it himself. */
async function colleague({ ctx, item, steps, seats }: Held, userId: string, field: string) {
  const person = await memberOf(ctx, ctx.group.id, userId)
  if (!person) throw new AppError('invalidInput', '所选人员不在本单位', { field })
  if (userId === ctx.user.id) throw new AppError('invalidInput', '不能选择自己', { field })
  if (userId === item.applicantId) throw new AppError('invalidInput', '不能交给申请人', { field })
  const open = new Set(steps.filter((s) => s.state === stepStates.open).map((s) => s.id))
  if (seats.some((s) => open.has(s.stepId) && s.userId === userId && s.state === seatStates.open))
    throw new AppError('invalidInput', `${person.name}已在审批人中`, { field })
  return person
}

async function withdraw(held: Held, act: Act): Promise<void> {
  const { ctx, kind, item, steps, seats, now, asking } = held
  if (!asksFor(item, asking, kind)) throw new AppError('refused', '只有申请人可以撤回')
  if (kind.withdraw !== 'running' && !isUntouched(steps, seats)) throw new AppError('refused', '已有人审批，不能撤回')
  await endOpenSteps(held)
  await finish(ctx, item, approvalStates.withdrawn, now)
  await writeEvent(ctx, item, { action: 'withdraw', at: now, opinion: act.opinion })
  await decided(held, 'withdraw', undefined, act, approvalStates.withdrawn)
}

async function urge({ ctx, kind, item, steps, seats, now, asking }: Held): Promise<void> {
  if (!asksFor(item, asking, kind)) throw new AppError('refused', '只有申请人可以催办')
  if (item.urgedAt && now.getTime() - item.urgedAt.getTime() < urgeEveryMs) throw new AppError('refused', '一小时内只能催办一次')
  const open = new Set(steps.filter((s) => s.state === stepStates.open).map((s) => s.id))
  for (const seat of seats.filter((s) => open.has(s.stepId) && s.state === seatStates.open))
    tellPeople(ctx, await peopleAt(ctx, seat), item, `${item.applicantName} 催办：${item.title}`)
  await ctx.db.updateTable('workItem').set({ urgedAt: now }).where('id', '=', item.id).execute()
  await writeEvent(ctx, item, { action: 'urge', at: now })
}

async function decided(held: Held, act: 'pass' | 'reject' | 'withdraw', step: Step | undefined, said: Act, state: '1' | '2' | '3' | '4') {
  await held.kind.decided(held.ctx, held.item, {
    act,
    node: step && { key: step.key, name: step.name },
    opinion: said.opinion ?? '',
    state,
    at: held.now,
    choice: said.choice ?? {},
  })
}

const tellApplicant = ({ ctx, item }: Held, text: string) => tellPeople(ctx, [{ id: item.applicantId }], item, text)

/** Hands in once more what was refused, as it stands now: signatures on what it was hold for it no longer. */
export async function resubmit(ctx: WorkContext, itemId: string, version: number): Promise<Item> {
  const item = await ctx.db.selectFrom('workItem').selectAll().where('id', '=', itemId).forUpdate().executeTakeFirst()
  if (!item) throw new AppError('notFound', '审批事项不存在或已删除')
  const kind = kindNamed(item.kind)
  if (item.version !== version) throw new AppError('conflict', await whoWasFirst(ctx, item))
  if (item.applicantId !== ctx.user.id) throw new AppError('refused', '只有申请人可以重新提交')
  if (!kind.again || (item.state !== approvalStates.rejected && item.state !== approvalStates.withdrawn))
    throw new AppError('refused', '当前状态不允许该操作')
  const document = await kind.document(ctx, item.objectId)
  if (!document) throw new AppError('refused', '单据已不存在')
  const now = new Date(ctx.clock.now())
  const again: Item = {
    ...item,
    round: item.round + 1,
    state: approvalStates.running,
    hash: documentHash(item, document),
    snapshot: document,
  }
  await ctx.db
    .updateTable('workItem')
    .set({
      state: again.state,
      round: again.round,
      hash: again.hash,
      snapshot: JSON.stringify(document),
      doneTime: null,
      updateTime: now,
      version: item.version + 1,
    })
    .where('id', '=', itemId)
    .execute()
  await writeEvent(ctx, item, { action: 'resubmit', at: now })
  await repeatSteps(ctx, again, await currentSteps(ctx.db, itemId), 0)
  await kind.decided(ctx, again, { act: 'resubmit', node: undefined, opinion: '', state: approvalStates.running, at: now, choice: {} })
  await advance(ctx, again)
  await showPlace(ctx, again)
  return { ...again, version: item.version + 1 }
}

/** The item that a thing waits with, if it does. */
export const runningItem = (ctx: Pick<Context, 'db'>, kind: string, objectId: string): Promise<Item | undefined> =>
  ctx.db
    .selectFrom('workItem')
    .selectAll()
    .where('kind', '=', kind)
    .where('objectId', '=', objectId)
    .where('state', '=', approvalStates.running)
    .executeTakeFirst()
