import { passwordProblem } from '@zhugong/contract/identity/password'
import { maskPhone } from '@zhugong/contract/kit/checks'
import type { OutputFor, ParsedFor } from '@zhugong/contract/kit/endpoint'
import { AppError } from '@zhugong/contract/kit/errors'
import { dayMs } from '@zhugong/contract/kit/time'
import type * as contract from '@zhugong/contract/onboarding/links'
import { adminLink, type LinkState, mostOpenLinks } from '@zhugong/contract/onboarding/links'
import { sql } from 'kysely'
import { changeRow, conflictOf } from '#kit/change-row'
import { formatInstant } from '#kit/clock'
import { type Context, found, type Shared } from '#kit/context'
import type { Row, RowUpdate, Tx } from '#kit/db'
import { allOf, anyOf, contains, equals, pageSlice } from '#kit/list'
import { rowOf } from '#kit/row-of'
import { type HandlerOf, hashToken, type PublicHandler } from '#kit/serve'
import { giveAdministrator, giverNow, hashPassword, holds, makeAccount, recordEvent, requireAppointable } from '../access/public.ts'
import { enterGroup, logIn } from '../identity/public.ts'

type Link = Row<'adminLink'>
type Keys = Pick<Shared, 'secrets'>

/**
 * The secret token of a link, derived from its id and turn with the installation's key. Only its hash is stored, and the issuer can be
 * shown it again. A new turn gives a new token.
 */
export const tokenOf = ({ secrets }: Keys, { id, turn }: Pick<Link, 'id' | 'turn'>): string => secrets.sign('admin-link', `${id}\n${turn}`)

export interface Invitation {
  groupId: string
  name: string
  phone: string | null
  days: number
  openingId?: string
}

/** Creates a link for a group that was checked with `requireAppointable`. */
export async function writeLink(ctx: Context, { groupId, name, phone, days, openingId }: Invitation) {
  const id = ctx.newId()
  const token = tokenOf(ctx, { id, turn: 0 })
  const now = ctx.clock.now()
  const expiresAt = new Date(now + days * dayMs)
  await ctx.db
    .insertInto('adminLink')
    .values({
      id,
      groupId,
      byGroup: ctx.group.id,
      tokenHash: hashToken(token),
      name,
      phone: ctx.secrets.seal(phone),
      phoneMask: phone ? maskPhone(phone) : null,
      expiresAt,
      usedAt: null,
      usedBy: null,
      revokedAt: null,
      openingId: openingId ?? null,
      createTime: new Date(now),
      createBy: ctx.user.name,
      giverId: ctx.user.id,
      updateTime: null,
    })
    .execute()
  return { id, token, expiresTime: formatInstant(expiresAt) }
}

export const createLink: HandlerOf<typeof contract.createLink> = async ({ body }, ctx) => {
  const group = await requireAppointable(ctx, body.groupId)
  await sql`select pg_advisory_xact_lock(hashtextextended(${`admin link ${group.id}`}, 0))`.execute(ctx.db)
  // Links of other issuers count too: each gives access to the same group.
  const { rows } = await sql<{ n: number }>`
    select count(*)::int as n from admin_link where group_id = ${group.id} and used_at is null and revoked_at is null
      and expires_at > ${new Date(ctx.clock.now())}`.execute(ctx.system)
  if ((rows[0]?.n ?? 0) >= mostOpenLinks)
    throw new AppError('refused', `“${group.name}”已有 ${mostOpenLinks} 个待使用的邀请链接，请先撤销不用的`, { field: 'groupId' })
  const made = await writeLink(ctx, body)
  ctx.note(`邀请 ${body.name} 为 ${group.name} 的管理员`, made.id)
  return made
}

export const changeLink: HandlerOf<typeof contract.changeLink> = async ({ params, body }, ctx) => {
  const link = found(
    await ctx.db.selectFrom('adminLink').selectAll().where('id', '=', params.id).forUpdate().executeTakeFirst(),
    '邀请链接',
  )
  const group = await requireAppointable(ctx, link.groupId)
  if (link.version !== body.version) throw await conflictOf(ctx, 'adminLink', { id: link.id }, '邀请链接')
  if (link.usedAt) throw new AppError('refused', '链接已使用，不能再撤销或重发')
  const now = ctx.clock.now()
  const change = (values: RowUpdate<'adminLink'>) =>
    changeRow(ctx, 'adminLink', {
      key: { id: link.id },
      version: body.version,
      noun: '邀请链接',
      values: { ...values, updateTime: new Date(now) },
    })
  if (body.action === 'revoke') {
    await change({ revokedAt: new Date(now) })
    ctx.note(`撤销 ${link.name} 任 ${group.name} 管理员的邀请链接`, link.id)
    return { token: null, expiresTime: null }
  }
  const turn = link.turn + 1
  const token = tokenOf(ctx, { id: link.id, turn })
  const expiresAt = new Date(now + body.days * dayMs)
  await change({ turn, tokenHash: hashToken(token), expiresAt, revokedAt: null, giverId: ctx.user.id })
  ctx.note(`重发 ${link.name} 任 ${group.name} 管理员的邀请链接`, link.id)
  return { token, expiresTime: formatInstant(expiresAt) }
}

type Listed = Omit<Link, 'usedBy'> & { groupName: string; groupsType: number; usedBy: string | null; state: LinkState }

