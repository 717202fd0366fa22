import { randomBytes, randomInt } from 'node:crypto'
import * as contract from '@zhugong/contract/identity/my-account'
import { AppError } from '@zhugong/contract/kit/errors'
import { sql } from 'kysely'
import type { Context, Shared } from '#kit/context'
import type { HandlerOf, Serve } from '#kit/serve'
import { asksForSecondFactor } from '../access/public.ts'
import { requireOwnPassword, tryCounted } from './own-password.ts'
import type { Authenticator } from './sessions.ts'
import { totpStep } from './totp.ts'

/** RFC 4226, 4: at least 128 bits, 160 recommended. */
const secretBytes = 20
const issuer = '筑工'

/** The user's own second factor: show, confirm, renew and remove; each requires the password. */
export function secondFactorRoutes(serve: Serve, authenticate: Pick<Authenticator, 'forget'>) {
  serve(contract.beginSecondFactor, begin)
  serve(contract.confirmSecondFactor, (input, ctx) => {
    // Cached principals are dropped, so that a user who had to set up a factor can continue at once.
    ctx.afterCommit(async () => authenticate.forget())
    return confirm(input, ctx)
  })
  serve(contract.renewRecoveryCodes, renew)
  serve(contract.removeSecondFactor, remove)
}

type FactorContext = Pick<Shared, 'system' | 'clock' | 'secrets'>

/** Whether a code is valid for the account's second factor; accepting it uses it up. */
export async function takeSecondFactor(ctx: FactorContext, userId: string, secret: Buffer, code: string): Promise<boolean> {
  if (contract.recoveryCodePattern.test(code)) return takeRecoveryCode(ctx, userId, code)
  const step = totpStep(secret, code, ctx.clock.now())
  return step !== undefined && (await takeStep(ctx.system, userId, step))
}

/** Each time step is accepted once, so that an observed code cannot be replayed. */
async function takeStep(db: Shared['system'], userId: string, step: number): Promise<boolean> {
  const taken = await db
    .updateTable('appUser')
    .set({ otpStep: step })
    .where('id', '=', userId)
    .where((eb) => eb.or([eb('otpStep', 'is', null), eb('otpStep', '<', step)]))
    .executeTakeFirst()
  return taken.numUpdatedRows > 0n
}

const hashOf = ({ secrets }: Pick<Shared, 'secrets'>, code: string) => secrets.blindIndex('recovery-code', code.replace('-', ''))

async function takeRecoveryCode(ctx: FactorContext, userId: string, code: string): Promise<boolean> {
  const hash = hashOf(ctx, code)
  const taken = await ctx.system
    .updateTable('appUser')
    .set({ recoveryCodes: sql`array_remove(recovery_codes, ${hash})` })
    .where('id', '=', userId)
    .where(sql<boolean>`${hash} = any (recovery_codes)`)
    .executeTakeFirst()
  return taken.numUpdatedRows > 0n
}

/** Stored values of an account without a second factor. */
export const noFactor = { otpSecret: null, otpPending: null, otpStep: null, recoveryCodes: [] as string[] }

const begin: HandlerOf<typeof contract.beginSecondFactor> = async ({ body }, ctx) => {
  const user = await requireOwnPassword(ctx, body.password)
  if (user.otpSecret) throw new AppError('refused', '已启用动态口令，请先停用再重新绑定')
  const secret = randomBytes(secretBytes)
  await ctx.system
    .updateTable('appUser')
    .set({ otpPending: ctx.secrets.seal(secret.toString('hex')) })
    .where('id', '=', user.id)
    .execute()
  ctx.note('开始绑定动态口令', user.id)
  const text = base32(secret)
  const label = encodeURIComponent(`${issuer}:${user.account}`)
  return {
    secret: text,
    uri: `otpauth://totp/${label}?secret=${text}&issuer=${encodeURIComponent(issuer)}&algorithm=SHA1&digits=6&period=30`,
  }
}

const confirm: HandlerOf<typeof contract.confirmSecondFactor> = async ({ body }, ctx) => {
  const user = await ctx.system.selectFrom('appUser').select(['id', 'otpPending']).where('id', '=', ctx.user.id).executeTakeFirstOrThrow()
  const pending = ctx.secrets.open(user.otpPending)
  if (!pending) throw new AppError('refused', '请先开始绑定动态口令')
  const step = await tryCounted(ctx, () => totpStep(Buffer.from(pending, 'hex'), body.code, ctx.clock.now()), {
    words: '动态口令不正确，请核对手机时间后重试',
    field: 'code',
    summary: '绑定动态口令：口令不正确',
  })
  const { codes, hashes } = newCodes(ctx)
  await ctx.system
    .updateTable('appUser')
    .set({ otpSecret: user.otpPending, otpPending: null, otpStep: step, recoveryCodes: hashes })
    .where('id', '=', user.id)
    .execute()
  ctx.note('启用动态口令', user.id)
  return { recoveryCodes: codes }
}

const renew: HandlerOf<typeof contract.renewRecoveryCodes> = async ({ body }, ctx) => {
  const user = await requireOwnPassword(ctx, body.password)
  await requireFactor(ctx, user, body.code)
  const { codes, hashes } = newCodes(ctx)
  await ctx.system.updateTable('appUser').set({ recoveryCodes: hashes }).where('id', '=', user.id).execute()
  ctx.note('重新生成恢复码', user.id)
  return { recoveryCodes: codes }
}

const remove: HandlerOf<typeof contract.removeSecondFactor> = async ({ body }, ctx) => {
  const user = await requireOwnPassword(ctx, body.password)
  if (await asksForSecondFactor(ctx.system, ctx.group.id))
    throw new AppError('refused', '本单位要求动态口令，不能停用；换手机请用恢复码登录后由管理员重置')
  await requireFactor(ctx, user, body.code.trim())
  await ctx.system.updateTable('appUser').set(noFactor).where('id', '=', user.id).execute()
  ctx.note('停用动态口令', user.id)
  return undefined
}

async function requireFactor(ctx: Context, user: { id: string; otpSecret: Buffer | null }, code: string): Promise<void> {
  const secret = ctx.secrets.open(user.otpSecret)
  if (!secret) throw new AppError('refused', '尚未启用动态口令')
  const taken = async () => (await takeSecondFactor(ctx, user.id, Buffer.from(secret, 'hex'), code)) || undefined
  await tryCounted(ctx, taken, { words: '动态口令不正确或已使用', field: 'code', summary: '管理动态口令：口令不正确' })
}

/** Without letters and digits that are easily confused in handwriting. */
const letters = 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789'
const drawn = (n: number) => Array.from({ length: n }, () => letters[randomInt(letters.length)]).join('')

function newCodes(ctx: Pick<Shared, 'secrets'>): { codes: string[]; hashes: string[] } {
  const codes = Array.from({ length: contract.recoveryCodeCount }, () => `${drawn(5)}-${drawn(5)}`)
  return { codes, hashes: codes.map((code) => hashOf(ctx, code)) }
}

const base32Letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'
/** RFC 4648, 6, without padding: the form authenticator apps accept. */
export function base32(bytes: Buffer): string {
  const bits = [...bytes].map((byte) => byte.toString(2).padStart(8, '0')).join('')
  return (bits.match(/.{1,5}/g) ?? []).map((five) => base32Letters[Number.parseInt(five.padEnd(5, '0'), 2)]).join('')
}
