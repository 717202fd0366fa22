import { maskName, normalizeIdCard } from '@zhugong/contract/kit/checks'
import { AppError } from '@zhugong/contract/kit/errors'
import { realNameStates } from '@zhugong/contract/personnel/rules'
import * as contract from '@zhugong/contract/personnel/workers'
import { changeRow } from '#kit/change-row'
import { type Context, groupTypes } from '#kit/context'
import type { HandlerOf, Serve } from '#kit/serve'
import { getHeldWorker, type Worker } from './store.ts'

type Check = NonNullable<(typeof contract.verifyWorker)['types']>['parsed']['body']

/** Real-name verification of one person; batches are in batches.ts (实名制管理办法 第十条: identity is checked against the card). */
export function verifyRoutes(serve: Serve) {
  serve(contract.verifyWorker, verifyWorker)
}

const verifyWorker: HandlerOf<typeof contract.verifyWorker> = async ({ body }, ctx) => {
  const worker = await getHeldWorker(ctx, body.workerId)
  const { realNameState, basis } = resultOf(ctx, worker, body)
  const version = await changeRow(ctx, 'worker', {
    key: { id: worker.id },
    version: body.version,
    noun: '人员档案',
    by: ctx.user.id,
    values: { realNameState },
  })
  ctx.note(`实名核验${realNameStates[realNameState]} ${maskName(worker.name)}（${basis}）`, worker.id)
  return { realNameState, version }
}

function resultOf(ctx: Context, worker: Worker, check: Check): { realNameState: '1' | '2' | '3'; basis: string } {
  if (check.way === 'operator') {
    if (ctx.group.type !== groupTypes.platform) throw new AppError('forbidden', '只有平台可以不凭证件登记核验结果', { field: 'way' })
    return { realNameState: check.state, basis: check.reason }
  }
  if (normalizeIdCard(check.idCardNumber) !== ctx.secrets.open(worker.idCardNumber))
    throw new AppError('refused', '证件号码与档案不一致，请核对证件或先更正身份', { field: 'idCardNumber' })
  if (check.name !== worker.name) throw new AppError('refused', '姓名与档案不一致，请核对证件或先更正身份', { field: 'name' })
  return { realNameState: '1', basis: '核对证件原件' }
}
