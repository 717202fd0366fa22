import { AppError } from '@zhugong/contract/kit/errors'
import { dayMs } from '@zhugong/contract/kit/time'
import * as contract from '@zhugong/contract/screens/endpoints'
import { sql } from 'kysely'
import { formatInstant } from '#kit/clock'
import { type Context, found } from '#kit/context'
import { pageSlice } from '#kit/list'
import { type HandlerOf, hashToken } from '#kit/serve'
import { newDisplayKey } from './displays.ts'
import { whoseWall } from './groups.ts'
import { choicesOf } from './in-force.ts'
import { issuerOf } from './issuer.ts'
import { onWithinMs } from './running.ts'

/** Maximum tokens per group, so that the list stays manageable. */
const mostTokens = 50

export const createScreenToken: HandlerOf<typeof contract.createScreenToken> = async ({ body }, ctx) => {
  const tenant = await whoseWall(ctx, body)
  const choice = (await choicesOf(ctx.system, tenant)).find((one) => one.id === body.templateId)
  if (!choice) throw new AppError('refused', '这个大屏没有分配给该机构，或未发布', { field: 'templateId' })
  const now = ctx.clock.now()
  const { rows } = await sql<{ n: number }>`select count(*)::int as n from screen_token
    where group_id = ${tenant.id} and revoked_at is null and expires_at > ${new Date(now)}`.execute(ctx.db)
  if ((rows[0]?.n ?? 0) >= mostTokens) throw new AppError('refused', `有效的墙屏链接最多 ${mostTokens} 个，请先吊销不用的`)
  const token = newDisplayKey()
  const id = ctx.newId()
  const expiresAt = new Date(now + contract.tokenDays * dayMs)
  await ctx.db
    .insertInto('screenToken')
    .values({
      id,
      tokenHash: hashToken(token),
      groupId: tenant.id,
      templateId: choice.id,
      name: body.name,
      createTime: new Date(now),
      createBy: ctx.user.name,
      expiresAt,
      issuerId: ctx.user.id,
      issuerGroupId: ctx.group.id,
      seenAt: null,
      revokedAt: null,
      revokedBy: null,
    })
    .execute()
  ctx.note(`签发墙屏链接 ${body.name}（${tenant.name}）`, id)
  // In the fragment, so that it appears neither in server logs nor in referrers.
  return { id, token, path: `/huangshiScreen/main?wall=1#key=${token}`, expiresAt: formatInstant(expiresAt) }
}

interface TokenRow {
  id: string
  name: string
  groupName: string
  templateId: string
  templateName: string
  createTime: Date
  createBy: string
  expiresAt: Date
  seenAt: Date | null
  revokedAt: Date | null
  renewedAt: Date | null
  issuerId: string | null
  issuerGroupId: string | null
}

export const listScreenTokens: HandlerOf<typeof contract.listScreenTokens> = async ({ query }, ctx) => {
  const tenant = await whoseWall(ctx, query)
  const now = ctx.clock.now()
  const { limit, offset } = pageSlice(query)
  const { rows } = await sql<TokenRow>`
    select k.id, k.name, ${tenant.name} as group_name, k.template_id, coalesce(t.name, '') as template_name, k.create_time, k.create_by,
      k.expires_at, k.seen_at, k.revoked_at, k.renewed_at, k.issuer_id, k.issuer_group_id
    from screen_token k left join screen_template t on t.id = k.template_id where k.group_id = ${tenant.id}
    order by k.revoked_at is not null, k.create_time desc, k.id limit ${limit} offset ${offset}`.execute(ctx.db)
  const total = await sql<{ n: number }>`select count(*)::int as n from screen_token where group_id = ${tenant.id}`.execute(ctx.db)
  const faults = await Promise.all(rows.map((row) => faultOf(ctx, tenant.id, row)))
  return {
    list: rows.map(({ revokedAt, issuerId: _, issuerGroupId: __, ...k }, i) => ({
      ...k,
      fault: faults[i] ?? null,
      createTime: formatInstant(k.createTime),
      expiresAt: formatInstant(k.expiresAt),
      seenAt: k.seenAt?.getTime() ?? null,
      renewedAt: k.renewedAt?.getTime() ?? null,
      state: revokedAt
        ? ('revoked' as const)
        : k.expiresAt.getTime() <= now
          ? ('expired' as const)
          : faults[i]
            ? ('stopped' as const)
            : k.seenAt && now - k.seenAt.getTime() < onWithinMs
              ? ('on' as const)
              : ('idle' as const),
    })),
    total: total.rows[0]?.n ?? 0,
  }
}

/** The reason why a valid link does not work: its issuer no longer has the rights. */
async function faultOf(ctx: Context, groupId: string, row: TokenRow): Promise<string | undefined> {
  if (row.revokedAt || row.expiresAt.getTime() <= ctx.clock.now()) return undefined
  const issuer = await issuerOf(ctx.system, ctx.clock, { ...row, groupId })
  return 'fault' in issuer ? issuer.fault : undefined
}

export const revokeScreenToken: HandlerOf<typeof contract.revokeScreenToken> = async ({ params }, ctx) => {
  const row = found(await ctx.db.selectFrom('screenToken').selectAll().where('id', '=', params.id).executeTakeFirst(), '墙屏链接')
  if (row.revokedAt) throw new AppError('refused', '墙屏链接已经吊销')
  await ctx.db
    .updateTable('screenToken')
    .set({ revokedAt: new Date(ctx.clock.now()), revokedBy: ctx.user.name })
    .where('id', '=', row.id)
    .execute()
  ctx.note(`吊销墙屏链接 ${row.name}`, row.id)
  return undefined
}
