import { AppError } from '@zhugong/contract/kit/errors'
import { type ApprovalAct, eventNames } from '@zhugong/contract/workflow/endpoints'
import { approvalStates, seatStates, stepStates } from '@zhugong/contract/workflow/flow'
import { changeRow } from '#kit/change-row'
import { formatInstant } from '#kit/clock'
import type { Context } from '#kit/context'
import { pick } from '#kit/pick'
import { isValidIn } from '#kit/reach'
import { differencesOf, documentHash } from './hash.ts'
import { kindNamed } from './kinds.ts'
import { asksFor, type Decider, deciderOf, hasSpoken, isUntouched, type OpenSeat, openSeats, urgeEveryMs } from './mandates.ts'
import type { Item, KnownKind, SeatRow, Step, WorkContext } from './model.ts'
import { memberOf, peopleAt, reaching } from './people.ts'
import { reachItems } from './record-items.ts'
import { keepSignature } from './signature.ts'
import { finish, writeEvent } from './start.ts'
import { addPersonSeat, advance, currentSteps, repeatSteps, seatsOf, setSeat, setStep, showPlace } from './steps.ts'
import { tellPeople } from './tell.ts'

export interface Act {
  result: ApprovalAct
  opinion?: string | undefined
  signature?: string | undefined
  transferTo?: string | undefined
  addSign?: readonly string[] | undefined
  returnTo?: string | undefined
  choice?: Readonly<Record<string, unknown>> | undefined
  /** Permission code the caller needs in addition to a seat, if it is not `approval.audit`. */
  code?: string | undefined
  /** Version of the item that the user saw; omitted if the caller has already checked the version of the business record. */
  version?: number | undefined
}

/** An item locked for the duration of an action, with its flow. */
interface LockedItem {
  ctx: WorkContext
  kind: KnownKind
  item: Item
  steps: Step[]
  seats: SeatRow[]
  decider: Decider
  now: Date
}

/**
 * Decides an item, hands it on or withdraws it, and applies the effect to its business record, in one transaction. Of two concurrent
 * decisions the first wins; the other fails with the name of the person who decided.
 * Throws AppError: `conflict` if the item changed since the user saw it, `forbidden` if the caller has no seat, `invalidInput` at the
 * field. Throws `refused` for what the item does not allow now.
 */
export async function actOn(ctx: WorkContext, itemId: string, act: Act): Promise<Item> {
  const item = await ctx.db.selectFrom('workItem').selectAll().where('id', '=', itemId).forUpdate().executeTakeFirst()
  if (!item) throw new AppError('notFound', '审批事项不存在或已删除')
  const locked: LockedItem = {
    ctx,
    kind: kindNamed(item.kind),
    item,
    steps: await currentSteps(ctx.db, itemId),
    seats: await seatsOf(ctx.db, itemId),
    decider: await deciderOf(ctx),
    now: new Date(ctx.clock.now()),
  }
  if (act.version !== undefined && act.version !== item.version) throw new AppError('conflict', await whoWasFirst(ctx, item))
  if (item.state !== approvalStates.running) throw new AppError('refused', await whoWasFirst(ctx, item))
  await acts[act.result](locked, act)
  await changeRow(ctx, 'workItem', { key: { id: itemId }, version: item.version, noun: '审批单', values: { updateTime: locked.now } })
  await showPlace(ctx, item)
  const done = await ctx.db.selectFrom('workItem').selectAll().where('id', '=', itemId).executeTakeFirstOrThrow()
  if (done.state !== approvalStates.running) {
    await ctx.db.updateTable('workItem').set({ node: '', deadline: null }).where('id', '=', itemId).execute()
    return { ...done, node: '', deadline: null }
  }
  return done
}

/** Text such as `已由 李工 于 10:12 同意`; includes the date if it was not today. */
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

const acts: Record<ApprovalAct, (locked: LockedItem, act: Act) => Promise<void>> = { pass, reject, transfer, addSign, withdraw, urge }

