import { randomBytes } from 'node:crypto'
import type pg from 'pg'

export const freshId = (): string => randomBytes(16).toString('hex')

/** Copies a row with some columns changed, so that all other columns satisfy the table's constraints. Returns the new key. */
export async function cloneRow(pool: pg.Pool, table: string, like: string, changes: Record<string, unknown>, key = 'id'): Promise<string> {
  const id = typeof changes[key] === 'string' ? (changes[key] as string) : freshId()
  const { rowCount } = await pool.query(
    `insert into ${table} select (jsonb_populate_record(null::${table}, to_jsonb(t) || $2::jsonb)).* from ${table} t where ${key} = $1`,
    [like, JSON.stringify({ [key]: id, ...changes })],
  )
  if (rowCount !== 1) throw new Error(`${table} has no row ${like}`)
  return id
}

export async function oneRow<T extends object>(pool: pg.Pool, text: string, values: unknown[]): Promise<T> {
  const { rows } = await pool.query<T>(text, values)
  if (!rows[0]) throw new Error(`nothing found by ${text} ${JSON.stringify(values)}`)
  return rows[0]
}
