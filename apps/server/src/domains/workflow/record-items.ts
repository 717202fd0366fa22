import { sql } from 'kysely'
import type { Context } from '#kit/context'

/**
 * Opens the items of a business record to this transaction, whichever groups take part in them. Row-level security shows an item to its
 * own groups only, but whoever may change the record also has to lock, renew or end its item. The caller has checked that the record is
 * visible to the user.
 */
export async function reachItems({ db }: Pick<Context, 'db'>, kind: string, objectId: string): Promise<void> {
  await sql`select set_config('app.items', array_to_string(zg_list('app.items') || zg_items_of(${kind}, ${[objectId]}::text[]), ','), true)`.execute(
    db,
  )
}

/** Opens one item, known by its id, to this transaction: an item about to be written for another group. */
export async function reachItem({ db }: Pick<Context, 'db'>, id: string): Promise<void> {
  await sql`select set_config('app.items', array_to_string(zg_list('app.items') || ${id}::text, ','), true)`.execute(db)
}
