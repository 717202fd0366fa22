import { sql } from 'kysely'
import type { Shared } from '#kit/context'
import { bareAddress, groupsOf } from '#kit/outgoing-nets'
import {
  captchaAfter,
  failureMemoryMs,
  knownAddresses,
  knownMs,
  strangersCaptchaAfter,
  strangersSlowAfter,
  strangersWaitMs,
} from './limits.ts'
import { limitsNow } from './safety.ts'

type Door = Pick<Shared, 'system' | 'clock' | 'ip'>

/** All strangers together. */
const everywhere = '*'

export interface Failures {
  captcha: boolean
  /** 0 when not locked. */
  lockedMs: number
}

/** The address used to count attempts. For IPv6 it is the network, because a household has 2^64 addresses. */
export function placeOf(ip: string): string {
  const bare = bareAddress(ip)
  if (!bare) return ip.slice(0, 64)
  return bare.family === 'ipv4'
    ? bare.text
    : `${groupsOf(bare.text)
        .slice(0, 4)
        .map((g) => g.toString(16))
        .join(':')}::/64`
}

export async function failuresOf({ system, clock, ip }: Door, account: string): Promise<Failures> {
  const now = clock.now()
  const { rows } = await sql<{ address: string; failures: number; lastAt: Date; lockedUntil: Date | null; known: boolean }>`
    select address, failures, last_at, locked_until, ${isKnown(account, ip, now)} as known from login_try
    where account = ${account} and address in (${placeOf(ip)}, ${everywhere})`.execute(system)
  const own = rows.find((row) => row.address !== everywhere)
  const all = rows.find((row) => row.address === everywhere)
  if (own?.lockedUntil) return { captcha: false, lockedMs: Math.max(0, own.lockedUntil.getTime() - now) }
  const counts = (row: { failures: number; lastAt: Date } | undefined, after: number) =>
    row !== undefined && row.failures >= after && row.lastAt.getTime() >= now - failureMemoryMs
  return { captcha: counts(own, captchaAfter) || (all?.known === false && counts(all, strangersCaptchaAfter)), lockedMs: 0 }
}

const isKnown = (account: string, ip: string, now: number) => sql<boolean>`exists (select 1 from known_address k
  where k.account = ${account} and k.address = ${placeOf(ip)} and k.last_at > ${new Date(now - knownMs)})`

export interface Attempt {
  /** Number of this attempt since the last success; above `lockAfter` the password is not checked. */
  number: number
  lockedMs: number
  /** Attempts from unknown addresses are processed one at a time; this is the wait until the next slot. */
  waitMs: number
}

/**
 * Counts an attempt before its password is checked. Simultaneous attempts get different numbers, so sending them in parallel gains no
 * extra guesses. The attempt that reaches the limit locks its address at once; the lock is removed if its password is right.
 */
export async function beginAttempt(door: Door, account: string): Promise<Attempt> {
  const { system, clock } = door
  const now = new Date(clock.now())
  const forgotten = new Date(clock.now() - failureMemoryMs)
  await sql`delete from login_try where last_at < ${forgotten} and coalesce(locked_until, last_at) < ${now}`.execute(system)
  if (!(await strangersMay(door, account))) return { number: 0, lockedMs: 0, waitMs: strangersWaitMs }
  const { lockAfter, lockMs } = await limitsNow(system)
  const until = new Date(clock.now() + lockMs)
  // After a lock the count restarts: five more attempts, not one.
  const next = sql`case when coalesce(f.locked_until <= ${now}, f.last_at < ${forgotten}) then 1 else f.failures + 1 end`
  const { rows } = await sql<{ failures: number; lockedUntil: Date | null }>`
    insert into login_try as f (account, address, failures, last_at) values (${account}, ${placeOf(door.ip)}, 1, ${now})
    on conflict (account, address) do update set failures = ${next}, last_at = ${now},
      locked_until = case when f.locked_until > ${now} then f.locked_until when ${next} >= ${lockAfter} then ${until}::timestamptz end
    returning failures, locked_until`.execute(system)
  const row = rows[0]
  if (!row) throw new Error('a try was not counted')
  return { number: row.failures, lockedMs: row.lockedUntil ? row.lockedUntil.getTime() - now.getTime() : 0, waitMs: 0 }
}

/**
 * Addresses with an earlier successful login are always allowed. From the others, after many failures, one attempt is allowed at a
 * time.
 */
async function strangersMay({ system, clock, ip }: Door, account: string): Promise<boolean> {
  const now = clock.now()
  const { rows: known } = await sql<{ known: boolean }>`select ${isKnown(account, ip, now)} as known`.execute(system)
  if (known[0]?.known) return true
  const { rows } = await sql`
    insert into login_try as f (account, address, failures, last_at) values (${account}, ${everywhere}, 1, ${new Date(now)})
    on conflict (account, address) do update set last_at = ${new Date(now)},
      failures = case when f.last_at < ${new Date(now - failureMemoryMs)} then 1 else f.failures + 1 end
    where f.failures < ${strangersSlowAfter} or f.last_at <= ${new Date(now - strangersWaitMs)}
    returning 1`.execute(system)
  return rows.length > 0
}

/** Reverts the count of an attempt whose password was right but which failed for another reason. Earlier failures remain. */
export async function takeBackAttempt({ system, ip }: Door, account: string): Promise<void> {
  const { lockAfter } = await limitsNow(system)
  await sql`update login_try set failures = failures - 1, locked_until = case when failures > ${lockAfter} then locked_until end
    where account = ${account} and address in (${placeOf(ip)}, ${everywhere}) and failures > 0`.execute(system)
}

/** After a successful login: clears the failures of this address, keeps those of unknown addresses, and marks the address as known. */
export async function forgetFailures(door: Door, account: string): Promise<void> {
  const { system, clock, ip } = door
  await takeBackAttempt(door, account)
  await sql`delete from login_try where account = ${account} and address = ${placeOf(ip)}`.execute(system)
  await sql`insert into known_address (account, address, last_at) values (${account}, ${placeOf(ip)}, ${new Date(clock.now())})
    on conflict (account, address) do update set last_at = excluded.last_at`.execute(system)
  await sql`delete from known_address where account = ${account} and address not in (
    select address from known_address where account = ${account} order by last_at desc limit ${knownAddresses})`.execute(system)
}
