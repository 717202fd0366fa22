import type { login } from '@zhugong/contract/identity/endpoints'
import type { OutputFor } from '@zhugong/contract/kit/endpoint'
import { AppError } from '@zhugong/contract/kit/errors'
import { formatInstant } from '#kit/clock'
import { groupTypes, type Shared } from '#kit/context'
import type { Row } from '#kit/db'
import { hashToken } from '#kit/serve'
import { acceptJoin, joinsOf, passTime, passwordMatches, recordEvent } from '../access/public.ts'
import { beginAttempt, failuresOf, forgetFailures, takeBackAttempt } from './attempts.ts'
import { captchaHolds } from './captcha.ts'
import { groupCardsOf } from './groups.ts'
import { crowded, locked } from './held-back.ts'
import { captchaAfter } from './limits.ts'
import { isAdminAddress, limitsNow } from './safety.ts'
import { takeSecondFactor } from './second-factor.ts'
import { openSession } from './sessions.ts'

interface Credentials {
  account: string
  password: string
  captcha?: string | undefined
  captchaKey?: string | undefined
  entry: 'default' | 'classic' | 'admin'
  keep: boolean
  otp?: string | undefined
  join?: string | undefined
  /** The user is joining a group, so belonging to no group does not prevent the login. */
  joining?: boolean
}

/**
 * Logs in. Response and duration are the same whether or not the account exists. Only after the right password does the user learn that
 * the account is disabled or in no group. Every attempt is audited, refused ones with the reason.
 */
export async function logIn(ctx: Shared, given: Credentials, agent: string): Promise<OutputFor<typeof login>> {
  const { system: db, clock } = ctx
  const account = given.account.toLowerCase()
  const refuse = async (reason: string, error: AppError, user?: { id: string; name: string }): Promise<never> => {
    await recordEvent(db, clock, {
      userId: user?.id ?? null,
      account,
      userName: user?.name ?? '',
      action: 'login',
      summary: reason,
      result: 'refused',
      ip: ctx.ip,
    })
    throw error
  }
  const wrongCaptcha = () => new AppError('wrongCaptcha', '验证码无效！', { captchaRequired: true, field: 'captcha' })

  const { lockAfter, lockMs, adminAddresses } = await limitsNow(db)
  const before = await failuresOf(ctx, account)
  if (before.lockedMs > 0) return refuse('登录被拒：账号已锁定', locked(before.lockedMs))
  const captchaRequested = before.captcha || given.entry === 'admin'
  if (captchaRequested && !(await captchaHolds(ctx, given.captchaKey, given.captcha))) return refuse('登录失败：验证码无效', wrongCaptcha())
  const attempt = await beginAttempt(ctx, account)
  if (attempt.waitMs) return refuse('登录被拒：多处尝试同一账号', crowded(attempt.waitMs))
  if (attempt.number > lockAfter) return refuse('登录被拒：账号已锁定', locked(attempt.lockedMs))
  // For concurrent attempts: the failures that made the captcha mandatory arrived at the same time.
  if (attempt.number > captchaAfter && !captchaRequested) return refuse('登录失败：验证码无效', wrongCaptcha())

  const user = await db.selectFrom('appUser').selectAll().where('account', '=', account).executeTakeFirst()
  const right = user ? await passwordMatches(user.passwordHash, given.password) : await passTime(given.password)
  let groups = user && right ? await groupCardsOf(ctx, user.id) : []
  const isAdmin = groups.some((g) => g.groupsType === groupTypes.platform && g.enabled)
  // Applies to every entry, because a platform user could switch to the platform from any other group.
  const isElsewhere = isAdmin && !isAdminAddress(adminAddresses, ctx.ip)
  if (!user || !right || isElsewhere || (given.entry === 'admin' && !isAdmin)) {
    const captchaRequired = attempt.number >= captchaAfter || given.entry === 'admin'
    return refuse(
      isElsewhere ? '登录失败：平台管理员不在允许的地址' : '登录失败',
      attempt.number >= lockAfter ? locked(lockMs) : new AppError('wrongCredentials', '用户名或密码错误！', { captchaRequired }),
      user,
    )
  }
  let enterable = groups.filter((g) => g.enabled)
  // Users in no group see their invitations at login, because they cannot reach their account page.
  const joins = enterable.length === 0 ? await joinsOf(ctx, user.id) : []
  const requested = joins.find((one) => one.id === given.join)
  if (user.enable !== '1' || (enterable.length === 0 && !requested && !given.joining)) {
    await takeBackAttempt(ctx, account)
    if (user.enable !== '1') return refuse('登录被拒：账号已停用', new AppError('refused', '账号已停用，请联系本单位管理员'), user)
    if (joins.length) {
      const actions = joins.map(({ id, groupName, by }) => ({ id, groupName, by }))
      return refuse('登录未完成：待答复加入机构的邀请', new AppError('refused', '有机构邀请您加入，接受后进入', { joins: actions }), user)
    }
    const message = groups.length ? '所属机构已停用或授权已到期，请联系管理员' : '账号尚未加入任何机构，请联系管理员'
    return refuse('登录被拒：没有可进入的机构', new AppError('refused', message), user)
  }
  const secret = ctx.secrets.open(user.otpSecret)
  if (secret) {
    const otpRefusal = (message: string) => new AppError('refused', message, { otpRequired: true, field: 'otp' })
    if (!given.otp) {
      await takeBackAttempt(ctx, account)
      return refuse('登录未完成：密码正确，未输入动态口令', otpRefusal('请输入动态口令'), user)
    }
    if (!(await takeSecondFactor(ctx, user.id, Buffer.from(secret, 'hex'), given.otp))) {
      return refuse('登录失败：动态口令不正确', attempt.number >= lockAfter ? locked(lockMs) : otpRefusal('动态口令不正确'), user)
    }
  }

  await forgetFailures(ctx, account)
  if (requested) {
    await acceptJoin(ctx, user.id, requested.id)
    groups = await groupCardsOf(ctx, user.id)
    enterable = groups.filter((g) => g.enabled)
  }
  const first =
    (given.entry === 'admin' ? enterable.find((g) => g.groupsType === groupTypes.platform) : undefined) ??
    enterable.find((g) => g.isDefault) ??
    enterable[0]
  const settings = await db.selectFrom('setting').select('value').where('key', '=', 'profile').executeTakeFirst()
  return enter(ctx, user, groups, first, {
    keep: given.keep && settings?.value.keepLiveAllowed !== false,
    entry: given.entry,
    agent,
    summary: '登录',
  })
}

