import { improvementMoves } from '@zhugong/contract/quality/improvement-moves'
import { tellKeepers } from '../notify/public.ts'
import { type Ladder, writeLog } from '../process/public.ts'
import { improvementKind, pageOf } from './improvement-kind.ts'

/** A verification that is overdue: the group that wrote the improvement is reminded at each step. */
export const improvementLadder: Ladder = {
  kind: improvementKind.kind,
  climb: async (ctx, objectId, days) => {
    const row = await improvementKind.lock(ctx, objectId)
    await tellKeepers(ctx, {
      projectCode: row.projectCode,
      corpCode: null,
      groupId: row.authorGroup,
      code: improvementMoves.effective.needs,
      title: `质量改进验证逾期 ${days} 天`,
      text: `${row.code ?? ''} ${row.title}，验证日期 ${row.recheckAfter}`,
      link: pageOf(row),
      kind: 'rectify',
    })
    await writeLog(ctx, improvementKind.kind, row, { action: 'late', from: row.state, to: row.state, opinion: `逾期 ${days} 天未验证` })
  },
}
