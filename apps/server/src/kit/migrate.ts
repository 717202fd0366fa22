import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type pg from 'pg'

/** Advisory lock key (any fixed number), so that two starting processes do not migrate at once. */
const lockKey = 7_212_808

/**
 * Applies the dated SQL files of a folder in name order, each once and in its own transaction.
 * @param only apply these files only, for a database that is to be filled with the data of an earlier version
 * @returns the names applied now
 * @throws Error when an applied file has changed since: an edited migration would leave databases that differ
 */
export async function migrate(pool: pg.Pool, folder: string, only?: ReadonlySet<string>): Promise<string[]> {
  const client = await pool.connect()
  const applied: string[] = []
  try {
    await client.query('select pg_advisory_lock($1)', [lockKey])
    await client.query(
      'create table if not exists migration (name text primary key, hash text not null, applied_at timestamptz not null default now())',
    )
    const { rows } = await client.query<{ name: string; hash: string }>('select name, hash from migration')
    const known = new Map(rows.map((r) => [r.name, r.hash]))
    for (const { name, text, hash } of readMigrations(folder)) {
      if (only && !only.has(name)) continue
      const before = known.get(name)
      if (before === hash) continue
      if (before) throw new Error(`migration ${name} was changed after it had been applied`)
      await client.query('begin')
      try {
        await client.query(text)
        await client.query('insert into migration (name, hash) values ($1, $2)', [name, hash])
        await client.query('commit')
      } catch (error) {
        await client.query('rollback')
        throw new Error(`migration ${name}: ${(error as Error).message}`, { cause: error })
      }
      applied.push(name)
    }
    return applied
  } finally {
    await client.query('select pg_advisory_unlock($1)', [lockKey]).catch(() => undefined)
    client.release()
  }
}

/** The dated SQL files of a folder in the order they are applied. */
export function readMigrations(folder: string): { name: string; text: string; hash: string }[] {
  return readdirSync(folder)
    .filter((f) => f.endsWith('.sql'))
    .sort()
    .map((name) => {
      const text = readFileSync(join(folder, name), 'utf8')
      return { name, text, hash: createHash('sha256').update(text).digest('hex') }
    })
}
