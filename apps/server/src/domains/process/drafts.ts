import { AppError } from '@zhugong/contract/kit/errors'
import { type RawBuilder, sql } from 'kysely'
import type { Context } from '#kit/context'
import { isUniqueViolation } from '#kit/db'
import type { Stated } from './kind.ts'

/** The first state of every kind that begins as a draft. */
const draftState = '0'

interface Drafting<Row> {
  /** Inserts the draft with the id that the device made. */
  insert(): Promise<unknown>
  /** Goes on from the new draft: writes what hangs on it, or takes the first action. */
  begin(row: Row): Promise<Row>
  /** Takes what the device says now, for a draft that nobody has changed since it was created. */
  again(row: Row): Promise<Row>
  /** Which rows of the table are of this kind, where several share it. */
  among?: RawBuilder<unknown>
}

/**
 * Creates a record whose id the device made, once. If the answer to the first request was lost, the device asks again: an untouched draft
 * then takes what it says now, which is the newest, and a record that has gone on stays as it is.
 * @throws AppError `refused` at `id` if somebody else's record has the id
 */
export async function createOnce<Row extends Stated>(
  ctx: Context,
  kind: { table: string; lock(ctx: Context, id: string): Promise<Row> },
  id: string,
  { insert, begin, again, among = sql`true` }: Drafting<Row>,
): Promise<Row> {
  const { rows } = await sql`select from ${sql.table(kind.table)} where id = ${id} and create_by = ${ctx.user.id} and ${among}`.execute(
    ctx.db,
  )
  if (rows.length > 0) {
    const known = await kind.lock(ctx, id)
    return known.state === draftState && known.version === 0 ? again(known) : known
  }
  await insert().catch((error: unknown) => {
    throw isUniqueViolation(error) ? new AppError('refused', '该编号已被使用，请重新填写', { field: 'id' }) : error
  })
  return begin(await kind.lock(ctx, id))
}
