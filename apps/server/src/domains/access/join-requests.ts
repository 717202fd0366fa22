import { type JoinRequest, joinDays } from '@zhugong/contract/access/joins'
import { dayMs } from '@zhugong/contract/kit/time'
import { sql } from 'kysely'
import { formatInstant } from '#kit/clock'
import type { Context, Shared } from '#kit/context'
import type { Db, Row } from '#kit/db'

export interface Joining {
  userId: string
  groupId: string
  /** Codes of the call that asks. */
  needs: readonly string[]
  administrator?: boolean
  roleIds?: readonly string[]
  deadline: string | null
  reason?: string
}

export interface JoinAsked {
  userId: string
  groupName: string
  by: string
}
type Tell = (db: Db, asked: JoinAsked, now: number) => Promise<void>
let tell: Tell | undefined
/** Notices stand in a room above this one: it says how somebody hears that he is asked. */
export const tellOfJoins = (how: Tell): void => {
  tell = how
}

/** Asks the owner of an account to work for a group. What he shall get has been judged; it is judged again when he accepts. */
export async function askToJoin(
  ctx: Context,
  { userId, groupId, needs, administrator, roleIds, deadline, reason }: Joining,
): Promise<string> {
  const now = ctx.clock.now()
  const asked = {
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
  // Asked again, what was asked last counts.
  const { id } = await ctx.db
    .insertInto('joinRequest')
    .values({ id: ctx.newId(), userId, groupId, byGroup: ctx.group.id, answeredAt: null, answer: null, ...asked })
    .onConflict((conflict) => conflict.columns(['userId', 'groupId', 'byGroup']).where('answeredAt', 'is', null).doUpdateSet(asked))
    .returning('id')
    .executeTakeFirstOrThrow()
  ctx.afterCommit(async () => {
    const group = await ctx.system.selectFrom('tenant').select('name').where('id', '=', groupId).executeTakeFirst()
    await tell?.(ctx.system, { userId, groupName: group?.name ?? '', by: `${ctx.group.name} ${ctx.user.name}` }, now)
  })
  return id
}

/** What somebody has been asked and has not answered, in time to be answered. */
export async function joinsOf({ system, clock }: Pick<Shared, 'system' | 'clock'>, userId: string): Promise<JoinRequest[]> {
  const { rows } = await sql<Listed>`
    select j.*, t.name as group_name, t.type as groups_type, ${roleNames} as role_names
    from join_request j join tenant t on t.id = j.group_id and t.enable = '1'
    where j.user_id = ${userId} and j.answered_at is null and j.expires_at > ${new Date(clock.now())} order by j.create_time, j.id`.execute(
    system,
  )
  return rows.map(toJoin)
}

/** What the asker's group has asked and nobody has answered, as a source `j` with its names `k`. */
export const joinsAsked = ({ group, clock }: Pick<Context, 'group' | 'clock'>) => sql`
  from join_request j join zg_join_requests() k on k.id = j.id
  where j.by_group = ${group.id} and j.answered_at is null and j.expires_at > ${new Date(clock.now())}`
export type Waiting = Listed & { account: string; userName: string }

type Listed = Row<'joinRequest'> & { groupName: string; groupsType: number; roleNames: string[] }
export const roleNames = sql`array(select r.name from role r where r.id = any (j.role_ids) order by r.name)`
export const toJoin = (row: Listed): JoinRequest => ({
  id: row.id,
  groupId: row.groupId,
  groupName: row.groupName,
  groupsType: row.groupsType,
  administrator: row.administrator,
  roleNames: row.roleNames,
  deadline: row.deadline,
  by: row.createBy,
  createTime: formatInstant(row.createTime),
  expiresTime: formatInstant(row.expiresAt),
})
