import * as contract from '@zhugong/contract/apps/grant-endpoints'
import { AppError } from '@zhugong/contract/kit/errors'
import { hourMs } from '@zhugong/contract/kit/time'
import { sql } from 'kysely'
import { formatDay } from '#kit/clock'
import { type Context, found } from '#kit/context'
import type { HandlerOf } from '#kit/serve'
import { tellOne } from '../notify/public.ts'
import { findGrants } from './grant-rows.ts'

/** Apps named in one message; the others are counted. */
const appsNamed = 8

/**
 * Notifies each group separately. The response names groups without ending grants, without anybody to notify, and those already notified
 * today.
 */
export const remindGrants: HandlerOf<typeof contract.remindGrants> = async ({ body }, ctx) => {
  const left: { groupName: string; why: string }[] = []
  const reminded: string[] = []
  let notifiedCount = 0
  for (const groupId of new Set(body.groupIds)) {
    const group = await groupBelow(ctx, groupId)
    const ending = await endingOf(ctx, groupId)
    const people = ending.length > 0 ? await administratorsOf(ctx, groupId) : []
    const why =
      ending.length === 0
        ? '没有由您授权的将到期或已到期的应用'
        : people.length === 0
          ? '还没有管理员'
          : (await wasReminded(ctx, groupId))
            ? `${contract.remindEveryHours} 小时内已提醒过`
            : undefined
    if (why !== undefined) {
      left.push({ groupName: group.name, why })
      continue
    }
    const named = ending.slice(0, appsNamed).map((one) => `${one.appName}（${one.deadline}）`)
    for (const userId of people)
      await tellOne(
        ctx.system,
        {
          userId,
          kind: 'notify',
          title: `${group.name} 有 ${ending.length} 个应用将到期或已到期`,
          text: `${named.join('、')}${ending.length > appsNamed ? ' 等' : ''}。需要继续使用请申请续期；到期后 15 天内只能查看，数据不删除。`,
          link: '/applyCentre',
        },
        ctx.clock.now(),
      )
    notifiedCount += people.length
    reminded.push(groupId)
  }
  if (reminded.length === 0) throw new AppError('refused', left.map((one) => `${one.groupName}：${one.why}`).join('；'))
  ctx.note(`发送续期提醒 ${reminded.length} 个对象`, reminded)
  return { told: notifiedCount, left }
}

async function groupBelow(ctx: Context, id: string): Promise<{ name: string }> {
  const { rows } = await sql<{ name: string }>`select name from zg_branch() where id = ${id} and id <> ${ctx.group.id}`.execute(ctx.db)
  return found(rows[0], '机构')
}

/** Only grants that the caller may change: other givers send their own reminders. */
async function endingOf(ctx: Context, groupId: string) {
  const grants = await findGrants(ctx, { groupId, state: ['ending', 'grace', 'ended'] })
  return grants.filter((grant) => grant.mayChange && grant.deadline !== null)
}

async function administratorsOf(ctx: Context, groupId: string): Promise<string[]> {
  const { rows } = await sql<{ userId: string }>`
    select distinct m.user_id from member m join app_user u on u.id = m.user_id and u.enable = '1'
      join member_role mr on mr.member_id = m.id and mr.enable = '1' and (mr.deadline is null or mr.deadline >= ${formatDay(ctx.clock.now())}::date)
      join role r on r.id = mr.role_id and r.administrator
    where m.group_id = ${groupId} and m.enable = '1'`.execute(ctx.system)
  return rows.map((row) => row.userId)
}

/** Whether the caller's group has already sent a reminder, according to the stored messages. */
async function wasReminded(ctx: Context, groupId: string): Promise<boolean> {
  const { method, path } = contract.remindGrants
  const row = await ctx.db
    .selectFrom('auditLog')
    .select('id')
    .where('objectId', '=', groupId)
    .where('action', '=', `${method} ${path}`)
    .where('groupId', '=', ctx.group.id)
    .where('at', '>', new Date(ctx.clock.now() - contract.remindEveryHours * hourMs))
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}
