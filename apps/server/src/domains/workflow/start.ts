import { AppError } from '@zhugong/contract/kit/errors'
import { approvalStates, type FlowFacts, seatStates, stagesOf, stepStates } from '@zhugong/contract/workflow/flow'
import { sql } from 'kysely'
import { formatDay } from '#kit/clock'
import { cached } from '#kit/context'
import { isUniqueViolation } from '#kit/db'
import { pick } from '#kit/pick'
import { flowInForce } from './flow-in-force.ts'
import { documentHash } from './hash.ts'
import { kindNamed, soundFacts } from './kinds.ts'
import { fits, mandatesOf } from './mandates.ts'
import type { FlowStart, Item, Step, WorkContext, WorkDocument } from './model.ts'
import { type Person, resolve } from './people.ts'
import { reachItem } from './record-items.ts'
import { addSeat, advance, currentSteps, joinGroups, originFor, setStep, showPlace, writeSteps } from './steps.ts'

export interface Started {
  itemId: string
  /** Its number, `前缀-2026-000001`. */
  code: string
  /** `running`, or `passed` if the setting requires no approval. */
  state: Item['state']
  /** The steps of the flow. */
  steps: { key: string; name: string }[]
}

/**
 * Starts the flow of a record, in the transaction that writes the record. The steps are those of the current setting; later changes of
 * the setting do not affect the item.
 * Throws AppError `refused` if the record already waits, and Error for an unregistered kind or unknown facts.
 */
export async function startFlow(ctx: WorkContext, start: FlowStart): Promise<Started> {
  const kind = kindNamed(start.kind)
  const facts = soundFacts(kind, start.facts ?? {})
  const document = await kind.document(ctx, start.objectId)
  if (!document) throw new Error(`${kind.kind} ${start.objectId} has no document to decide over`)
  const settingGroup = start.projectCode === null ? start.groupId : ((await siteGroup(ctx, start.projectCode)) ?? start.groupId)
  const flow = await cached(ctx, `flow ${kind.kind} ${settingGroup}`, () => flowInForce(ctx.system, kind, settingGroup))
  const now = new Date(ctx.clock.now())
  const title = start.title.slice(0, 200)
  const item = await insertItem(ctx, {
    ...start,
    title,
    facts,
    document,
    code: await nextNumber(ctx, kind.kind, kind.prefix, start.groupId),
    flow: { groupId: flow.group?.id ?? null, version: flow.version },
    now,
  })
  await writeEvent(ctx, item, { action: 'submit', at: now, by: start.applicant?.name })
  if (flow.exempt) {
    await finish(ctx, item, approvalStates.passed, now)
    await writeEvent(ctx, item, { action: 'exempt', at: now, by: '系统' })
    await kind.decided(ctx, item, { act: 'exempt', node: undefined, opinion: '', state: approvalStates.passed, at: now, choice: {} })
    return { itemId: item.id, code: item.code, state: approvalStates.passed, steps: [] }
  }
  await writeSteps(ctx, item, flow.nodes)
  const ordered = start.order && (await orderedIn(ctx, item))
  if (ordered) {
    await finish(ctx, item, approvalStates.passed, now)
    await writeEvent(ctx, item, { action: 'order', at: now, node: ordered.name })
    await kind.decided(ctx, item, { act: 'pass', node: ordered, opinion: '', state: approvalStates.passed, at: now, choice: {} })
    return { itemId: item.id, code: item.code, state: approvalStates.passed, steps: [] }
  }
  await advance(ctx, item)
  if (start.due || start.latest)
    for (const step of await currentSteps(ctx.db, item.id))
      if (step.state === stepStates.open) await setStep(ctx, step, { deadline: start.due ?? earlier(step.deadline, start.latest) })
  await showPlace(ctx, item)
  const steps = (await currentSteps(ctx.db, item.id)).map(({ key, name }) => ({ key, name }))
  return { itemId: item.id, code: item.code, state: approvalStates.running, steps }
}

const earlier = (limit: Date | null, latest: Date | undefined): Date | null =>
  limit && (!latest || limit < latest) ? limit : (latest ?? null)

/**
 * The only step of an item, if the caller has a seat in it and may pass it immediately. Items with several steps or a required
 * signature never qualify.
 */
async function orderedIn(ctx: WorkContext, item: Item): Promise<Step | undefined> {
  const [only, second] = await currentSteps(ctx.db, item.id)
  if (!only || second || only.node.mode !== 'any' || only.node.sign) return undefined
  const { seats, fallback } = await resolve(ctx, only.node, await originFor(ctx, item, only.node))
  const mandate = (await mandatesOf(ctx)).find((one) => one.own)
  const seat = fallback ? undefined : seats.find((one) => mandate && fits(mandate, one, item.projectCode))
  if (!seat) return undefined
  const now = new Date(ctx.clock.now())
  await setStep(ctx, only, { state: stepStates.passed, beganAt: now, endedAt: now })
  await addSeat(ctx, only, { ...seat, userId: ctx.user.id, code: null, roleId: null }, { origin: 'flow' })
  await ctx.db
    .updateTable('workApprover')
    .set({ state: seatStates.agreed, actedBy: ctx.user.id, actedName: ctx.user.name, actedAt: now })
    .where('stepId', '=', only.id)
    .execute()
  await joinGroups(ctx, item, seats)
  return only
}

