import { sql } from 'kysely'
import type { Context } from '#kit/context'

/**
 * Whether an account belongs to one group alone: opened there and a member of no other. Only such a group may change its password, name
 * and lock. A group the owner joined later never may, even if it is the last one left.
 */
export async function belongsTo({ system }: Pick<Context, 'system'>, userId: string, groupId: string): Promise<boolean> {
  const { rows } = await sql`
    select 1 from app_user u join member m on m.user_id = u.id and m.group_id = ${groupId}
    where u.id = ${userId} and u.home_group_id = ${groupId}
      and not exists (select 1 from member o where o.user_id = u.id and o.group_id <> ${groupId})`.execute(system)
  return rows.length > 0
}
