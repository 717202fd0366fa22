import { maskBankCard, maskName } from '@zhugong/contract/kit/checks'
import { AppError } from '@zhugong/contract/kit/errors'
import { normalBankCard } from '@zhugong/contract/kit/normal'
import type { Context } from '#kit/context'
import { pick } from '#kit/pick'

/** Name of another person registered with the same wage card; a generic term if that person is not visible to the caller. */
export async function cardHolder(ctx: Context, hash: string, workerId: string): Promise<string | undefined> {
  const other = await ctx.system
    .selectFrom('projectWorker')
    .select(['id', 'workerName'])
    .where('payRollBankCardHash', '=', hash)
    .where('workerId', '!=', workerId)
    .limit(1)
    .executeTakeFirst()
  if (!other) return undefined
  const seen = await ctx.db.selectFrom('projectWorker').select('id').where('id', '=', other.id).executeTakeFirst()
  return seen ? maskName(other.workerName) : '他人'
}

export interface AccountInput {
  payRollBankCode: string | null
  payRollBankName: string | null
  payRollBankCardNumber: string | null
  bankLinkNumber: string | null
}

/** Columns of the wage account. Throws if the card belongs to another person. */
export async function accountColumns(ctx: Context, workerId: string, account: AccountInput) {
  const number = normalBankCard(account.payRollBankCardNumber ?? '') || null
  if (!number) return {}
  const hash = ctx.secrets.blindIndex('bank-card', number)
  const holder = await cardHolder(ctx, hash, workerId)
  if (holder) throw new AppError('refused', `该工资卡已登记在${holder}名下，一人一卡`, { field: 'payRollBankCardNumber' })
  return {
    ...pick(account, 'payRollBankCode', 'payRollBankName', 'bankLinkNumber'),
    payRollBankCardNumber: ctx.secrets.seal(number),
    payRollBankCardHash: hash,
    payRollBankCardMask: maskBankCard(number),
  }
}
