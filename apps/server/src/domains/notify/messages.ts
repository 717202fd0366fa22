import { AppError } from '@zhugong/contract/kit/errors'
import * as calls from '@zhugong/contract/notify/endpoints'
import { sql } from 'kysely'
import { formatInstant } from '#kit/clock'
import { allOf, anyOf, condition, equals, pageSlice } from '#kit/list'
import type { HandlerOf, Serve } from '#kit/serve'

interface MessageRow {
  id: string
  kind: string
  level: number | null
  title: string
  text: string
  link: string | null
  projectCode: string | null
  simulated: boolean
  readTime: Date | null
  createTime: Date
}

export function messageRoutes(serve: Serve): void {
  serve(calls.listMessages, listMessages)
  serve(calls.readMessages, readMessages)
}

const listMessages: HandlerOf<typeof calls.listMessages> = async ({ query }, ctx) => {
  const where = allOf(
    ...equals('user_id', ctx.user.id),
    ...(query.unread === undefined ? [] : [condition(sql`(read_time is null) = ${query.unread}`)]),
    ...anyOf('kind', query.kind),
  )
  const { limit, offset } = pageSlice(query)
  const { rows } =
    await sql<MessageRow>`select id, kind, level, title, text, link, project_code, simulated, read_time, create_time from message
      where ${where} order by create_time desc, id desc limit ${limit} offset ${offset}`.execute(ctx.db)
  const count = await sql<{ n: number }>`select count(*)::int as n from message where ${where}`.execute(ctx.db)
  const unread = await sql<{
    n: number
  }>`select count(*)::int as n from message where user_id = ${ctx.user.id} and read_time is null`.execute(ctx.db)
  return {
    list: rows.map(({ readTime, createTime, ...r }) => ({ ...r, read: readTime !== null, time: formatInstant(createTime) })),
    total: count.rows[0]?.n ?? 0,
    counts: { unread: unread.rows[0]?.n ?? 0 },
  }
}

const readMessages: HandlerOf<typeof calls.readMessages> = async ({ body }, ctx) => {
  if (!body.all && !body.ids?.length) throw new AppError('invalidInput', '请选择消息', { field: 'ids' })
  const { numAffectedRows } = await sql`update message set read_time = ${new Date(ctx.clock.now())}
      where user_id = ${ctx.user.id} and read_time is null and ${body.all ? sql`true` : sql`id = any (${body.ids ?? []})`}`.execute(ctx.db)
  return { read: Number(numAffectedRows ?? 0) }
}
