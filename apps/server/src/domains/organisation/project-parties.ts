import { AppError } from '@zhugong/contract/kit/errors'
import { formatDay } from '#kit/clock'
import { type Context, groupTypes } from '#kit/context'
import { enterUnits } from '../labour/public.ts'

/** The owner (建设) and general contractor (总包) of a new project. */
export interface Parties {
  buildCorpCode: string
  contractorCorpCode: string
}

/** A company may create only projects it owns or leads, because it sees such projects completely. */
export function requireOwnProject(ctx: Pick<Context, 'group'>, parties: Parties): void {
  if (ctx.group.type !== groupTypes.corporation || [parties.buildCorpCode, parties.contractorCorpCode].includes(ctx.group.code)) return
  throw new AppError('forbidden', '企业只能新建本企业担任建设单位或总承包单位的项目', { field: 'contractorCorpCode' })
}

/** Owner and general contractor join today, or on the start date of the works if that is earlier. */
export async function enterParties(ctx: Context, projectCode: string, parties: Parties, startDate: string | undefined): Promise<void> {
  const today = formatDay(ctx.clock.now())
  const entryTime = startDate && startDate < today ? startDate : today
  const part = (corpType: string, corpCode: string) => ({
    id: ctx.newId(),
    projectCode,
    corpCode,
    corpType,
    entryTime,
    pmName: null,
    contractFile: '[]',
    bankAccounts: '[]',
    createBy: ctx.user.id,
  })
  await enterUnits(ctx.db, [part('008', parties.buildCorpCode), part('009', parties.contractorCorpCode)])
}
