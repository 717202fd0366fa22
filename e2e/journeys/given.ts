import pg from 'pg'
import { inject } from 'vitest'

/** What a journey cannot wait for or make on pages: time that went by, people at the gate, hundreds of accounts. */
export async function given<T extends pg.QueryResultRow>(text: string, values: unknown[] = []): Promise<T[]> {
  const client = new pg.Client({ connectionString: inject('databaseUrl') })
  await client.connect()
  try {
    return (await client.query<T>(text, values)).rows
  } finally {
    await client.end()
  }
}

/** These people went in through the gate just now. */
export const inside = (projectCode: string, workerIds: readonly string[]) =>
  given(
    `insert into attendance_presence (project_code, worker_id, direction, time) select $1, w, '01', now() from unnest($2::text[]) w
     on conflict (project_code, worker_id) do update set direction = '01', time = excluded.time, cleared_at = null`,
    [projectCode, [...workerIds]],
  )
