import { isPermissionCode, permissionName } from '@zhugong/contract/access/codes'
import { type ApprovalDetail, type EventView, eventNames, eventView, type StepView, stepView } from '@zhugong/contract/workflow/endpoints'
import { approvalStates, flowModes, seatStates, stepStates } from '@zhugong/contract/workflow/flow'
import { sql } from 'kysely'
import { formatInstant } from '#kit/clock'
import { type Context, found } from '#kit/context'
import type { Row } from '#kit/db'
import { pick } from '#kit/pick'
import { isValidIn } from '#kit/reach'
import { rowOf } from '#kit/row-of'
import { linksOf } from '../files/public.ts'
import { differencesOf, documentHash } from './hash.ts'
import { isKnownKind, kindNamed } from './kinds.ts'
import { type Decider, deciderOf, fits, type Mandate, openSeats } from './mandates.ts'
import type { Item, SeatRow, Step } from './model.ts'
import { membersFor, peopleAt, resolve, type Seat } from './people.ts'
import { itemsWithNames, type RawItem, toApproval } from './rows.ts'
import { currentSteps, originFor, seatsOf } from './steps.ts'

const at = (v: Date | null) => (v ? formatInstant(v) : null)

export async function getRow(ctx: Context, id: string): Promise<RawItem & { stay: number }> {
  const { rows } = await sql<RawItem & { stay: number }>`${itemsWithNames(new Date(ctx.clock.now()))} where i.id = ${id}`.execute(ctx.db)
  return found(rows[0], '审批事项')
}

/**
 * Whether the caller takes part in the item or may read it through a permission code of its kind. For all others the item does not
 * exist.
 */
export async function mayLook(
  ctx: Pick<Context, 'db' | 'user'>,
  item: Item,
  seats: readonly SeatRow[],
  decider: Decider,
): Promise<boolean> {
  const mine = item.applicantId === ctx.user.id || seats.some((s) => s.actedBy === ctx.user.id)
  // A seat of a person is shown in whichever of the person's groups is active.
  const isSeat = (h: Mandate, s: SeatRow) => fits(s.userId === null ? h : { ...h, groupId: s.groupId }, s, item.projectCode)
  if (mine || seats.some((s) => decider.mandates.some((h) => isSeat(h, s)))) return true
  if (isKnownKind(item.kind) && kindNamed(item.kind).reads.some((code) => isValidIn(decider.rights, code, item.projectCode))) return true
  const copy = await ctx.db
    .selectFrom('workCopy')
    .select('userId')
    .where('itemId', '=', item.id)
    .where('userId', '=', ctx.user.id)
    .executeTakeFirst()
  return copy !== undefined
}

export async function approvalDetail(ctx: Context, id: string): Promise<ApprovalDetail> {
  const row = await getRow(ctx, id)
  const steps = await currentSteps(ctx.db, id)
  const seats = await seatsOf(ctx.db, id)
  const decider = await deciderOf(ctx)
  if (!(await mayLook(ctx, row, seats, decider))) throw found(undefined, '审批事项')
  const kind = isKnownKind(row.kind) ? kindNamed(row.kind) : undefined
  const document = kind && (await kind.document(ctx, row.objectId))
  const running = row.state === approvalStates.running
  // Ended items are shown as they were when decided.
  const shown = document && (running ? document : row.snapshot)
  const openSeat = openSeats(row, steps, seats, decider)[0]
  const base = toApproval(row, steps, seats, decider, ctx.clock.now())
  const signatures = await ctx.db.selectFrom('workSignature').selectAll().where('itemId', '=', id).orderBy('at').orderBy('id').execute()
  const current = document ? documentHash(row, document) : row.hash
  return {
    ...base,
    document: shown
      ? { fields: [...shown.fields], changes: [...(shown.changes ?? [])], files: linksOf(ctx, [...(shown.files ?? [])]) }
      : null,
    link: shown && kind ? kind.link(row) : null,
    findings: shown && kind?.findings && running ? await kind.findings(ctx, row) : [],
    hash: row.hash,
    changed: running && document && current !== row.hash ? differencesOf(row.snapshot, document) : [],
    steps: await Promise.all(steps.map((step) => viewOfStep(ctx, row, step, seats))),
    events: await eventsOf(ctx, id),
    asks: base.actions.includes('pass') && kind?.asks ? [...(await kind.asks(ctx, row))] : [],
    comments: await commentsOf(ctx, id),
    signatures: signatures.map((s) => ({
      id: s.id,
      name: s.userName,
      at: formatInstant(s.at),
      image: `data:image/png;base64,${s.image.toString('base64')}`,
      valid: s.hash === (running ? current : row.hash),
    })),
    sign: openSeat?.step.node.sign ?? false,
    returnTo: openSeat ? steps.filter((s) => s.stage < openSeat.step.stage).map(({ key, name }) => ({ key, name })) : [],
    colleagues: base.actions.includes('addSign') || base.actions.includes('transfer') ? await colleaguesOf(ctx, row.projectCode) : [],
    mayResubmit:
      kind?.again === true &&
      row.applicantId === ctx.user.id &&
      (row.state === approvalStates.rejected || row.state === approvalStates.withdrawn),
    standsInFor: openSeat && !openSeat.mandate.own ? openSeat.mandate.name : null,
  }
}

