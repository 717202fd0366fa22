import type * as more from '@zhugong/contract/access/users'
import { sql } from 'kysely'
import { type Context, found } from '#kit/context'
import { allOf, type Condition, condition, contains, pageSlice } from '#kit/list'
import type { HandlerOf } from '#kit/serve'

interface RawBrief {
  id: string
  memberId: string
  name: string
  account: string
  roleNames: string[]
}

async function pick(ctx: Context, query: { page: number; size: number; name?: string | undefined }, also: Condition[]) {
  const where = allOf(
    condition(sql`m.group_id = ${ctx.group.id} and m.enable = '1' and u.enable = '1'`),
    ...contains('u.name', query.name),
    ...also,
  )
  const from = sql`from member m join app_user u on u.id = m.user_id where ${where}`
  const { limit, offset } = pageSlice(query)
  const { rows } = await sql<RawBrief>`
    select u.id, m.id as member_id, u.name, u.account,
      array(select r.name from member_role mr join role r on r.id = mr.role_id where mr.member_id = m.id order by r.name) as role_names
    ${from} order by u.name, m.id limit ${limit} offset ${offset}`.execute(ctx.db)
  const { rows: counted } = await sql<{ n: number }>`select count(*)::int as n ${from}`.execute(ctx.db)
  return { list: rows, total: counted[0]?.n ?? 0 }
}

export const pickUsers: HandlerOf<typeof more.pickUsers> = ({ query }, ctx) => pick(ctx, query, [])

export const usersByGroup: HandlerOf<typeof more.usersByGroup> = ({ query }, ctx) =>
  pick(
    ctx,
    query,
    query.roleId ? [condition(sql`exists (select 1 from member_role mr where mr.member_id = m.id and mr.role_id = ${query.roleId})`)] : [],
  )

export const searchUser: HandlerOf<typeof more.searchUser> = async ({ query }, ctx) => {
  const row = await ctx.system
    .selectFrom('appUser as u')
    .select((eb) => [
      'u.id',
      'u.name',
      'u.account',
      eb
        .exists(eb.selectFrom('member as m').select('m.id').whereRef('m.userId', '=', 'u.id').where('m.groupId', '=', ctx.group.id))
        .as('inGroup'),
    ])
    .where('u.account', '=', query.account.toLowerCase())
    .where('u.enable', '=', '1')
    .executeTakeFirst()
  const { inGroup, ...one } = found(row, '账号')
  return { ...one, inGroup: Boolean(inGroup) }
}
