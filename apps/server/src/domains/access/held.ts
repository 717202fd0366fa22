import { isPermissionCode, permissionName } from '@zhugong/contract/access/codes'
import { AppError } from '@zhugong/contract/kit/errors'
import type { Context } from '#kit/context'

/** Nobody grants what he does not hold. */
export function requireHeld(ctx: Pick<Context, 'codes'>, codes: readonly string[]): void {
  for (const code of codes) {
    if (!isPermissionCode(code)) throw new AppError('invalidInput', `没有这个权限：${code}`, { field: 'codes' })
    if (!ctx.codes.has(code)) throw new AppError('forbidden', `您没有“${permissionName(code)}”（${code}），不能授予他人`, { code })
  }
}