/** The seat from which the caller decides; throws with the reason if the caller has none. */
function seatFor({ kind, item, steps, seats, decider }: LockedItem, code: string): OpenSeat {
  if (item.applicantId === decider.userId) throw new AppError('refused', '审批人不能是申请人')
  const [first] = openSeats(item, steps, seats, decider)
  const names = steps.filter((s) => s.state === stepStates.open).map((s) => s.name)
  if (!first) throw new AppError('refused', `${kind.noun ?? '此事项'}等待${names.join('、')}审批`)
  if (!isValidIn(decider.rights, code, item.projectCode)) throw new AppError('forbidden', `您没有此项权限（${code}）`, { code })
  if (kind.apart && hasSpoken(steps, seats, decider.userId)) throw new AppError('refused', '同一人不能审批两次')
  return first
}

/** Refuses a decision if the document changed after it was submitted. */
async function requireUnchanged({ ctx, kind, item }: LockedItem): Promise<void> {
  const document = await kind.document(ctx, item.objectId)
  if (!document) throw new AppError('refused', '单据已不存在或不在您的查看范围内，不能办理')
  if (documentHash({ ...item, title: item.title }, document) === item.hash) return
  throw new AppError('conflict', '单据在提交后已有变化，请由发起人重新提交', { differences: differencesOf(item.snapshot, document) })
}

/** Refuses an agreement without a confirmation of what came up after the submission. */
async function requireConfirmed({ ctx, kind, item }: LockedItem, { choice }: Act): Promise<void> {
  const open = ((await kind.asks?.(ctx, item)) ?? []).find(({ key, value }) => choice?.[key] !== value)
  if (open) throw new AppError('conflict', `${open.text}，请确认后再同意`, { field: open.key })
}

async function pass(locked: LockedItem, act: Act): Promise<void> {
  const { ctx, item, now } = locked
  const openSeat = seatFor(locked, act.code ?? 'approval.audit')
  const { step } = openSeat
  await requireUnchanged(locked)
  await requireConfirmed(locked, act)
  const signatureId = await signed(locked, step, act)
  await takeSeat(locked, openSeat, seatStates.agreed, act.opinion)
  await writeEvent(ctx, item, { action: 'pass', at: now, node: step.name, opinion: act.opinion, note: standIn(openSeat), signatureId })
  await closeIfDecided(locked, step)
  const over = await advance(ctx, item, { id: ctx.user.id, name: ctx.user.name })
  if (over) await finish(ctx, item, approvalStates.passed, now)
  await decided(locked, 'pass', step, act, over ? approvalStates.passed : approvalStates.running)
  if (over) tellApplicant(locked, `${locked.kind.words?.pass ?? '已通过'}：${item.title}`)
}

async function signed({ ctx, item }: LockedItem, step: Step, act: Act): Promise<string | undefined> {
  if (step.node.sign && !act.signature) throw new AppError('invalidInput', '此步骤须手写签名', { field: 'signature' })
  return act.signature ? keepSignature(ctx, item, step, act.signature) : undefined
}

const standIn = ({ mandate }: OpenSeat): string | undefined => (mandate.own ? undefined : `代 ${mandate.name} 办理`)

async function takeSeat({ ctx, now }: LockedItem, { seat, mandate }: OpenSeat, state: string, opinion: string | undefined): Promise<void> {
  await setSeat(ctx, seat, {
    state,
    actedBy: ctx.user.id,
    actedName: ctx.user.name,
    actedAt: now,
    forUser: mandate.own ? null : mandate.userId,
    opinion: opinion || null,
  })
}

