import { sql } from 'kysely'
import type { Context } from '#kit/context'

/**
 * Whether an account is wholly a group's own: it was opened in it and works for no other. Only such a group decides over its password, its
 * name and its lock; a group that its owner joined later never does, also when it is the only one left to him.
 */
export async function belongsTo({ system }: Pick<Context, 'system'>, userId: string, groupId: string): Promise<boolean> {
  const { rows } = await sql`
    select 1 from app_user u join member m on m.user_id = u.id and m.group_id = ${groupId}
    where u.id = ${userId} and u.home_group_id = ${groupId}
      and not exists (select 1 from member o where o.user_id = u.id and o.group_id <> ${groupId})`.execute(system)
  return rows.length > 0
}
