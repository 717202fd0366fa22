import { AppError } from '@zhugong/contract/kit/errors'
import { dayMs, hourMs } from '@zhugong/contract/kit/time'
import { sql } from 'kysely'
import type { Clock } from '#kit/clock'
import { type Context, type GroupType, groupTypes, type Principal } from '#kit/context'
import type { Db } from '#kit/db'
import type { Uploads } from '#kit/serve-dependencies'

const [megabyte, gigabyte] = [1024 ** 2, 1024 ** 3]
/** Bytes per account and hour, whatever its group: two of the largest files, or the pictures of several inspections of a whole site. */
const hourlyBytes = gigabyte

interface Quota {
  /** Bytes per account and day. */
  person: number
  /** Bytes per group and day. */
  group: number
}
/**
 * By kind of group, because they are not alike: a site has a dozen people who photograph, an authority or a platform sends ten teams with a
 * campaign, a company keeps the papers of all its sites.
 */
const quotas: Readonly<Record<GroupType, Quota>> = {
  [groupTypes.project]: { person: 3 * gigabyte, group: 20 * gigabyte },
  [groupTypes.corporation]: { person: 4 * gigabyte, group: 60 * gigabyte },
  [groupTypes.government]: { person: 4 * gigabyte, group: 60 * gigabyte },
  [groupTypes.platform]: { person: 4 * gigabyte, group: 80 * gigabyte },
}
/** What an account may send in a day when others have used up the quota of the group: nobody's photographs wait for somebody's videos. */
const reservedBytes = 300 * megabyte

/** Upload quota per account and group. All files of all requests count, including refused ones, because they used bandwidth too. */
export function countedUploads(system: Db, clock: Clock, folder: string): Uploads {
  return {
    folder,
    admit: ({ user, group }) => requireRoomFor(system, clock.now(), { user, group }),
    async count({ user, group }, bytes) {
      const now = clock.now()
      const hour = new Date(now - (now % hourMs))
      await sql`insert into upload_use as u (group_id, user_id, hour, bytes, files) values (${groupOf(group)}, ${user.id}, ${hour}, ${bytes}, 1)
        on conflict (group_id, user_id, hour) do update set bytes = u.bytes + excluded.bytes, files = u.files + 1`.execute(system)
      await sql`delete from upload_use where group_id = ${groupOf(group)} and hour < ${new Date(now - 2 * dayMs)}`.execute(system)
    },
  }
}

/**
 * Refuses a file of `size` bytes for which the quota has no room, before anything of it is sent.
 * @throws AppError `tooMany`
 */
export const requireRoom = (ctx: Pick<Context, 'system' | 'clock' | 'principal'>, size: number): Promise<void> =>
  requireRoomFor(ctx.system, ctx.clock.now(), ctx.principal, size)

async function requireRoomFor(system: Db, now: number, { user, group }: Pick<Principal, 'user' | 'group'>, size = 0): Promise<void> {
  const { rows } = await sql<{ hourly: number; daily: number; all: number }>`
    select coalesce(sum(bytes) filter (where user_id = ${user.id} and hour > ${new Date(now - hourMs)}), 0)::float8 as hourly,
      coalesce(sum(bytes) filter (where user_id = ${user.id}), 0)::float8 as daily, coalesce(sum(bytes), 0)::float8 as all
    from upload_use where group_id = ${groupOf(group)} and hour > ${new Date(now - dayMs)}`.execute(system)
  const [sent] = rows
  if (!sent) return
  const quota = quotas[group?.type ?? groupTypes.project]
  const isFull = (used: number, most: number) => used >= most || used + size > most
  if (isFull(sent.hourly, hourlyBytes)) refuse(`每个账号一小时最多上传 ${inWords(hourlyBytes)}，请稍后再试`)
  if (isFull(sent.daily, quota.person)) refuse(`每个账号一天最多上传 ${inWords(quota.person)}，请明天再试`)
  if (isFull(sent.all, quota.group) && isFull(sent.daily, reservedBytes))
    refuse(`本机构今天的上传总量已满（${inWords(quota.group)}），每人仍可上传 ${inWords(reservedBytes)}，您的已用完，请明天再试`)
}

const refuse = (message: string): never => {
  // `quota` tells a client that trying again within minutes is no use.
  throw new AppError('tooMany', message, { quota: true })
}
const inWords = (bytes: number): string => (bytes >= gigabyte ? `${bytes / gigabyte} GB` : `${bytes / megabyte} MB`)

const groupOf = (group: Principal['group']): string => group?.id ?? ''