/** Whom the caller may choose as a deputy, or for an item of a project: people of the active group. */
export async function colleaguesOf(
  ctx: Pick<Context, 'system' | 'clock' | 'group' | 'user'>,
  projectCode: string | null,
): Promise<{ id: string; name: string }[]> {
  const people = await membersFor(ctx, ctx.group.id, projectCode)
  return people.filter(({ id }) => id !== ctx.user.id).map(({ id, name }) => ({ id, name }))
}

const waitsFor = (seat: Pick<SeatRow, 'code' | 'roleId'>, groupName: string) =>
  seat.code !== null && isPermissionCode(seat.code) ? `${groupName} · ${permissionName(seat.code)}` : groupName

/** A step with its seats; for a step not yet open, the seats it would get now. */
async function viewOfStep(ctx: Context, item: Item, step: Step, seats: readonly SeatRow[]): Promise<StepView> {
  const own = seats.filter((s) => s.stepId === step.id && s.state !== seatStates.elsewhere)
  const shown =
    step.state === stepStates.coming ? await comingSeats(ctx, item, step) : await Promise.all(own.map((s) => seatView(ctx, item, s)))
  return rowOf(stepView, step, {
    modeName: flowModes[step.node.mode],
    deadline: at(step.deadline),
    endedAt: at(step.endedAt),
    sign: step.node.sign,
    seats: shown.flat(),
  })
}

const unacted = { at: null, opinion: null, forName: null }

/** Maximum number of names shown for a seat that belongs to a permission code or role. */
const mostNames = 5

async function seatView(ctx: Context, item: Item, seat: SeatRow): Promise<StepView['seats']> {
  if (seat.actedBy !== null) {
    const [group] = await groupsNamed(ctx, [seat.groupId])
    return [
      {
        name: seat.actedName ?? '',
        groupName: group?.name ?? '',
        ...pick(seat, 'state', 'opinion', 'origin'),
        at: at(seat.actedAt),
        forName: seat.forUser ? ((await nameOf(ctx, seat.forUser)) ?? null) : null,
      },
    ]
  }
  return namesAt(ctx, item, seat, seat.state, seat.origin)
}

async function namesAt(ctx: Context, item: Item, seat: Seat, state: string, origin: string): Promise<StepView['seats']> {
  const people = await peopleAt(ctx, seat, item.projectCode)
  const [group] = await groupsNamed(ctx, [seat.groupId])
  if (people.length === 0) return [{ name: waitsFor(seat, group?.name ?? ''), groupName: group?.name ?? '', state, origin, ...unacted }]
  const names = people.slice(0, mostNames).map((p) => p.name)
  return [
    {
      name: people.length > mostNames ? `${names.join('、')}等 ${people.length} 人` : names.join('、'),
      groupName: group?.name ?? '',
      state,
      origin,
      ...unacted,
    },
  ]
}

async function comingSeats(ctx: Context, item: Item, step: Step): Promise<StepView['seats'][]> {
  const { seats } = await resolve(ctx, step.node, await originFor(ctx, item, step.node))
  return Promise.all(seats.map((seat) => namesAt(ctx, item, seat, seatStates.later, 'flow')))
}

async function groupsNamed(ctx: Pick<Context, 'system'>, ids: readonly string[]) {
  return ctx.system
    .selectFrom('tenant')
    .select(['id', 'name'])
    .where('id', 'in', [...ids])
    .execute()
}
async function nameOf(ctx: Pick<Context, 'system'>, userId: string): Promise<string | undefined> {
  return (await ctx.system.selectFrom('appUser').select('name').where('id', '=', userId).executeTakeFirst())?.name
}

async function eventsOf(ctx: Context, id: string): Promise<EventView[]> {
  const rows = await ctx.db.selectFrom('workEvent').selectAll().where('itemId', '=', id).orderBy('seq').execute()
  return rows.map(toEvent)
}
export const toEvent = (e: Row<'workEvent'>): EventView =>
  rowOf(eventView, e, {
    at: formatInstant(e.at),
    name: e.userName,
    actionName: eventNames[e.action] ?? e.action,
  })
async function commentsOf(ctx: Context, id: string): Promise<ApprovalDetail['comments']> {
  const rows = await ctx.db.selectFrom('workComment').selectAll().where('itemId', '=', id).orderBy('at').orderBy('id').execute()
  return rows.map((c) => ({ id: c.id, at: formatInstant(c.at), name: c.userName, groupName: c.groupName, text: c.text }))
}
