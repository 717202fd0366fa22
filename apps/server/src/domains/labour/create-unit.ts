import { maskPhone } from '@zhugong/contract/kit/checks'
import { AppError } from '@zhugong/contract/kit/errors'
import type * as contract from '@zhugong/contract/labour/unit-info'
import { type Context, oneProject } from '#kit/context'
import { isUniqueViolation } from '#kit/db'
import type { HandlerOf } from '#kit/serve'
import { joinUnit } from './units.ts'

/**
 * Creates a unit from the company's papers. If code and name match a registered company, it joins the project; an unknown company is
 * registered in short form and completed later by itself.
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
/** The platform may register a customer's company without its legal representative. */
type Company = Omit<Named, 'legalMan'> & Partial<Pick<Named, 'legalMan'>>

/** Registers an unknown company in short form; the remaining data are added later. */
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
