import type { ApprovalAct } from '@zhugong/contract/workflow/endpoints'
import { approvalStates, seatStates, stepStates } from '@zhugong/contract/workflow/flow'
import { sql } from 'kysely'
import type { Context } from '#kit/context'
import { rightsOf } from '../access/public.ts'
import type { Item, WorkKind } from './kinds.ts'
import type { Seat } from './people.ts'
import type { SeatRow, Step } from './steps.ts'

/** Somebody in whose name the caller may decide: himself, or who has asked him to stand in. */
export interface Hat {
  userId: string
  name: string
  groupId: string
  codes: ReadonlySet<string>
  roles: ReadonlySet<string>
  own: boolean
}

type Asker = Pick<Context, 'db' | 'clock' | 'user' | 'group' | 'codes'>

/** The caller's own hat first, then those he was given for now, in the active group. */
export async function hatsOf(ctx: Asker): Promise<Hat[]> {
  const now = new Date(ctx.clock.now())
  const { rows } = await sql<{ userId: string; name: string; memberId: string | null; roles: string[] }>`
    select u.id as user_id, u.name, m.id as member_id, array(select mr.role_id from member_role mr where mr.member_id = m.id
        and (mr.deadline is null or mr.deadline >= (${now}::timestamptz at time zone 'Asia/Shanghai')::date)) as roles
    from app_user u left join member m on m.user_id = u.id and m.group_id = ${ctx.group.id} and m.enable = '1'
    where u.id = ${ctx.user.id} or (u.enable = '1' and m.id is not null and exists (select 1 from work_deputy d where d.deputy_id = ${ctx.user.id}
      and d.group_id = ${ctx.group.id} and d.user_id = u.id and d.ended_at is null and d.from_time <= ${now} and d.to_time > ${now}))
    order by u.id <> ${ctx.user.id}, u.id`.execute(ctx.db)
  return Promise.all(
    rows.map(async ({ userId, name, memberId, roles }) => {
      const own = userId === ctx.user.id
      const codes = own ? ctx.codes : memberId ? (await rightsOf(ctx.db, memberId, ctx.clock.now())).codes : new Set<string>()
      return { userId, name, groupId: ctx.group.id, codes, roles: new Set(roles), own }
    }),
  )
}

export const fits = (hat: Hat, seat: Seat): boolean =>
  seat.groupId === hat.groupId &&
  (seat.userId !== null ? seat.userId === hat.userId : seat.code !== null ? hat.codes.has(seat.code) : hat.roles.has(seat.roleId ?? ''))

export interface Sitting {
  step: Step
  seat: SeatRow
  hat: Hat
}

export interface Asking {
  userId: string
  groupId: string
  codes: ReadonlySet<string>
  hats: readonly Hat[]
}

/** The open seats the caller could decide from. Who has asked decides nothing, whoever he stands in for. */
export function sittings(item: Item, steps: readonly Step[], seats: readonly SeatRow[], asking: Asking): Sitting[] {
  if (item.state !== approvalStates.running || item.applicantId === asking.userId) return []
  return steps
    .filter((step) => step.state === stepStates.open)
    .flatMap((step) =>
      seats
        .filter((seat) => seat.stepId === step.id && seat.state === seatStates.open)
        .flatMap((seat): Sitting[] => {
          const hat = asking.hats.find((h) => h.userId !== item.applicantId && fits(h, seat))
          return hat ? [{ step, seat, hat }] : []
        }),
    )
}

/** Nobody has decided anything in this round. */
export const isUntouched = (steps: readonly Step[], seats: readonly SeatRow[]): boolean => {
  const now = new Set(steps.map((s) => s.id))
  return !seats.some((seat) => now.has(seat.stepId) && seat.actedBy !== null)
}

/** Whether the caller is whoever asked: the person, or where the kind says so anybody of his group who decides nothing here. */
export const asksFor = (item: Item, { userId, groupId }: Pick<Asking, 'userId' | 'groupId'>, kind: Pick<WorkKind, 'withdrawBy'>): boolean =>
  item.applicantId === userId || (kind.withdrawBy === 'group' && item.applicantGroup === groupId)

/** Once an hour is reminding, more often is noise. */
export const urgeEveryMs = 3_600_000

/** What the caller may do with an item now; pages offer it, and `actOn` allows nothing else. */
export function actionsOf(
  item: Item,
  steps: readonly Step[],
  seats: readonly SeatRow[],
  asking: Asking,
  kind: Pick<WorkKind, 'withdraw' | 'withdrawBy' | 'apart'>,
  now: number,
): ApprovalAct[] {
  if (item.state !== approvalStates.running) return []
  if (asksFor(item, asking, kind))
    return [
      ...(kind.withdraw === 'running' || isUntouched(steps, seats) ? (['withdraw'] as const) : []),
      ...(item.urgedAt === null || now - item.urgedAt.getTime() >= urgeEveryMs ? (['urge'] as const) : []),
    ]
  const at = sittings(item, steps, seats, asking)
  if (at.length === 0 || !asking.codes.has('approval.audit')) return []
  if (kind.apart && hasSpoken(steps, seats, asking.userId)) return []
  const hands = asking.codes.has('approval.transfer')
  return [
    'pass',
    'reject',
    ...(hands && at.some(({ step }) => step.node.mayTransfer) ? (['transfer'] as const) : []),
    ...(hands ? (['addSign'] as const) : []),
  ]
}

export function hasSpoken(steps: readonly Step[], seats: readonly SeatRow[], userId: string): boolean {
  const now = new Set(steps.map((s) => s.id))
  return seats.some((seat) => now.has(seat.stepId) && seat.actedBy === userId && seat.state !== seatStates.handed)
}
