import type { ApprovalAct } from '@zhugong/contract/workflow/endpoints'
import { approvalStates, seatStates, stepStates } from '@zhugong/contract/workflow/flow'
import { sql } from 'kysely'
import type { Context, Rights } from '#kit/context'
import { isValidIn } from '#kit/reach'
import { rightsOf } from '../access/public.ts'
import type { Item, SeatRow, Step, WorkKind } from './model.ts'
import { auditCode, projectsOfRole, type Seat } from './people.ts'

/** A person in whose name the caller may decide: the caller, or someone who appointed the caller as deputy. */
export interface Mandate {
  userId: string
  name: string
  groupId: string
  rights: Rights
  /** Projects of each role; null if the role is not limited to projects. */
  roles: ReadonlyMap<string, ReadonlySet<string> | null>
  own: boolean
}

type MandateContext = Pick<Context, 'db' | 'clock' | 'user' | 'group'> & { principal: Rights }

const nobody: Rights = { codes: new Set(), bounds: new Map() }

/** The caller's own mandate first, then the current deputy appointments in the active group. */
export async function mandatesOf(ctx: MandateContext): Promise<Mandate[]> {
  const now = new Date(ctx.clock.now())
  const { rows } = await sql<{ userId: string; name: string; memberId: string | null; roles: RoleReach[] }>`
    select u.id as user_id, u.name, m.id as member_id, coalesce((select json_agg(json_build_object('id', mr.role_id, 'projects', case when r.data_scope = '4'
        then array(${projectsOfRole}) end)) from member_role mr left join role r on r.id = mr.role_id where mr.member_id = m.id
        and (mr.deadline is null or mr.deadline >= (${now}::timestamptz at time zone 'Asia/Shanghai')::date)), '[]') as roles
    from app_user u left join member m on m.user_id = u.id and m.group_id = ${ctx.group.id} and m.enable = '1'
    where u.id = ${ctx.user.id} or (u.enable = '1' and m.id is not null and exists (select 1 from work_deputy d where d.deputy_id = ${ctx.user.id}
      and d.group_id = ${ctx.group.id} and d.user_id = u.id and d.ended_at is null and d.from_time <= ${now} and d.to_time > ${now}))
    order by u.id <> ${ctx.user.id}, u.id`.execute(ctx.db)
  return Promise.all(
    rows.map(async ({ userId, name, memberId, roles }) => {
      const own = userId === ctx.user.id
      const rights = own ? ctx.principal : memberId ? await rightsOf(ctx.db, memberId, ctx.clock.now()) : nobody
      const reaches = new Map(roles.map(({ id, projects }) => [id, projects && new Set(projects)] as const))
      return { userId, name, groupId: ctx.group.id, rights, roles: reaches, own }
    }),
  )
}

interface RoleReach {
  id: string
  projects: string[] | null
}

/** Whether a person may take a seat of an item of this project. Whoever's rights or role are limited to other projects may not. */
export function fits({ groupId, userId, rights, roles }: Mandate, seat: Seat, projectCode: string | null): boolean {
  if (seat.groupId !== groupId) return false
  if (seat.code !== null) return isValidIn(rights, seat.code, projectCode)
  if (rights.codes.has(auditCode) && !isValidIn(rights, auditCode, projectCode)) return false
  if (seat.userId !== null) return seat.userId === userId
  const reach = roles.get(seat.roleId ?? '')
  return reach === null || (reach !== undefined && (projectCode === null || reach.has(projectCode)))
}

export interface OpenSeat {
  step: Step
  seat: SeatRow
  mandate: Mandate
}

export interface Decider {
  userId: string
  groupId: string
  /** The caller's own rights. */
  rights: Rights
  mandates: readonly Mandate[]
}

/** The caller as a decider, with everybody in whose name he may decide. */
export const deciderOf = async (ctx: MandateContext): Promise<Decider> => ({
  userId: ctx.user.id,
  groupId: ctx.group.id,
  rights: ctx.principal,
  mandates: await mandatesOf(ctx),
})

/** The open seats from which the caller may decide. Applicants never decide on their own items, not even as a deputy. */
export function openSeats(item: Item, steps: readonly Step[], seats: readonly SeatRow[], decider: Decider): OpenSeat[] {
  if (item.state !== approvalStates.running || item.applicantId === decider.userId) return []
  return steps
    .filter((step) => step.state === stepStates.open)
    .flatMap((step) =>
      seats
        .filter((seat) => seat.stepId === step.id && seat.state === seatStates.open)
        .flatMap((seat): OpenSeat[] => {
          const mandate = decider.mandates.find((h) => h.userId !== item.applicantId && fits(h, seat, item.projectCode))
          return mandate ? [{ step, seat, mandate }] : []
        }),
    )
}

/** Whether nobody has decided anything in the current round. */
export const isUntouched = (steps: readonly Step[], seats: readonly SeatRow[]): boolean => {
  const now = new Set(steps.map((s) => s.id))
  return !seats.some((seat) => now.has(seat.stepId) && seat.actedBy !== null)
}

/** Whether the caller counts as the applicant: the person, or, if the kind allows it, any member of the group without a seat here. */
export const asksFor = (
  item: Item,
  { userId, groupId }: Pick<Decider, 'userId' | 'groupId'>,
  kind: Pick<WorkKind, 'withdrawBy'>,
): boolean => item.applicantId === userId || (kind.withdrawBy === 'group' && item.applicantGroup === groupId)

/** Minimum interval between reminders sent by the applicant: one hour. */
export const urgeEveryMs = 3_600_000

/** The actions open to the caller now. Pages show these, and `actOn` permits no others. */
export function actionsOf(
  item: Item,
  steps: readonly Step[],
  seats: readonly SeatRow[],
  decider: Decider,
  kind: Pick<WorkKind, 'withdraw' | 'withdrawBy' | 'apart'>,
  now: number,
): ApprovalAct[] {
  if (item.state !== approvalStates.running) return []
  if (asksFor(item, decider, kind))
    return [
      ...(kind.withdraw === 'running' || isUntouched(steps, seats) ? (['withdraw'] as const) : []),
      ...(item.urgedAt === null || now - item.urgedAt.getTime() >= urgeEveryMs ? (['urge'] as const) : []),
    ]
  const at = openSeats(item, steps, seats, decider)
  if (at.length === 0 || !isValidIn(decider.rights, auditCode, item.projectCode)) return []
  if (kind.apart && hasSpoken(steps, seats, decider.userId)) return []
  const hands = isValidIn(decider.rights, 'approval.transfer', item.projectCode)
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
