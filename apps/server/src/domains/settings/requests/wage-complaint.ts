import { AppError } from '@zhugong/contract/kit/errors'
import type { complainOfWages } from '@zhugong/contract/settings/my-requests'
import { formatDay } from '#kit/clock'
import { projectsFor } from '#kit/context'
import type { HandlerOf } from '#kit/serve'
import { copyToPlace } from '../../workflow/public.ts'
import { asOwner } from '../own-file.ts'
import { ask, ownStay, registerPersonKind } from './request.ts'

/** A complaint about unpaid wages: the site's labour officer answers, and the supervising authority can read it from the start. */
export function registerWageComplaint(): void {
  registerPersonKind({
    kind: 'wageComplaint',
    prefix: 'QXTS',
    flow: [
      {
        key: 'site',
        name: '项目劳务员',
        places: ['site'],
        by: { kind: 'code', code: 'personnel.edit' },
        hours: 72,
        late: 'raise',
        mayTransfer: false,
        locked: true,
      },
    ],
    link: ({ projectCode }) => `/PersonRoster?projectCode=${projectCode ?? ''}`,
    fields: (row) => [
      { label: '欠付月份', value: row.fromMonth === row.toMonth ? row.fromMonth : `${row.fromMonth} 至 ${row.toMonth}` },
      { label: '本人主张金额', value: row.amountCents === null ? '未填写' : `${(Number(row.amountCents) / 100).toFixed(2)} 元` },
    ],
    answers: '请写明核实结果和支付安排（至少 5 个字）',
  })
}

/** The permission with which users of the authority can read complaints: access to labour statistics. */
const readsAlong = 'labour.stats'

export const askWages: HandlerOf<typeof complainOfWages> = async ({ body, query }, ctx) => {
  projectsFor(ctx, query.projectCode)
  const { id, code, itemId } = await ask(ctx, 'wageComplaint', body, async (own, workerId) => {
    const s = await ownStay(own, workerId, body.stayId)
    if (body.fromMonth < formatDay(s.entryTime).slice(0, 7))
      throw new AppError('invalidInput', `起始月份早于进场（${formatDay(s.entryTime)}）`, { field: 'fromMonth' })
    // Wages are often settled after the exit, so the whole month of leaving is accepted.
    if (s.exitTime && body.toMonth > formatDay(s.exitTime).slice(0, 7))
      throw new AppError('invalidInput', `截止月份晚于退场（${formatDay(s.exitTime)}）`, { field: 'toMonth' })
    return {
      projectCode: s.projectCode,
      corpCode: s.corpCode,
      subjectId: s.id,
      fromMonth: body.fromMonth,
      toMonth: body.toMonth,
      amountCents: body.amount ?? null,
      about: [s.projectName, s.corpName].filter(Boolean).join(' '),
    }
  })
  await asOwner(ctx, (own) => copyToPlace(own, itemId, 'authority', readsAlong))
  return { id, code }
}