/** 或签 needs one agreeing seat; 会签 and 依次 need all. Seats added later (加签) are awaited in every mode. */
async function closeIfDecided({ ctx, item, now }: LockedItem, step: Step): Promise<void> {
  const seats = (await seatsOf(ctx.db, item.id)).filter((s) => s.stepId === step.id)
  const waits = (s: SeatRow) => s.state === seatStates.open || s.state === seatStates.later
  const besides = seats.filter((s) => s.origin === 'addSign')
  const flow = seats.filter((s) => s.origin !== 'addSign')
  // An approver added because the step was late replaces those who did not respond.
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

async function reject(locked: LockedItem, act: Act): Promise<void> {
  const { ctx, item, steps, now } = locked
  const openSeat = seatFor(locked, act.code ?? 'approval.audit')
  const { step } = openSeat
  const target = act.returnTo === undefined ? undefined : earlierStep(steps, step, act.returnTo)
  const signatureId = act.signature ? await signed(locked, step, act) : undefined
  await takeSeat(locked, openSeat, seatStates.refused, act.opinion)
  await endOpenSteps(locked, step)
  await writeEvent(ctx, item, {
    action: target ? 'return' : 'reject',
    at: now,
    node: step.name,
    opinion: act.opinion,
    note: target ? `退回到 ${target.name}` : standIn(openSeat),
    signatureId,
  })
  if (!target) {
    await finish(ctx, item, approvalStates.rejected, now)
    await decided(locked, 'reject', step, act, approvalStates.rejected)
    tellApplicant(locked, `${locked.kind.words?.reject ?? '被驳回'}：${item.title}`)
    return
  }
  await nextRound(locked, target.stage)
  await decided(locked, 'reject', step, act, approvalStates.running)
}

function earlierStep(steps: readonly Step[], from: Step, key: string): Step {
  const target = steps.find((s) => s.key === key && s.stage < from.stage)
  if (!target) throw new AppError('invalidInput', '只能退回到之前的步骤', { field: 'returnTo' })
  return target
}

/** Closes the open steps without a decision, except the step `at`, which is marked as rejected. */
async function endOpenSteps({ ctx, item, steps, now }: LockedItem, at?: Step): Promise<void> {
  for (const step of steps.filter((s) => s.state === stepStates.open))
    await setStep(ctx, step, { state: step.id === at?.id ? stepStates.rejected : stepStates.returned, endedAt: now })
  await ctx.db
    .updateTable('workApprover')
    .set({ state: seatStates.elsewhere })
    .where('itemId', '=', item.id)
    .where('state', 'in', [seatStates.later, seatStates.open])
    .execute()
}

async function nextRound({ ctx, item, steps }: LockedItem, fromStage: number): Promise<void> {
  const again = { ...item, round: item.round + 1 }
  await ctx.db.updateTable('workItem').set({ round: again.round }).where('id', '=', item.id).execute()
  await repeatSteps(ctx, again, steps, fromStage)
  await advance(ctx, again)
}

async function transfer(locked: LockedItem, act: Act): Promise<void> {
  const { ctx, item, now } = locked
  const openSeat = seatFor(locked, 'approval.transfer')
  if (!openSeat.step.node.mayTransfer) throw new AppError('refused', '此步骤不能转办')
  const to = await colleague(locked, act.transferTo ?? '', 'transferTo')
  await takeSeat(locked, openSeat, seatStates.handed, act.opinion)
  await addPersonSeat(ctx, openSeat.step, to, openSeat.seat.origin === 'addSign' ? 'addSign' : 'transfer')
  await writeEvent(ctx, item, { action: 'transfer', at: now, node: openSeat.step.name, opinion: act.opinion, note: `转给 ${to.name}` })
  tellPeople(ctx, [to], item, `转给您审批：${item.title}`)
}

async function addSign(locked: LockedItem, act: Act): Promise<void> {
  const { ctx, item, now } = locked
  const { step } = seatFor(locked, 'approval.transfer')
  const people = []
  for (const id of act.addSign ?? []) people.push(await colleague(locked, id, 'addSign'))
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

/** A person of the caller's group who has no seat in this item yet and is not its applicant. */
async function colleague({ ctx, item, steps, seats }: LockedItem, userId: string, field: string) {
  const person = await memberOf(ctx, ctx.group.id, userId)
  if (!person) throw new AppError('invalidInput', '所选人员不在本单位', { field })
  if ((await reaching(ctx, [person], item.projectCode)).length === 0)
    throw new AppError('invalidInput', `${person.name}不负责此项目`, { field })
  if (userId === ctx.user.id) throw new AppError('invalidInput', '不能选择自己', { field })
  if (userId === item.applicantId) throw new AppError('invalidInput', '不能交给申请人', { field })
  const open = new Set(steps.filter((s) => s.state === stepStates.open).map((s) => s.id))
  if (seats.some((s) => open.has(s.stepId) && s.userId === userId && s.state === seatStates.open))
    throw new AppError('invalidInput', `${person.name}已在审批人中`, { field })
  return person
}

async function withdraw(locked: LockedItem, act: Act): Promise<void> {
  const { ctx, kind, item, steps, seats, now, decider } = locked
  if (!asksFor(item, decider, kind)) throw new AppError('refused', '只有申请人可以撤回')
  if (kind.withdraw !== 'running' && !isUntouched(steps, seats)) throw new AppError('refused', '已有人审批，不能撤回')
  await endOpenSteps(locked)
  await finish(ctx, item, approvalStates.withdrawn, now)
  await writeEvent(ctx, item, { action: 'withdraw', at: now, opinion: act.opinion })
  await decided(locked, 'withdraw', undefined, act, approvalStates.withdrawn)
}

async function urge({ ctx, kind, item, steps, seats, now, decider }: LockedItem): Promise<void> {
  if (!asksFor(item, decider, kind)) throw new AppError('refused', '只有申请人可以催办')
  if (item.urgedAt && now.getTime() - item.urgedAt.getTime() < urgeEveryMs) throw new AppError('refused', '一小时内只能催办一次')
  const open = new Set(steps.filter((s) => s.state === stepStates.open).map((s) => s.id))
  for (const seat of seats.filter((s) => open.has(s.stepId) && s.state === seatStates.open))
    tellPeople(ctx, await peopleAt(ctx, seat, item.projectCode), item, `${item.applicantName} 催办：${item.title}`)
  await ctx.db.updateTable('workItem').set({ urgedAt: now }).where('id', '=', item.id).execute()
  await writeEvent(ctx, item, { action: 'urge', at: now })
}

async function decided(
  locked: LockedItem,
  act: 'pass' | 'reject' | 'withdraw',
  step: Step | undefined,
  said: Act,
  state: '1' | '2' | '3' | '4',
) {
  await locked.kind.decided(locked.ctx, locked.item, {
    act,
    node: step && { key: step.key, name: step.name },
    opinion: said.opinion ?? '',
    state,
    at: locked.now,
    choice: said.choice ?? {},
  })
}

const tellApplicant = ({ ctx, item }: LockedItem, text: string) => tellPeople(ctx, [{ id: item.applicantId }], item, text)

/** Submits a refused item again with its current data. Signatures made on the earlier version are no longer valid. */
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
  const next = await changeRow(ctx, 'workItem', {
    key: { id: itemId },
    version: item.version,
    noun: '审批单',
    values: {
      ...pick(again, 'state', 'round', 'hash'),
      snapshot: JSON.stringify(document),
      doneTime: null,
      updateTime: now,
    },
  })
  await writeEvent(ctx, item, { action: 'resubmit', at: now })
  await repeatSteps(ctx, again, await currentSteps(ctx.db, itemId), 0)
  await kind.decided(ctx, again, { act: 'resubmit', node: undefined, opinion: '', state: approvalStates.running, at: now, choice: {} })
  await advance(ctx, again)
  await showPlace(ctx, again)
  return { ...again, version: next }
}

/** The running item of a business record that the caller may see, if there is one. */
export async function runningItem(ctx: Pick<Context, 'db'>, kind: string, objectId: string): Promise<Item | undefined> {
  await reachItems(ctx, kind, objectId)
  return ctx.db
    .selectFrom('workItem')
    .selectAll()
    .where('kind', '=', kind)
    .where('objectId', '=', objectId)
    .where('state', '=', approvalStates.running)
    .executeTakeFirst()
}
