import { sql } from 'kysely'
import type { Shared } from '#kit/context'
import { captchaAfter, failureMemoryMs, lockAfter, lockMs } from './limits.ts'

type Door = Pick<Shared, 'system' | 'clock'>

export interface Failures {
  captcha: boolean
  /** 0 when not locked. */
  lockedMs: number
}

export async function failuresOf({ system, clock }: Door, account: string): Promise<Failures> {
  const now = clock.now()
  const row = await system.selectFrom('loginFailure').selectAll().where('account', '=', account).executeTakeFirst()
  if (!row) return { captcha: false, lockedMs: 0 }
  if (row.lockedUntil) return { captcha: false, lockedMs: Math.max(0, row.lockedUntil.getTime() - now) }
  return { captcha: row.failures >= captchaAfter && row.lastAt.getTime() >= now - failureMemoryMs, lockedMs: 0 }
}

export interface Attempt {
  /** Its number since the last success; above `lockAfter` the password is not even looked at. */
  number: number
  lockedMs: number
}

/**
 * Counts a try before its password is looked at: tries sent at the same moment get different numbers, so that a burst is worth no
 * more guesses than a queue. The one that fills the count locks at once and takes the lock back should it be right.
 */
export async function beginAttempt({ system, clock }: Door, account: string): Promise<Attempt> {
  const now = new Date(clock.now())
  const forgotten = new Date(clock.now() - failureMemoryMs)
  const until = new Date(clock.now() + lockMs)
  // After a lock the count starts anew: five more tries, not one.
  const next = sql`case when coalesce(f.locked_until <= ${now}, f.last_at < ${forgotten}) then 1 else f.failures + 1 end`
  const { rows } = await sql<{ failures: number; lockedUntil: Date | null }>`
    insert into login_failure as f (account, failures, last_at, locked_until) values (${account}, 1, ${now}, null)
    on conflict (account) do update set failures = ${next}, last_at = ${now},
      locked_until = case when f.locked_until > ${now} then f.locked_until when ${next} >= ${lockAfter} then ${until}::timestamptz end
    returning failures, locked_until`.execute(system)
  const row = rows[0]
  if (!row) throw new Error('a try was not counted')
  return { number: row.failures, lockedMs: row.lockedUntil ? row.lockedUntil.getTime() - now.getTime() : 0 }
}

/** The password was right and something else was missing: the try is no failure, what went before it stays. */
export async function takeBackAttempt({ system }: Door, account: string): Promise<void> {
  await sql`update login_failure set failures = failures - 1, locked_until = case when failures > ${lockAfter} then locked_until end
    where account = ${account} and failures > 0`.execute(system)
}

export async function forgetFailures({ system }: Door, account: string): Promise<void> {
  await system.deleteFrom('loginFailure').where('account', '=', account).execute()
}
