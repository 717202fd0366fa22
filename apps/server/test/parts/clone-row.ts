import { randomBytes } from 'node:crypto'
import type pg from 'pg'

export const freshId = (): string => randomBytes(16).toString('hex')

/** A row like another with some columns changed; whatever a table holds stays as its own checks want it. Answers with the new key. */
export async function cloneRow(pool: pg.Pool, table: string, like: string, changes: Record<string, unknown>, key = 'id'): Promise<string> {
  const id = typeof changes[key] === 'string' ? (changes[key] as string) : freshId()
  const { rowCount } = await pool.query(
    `insert into ${table} select (jsonb_populate_record(null::${table}, to_jsonb(t) || $2::jsonb)).* from ${table} t where ${key} = $1`,
    [like, JSON.stringify({ [key]: id, ...changes })],
  )
  if (rowCount !== 1) throw new Error(`${table} has no row ${like}`)
  return id
}
