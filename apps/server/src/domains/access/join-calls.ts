import type * as contract from '@zhugong/contract/access/joins'
import { sql } from 'kysely'
import { found } from '#kit/context'
import { pageSlice } from '#kit/list'
import type { HandlerOf } from '#kit/serve'
import { joinsRequested, roleNames, toJoin, type Waiting } from './join-requests.ts'
import { acceptJoin, answered, refuseJoin } from './joining.ts'

export const answerJoin: HandlerOf<typeof contract.answerJoin> = async ({ params, body }, ctx) => {
  if (body.accept) {
    const { groupName } = await acceptJoin(ctx, ctx.user.id, params.id)
    ctx.note(`接受邀请，加入 ${groupName}`, params.id)
  } else ctx.note(`谢绝加入 ${await refuseJoin(ctx, ctx.user.id, params.id)}`, params.id)
  return undefined
}

export const listJoins: HandlerOf<typeof contract.listJoins> = async ({ query }, ctx) => {
  const { limit, offset } = pageSlice(query)
  const from = joinsRequested(ctx)
  const { rows } = await sql<Waiting>`
    select j.*, k.group_name, k.group_type as groups_type, k.account, k.user_name, ${roleNames} as role_names ${from}
    order by j.create_time desc, j.id limit ${limit} offset ${offset}`.execute(ctx.db)
  const { rows: counted } = await sql<{ n: number }>`select count(*)::int as n ${from}`.execute(ctx.db)
  return {
    list: rows.map((row) => ({ ...toJoin(row), account: row.account, userName: row.userName })),
    total: counted[0]?.n ?? 0,
  }
}

export const withdrawJoin: HandlerOf<typeof contract.withdrawJoin> = async ({ params }, ctx) => {
  const { rows } = await sql<{ userName: string; groupName: string }>`
    select k.user_name, k.group_name ${joinsRequested(ctx)} and j.id = ${params.id} for update of j`.execute(ctx.db)
  const row = found(rows[0], '待接受的邀请')
  await answered(ctx, ctx.db, params.id, 'withdrawn')
  ctx.note(`撤回对 ${row.userName} 加入 ${row.groupName} 的邀请`, params.id)
  return undefined
}
