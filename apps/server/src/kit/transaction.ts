import type pg from 'pg'
import { asTransaction } from './inside-transaction.ts'

/** Runs `work` in one transaction on a connection of the pool; an error rolls it back. */
export async function inTransaction<T>(pool: pg.Pool, work: (client: pg.PoolClient) => Promise<T>): Promise<T> {
  const client = await pool.connect()
  let broken: Error | undefined
  try {
    await client.query('begin')
    const result = await asTransaction(() => work(client))
    await client.query('commit')
    return result
  } catch (error) {
    // A connection that cannot roll back is closed instead of returned to the pool.
    await client.query('rollback').catch((e: Error) => {
      broken = e
    })
    throw error
  } finally {
    client.release(broken)
  }
}
