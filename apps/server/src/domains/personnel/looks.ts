import { formatInstant } from '#kit/clock'
import type { Context } from '#kit/context'
import type { Hold } from './store.ts'

const lookAction = 'look'
const looksShown = 100

/**
 * Looking at personal data in clear changes nothing, yet somebody may ask who did. The row stands in the transaction of the answer:
 * without it nothing is shown.
 */
export async function recordLook(ctx: Context, workerId: string, summary: string, projectCode: string | null): Promise<void> {
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
      summary,
      objectId: workerId,
      projectCode,
      ip: ctx.ip,
    })
    .execute()
}

/**
 * Who looked at a person's data, newest first. Whoever has the person now answers for the data and sees every look, whoever took it
 * (个人信息保护法 第五十四条: audits of the handling); whoever had him sees those of his own group.
 */
export async function looksAt(ctx: Pick<Context, 'db' | 'system'>, workerId: string, hold: Hold) {
  const rows = await (hold === 'former' ? ctx.db : ctx.system)
    .selectFrom('auditLog')
    .select(['id', 'at', 'userName', 'groupName', 'summary'])
    .where('objectId', '=', workerId)
    .where('action', '=', lookAction)
    .orderBy('at', 'desc')
    .limit(looksShown)
    .execute()
  return rows.map((r) => ({ ...r, at: formatInstant(r.at) }))
}
