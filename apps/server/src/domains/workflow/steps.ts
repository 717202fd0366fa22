import { type FlowNode, isFor, seatStates, simplestStep, stagesOf, stepStates } from '@zhugong/contract/workflow/flow'
import { sql } from 'kysely'
import { askedOnce } from '#kit/context'
import type { Db, Row, Tx } from '#kit/db'
import { type Item, kindNamed, type WorkContext } from './kinds.ts'
import { type Person, resolve, type Seat } from './people.ts'
import { tellPeople } from './tell.ts'

export type Step = Row<'workStep'>
export type SeatRow = Row<'workApprover'>

/** The newest of each place: what an item's flow is now, its rounds behind it. */
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

/** An item for which no step is meant and which nobody exempted goes to the administrators of its own group. */
const nobodysStep: FlowNode = { ...simplestStep, key: 'admin', name: '管理员审批' }

/** Writes the steps an item goes through: those of its flow that its facts ask for. */
export async function writeSteps(ctx: WorkContext, item: Item, nodes: readonly FlowNode[]): Promise<void> {
  const meant = nodes.filter((node) => isFor(node, item.facts))
  const stages = stagesOf(meant.length > 0 ? meant : [nobodysStep])
  let place = 0
  for (const [stage, together] of stages.entries())
    for (const node of together) await insertStep(ctx, item, { place: ++place, stage, round: item.round, node })
}

/** The steps of a stage and behind it once more, in a new round: what was decided before stays in its own. */
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
 * Opens what comes next; true where nothing comes any more. Whoever has just decided and would be asked at once again is not: the step is
 * passed in his name, and it is noted; not where two are to look at it, or a hand-drawn name is asked for.
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
  const { seats, people, fallback } = await askedOnce(ctx, `seats ${JSON.stringify([node, originOf(item)])}`, () =>
    resolve(ctx, node, originOf(item)),
  )
  const kind = kindNamed(item.kind)
  const same = last && node.mode === 'any' && !node.sign && !node.locked && !kind.apart && !fallback && people.some((p) => p.id === last.id)
  if (same) {
    await setStep(ctx, step, { state: stepStates.skipped, beganAt: now, endedAt: now, note: `与上一步同为 ${last.name}，已合并` })
    return
  }
  const deadline = node.hours === null ? null : new Date(now.getTime() + node.hours * 3_600_000)
  await setStep(ctx, step, { state: stepStates.open, beganAt: now, deadline, note: fallback ? '未找到审批人，已转管理员' : null })
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

export const originOf = (item: Pick<Item, 'applicantGroup' | 'projectCode' | 'applicantId'>) => ({
  ownGroup: item.applicantGroup,
  projectCode: item.projectCode,
  applicantId: item.applicantId,
})

/** Groups with a seat see the item, whatever they see of its project. */
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

/** Whoever is told of an item without deciding: by any of his groups that has a part in it, else the item's own. */
async function copyTo(ctx: WorkContext, item: Item, userId: string): Promise<void> {
  const { rows } = await sql<{ groupId: string }>`select group_id from member where user_id = ${userId} and enable = '1'
    order by group_id = ${item.groupId} desc, is_default desc limit 1`.execute(ctx.system)
  const groupId = rows[0]?.groupId
  if (!groupId) return
  await sql`insert into work_copy (item_id, user_id, group_id, create_time)
    values (${item.id}, ${userId}, ${groupId}, ${new Date(ctx.clock.now())}) on conflict do nothing`.execute(ctx.db)
  await joinGroups(ctx, item, [{ groupId, userId, code: null, roleId: null }])
}

/** What lists show of where an item is: names of the open steps and the nearest deadline. */
export async function showPlace(ctx: WorkContext, item: Item): Promise<void> {
  const open = (await currentSteps(ctx.db, item.id)).filter((s) => s.state === stepStates.open)
  const deadlines = open.flatMap((s) => s.deadline ?? []).sort((a, b) => a.getTime() - b.getTime())
  await ctx.db
    .updateTable('workItem')
    .set({ node: open.map((s) => s.name).join('、'), deadline: deadlines[0] ?? null })
    .where('id', '=', item.id)
    .execute()
}
