import { sql } from 'kysely'
import type { Db, Tx } from '#kit/db'

/** The number of rows per state. */
export async function countRows(db: Db | Tx, importId: string) {
  const { rows } = await sql<{ state: string; n: number; joins: number }>`
    select state, count(*)::int as n, count(*) filter (where joins)::int as joins from worker_import_row where import_id = ${importId} group by 1`.execute(
    db,
  )
  const of = (state: string) => rows.find((r) => r.state === state)?.n ?? 0
  const open = rows.filter((r) => r.state === 'ok' || r.state === 'warning')
  const importable = open.reduce((sum, r) => sum + r.n, 0)
  const willJoin = open.reduce((sum, r) => sum + r.joins, 0)
  return {
    all: rows.reduce((sum, r) => sum + r.n, 0),
    importable,
    error: of('error'),
    warning: of('warning'),
    duplicate: of('duplicate'),
    done: of('done'),
    failed: of('failed'),
    skipped: of('skipped'),
    willCreate: importable - willJoin,
    willJoin,
  }
}
