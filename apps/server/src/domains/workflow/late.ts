import { lateActs, seatStates, stepStates } from '@zhugong/contract/workflow/flow'
import { asProduct, type BackgroundDependencies } from '#kit/background'
import type { Step, WorkContext } from './model.ts'
import { administratorsAt, memberOf, type Person, peopleAt, reaching } from './people.ts'
import { writeEvent } from './start.ts'
import { addPersonSeat, joinGroups, seatsOf, setStep } from './steps.ts'
import { tellPeople } from './tell.ts'

/** Overdue steps processed per run; the rest follow in the next minute. */
const atOnce = 200

/** Processes overdue steps: reminds their approvers once and performs the configured action. Returns the number processed. */
export async function turnLate(deps: BackgroundDependencies): Promise<number> {
  const now = new Date(deps.clock.now())
  const due = await deps.db
    .selectFrom('workStep as s')
    .innerJoin('workItem as i', 'i.id', 's.itemId')
    .select(['s.id', 's.itemId', 'i.groupId'])
    .where('s.state', '=', stepStates.open)
    .where('s.deadline', '<', now)
    .where('s.remindedAt', 'is', null)
    .orderBy('s.deadline')
    .limit(atOnce)
    .execute()
  for (const step of due)
    await asProduct(deps, { userId: '', name: '系统', groupId: step.groupId }, (ctx) => turnStep(ctx, step.itemId, step.id, now))
  return due.length
}

async function turnStep(ctx: WorkContext, itemId: string, stepId: string, now: Date): Promise<void> {
  // Locks the item first, in the same order as a decision. Another process may have handled it already.
  const item = await ctx.db.selectFrom('workItem').selectAll().where('id', '=', itemId).forUpdate().executeTakeFirst()
  const step = await ctx.db.selectFrom('workStep').selectAll().where('id', '=', stepId).executeTakeFirst()
  if (item?.state !== '1' || step?.state !== stepStates.open || step.remindedAt !== null) return
  await setStep(ctx, step, { remindedAt: now })
  const open = (await seatsOf(ctx.db, itemId)).filter((s) => s.stepId === stepId && s.state === seatStates.open)
  const people = (await Promise.all(open.map((seat) => peopleAt(ctx, seat, item.projectCode)))).flat()
  tellPeople(ctx, people, item, `审批已超时：${item.title}`)
  const found = await othersFor(ctx, step, open[0]?.groupId ?? item.groupId)
  const others = (await reaching(ctx, found, item.projectCode)).filter(
    (p) => p.id !== item.applicantId && !open.some((s) => s.userId === p.id),
  )
  for (const person of others) await addPersonSeat(ctx, step, person, 'late')
  if (others.length > 0)
    await joinGroups(
      ctx,
      item,
      others.map((p) => ({ groupId: p.groupId, userId: p.id, code: null, roleId: null })),
    )
  tellPeople(ctx, others, item, `超时转您审批：${item.title}`)
  const names = others.map((p) => p.name).join('、')
  await writeEvent(ctx, item, {
    action: 'late',
    at: now,
    node: step.name,
    by: '系统',
    note: `${lateActs[step.node.late]}${names ? `：${names}` : ''}`,
  })
}

async function othersFor(ctx: WorkContext, { node }: Step, groupId: string): Promise<Person[]> {
  if (node.late === 'raise') return administratorsAt(ctx, groupId)
  if (node.late !== 'hand' || node.handTo === null) return []
  const person = await memberOf(ctx, groupId, node.handTo)
  return person ? [person] : []
}
