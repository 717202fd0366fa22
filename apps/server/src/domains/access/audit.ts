import type { Clock } from '#kit/clock'
import type { Db, Tx } from '#kit/db'
import { newId } from '#kit/ids'
import type { AuditEntry } from '#kit/serve'

/** The audit row of a change, in the change's own transaction: neither exists without the other. */
export function auditRecorder(clock: Clock) {
  return async (tx: Tx, entry: AuditEntry): Promise<void> => {
    const { principal } = entry
    await tx
      .insertInto('auditLog')
      .values({
        id: newId(clock.now()),
        at: new Date(clock.now()),
        userId: principal.user.id,
        account: principal.user.account,
        userName: principal.user.name,
        groupId: principal.group?.id ?? '',
        groupName: principal.group?.name ?? '',
        action: entry.action,
        summary: entry.summary,
        objectId: entry.objectId,
        projectCode: entry.projectCode,
        ip: entry.ip,
      })
      .execute()
  }
}

/** For what happens outside a request's transaction: logins, refusals, background work. */
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
  },
): Promise<void> {
  await db
    .insertInto('auditLog')
    .values({
      id: newId(clock.now()),
      at: new Date(clock.now()),
      userId: event.userId,
      account: event.account.slice(0, 64),
      userName: event.userName,
      groupId: event.groupId ?? '',
      groupName: event.groupName ?? '',
      action: event.action,
      summary: event.summary,
      objectId: null,
      projectCode: null,
      result: event.result,
      ip: event.ip,
    })
    .execute()
}
