import { isPermissionCode, permissionName } from '@zhugong/contract/access/codes'
import { type ApprovalDetail, eventNames, type StepView } from '@zhugong/contract/workflow/endpoints'
import { approvalStates, flowModes, seatStates, stepStates } from '@zhugong/contract/workflow/flow'
import { sql } from 'kysely'
import { formatInstant } from '#kit/clock'
import { type Context, found } from '#kit/context'
import { linksOf } from '../files/public.ts'
import { differencesOf, documentHash } from './hash.ts'
import { type Asking, hatsOf, sittings } from './hats.ts'
import { type Item, isKnownKind, kindNamed } from './kinds.ts'
import { peopleAt, resolve, type Seat } from './people.ts'
import { itemsWithNames, type RawItem, toApproval } from './rows.ts'
import { currentSteps, originOf, type SeatRow, type Step, seatsOf } from './steps.ts'

const at = (v: Date | null) => (v ? formatInstant(v) : null)

export async function getRow(ctx: Context, id: string): Promise<RawItem & { stay: number }> {
  const { rows } = await sql<RawItem & { stay: number }>`${itemsWithNames(new Date(ctx.clock.now()))} where i.id = ${id}`.execute(ctx.db)
  return found(rows[0], '审批事项')
}

/** Whether the caller has a part in an item, or looks at it by a code of its kind; others are told it does not exist. */
export async function mayLook(
  ctx: Pick<Context, 'db' | 'user' | 'group' | 'codes'>,
  item: Item,
  seats: readonly SeatRow[],
  asking: Asking,
): Promise<boolean> {
  const mine =
    item.applicantId === ctx.user.id || seats.some((s) => s.actedBy === ctx.user.id || asking.hats.some((h) => s.userId === h.userId))
  if (
    mine ||
    seats.some(
      (s) => s.groupId === ctx.group.id && asking.hats.some((h) => (s.code !== null ? h.codes.has(s.code) : h.roles.has(s.roleId ?? ''))),
    )
  )
    return true
  if (isKnownKind(item.kind) && kindNamed(item.kind).reads.some((code) => ctx.codes.has(code))) return true
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
  const asking: Asking = { userId: ctx.user.id, groupId: ctx.group.id, codes: ctx.codes, hats: await hatsOf(ctx) }
  if (!(await mayLook(ctx, row, seats, asking))) throw found(undefined, '审批事项')
  const kind = isKnownKind(row.kind) ? kindNamed(row.kind) : undefined
  const document = kind && (await kind.document(ctx, row.objectId))
  const running = row.state === approvalStates.running
  // What has been decided is shown as it was decided.
  const shown = document && (running ? document : row.snapshot)
  const sitting = sittings(row, steps, seats, asking)[0]
  const base = toApproval(row, steps, seats, asking, ctx.clock.now())
  const signatures = await ctx.db.selectFrom('workSignature').selectAll().where('itemId', '=', id).orderBy('at').orderBy('id').execute()
  const standing = document ? documentHash(row, document) : row.hash
  return {
    ...base,
    document: shown
      ? { fields: [...shown.fields], changes: [...(shown.changes ?? [])], files: linksOf(ctx, [...(shown.files ?? [])]) }
      : null,
    link: shown && kind ? kind.link(row) : null,
    findings: shown && kind?.findings && running ? await kind.findings(ctx, row) : [],
    hash: row.hash,
    changed: running && document && standing !== row.hash ? differencesOf(row.snapshot, document) : [],
    steps: await Promise.all(steps.map((step) => viewOfStep(ctx, row, step, seats))),
    events: await eventsOf(ctx, id),
    comments: await commentsOf(ctx, id),
    signatures: signatures.map((s) => ({
      id: s.id,
      name: s.userName,
      at: formatInstant(s.at),
      image: `data:image/png;base64,${s.image.toString('base64')}`,
      valid: s.hash === (running ? standing : row.hash),
    })),
    sign: sitting?.step.node.sign ?? false,
    returnTo: sitting ? steps.filter((s) => s.stage < sitting.step.stage).map(({ key, name }) => ({ key, name })) : [],
    colleagues: base.actions.includes('addSign') || base.actions.includes('transfer') ? await colleaguesOf(ctx) : [],
    mayResubmit:
      kind?.again === true &&
      row.applicantId === ctx.user.id &&
      (row.state === approvalStates.rejected || row.state === approvalStates.withdrawn),
    standsInFor: sitting && !sitting.hat.own ? sitting.hat.name : null,
  }
}

