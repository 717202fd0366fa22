import { stopMoves } from '@zhugong/contract/stops/moves'
import { tellKeepers } from '../notify/public.ts'
import { type Ladder, writeLog } from '../process/public.ts'
import { pageOf, stopKind } from './kind.ts'

/** Days past the planned resumption after which the authority is told as well. */
const authorityToldFrom = 3

/** The ladder of a stop past its planned day, and of a site check past its date: the owner is reminded, later the authority is told. */
export const stopLadder: Ladder = {
  kind: stopKind.kind,
  climb: async (ctx, objectId, days) => {
    const row = await stopKind.lock(ctx, objectId)
    const { projectCode, corpCode, authorityGroup } = row
    const [title, day] = row.holding ? ['停工逾期未复工', row.planResumeDate] : ['复工现场核查逾期', row.checkDate]
    const notification = {
      projectCode,
      corpCode: null,
      title: `${title} ${days} 天`,
      text: `${row.code ?? ''} 计划 ${day ?? ''}`,
      link: pageOf(row.id),
      kind: 'stopapply',
    }
    if (row.holding) await tellKeepers(ctx, { ...notification, corpCode, code: stopMoves.submit.needs })
    if (authorityGroup && (!row.holding || days >= authorityToldFrom))
      await tellKeepers(ctx, { ...notification, groupId: authorityGroup, code: stopMoves.approve.needs })
    await writeLog(ctx, stopKind.kind, row, { action: 'late', from: row.state, to: row.state, opinion: `${title} ${days} 天` })
  },
}
