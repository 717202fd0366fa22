import { type JoinRequest, joinDays, joinRequest } from '@zhugong/contract/access/joins'
import { dayMs } from '@zhugong/contract/kit/time'
import { sql } from 'kysely'
import { formatInstant } from '#kit/clock'
import type { Context, Shared } from '#kit/context'
import type { Db, Row } from '#kit/db'
import { rowOf } from '#kit/row-of'

export interface Joining {
  userId: string
  groupId: string
  /** Permission codes of the endpoint that made the request. */
  needs: readonly string[]
  administrator?: boolean
  roleIds?: readonly string[]
  deadline: string | null
  reason?: string
}

export interface JoinInvitation {
  userId: string
  groupName: string
  by: string
}
type Tell = (db: Db, joinInvitation: JoinInvitation, now: number) => Promise<void>
let tell: Tell | undefined
/** Registers how account owners are notified of requests. Notices are in a higher layer, so this module cannot import them. */
export const tellOfJoins = (how: Tell): void => {
  tell = how
}

/** Invites the owner of an account to a group. The rights offered have been checked; they are checked again on acceptance. */
export async function askToJoin(
  ctx: Context,
  { userId, groupId, needs, administrator, roleIds, deadline, reason }: Joining,
): Promise<string> {
  const now = ctx.clock.now()
  const request = {
    giverId: ctx.user.id,
    needs: [...needs],
    administrator: administrator ?? false,
    roleIds: [...(roleIds ?? [])],
    deadline,
    reason: reason ?? '',
    createTime: new Date(now),
    createBy: ctx.user.name,
    expiresAt: new Date(now + joinDays * dayMs),
  }
  // A repeated invitation replaces the earlier one.
  const { id } = await ctx.db
    .insertInto('joinRequest')
    .values({ id: ctx.newId(), userId, groupId, byGroup: ctx.group.id, answeredAt: null, answer: null, ...request })
    .onConflict((conflict) => conflict.columns(['userId', 'groupId', 'byGroup']).where('answeredAt', 'is', null).doUpdateSet(request))
    .returning('id')
    .executeTakeFirstOrThrow()
  ctx.afterCommit(async () => {
    const group = await ctx.system.selectFrom('tenant').select('name').where('id', '=', groupId).executeTakeFirst()
    await tell?.(ctx.system, { userId, groupName: group?.name ?? '', by: `${ctx.group.name} ${ctx.user.name}` }, now)
  })
  return id
}

/** Open invitations of a user that have not expired. */
export async function joinsOf({ system, clock }: Pick<Shared, 'system' | 'clock'>, userId: string): Promise<JoinRequest[]> {
  const { rows } = await sql<Listed>`
    select j.*, t.name as group_name, t.type as groups_type, ${roleNames} as role_names
    from join_request j join tenant t on t.id = j.group_id and t.enable = '1'
    where j.user_id = ${userId} and j.answered_at is null and j.expires_at > ${new Date(clock.now())} order by j.create_time, j.id`.execute(
    system,
  )
  return rows.map(toJoin)
}

/** SQL source of the caller's group's open invitations: `j`, with names in `k`. */
export const joinsRequested = ({ group, clock }: Pick<Context, 'group' | 'clock'>) => sql`
  from join_request j join zg_join_requests() k on k.id = j.id
  where j.by_group = ${group.id} and j.answered_at is null and j.expires_at > ${new Date(clock.now())}`
export type Waiting = Listed & { account: string; userName: string }

type Listed = Row<'joinRequest'> & { groupName: string; groupsType: number; roleNames: string[] }
export const roleNames = sql`array(select r.name from role r where r.id = any (j.role_ids) order by r.name)`
export const toJoin = (row: Listed): JoinRequest =>
  rowOf(joinRequest, row, {
    by: row.createBy,
    createTime: formatInstant(row.createTime),
    expiresTime: formatInstant(row.expiresAt),
  })
