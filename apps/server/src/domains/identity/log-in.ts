import type { login } from '@zhugong/contract/identity/endpoints'
import type { OutputFor } from '@zhugong/contract/kit/endpoint'
import { AppError } from '@zhugong/contract/kit/errors'
import { formatInstant } from '#kit/clock'
import { groupTypes, type Shared } from '#kit/context'
import { recordEvent } from '../access/public.ts'
import { captchaHolds } from './captcha.ts'
import { groupCardsOf } from './groups.ts'
import { captchaAfter, failureMemoryMs, lockAfter, lockMs } from './limits.ts'
import { passTime, passwordMatches } from './passwords.ts'
import { openSession } from './sessions.ts'
import { totpHolds } from './totp.ts'

interface Credentials {
  account: string
  password: string
  captcha?: string | undefined
  captchaKey?: string | undefined
  entry: 'default' | 'classic' | 'admin'
  keep: boolean
  otp?: string | undefined
}

/**
 * Logs in. The answer and the time it takes are the same whether an account exists or not; only after the right password is
 * somebody told that the account is disabled or belongs nowhere.
 */
export async function logIn(ctx: Shared, given: Credentials): Promise<OutputFor<typeof login>> {
  const { system: db, clock } = ctx
  const account = given.account.toLowerCase()
  const failures = await findFailures(ctx, account)
  if (failures.lockedUntil && failures.lockedUntil > clock.now()) throw locked(failures.lockedUntil - clock.now())
  const captchaRequired = failures.count >= captchaAfter || given.entry === 'admin'
  if (captchaRequired && !(await captchaHolds(ctx, given.captchaKey, given.captcha))) {
    throw new AppError('wrongCaptcha', '验证码无效！', { captchaRequired: true, field: 'captcha' })
  }

  const user = await db.selectFrom('appUser').selectAll().where('account', '=', account).executeTakeFirst()
  const right = user ? await passwordMatches(user.passwordHash, given.password) : await passTime(given.password)
  const groups = user && right ? await groupCardsOf(ctx, user.id) : []
  const isAdmin = groups.some((g) => g.groupsType === groupTypes.platform && g.enabled)
  if (!user || !right || (given.entry === 'admin' && !isAdmin)) {
    const count = await countFailure(ctx, account)
    await recordEvent(db, clock, {
      userId: user?.id ?? null,
      account,
      userName: user?.name ?? '',
      action: 'login',
      summary: '登录失败',
      result: 'refused',
      ip: ctx.ip,
    })
    if (count >= lockAfter) throw locked(lockMs)
    throw new AppError('wrongCredentials', '用户名或密码错误！', { captchaRequired: count >= captchaAfter || given.entry === 'admin' })
  }
  if (user.enable !== '1') throw new AppError('refused', '账号已停用，请联系本单位管理员')
  const enterable = groups.filter((g) => g.enabled)
  if (enterable.length === 0)
    throw new AppError('refused', groups.length ? '所属机构已停用或授权已到期，请联系管理员' : '账号尚未加入任何机构，请联系管理员')
  const secret = ctx.secrets.open(user.otpSecret)
  if (secret && isAdmin && !totpHolds(Buffer.from(secret, 'hex'), given.otp ?? '', clock.now())) {
    if (given.otp) await countFailure(ctx, account)
    throw new AppError('refused', given.otp ? '动态口令不正确' : '请输入动态口令', { otpRequired: true, field: 'otp' })
  }

  await db.deleteFrom('loginFailure').where('account', '=', account).execute()
  const first =
    (given.entry === 'admin' ? enterable.find((g) => g.groupsType === groupTypes.platform) : undefined) ??
    enterable.find((g) => g.isDefault) ??
    enterable[0]
  const settings = await db.selectFrom('setting').select('value').where('key', '=', 'profile').executeTakeFirst()
  const { token, keepLive } = await openSession(db, clock, {
    userId: user.id,
    groupId: first?.id ?? null,
    groupType: (first?.groupsType ?? null) as 0 | 1 | 2 | 3 | null,
    projectCode: '*',
    keep: given.keep && settings?.value.keepLiveAllowed !== false,
    entry: given.entry,
    ip: ctx.ip,
  })
  await db
    .updateTable('appUser')
    .set({ lastLoginAt: new Date(clock.now()), lastLoginIp: ctx.ip })
    .where('id', '=', user.id)
    .execute()
  await recordEvent(db, clock, {
    userId: user.id,
    account,
    userName: user.name,
    ...(first ? { groupId: first.id, groupName: first.name } : {}),
    action: 'login',
    summary: '登录',
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

async function findFailures({ system, clock }: Shared, account: string) {
  const row = await system.selectFrom('loginFailure').selectAll().where('account', '=', account).executeTakeFirst()
  if (!row || row.lastAt.getTime() < clock.now() - failureMemoryMs) return { count: 0, lockedUntil: undefined }
  return { count: row.failures, lockedUntil: row.lockedUntil?.getTime() }
}

async function countFailure({ system, clock }: Shared, account: string): Promise<number> {
  const now = clock.now()
  const forgotten = new Date(now - failureMemoryMs)
  const row = await system
    .insertInto('loginFailure')
    .values({ account, failures: 1, lastAt: new Date(now), lockedUntil: null })
    .onConflict((conflict) =>
      conflict.column('account').doUpdateSet((eb) => ({
        failures: eb
          .case()
          .when('loginFailure.lastAt', '<', forgotten)
          .then(1)
          .else(eb('loginFailure.failures', '+', 1))
          .end(),
        lastAt: new Date(now),
        lockedUntil: null,
      })),
    )
    .returning('failures')
    .executeTakeFirstOrThrow()
  if (row.failures >= lockAfter) {
    // The count starts anew after the lock: five more tries, not one.
    await system
      .updateTable('loginFailure')
      .set({ lockedUntil: new Date(now + lockMs), failures: 0 })
      .where('account', '=', account)
      .execute()
  }
  return row.failures
}

const locked = (leftMs: number) =>
  new AppError('refused', `账号已锁定，请 ${Math.ceil(leftMs / 60_000)} 分钟后再试`, { lockedMinutes: Math.ceil(leftMs / 60_000) })
