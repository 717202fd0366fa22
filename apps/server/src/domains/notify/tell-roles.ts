import type { NoticeChannel } from '@zhugong/contract/notify/codes'
import type pg from 'pg'
import { spread, writeNotices } from './telling.ts'

export interface ToRoles {
  projectCode: string
  /** 1 to 4, as alarms have it. */
  level: number
  title: string
  /** Goes to telephones and mailboxes as well: figures and kinds, nobody's name. */
  text: string
  link: string
}

/** Tells whoever holds these roles at a site, within the caller's transaction: what is told of and that it was told hold together. */
export async function tellRoles(
  client: pg.ClientBase,
  what: ToRoles,
  to: { roles: readonly string[]; channels: readonly NoticeChannel[] },
  now: number,
): Promise<void> {
  const base = { ...what, alarmIds: [], execId: null, kind: 'notify' as const, step: 'person', simulated: false }
  const notices = await spread(client, base, { roles: to.roles, userIds: [], onDuty: false }, to.channels, now)
  await writeNotices(client, notices, now)
}
