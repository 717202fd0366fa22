import { AppError } from '@zhugong/contract/kit/errors'
import { auditStates } from '@zhugong/contract/personnel/codes'
import { dictName } from '@zhugong/contract/settings/dictionaries'
import type { appealBadRecord } from '@zhugong/contract/settings/my-requests'
import { formatDay } from '#kit/clock'
import { projectsFor } from '#kit/context'
import type { HandlerOf } from '#kit/serve'
import { revokeBad } from '../../personnel/public.ts'
import { ask, ownBad, registerPersonKind } from './request.ts'

/**
 * An appeal against a confirmed misconduct record. Possible while the record counts, without suspending it (misconductState: 公示期内；不停止执行).
 * A successful appeal revokes the record. The group that confirmed it may not decide.
 */
export function registerBadAppeal(): void {
  registerPersonKind({
    kind: 'badAppeal',
    prefix: 'BLSS',
    flow: [
      {
        key: 'judge',
        name: '认定单位复核',
        places: ['authority', 'leader'],
        by: { kind: 'code', code: 'personnel.badAudit' },
        hours: 240,
        late: 'raise',
        locked: true,
      },
    ],
    reads: ['personnel.badAudit'],
    link: () => '/personnelSystem',
    findings: async ({ db, clock }, row) => {
      const bad = await db
        .selectFrom('workerBad')
        .select('validUntil')
        .where('id', '=', row.subjectId ?? '')
        .executeTakeFirst()
      if (!bad) return [{ level: 'bad', text: '所申诉的记录已不存在' }]
      return bad.validUntil !== null && bad.validUntil < formatDay(clock.now())
        ? [{ level: 'warn', text: '影响期已过，记录不再有影响' }]
        : []
    },
    mayDecide: async (ctx, row) => {
      const bad = await ctx.db
        .selectFrom('workerBad')
        .select('auditedBy')
        .where('id', '=', row.subjectId ?? '')
        .executeTakeFirst()
      if (bad?.auditedBy === ctx.user.id) throw new AppError('refused', '认定该记录的人员不能审理对它的申诉')
    },
    passed: (ctx, row) => revokeBad(ctx, row.subjectId ?? ''),
  })
}

export const askAppeal: HandlerOf<typeof appealBadRecord> = async ({ body, query }, ctx) => {
  projectsFor(ctx, query.projectCode)
  const { id, code } = await ask(ctx, 'badAppeal', body, async (own, workerId) => {
    const bad = await ownBad(own, workerId, body.badId)
    if (bad.auditStatus !== auditStates.passed)
      throw new AppError('refused', '只能申诉已认定的记录；待认定的请提出异议', { field: 'badId' })
    if (bad.misconductId !== null)
      throw new AppError('refused', '该记录依据不良行为认定书，请由所在企业或项目部在“不良行为”中申诉', { field: 'badId' })
    if (bad.validUntil !== null && bad.validUntil < formatDay(own.clock.now()))
      throw new AppError('refused', `已过申诉期限（影响期至 ${bad.validUntil}）`, { field: 'badId' })
    return {
      projectCode: bad.projectCode,
      corpCode: bad.corpCode,
      subject: 'bad' as const,
      subjectId: bad.id,
      about: `${dictName('badActionType', bad.badRecordType) ?? '不良记录'} ${bad.occurrenceDate}`,
    }
  })
  return { id, code }
}
