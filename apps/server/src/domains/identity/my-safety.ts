import * as contract from '@zhugong/contract/identity/endpoints'
import { AppError } from '@zhugong/contract/kit/errors'
import { sql } from 'kysely'
import { formatInstant } from '#kit/clock'
import { pageSlice } from '#kit/list'
import { pick } from '#kit/pick'
import type { HandlerOf, Serve } from '#kit/serve'
import { deviceWords } from './device-words.ts'
import type { Authenticator } from './sessions.ts'

/** The first 16 characters of the token hash: enough to identify a session, useless for logging in. */
const sessionId = sql<string>`left(token_hash, 16)`

/** Security of the user's own account: active sessions and login attempts. Open to every account. */
export function mySafetyRoutes(serve: Serve, authenticate: Authenticator) {
  serve(contract.listMySessions, listMySessions)
  serve(contract.endMySession, endMySession(authenticate))
  serve(contract.listMySignIns, listMySignIns)
}

const listMySessions: HandlerOf<typeof contract.listMySessions> = async (_input, ctx) => {
  const rows = await ctx.system
    .selectFrom('session')
    .select([sessionId.as('id'), 'tokenHash', 'entry', 'agent', 'ip', 'createdAt', 'seenAt'])
    .where('userId', '=', ctx.user.id)
    .where('expiresAt', '>', new Date(ctx.clock.now()))
    .orderBy('seenAt', 'desc')
    .execute()
  const list = rows.map((row) => ({
    ...pick(row, 'id', 'entry', 'ip'),
    isCurrent: row.tokenHash === ctx.principal.sessionHash,
    device: deviceWords(row.agent),
    createTime: formatInstant(row.createdAt),
    seenTime: formatInstant(row.seenAt),
  }))
  return { list, total: list.length }
}

const endMySession =
  (authenticate: Authenticator): HandlerOf<typeof contract.endMySession> =>
  async ({ params }, ctx) => {
    const done = await ctx.system
      .deleteFrom('session')
      .where('userId', '=', ctx.user.id)
      .where(sessionId, '=', params.id)
      .executeTakeFirst()
    if (done.numDeletedRows === 0n) throw new AppError('notFound', '该登录不存在或已退出')
    authenticate.forget()
    ctx.note('退出本人的登录', ctx.user.id)
    return undefined
  }

const listMySignIns: HandlerOf<typeof contract.listMySignIns> = async ({ query }, ctx) => {
  const rows = ctx.system.selectFrom('auditLog').where('userId', '=', ctx.user.id).where('action', '=', 'login')
  const { limit, offset } = pageSlice(query)
  const list = await rows
    .select(['id', 'at', 'result', 'summary', 'ip'])
    .orderBy('at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .offset(offset)
    .execute()
  const { total } = await rows.select((eb) => eb.fn.countAll<number>().as('total')).executeTakeFirstOrThrow()
  return { list: list.map((row) => ({ ...row, at: formatInstant(row.at) })), total }
}
