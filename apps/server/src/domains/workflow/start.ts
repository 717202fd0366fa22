import { AppError } from '@zhugong/contract/kit/errors'
import { approvalStates, type FlowFacts, seatStates, stagesOf, stepStates } from '@zhugong/contract/workflow/flow'
import { sql } from 'kysely'
import { formatDay } from '#kit/clock'
import { askedOnce } from '#kit/context'
import { isUniqueViolation } from '#kit/db'
import { flowInForce } from './flow-in-force.ts'
import { documentHash } from './hash.ts'
import { fits, hatsOf } from './hats.ts'
import { type Item, kindNamed, soundFacts, type WorkContext, type WorkDocument } from './kinds.ts'
import { type Person, resolve } from './people.ts'
import { addSeat, advance, currentSteps, joinGroups, originOf, type Step, setStep, showPlace, writeSteps } from './steps.ts'

export interface FlowStart {
  kind: string
  /** Whose item it is, and whose setting holds where it is of no project. */
  groupId: string
  projectCode: string | null
  /** The thing, written already in the same transaction. */
  objectId: string
  title: string
  facts?: FlowFacts
  /** Whose company it concerns, if anybody's: what subcontractors see goes by it. */
  corpCode?: string | null
  /** When it was asked, of what waited before it had a flow: its times run from then. */
  since?: Date
  /** By when it is to be done, of a thing that has a day of its own; its first steps end then whatever their hours. */
  due?: Date
  /** Whoever asks and sits in its only step himself does it by asking: what an authority orders is asked of nobody. */
  order?: true
  /** Who asks, where it is not the caller. */
  applicant?: { id: string; name: string; groupId: string }
}
export interface Started {
  itemId: string
  /** Its number, `前缀-2026-000001`. */
  code: string
  /** `running`, or `passed` where the setting asks nobody. */
  state: Item['state']
  /** What it goes through. */
  steps: { key: string; name: string }[]
}

/**
 * Begins the flow of a thing, in the transaction that writes it. The steps are those that hold now; a setting that changes while it runs
 * does not touch it. Throws AppError `refused` where the thing waits already, and Error for a kind or facts nobody registered.
 */
export async function startFlow(ctx: WorkContext, start: FlowStart): Promise<Started> {
  const kind = kindNamed(start.kind)
  const facts = soundFacts(kind, start.facts ?? {})
  const document = await kind.document(ctx, start.objectId)
  if (!document) throw new Error(`${kind.kind} ${start.objectId} has no document to decide over`)
  const settingGroup = start.projectCode === null ? start.groupId : ((await siteGroup(ctx, start.projectCode)) ?? start.groupId)
  const flow = await askedOnce(ctx, `flow ${kind.kind} ${settingGroup}`, () => flowInForce(ctx.system, kind, settingGroup))
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
  if (start.due)
    for (const step of await currentSteps(ctx.db, item.id))
      if (step.state === stepStates.open) await setStep(ctx, step, { deadline: start.due })
  await showPlace(ctx, item)
  const steps = (await currentSteps(ctx.db, item.id)).map(({ key, name }) => ({ key, name }))
  return { itemId: item.id, code: item.code, state: approvalStates.running, steps }
}

/** The only step of an item, passed by the caller, where he has a seat in it by himself; two steps, or a hand-drawn name, are never passed so. */
async function orderedIn(ctx: WorkContext, item: Item): Promise<Step | undefined> {
  const [only, second] = await currentSteps(ctx.db, item.id)
  if (!only || second || only.node.mode !== 'any' || only.node.sign) return undefined
  const { seats, fallback } = await resolve(ctx, only.node, originOf(item))
  const hat = (await hatsOf(ctx)).find((one) => one.own)
  const seat = fallback ? undefined : seats.find((one) => hat && fits(hat, one))
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

/** Who would be asked first for a thing of this kind at a site, if the caller asked now. */
export async function firstAsked(ctx: WorkContext, kindName: string, projectCode: string): Promise<Person[]> {
  const kind = kindNamed(kindName)
  const flow = await flowInForce(ctx.system, kind, (await siteGroup(ctx, projectCode)) ?? ctx.group.id)
  const people: Person[] = []
  for (const node of stagesOf(flow.nodes)[0] ?? [])
    people.push(...(await resolve(ctx, node, { ownGroup: ctx.group.id, projectCode, applicantId: ctx.user.id })).people)
  return people
}

async function siteGroup(ctx: WorkContext, projectCode: string): Promise<string | undefined> {
  const { rows } = await sql<{ id: string }>`select id from tenant where type = 3 and code = ${projectCode}`.execute(ctx.system)
  return rows[0]?.id
}

/** The next number of a kind in a group and year. None is left out: it is taken with the transaction that writes what bears it. */
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
  try {
    return await ctx.db
      .insertInto('workItem')
      .values({
        id: ctx.newId(),
        kind,
        objectId,
        code: start.code,
        title,
        groupId: start.groupId,
        projectCode: start.projectCode,
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

/** Ends an item, or opens it again. */
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
  /** Whoever acted, where it is not the caller. */
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
