import { sql } from 'kysely'
import type { Context } from '#kit/context'

type Own = Pick<Context, 'db' | 'user' | 'clock'>

export const snoozeKey = (groupId: string, task: string): string => `${groupId} ${task}`

/** The caller's current snoozes, by group and task. */
export async function snoozesOf({ db, user, clock }: Own): Promise<Map<string, Date>> {
  const { rows } = await sql<{ groupId: string; taskId: string; until: Date }>`
    select group_id, task_id, until from todo_snooze where user_id = ${user.id} and until > ${new Date(clock.now())}`.execute(db)
  return new Map(rows.map((row) => [snoozeKey(row.groupId, row.taskId), row.until]))
}

/** Stores a snooze; without an end, the existing one is removed. Expired ones are deleted too. */
export async function snooze({ db, user, clock }: Own, { groupId, task, until }: { groupId: string; task: string; until: Date | null }) {
  await sql`delete from todo_snooze where user_id = ${user.id} and (until <= ${new Date(clock.now())} or (group_id = ${groupId} and task_id = ${task}))`.execute(
    db,
  )
  if (until)
    await sql`insert into todo_snooze (user_id, group_id, task_id, until) values (${user.id}, ${groupId}, ${task}, ${until})`.execute(db)
}