export const listLinks: HandlerOf<typeof contract.listLinks> = async ({ query }, ctx) => {
  const where = allOf(
    ...contains('k.groupName', query.groupName),
    ...anyOf('k.state', query.state),
    ...equals('k.openingId', query.openingId),
  )
  const links = sql`(
    select l.*, t.name as group_name, t.type as groups_type, u.name as used_name,
      case when l.used_at is not null then 'used' when l.revoked_at is not null then 'revoked' when l.expires_at <= ${new Date(ctx.clock.now())} then 'expired'
        else 'open' end as state
    from admin_link l join zg_link_groups() t on t.id = l.group_id left join app_user u on u.id = l.used_by)`
  const { limit, offset } = pageSlice(query)
  const { rows } = await sql<Listed & { usedName: string | null }>`
    select * from ${links} k where ${where} order by k.create_time desc, k.id limit ${limit} offset ${offset}`.execute(ctx.db)
  const { rows: counted } = await sql<{ n: number }>`select count(*)::int as n from ${links} k where ${where}`.execute(ctx.db)
  const list = rows.map((one) =>
    rowOf(adminLink, one, {
      phone: one.phoneMask,
      expiresTime: formatInstant(one.expiresAt),
      createTime: formatInstant(one.createTime),
      usedTime: one.usedAt && formatInstant(one.usedAt),
      usedBy: one.usedName,
    }),
  )
  return { list, total: counted[0]?.n ?? 0 }
}

const over = () => new AppError('refused', '邀请链接无效：可能已使用、已过期或已撤销，请联系发给您链接的人重发')

interface Opened {
  link: Link
  group: { id: string; type: number; name: string; enable: string }
}
/** The link of a token, if it is still usable. The reason for a failure is not disclosed. */
async function findOpen(ctx: Pick<Shared, 'clock' | 'system' | 'newId'>, tx: Tx, token: string, current: boolean): Promise<Opened> {
  const reading = tx.selectFrom('adminLink').selectAll().where('tokenHash', '=', hashToken(token))
  const link = await (current ? reading.forUpdate() : reading).executeTakeFirst()
  if (!link || link.usedAt || link.revokedAt || link.expiresAt.getTime() <= ctx.clock.now()) throw over()
  const group = await tx.selectFrom('tenant').select(['id', 'type', 'name', 'enable']).where('id', '=', link.groupId).executeTakeFirst()
  if (group?.enable !== '1' || !(await stillGives(ctx, tx, link))) throw over()
  return { link, group }
}

/** Whether the link's issuer could still appoint the administrator today, in the same group. */
async function stillGives(ctx: Pick<Shared, 'clock' | 'system' | 'newId'>, tx: Tx, link: Link): Promise<boolean> {
  const giver = await giverNow(ctx, tx, link)
  return giver !== undefined && (await holds(() => requireAppointable(giver, link.groupId)))
}

export const openLink: PublicHandler<ParsedFor<typeof contract.openLink>, OutputFor<typeof contract.openLink>> = async ({ body }, ctx) => {
  const { link, group } = await ctx.system.transaction().execute((tx) => findOpen(ctx, tx, body.token, false))
  return {
    groupName: group.name,
    groupsType: group.type,
    name: link.name,
    phone: link.phoneMask,
    by: link.createBy,
    expiresTime: formatInstant(link.expiresAt),
  }
}

type Accepted = ParsedFor<typeof contract.acceptLink>['body']

/** Creates account and membership and ends the link in one transaction, so that only one of concurrent requests succeeds. */
export const acceptLink: PublicHandler<ParsedFor<typeof contract.acceptLink>, OutputFor<typeof contract.acceptLink>> = async (
  { body },
  ctx,
) => {
  await ctx.system.transaction().execute((tx) => findOpen(ctx, tx, body.token, false))
  const agent = ctx.headers['user-agent'] ?? ''
  const who = body.mode === 'existing' ? await known(ctx, body, agent) : undefined
  const passwordHash = body.mode === 'new' ? await ownHash(body) : ''
  const { userId, account, name, groupId, groupName } = await ctx.system.transaction().execute(async (tx) => {
    const { link, group } = await findOpen(ctx, tx, body.token, true)
    const user =
      body.mode === 'new'
        ? { id: await makeAccount(ctx, tx, { ...body, passwordHash }), account: body.account.toLowerCase(), name: body.name }
        : await tx
            .selectFrom('appUser')
            .select(['id', 'account', 'name'])
            .where('account', '=', body.account.toLowerCase())
            .executeTakeFirstOrThrow()
    await giveAdministrator({ ...ctx, user: { name: link.createBy } }, tx, group, {
      userId: user.id,
      deadline: null,
      reason: '管理员邀请链接',
    })
    await changeRow({ db: tx, clock: ctx.clock }, 'adminLink', {
      key: { id: link.id },
      version: link.version,
      noun: '邀请链接',
      values: { usedAt: new Date(ctx.clock.now()), usedBy: user.id },
    })
    return { userId: user.id, account: user.account, name: user.name, groupId: group.id, groupName: group.name }
  })
  await recordEvent(ctx.system, ctx.clock, {
    userId,
    account,
    userName: name,
    groupId,
    groupName,
    action: 'adminLink',
    summary: `用邀请链接成为 ${groupName} 的管理员`,
    result: 'ok',
    ip: ctx.ip,
  })
  return enterGroup(ctx, { userId, groupId, agent, over: who?.token })
}

/** An existing account must log in normally: with captcha, second factor and lockout. */
const known = (ctx: Shared, { account, password, captcha, captchaKey, otp }: Extract<Accepted, { mode: 'existing' }>, agent: string) =>
  logIn(ctx, { account, password, captcha, captchaKey, otp, entry: 'default', keep: false, joining: true }, agent)

async function ownHash({ account, password }: Extract<Accepted, { mode: 'new' }>): Promise<string> {
  const problem = passwordProblem(password, account)
  if (problem) throw new AppError('invalidInput', problem, { field: 'password' })
  return hashPassword(password)
}