export async function colleaguesOf(ctx: Pick<Context, 'system' | 'group' | 'user'>): Promise<{ id: string; name: string }[]> {
  const { rows } = await sql<{ id: string; name: string }>`
    select u.id, u.name from member m join app_user u on u.id = m.user_id and u.enable = '1'
    where m.group_id = ${ctx.group.id} and m.enable = '1' and u.id <> ${ctx.user.id} order by u.name, u.id limit 200`.execute(ctx.system)
  return rows
}

const waitsFor = (seat: Pick<SeatRow, 'code' | 'roleId'>, groupName: string) =>
  seat.code !== null && isPermissionCode(seat.code) ? `${groupName} · ${permissionName(seat.code)}` : groupName

/** A step with who has it, or, of one to come, who would. */
async function viewOfStep(ctx: Context, item: Item, step: Step, seats: readonly SeatRow[]): Promise<StepView> {
  const own = seats.filter((s) => s.stepId === step.id && s.state !== seatStates.elsewhere)
  const shown = step.state === stepStates.coming ? await comingSeats(ctx, item, step) : await Promise.all(own.map((s) => seatView(ctx, s)))
  return {
    id: step.id,
    key: step.key,
    name: step.name,
    stage: step.stage,
    modeName: flowModes[step.node.mode],
    state: step.state,
    note: step.note,
    deadline: at(step.deadline),
    endedAt: at(step.endedAt),
    sign: step.node.sign,
    seats: shown.flat(),
  }
}

const unacted = { at: null, opinion: null, forName: null }

/** Names shown of a seat that is a code's or a role's: more are a crowd. */
const mostNames = 5

async function seatView(ctx: Context, seat: SeatRow): Promise<StepView['seats']> {
  if (seat.actedBy !== null) {
    const [group] = await groupsNamed(ctx, [seat.groupId])
    return [
      {
        name: seat.actedName ?? '',
        groupName: group?.name ?? '',
        state: seat.state,
        at: at(seat.actedAt),
        opinion: seat.opinion,
        forName: seat.forUser ? ((await nameOf(ctx, seat.forUser)) ?? null) : null,
        origin: seat.origin,
      },
    ]
  }
  return namesAt(ctx, seat, seat.state, seat.origin)
}

async function namesAt(ctx: Context, seat: Seat, state: string, origin: string): Promise<StepView['seats']> {
  const people = await peopleAt(ctx, seat)
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
  const { seats } = await resolve(ctx, step.node, originOf(item))
  return Promise.all(seats.map((seat) => namesAt(ctx, seat, seatStates.later, 'flow')))
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

async function eventsOf(ctx: Context, id: string): Promise<ApprovalDetail['events']> {
  const rows = await ctx.db.selectFrom('workEvent').selectAll().where('itemId', '=', id).orderBy('seq').execute()
  return rows.map((e) => ({
    id: e.id,
    at: formatInstant(e.at),
    name: e.userName,
    groupName: e.groupName,
    action: e.action,
    actionName: eventNames[e.action] ?? e.action,
    node: e.node,
    opinion: e.opinion,
    note: e.note,
  }))
}
async function commentsOf(ctx: Context, id: string): Promise<ApprovalDetail['comments']> {
  const rows = await ctx.db.selectFrom('workComment').selectAll().where('itemId', '=', id).orderBy('at').orderBy('id').execute()
  return rows.map((c) => ({ id: c.id, at: formatInstant(c.at), name: c.userName, groupName: c.groupName, text: c.text }))
}
