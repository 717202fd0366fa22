import { maskPhone } from '@zhugong/contract/kit/checks'
import { AppError } from '@zhugong/contract/kit/errors'
import type * as contract from '@zhugong/contract/labour/unit-info'
import { type Context, oneProject } from '#kit/context'
import { isUniqueViolation } from '#kit/db'
import type { HandlerOf } from '#kit/serve'
import { joinUnit } from './units.ts'

/**
 * Somebody who holds a company's papers knows code and name: with both right, one that is on the platform joins; one that is not is
 * entered in short, to be completed by the company itself.
 */
export const createUnit: HandlerOf<typeof contract.createUnit> = async ({ body }, ctx) => {
  const { company, ...part } = body
  const projectCode = oneProject(ctx, part.projectCode)
  const known = await ctx.system
    .selectFrom('corporation')
    .select(['corpName', 'enable'])
    .where('corpCode', '=', company.corpCode)
    .executeTakeFirst()
  if (known && known.corpName !== company.corpName)
    throw new AppError('refused', '该信用代码的企业已在平台登记，名称与填写的不一致，请核对', { field: 'company.corpName' })
  if (!known) await enterCompany(ctx, company)
  const id = await joinUnit(
    ctx,
    { ...part, projectCode, corpCode: company.corpCode },
    { corpName: company.corpName, enable: known ? known.enable : '1' },
  )
  return { id, corpCode: company.corpCode, isNew: !known }
}

type Named = NonNullable<(typeof contract.createUnit)['types']>['parsed']['body']['company']
/** Whoever opens a company for a customer need not know its legal representative. */
type Company = Omit<Named, 'legalMan'> & Partial<Pick<Named, 'legalMan'>>

/** A company that is found nowhere, in short: the rest of its file is filled in later. */
export async function enterCompany(ctx: Context, company: Company): Promise<void> {
  const { linkPhone, ...rest } = company
  try {
    await ctx.db
      .insertInto('corporation')
      .values({
        ...rest,
        id: ctx.newId(),
        linkPhone: ctx.secrets.seal(linkPhone),
        linkPhoneMask: maskPhone(linkPhone),
        ownerGroup: ctx.group.id,
        createBy: ctx.user.id,
      } as never)
      .execute()
  } catch (error) {
    if (isUniqueViolation(error)) throw new AppError('refused', '该信用代码的企业已在平台登记，请重试', { field: 'company.corpCode' })
    throw error
  }
  ctx.note(`新建企业 ${company.corpName}`, company.corpCode)
}