/** The people who would decide first if the caller submitted an item of this kind for the site now. */
export async function firstRequested(ctx: WorkContext, kindName: string, projectCode: string): Promise<Person[]> {
  const kind = kindNamed(kindName)
  const flow = await flowInForce(ctx.system, kind, (await siteGroup(ctx, projectCode)) ?? ctx.group.id)
  const people: Person[] = []
  const from = { ownGroup: ctx.group.id, projectCode, applicantId: ctx.user.id, corpCode: null, named: [] }
  for (const node of stagesOf(flow.nodes)[0] ?? []) people.push(...(await resolve(ctx, node, from)).people)
  return people
}

async function siteGroup(ctx: WorkContext, projectCode: string): Promise<string | undefined> {
  const { rows } = await sql<{ id: string }>`select id from tenant where type = 3 and code = ${projectCode}`.execute(ctx.system)
  return rows[0]?.id
}

/**
 * The next number of a kind in a group and year. Numbers have no gaps, because the number is taken in the transaction that writes the
 * item.
 */
export async function nextNumber(ctx: Pick<WorkContext, 'db' | 'clock'>, kind: string, prefix: string, groupId: string): Promise<string> {
  const year = Number(formatDay(ctx.clock.now()).slice(0, 4))
  const { rows } = await sql<{ n: number }>`select zg_next_number(${kind}, ${groupId}, ${year}) as n`.execute(ctx.db)
  return `${prefix}-${year}-${String(rows[0]?.n ?? 0).padStart(6, '0')}`
}

interface NewItem extends FlowStart {
  facts: FlowFacts
  document: WorkDocument
  code: string
  flow: { groupId: string | null; version: number }
  now: Date
}
async function insertItem(ctx: WorkContext, start: NewItem): Promise<Item> {
  const { kind, objectId, title, document, now } = start
  const applicant = start.applicant ?? { id: ctx.user.id, name: ctx.user.name, groupId: ctx.group.id }
  const id = ctx.newId()
  // An item started by somebody who takes no part in it, for example for a record older than flows.
  if (start.groupId !== ctx.group.id && applicant.groupId !== ctx.group.id) await reachItem(ctx, id)
  try {
    return await ctx.db
      .insertInto('workItem')
      .values({
        id,
        kind,
        objectId,
        ...pick(start, 'code', 'groupId', 'projectCode'),
        title,
        corpCode: start.corpCode ?? null,
        applicantId: applicant.id,
        applicantName: applicant.name,
        applicantGroup: applicant.groupId,
        deadline: null,
        snapshot: JSON.stringify(document),
        hash: documentHash({ kind, objectId, title }, document),
        facts: JSON.stringify(start.facts),
        flowGroup: start.flow.groupId,
        flowVersion: start.flow.version,
        createTime: now,
        updateTime: now,
        doneTime: null,
        urgedAt: null,
      })
      .returningAll()
      .executeTakeFirstOrThrow()
  } catch (error) {
    if (isUniqueViolation(error, 'work_item_running')) throw new AppError('refused', '此事项正在审批，请等待办结或先撤回')
    throw error
  }
}

/** Ends an item, or reopens it. */
export async function finish(ctx: WorkContext, item: Item, state: string, now: Date): Promise<void> {
  const done = state !== approvalStates.running
  await ctx.db
    .updateTable('workItem')
    .set({ state, doneTime: done ? now : null, node: done ? '' : undefined, deadline: done ? null : undefined })
    .where('id', '=', item.id)
    .execute()
}

export interface Happening {
  action: string
  at: Date
  node?: string | undefined
  opinion?: string | undefined
  note?: string | undefined
  signatureId?: string | undefined
  /** Name of the actor, if not the caller. */
  by?: string | undefined
}
export async function writeEvent(ctx: WorkContext, item: Pick<Item, 'id'>, what: Happening): Promise<void> {
  await ctx.db
    .insertInto('workEvent')
    .values({
      id: ctx.newId(),
      itemId: item.id,
      at: what.at,
      userId: what.by === undefined ? ctx.user.id : null,
      userName: what.by ?? ctx.user.name,
      groupName: what.by === undefined ? ctx.group.name : '',
      action: what.action,
      node: what.node ?? null,
      opinion: what.opinion || null,
      note: what.note ?? null,
      signatureId: what.signatureId ?? null,
    })
    .execute()
}
