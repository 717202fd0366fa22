import { type FlowNode, isFor, seatStates, simplestStep, stagesOf, stepStates } from '@zhugong/contract/workflow/flow'
import { sql } from 'kysely'
import { cached } from '#kit/context'
import type { Db, Tx } from '#kit/db'
import { pick } from '#kit/pick'
import { commonCalendar } from '../access/public.ts'
import { deadlineAfter } from './deadline.ts'
import { kindNamed } from './kinds.ts'
import type { Item, SeatRow, Step, WorkContext } from './model.ts'
import { type Origin, type Person, resolve, type Seat } from './people.ts'
import { tellPeople } from './tell.ts'

/** The steps of the current round: the newest step of each position. */
export async function currentSteps(db: Db | Tx, itemId: string): Promise<Step[]> {
  return db
    .selectFrom('workStep')
    .distinctOn('place')
    .selectAll()
    .where('itemId', '=', itemId)
    .orderBy('place')
    .orderBy('round', 'desc')
    .execute()
}
export const seatsOf = (db: Db | Tx, itemId: string): Promise<SeatRow[]> =>
  db.selectFrom('workApprover').selectAll().where('itemId', '=', itemId).orderBy('turn').orderBy('id').execute()

/** Used for items to which no step applies although approval was not skipped: the administrators of the item's group decide. */
const nobodysStep: FlowNode = { ...simplestStep, key: 'admin', name: '管理员审批' }

/** Writes the steps of an item: those steps of its flow whose conditions match its facts. */
export async function writeSteps(ctx: WorkContext, item: Item, nodes: readonly FlowNode[]): Promise<void> {
  const meant = nodes.filter((node) => isFor(node, item.facts))
  const stages = stagesOf(meant.length > 0 ? meant : [nobodysStep])
  let place = 0
  for (const [stage, together] of stages.entries())
    for (const node of together) await insertStep(ctx, item, { place: ++place, stage, round: item.round, node })
}

/** Repeats the steps from a stage onwards in a new round; earlier decisions stay in their own round. */
export async function repeatSteps(ctx: WorkContext, item: Item, steps: readonly Step[], fromStage: number): Promise<void> {
  for (const { place, stage, node } of steps) if (stage >= fromStage) await insertStep(ctx, item, { place, stage, round: item.round, node })
}

async function insertStep(ctx: WorkContext, item: Item, { place, stage, round, node }: Pick<Step, 'place' | 'stage' | 'round' | 'node'>) {
  await ctx.db
    .insertInto('workStep')
    .values({
      id: ctx.newId(),
      itemId: item.id,
      place,
      stage,
      round,
      key: node.key,
      name: node.name,
      node: JSON.stringify(node),
      note: null,
      beganAt: null,
      deadline: null,
      endedAt: null,
      remindedAt: null,
    })
    .execute()
}

export interface Decider {
  id: string
  name: string
}

/**
 * Opens the next stage; returns true if none is left. If the person who has just decided would also decide the next step, it is passed
 * in that person's name and recorded. This does not apply if two people must decide or a signature is required.
 */
export async function advance(ctx: WorkContext, item: Item, last?: Decider): Promise<boolean> {
  for (;;) {
    const steps = await currentSteps(ctx.db, item.id)
    if (steps.some((s) => s.state === stepStates.open)) return false
    const next = steps.find((s) => s.state === stepStates.coming)
    if (!next) return true
    for (const step of steps.filter((s) => s.stage === next.stage && s.state === stepStates.coming)) await openStep(ctx, item, step, last)
  }
}

async function openStep(ctx: WorkContext, item: Item, step: Step, last: Decider | undefined): Promise<void> {
  const now = new Date(ctx.clock.now())
  const { node } = step
  const from = await originFor(ctx, item, node)
  const { seats, people, fallback } = await cached(ctx, `seats ${JSON.stringify([node, from])}`, () => resolve(ctx, node, from))
  const kind = kindNamed(item.kind)
  const same = last && node.mode === 'any' && !node.sign && !node.locked && !kind.apart && !fallback && people.some((p) => p.id === last.id)
  if (same) {
    await setStep(ctx, step, { state: stepStates.skipped, beganAt: now, endedAt: now, note: `与上一步同为 ${last.name}，已合并` })
    return
  }
  const deadline =
    node.hours === null
      ? null
      : deadlineAfter(now.getTime(), node.hours, await cached(ctx, 'common calendar', () => commonCalendar(ctx.db)))
  await setStep(ctx, step, { state: stepStates.open, beganAt: now, deadline, note: fallback ? whyFallback(node, from) : null })
  for (const [turn, seat] of seats.entries())
    await addSeat(ctx, step, seat, {
      origin: fallback ? 'fallback' : 'flow',
      turn: node.mode === 'turn' ? turn : 0,
      state: node.mode === 'turn' && turn > 0 ? seatStates.later : seatStates.open,
    })
  await joinGroups(ctx, item, seats)
  for (const userId of node.copyTo) await copyTo(ctx, item, userId)
  tellPeople(ctx, people, item, `${kind.words?.open ?? '待您审批'}：${item.title}`)
}

