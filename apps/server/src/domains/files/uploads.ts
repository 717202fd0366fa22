import { AppError } from '@zhugong/contract/kit/errors'
import { sql } from 'kysely'
import type { Context } from '#kit/context'

const megabyte = 1024 * 1024
const hourMs = 3_600_000
const dayMs = 24 * hourMs
/** What one account may send within an hour: the pictures of a thorough round over the whole site. */
const hourlyBytes = 500 * megabyte
/** What all accounts of one group may send within a day. */
const dailyBytes = 5 * 1024 * megabyte

/**
 * The uploaded file of a call, counted for the account and its group whatever becomes of it: a file that is refused has cost its way here
 * as well. Every call that takes a file takes it from here.
 */
export async function takeUpload(ctx: Context): ReturnType<Context['upload']> {
  const now = ctx.clock.now()
  await admit(ctx, now)
  const upload = await ctx.upload()
  const hour = new Date(now - (now % hourMs))
  // Beside the request's transaction, which a refusal undoes.
  await sql`insert into upload_use as u (group_id, user_id, hour, bytes, files) values (${ctx.group.id}, ${ctx.user.id}, ${hour}, ${upload.body.length}, 1)
    on conflict (group_id, user_id, hour) do update set bytes = u.bytes + excluded.bytes, files = u.files + 1`.execute(ctx.system)
  await sql`delete from upload_use where group_id = ${ctx.group.id} and hour < ${new Date(now - 2 * dayMs)}`.execute(ctx.system)
  return upload
}

async function admit(ctx: Context, now: number): Promise<void> {
  const { rows } = await sql<{ own: number; all: number }>`
    select coalesce(sum(bytes) filter (where user_id = ${ctx.user.id} and hour > ${new Date(now - hourMs)}), 0)::float8 as own,
      coalesce(sum(bytes), 0)::float8 as all
    from upload_use where group_id = ${ctx.group.id} and hour > ${new Date(now - dayMs)}`.execute(ctx.system)
  const [sent] = rows
  if (sent && sent.own >= hourlyBytes) throw new AppError('tooMany', `每个账号一小时最多上传 ${hourlyBytes / megabyte} MB，请稍后再试`)
  if (sent && sent.all >= dailyBytes) throw new AppError('tooMany', `本机构一天最多上传 ${dailyBytes / megabyte / 1024} GB，请明天再试`)
}
