import { sql } from 'kysely'
import type { AuditEntry } from '#kit/audit-entry'
import { type Clock, formatInstant } from '#kit/clock'
import type { Context } from '#kit/context'
import type { Db, Tx } from '#kit/db'
import { newId } from '#kit/ids'
import type { Log } from '#kit/log'
import { pick } from '#kit/pick'

/** Writes the audit rows of a change in the same transaction, so that both are committed or neither. */
export function auditRecorder(clock: Clock) {
  return async (tx: Tx, ...entries: AuditEntry[]): Promise<void> => {
    const rows = entries.map(({ principal, ...entry }) => ({
      id: newId(clock.now()),
      at: new Date(clock.now()),
      userId: principal.user.id,
      account: principal.user.account,
      userName: principal.user.name,
      groupId: principal.group?.id ?? '',
      groupName: principal.group?.name ?? '',
      ...pick(entry, 'action', 'summary', 'objectId', 'projectCode', 'ip'),
    }))
    await tx.insertInto('auditLog').values(rows).execute()
  }
}

/** Value of `action` for audit rows that record read access. */
export const lookAction = 'look'
const looksShown = 100

/**
 * Records read access to unmasked personal data or to a person's track, because the person may ask who looked. Written in the
 * transaction of the response: if it fails, the data are not returned.
 */
export async function recordLook(ctx: Context, look: { objectId: string; summary: string; projectCode: string | null }): Promise<void> {
  await ctx.db
    .insertInto('auditLog')
    .values({
      id: ctx.newId(),
      at: new Date(ctx.clock.now()),
      userId: ctx.user.id,
      account: ctx.user.account,
      userName: ctx.user.name,
      groupId: ctx.group.id,
      groupName: ctx.group.name,
      action: lookAction,
      ...look,
      ip: ctx.ip,
    })
    .execute()
}

/** Read accesses to an object, newest first, limited to the rows visible to `db`. */
export async function findLooks(db: Tx | Db, objectId: string) {
  const rows = await db
    .selectFrom('auditLog')
    .select(['id', 'at', 'userName', 'groupName', 'summary'])
    .where('objectId', '=', objectId)
    .where('action', '=', lookAction)
    .orderBy('at', 'desc')
    .limit(looksShown)
    .execute()
  return rows.map((r) => ({ ...r, at: formatInstant(r.at) }))
}

/** Refusals of one account at one endpoint are recorded once per minute, so that repeated attempts are visible but cannot flood the log. */
const refusalEveryMs = 60_000
const refusalsRemembered = 10_000

/**
 * Records requests refused for lack of permission. Written outside the transaction that was rolled back; a failure to write does not
 * affect the request.
 */
export function refusalRecorder(db: Db, clock: Clock, log: Log) {
  const byKey = new Map<string, number>()
  return async (entry: AuditEntry): Promise<void> => {
    const { user, group } = entry.principal
    const key = `${user.id} ${entry.action}`
    if ((byKey.get(key) ?? 0) > clock.now() - refusalEveryMs) return
    if (byKey.size >= refusalsRemembered) byKey.clear()
    byKey.set(key, clock.now())
    await recordEvent(db, clock, {
      userId: user.id,
      account: user.account,
      userName: user.name,
      groupId: group?.id ?? '',
      groupName: group?.name ?? '',
      action: entry.action,
      summary: entry.summary.slice(0, 500),
      result: entry.result ?? 'refused',
      ip: entry.ip,
    }).catch((error: unknown) => log.warn({ err: error }, 'a refusal was not recorded'))
  }
}

/** Records events outside a request's transaction: logins, refusals, background jobs. */
export async function recordEvent(
  db: Db,
  clock: Clock,
  event: {
    userId: string | null
    account: string
    userName: string
    groupId?: string
    groupName?: string
    action: string
    summary: string
    result: string
    ip: string
    objectId?: string
  },
): Promise<void> {
  await db
    .insertInto('auditLog')
    .values({
      id: newId(clock.now()),
      at: new Date(clock.now()),
      ...pick(event, 'userId', 'userName', 'action', 'summary', 'result', 'ip'),
      account: event.account.slice(0, 64),
      groupId: event.groupId ?? '',
      groupName: event.groupName ?? '',
      objectId: event.objectId ?? null,
      projectCode: null,
    })
    .execute()
}

/** Recomputes the hash chains of the audit log and returns where they break; for one group, or for all. */
export async function verifyAudit(db: Db, groupId: string | undefined) {
  const chains = await sql<{ rows: number; chains: number }>`
    select coalesce(sum(seq), 0)::int as rows, count(*)::int as chains from audit_chain where ${groupId ?? null}::text is null or chain = ${groupId ?? null}`.execute(
    db,
  )
  const broken = await sql<{ groupName: string | null; seq: number; at: Date }>`
    select t.name as group_name, b.seq, b.at from audit_broken() b left join tenant t on t.id = b.chain
    where ${groupId ?? null}::text is null or b.chain = ${groupId ?? null} order by b.at`.execute(db)
  return {
    rows: chains.rows[0]?.rows ?? 0,
    chains: chains.rows[0]?.chains ?? 0,
    broken: broken.rows.map((row) => ({ groupName: row.groupName ?? '', seq: row.seq, at: formatInstant(row.at) })),
  }
}