const whyFallback = ({ places }: FlowNode, { named }: Origin): string =>
  places.includes('named') && named.length === 0 ? '事项未指定审批人，已转管理员' : '未找到审批人，已转管理员'

/** The starting point of an item's places, without the people it names. */
export const originOf = (item: Pick<Item, 'applicantGroup' | 'projectCode' | 'applicantId' | 'corpCode'>): Origin => ({
  ownGroup: item.applicantGroup,
  ...pick(item, 'projectCode', 'applicantId', 'corpCode'),
  named: [],
})

/** The starting point for a step; reads the people whom the item names if the step needs them. */
export async function originFor(ctx: Pick<WorkContext, 'db' | 'system' | 'clock'>, item: Item, node: FlowNode): Promise<Origin> {
  const from = originOf(item)
  return node.places.includes('named') ? { ...from, named: (await kindNamed(item.kind).named?.(ctx, item)) ?? [] } : from
}

/** Makes the item visible to all groups with a seat, whatever they see of its project. */
export async function joinGroups(ctx: WorkContext, item: Item, seats: readonly Seat[]): Promise<void> {
  const groups = [...new Set(seats.map((s) => s.groupId))]
  await sql`update work_item set groups = array(select distinct unnest(groups || ${groups}::text[])) where id = ${item.id}`.execute(ctx.db)
}

export async function addSeat(
  ctx: WorkContext,
  step: Step,
  seat: Seat,
  how: { origin: string; state?: string; turn?: number },
): Promise<void> {
  await ctx.db
    .insertInto('workApprover')
    .values({
      id: ctx.newId(),
      itemId: step.itemId,
      stepId: step.id,
      ...seat,
      state: how.state ?? seatStates.open,
      origin: how.origin,
      turn: how.turn ?? 0,
      actedBy: null,
      actedName: null,
      actedAt: null,
      forUser: null,
      opinion: null,
    })
    .execute()
}

export async function addPersonSeat(ctx: WorkContext, step: Step, person: Person, origin: string): Promise<void> {
  await addSeat(ctx, step, { groupId: person.groupId, userId: person.id, code: null, roleId: null }, { origin })
}

export const setStep = (ctx: WorkContext, step: Pick<Step, 'id'>, part: Partial<Omit<Step, 'id' | 'node'>>) =>
  ctx.db.updateTable('workStep').set(part).where('id', '=', step.id).execute()

export const setSeat = (ctx: WorkContext, seat: Pick<SeatRow, 'id'>, part: Partial<Omit<SeatRow, 'id'>>) =>
  ctx.db.updateTable('workApprover').set(part).where('id', '=', seat.id).execute()

/** Sends a copy of the item to a user: in one of the user's groups that takes part, otherwise in the item's own group. */
async function copyTo(ctx: WorkContext, item: Item, userId: string): Promise<void> {
  const { rows } = await sql<{ groupId: string }>`select group_id from member where user_id = ${userId} and enable = '1'
    order by group_id = ${item.groupId} desc, is_default desc limit 1`.execute(ctx.system)
  const groupId = rows[0]?.groupId
  if (!groupId) return
  await sql`insert into work_copy (item_id, user_id, group_id, create_time)
    values (${item.id}, ${userId}, ${groupId}, ${new Date(ctx.clock.now())}) on conflict do nothing`.execute(ctx.db)
  await joinGroups(ctx, item, [{ groupId, userId, code: null, roleId: null }])
}

/** Updates the columns shown in lists: names of the open steps and the nearest deadline. */
export async function showPlace(ctx: WorkContext, item: Item): Promise<void> {
  const open = (await currentSteps(ctx.db, item.id)).filter((s) => s.state === stepStates.open)
  const deadlines = open.flatMap((s) => s.deadline ?? []).sort((a, b) => a.getTime() - b.getTime())
  await ctx.db
    .updateTable('workItem')
    .set({ node: open.map((s) => s.name).join('、'), deadline: deadlines[0] ?? null })
    .where('id', '=', item.id)
    .execute()
}
