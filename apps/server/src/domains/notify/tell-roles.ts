import type { NoticeChannel } from '@zhugong/contract/notify/codes'
import type pg from 'pg'
import { spread, writeNotices } from './telling.ts'

export interface ToRoles {
  projectCode: string
  /** 1 to 4, as for alarms. */
  level: number
  title: string
  /** Also sent by text message and mail: may contain figures and kinds, but no names. */
  text: string
  link: string
}

/** Notifies holders of roles at a site, in the caller's transaction, so that the event and its notices are committed together. */
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
