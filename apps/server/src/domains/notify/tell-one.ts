import { type RawBuilder, sql } from 'kysely'
import type { Db, Tx } from '#kit/db'
import { newId } from '#kit/ids'

/** Writes an in-app message to one user that belongs to no site. */
export async function tellOne(
  db: Db | Tx,
  to: { userId: string; kind: string; title: string; text: string; link: string },
  now: number,
): Promise<void> {
  await sql`insert into message (id, user_id, kind, title, text, link, create_time)
    values (${newId(now)}, ${to.userId}, ${to.kind}, ${to.title}, ${to.text}, ${to.link}, ${new Date(now)})`.execute(db)
}

/** Writes the same in-app message to the accounts of a query (`user_id`), in one statement. */
export async function tellSeveral(
  db: Db | Tx,
  users: RawBuilder<{ userId: string }>,
  what: { kind: string; title: string; text: string; link: string },
  now: number,
): Promise<void> {
  await sql`insert into message (id, user_id, kind, title, text, link, create_time)
    select replace(gen_random_uuid()::text, '-', ''), q.user_id, ${what.kind}, ${what.title}, ${what.text}, ${what.link}, ${new Date(now)}::timestamptz
    from (${users}) q`.execute(db)
}
