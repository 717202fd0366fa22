import { maskPhone } from '@zhugong/contract/kit/checks'
import { AppError } from '@zhugong/contract/kit/errors'
import type { Shared } from '#kit/context'
import { isUniqueViolation, type Tx } from '#kit/db'

interface Person {
  account: string
  name: string
  phone: string
  passwordHash: string
}

/**
 * Creates an account with a password chosen by its owner. Each person has one account: throws at the field if the phone number already
 * has one.
 */
export async function makeAccount(ctx: Pick<Shared, 'newId' | 'secrets'>, tx: Tx, person: Person): Promise<string> {
  const phoneHash = ctx.secrets.blindIndex('phone', person.phone)
  const known = await tx.selectFrom('appUser').select('id').where('phoneHash', '=', phoneHash).executeTakeFirst()
  if (known) throw new AppError('refused', '该手机号已有账号，请选择“我已有账号”，用原账号接受邀请', { field: 'phone' })
  const id = ctx.newId()
  try {
    await tx
      .insertInto('appUser')
      .values({
        id,
        account: person.account.toLowerCase(),
        name: person.name,
        phone: ctx.secrets.seal(person.phone),
        phoneHash,
        phoneMask: maskPhone(person.phone),
        passwordHash: person.passwordHash,
        mustChange: false,
        createBy: id,
      })
      .execute()
  } catch (error) {
    throw isUniqueViolation(error) ? new AppError('refused', '账号已存在，请换一个', { field: 'account' }) : error
  }
  return id
}
