import { measureMoves } from '@zhugong/contract/measures/moves'
import { tellKeepers } from '../notify/public.ts'
import { type Ladder, writeLog } from '../process/public.ts'
import { measureKind, pageOf } from './kind.ts'

/** An overdue measure: the responsible side is reminded at each step, the author's group from the third day on. */
export const measureLadder: Ladder = {
  kind: measureKind.kind,
  climb: async (ctx, objectId, days) => {
    const row = await measureKind.lock(ctx, objectId)
    const { projectCode, corpCode, authorGroup: groupId } = row
    const text = `${row.name}，责任人 ${row.responsible}，截止 ${row.endDate}，尚无落实照片`
    const notification = { projectCode, corpCode, title: `安全措施逾期 ${days} 天`, text, link: pageOf(row), kind: 'rectify' }
    await tellKeepers(ctx, { ...notification, code: measureMoves.implement.needs })
    if (days >= 3) await tellKeepers(ctx, { ...notification, corpCode: null, groupId, code: measureMoves.submit.needs })
    await writeLog(ctx, measureKind.kind, row, { action: 'late', from: row.state, to: row.state, opinion: `逾期 ${days} 天未落实` })
  },
}
