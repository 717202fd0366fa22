import { AppError } from '@zhugong/contract/kit/errors'
import { dayMs, hourMs } from '@zhugong/contract/kit/time'
import { sql } from 'kysely'
import type { Clock } from '#kit/clock'
import type { Principal } from '#kit/context'
import type { Db } from '#kit/db'
import type { Uploads } from '#kit/serve'

const megabyte = 1024 * 1024
/** What one account may send within an hour: the pictures of a thorough round over the whole site. */
const hourlyBytes = 500 * megabyte
/** What all accounts of one group may send within a day. */
const dailyBytes = 5 * 1024 * megabyte

/** What each account and its group may send of files; every file of every call is counted, also of one that is refused afterwards: it has cost its way here as well. */
export function countedUploads(system: Db, clock: Clock, folder: string): Uploads {
  return {
    folder,
    async admit({ user, group }) {
      const now = clock.now()
      const { rows } = await sql<{ own: number; all: number }>`
        select coalesce(sum(bytes) filter (where user_id = ${user.id} and hour > ${new Date(now - hourMs)}), 0)::float8 as own,
          coalesce(sum(bytes), 0)::float8 as all
        from upload_use where group_id = ${groupOf(group)} and hour > ${new Date(now - dayMs)}`.execute(system)
      const [sent] = rows
      if (sent && sent.own >= hourlyBytes) throw new AppError('tooMany', `每个账号一小时最多上传 ${hourlyBytes / megabyte} MB，请稍后再试`)
      if (sent && sent.all >= dailyBytes) throw new AppError('tooMany', `本机构一天最多上传 ${dailyBytes / megabyte / 1024} GB，请明天再试`)
    },
    async count({ user, group }, bytes) {
      const now = clock.now()
      const hour = new Date(now - (now % hourMs))
      await sql`insert into upload_use as u (group_id, user_id, hour, bytes, files) values (${groupOf(group)}, ${user.id}, ${hour}, ${bytes}, 1)
        on conflict (group_id, user_id, hour) do update set bytes = u.bytes + excluded.bytes, files = u.files + 1`.execute(system)
      await sql`delete from upload_use where group_id = ${groupOf(group)} and hour < ${new Date(now - 2 * dayMs)}`.execute(system)
    },
  }
}

const groupOf = (group: Principal['group']): string => group?.id ?? ''
