import { AppError } from '@zhugong/contract/kit/errors'

/** Attempts by others can delay a login from an unknown address, but never lock the account. */
export const crowded = (waitMs: number) =>
  new AppError('refused', `该账号正被多处尝试登录，请 ${Math.ceil(waitMs / 1000)} 秒后再试`, { captchaRequired: true })

export const locked = (leftMs: number) =>
  new AppError('refused', `账号已锁定，请 ${Math.ceil(leftMs / 60_000)} 分钟后再试`, { lockedMinutes: Math.ceil(leftMs / 60_000) })