type Card = Awaited<ReturnType<typeof groupCardsOf>>[number]
interface Way {
  keep: boolean
  entry: Credentials['entry']
  agent: string
  summary: string
}

/** Opens a session for an authenticated user. */
async function enter(
  ctx: Shared,
  user: Pick<Row<'appUser'>, 'id' | 'account' | 'name' | 'mustChange' | 'lastLoginAt' | 'lastLoginIp'>,
  groups: Card[],
  first: Card | undefined,
  { keep, entry, agent, summary }: Way,
): Promise<OutputFor<typeof login>> {
  const { system: db, clock } = ctx
  const { token, keepLive } = await openSession(db, clock, {
    userId: user.id,
    groupId: first?.id ?? null,
    groupType: (first?.groupsType ?? null) as 0 | 1 | 2 | 3 | null,
    projectCode: '*',
    keep,
    entry,
    ip: ctx.ip,
    agent,
  })
  if (first)
    await db
      .updateTable('member')
      .set({ lastVisitAt: new Date(clock.now()) })
      .where('userId', '=', user.id)
      .where('groupId', '=', first.id)
      .execute()
  await db
    .updateTable('appUser')
    .set({ lastLoginAt: new Date(clock.now()), lastLoginIp: ctx.ip })
    .where('id', '=', user.id)
    .execute()
  await recordEvent(db, clock, {
    userId: user.id,
    account: user.account,
    userName: user.name,
    groupId: first?.id,
    groupName: first?.name,
    action: 'login',
    summary,
    result: 'ok',
    ip: ctx.ip,
  })
  return {
    token,
    keepLive,
    groupsType: first?.groupsType ?? groupTypes.project,
    mustChangePassword: user.mustChange,
    groups,
    lastLogin: user.lastLoginAt ? { at: formatInstant(user.lastLoginAt), ip: user.lastLoginIp ?? '' } : null,
  }
}

/** Logs a user in who has just become administrator of a group, into that group. `over`: the user's previous session, which ends. */
export async function enterGroup(
  ctx: Shared,
  { userId, groupId, agent, over }: { userId: string; groupId: string; agent: string; over?: string },
): Promise<OutputFor<typeof login>> {
  const user = await ctx.system.selectFrom('appUser').selectAll().where('id', '=', userId).executeTakeFirstOrThrow()
  const groups = await groupCardsOf(ctx, userId)
  if (over !== undefined) await ctx.system.deleteFrom('session').where('tokenHash', '=', hashToken(over)).execute()
  const first = groups.find((one) => one.id === groupId)
  return enter(ctx, user, groups, first, { keep: false, entry: 'default', agent, summary: '用邀请链接登录' })
}
