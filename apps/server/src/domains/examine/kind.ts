import { examineMoves, examineRights } from '@zhugong/contract/examine/moves'
import { submittedStates } from '@zhugong/contract/scoring/moves'
import { sql } from 'kysely'
import { type Context, found } from '#kit/context'
import { type Check, checkContent, checkerSeats, type Patrol, type PatrolKind, patrolKind } from '../checks/public.ts'
import type { Seat } from '../process/public.ts'

/** 项目安全检查: a patrol of the site by its own people, scored by the sheets of JGJ 59. */
export const examinePatrol: Patrol<typeof examineMoves> = {
  kind: 'examine',
  noun: '项目安全检查',
  moves: examineMoves,
  category: '01',
  series: 'ZC',
  page: (id) => `/safetyP/examine/details?id=${id}`,
}

/** Told by `readExamineRow`. */
const isArchived = (row: Check): boolean => 'archived' in row && row.archived === true

export const examineKind: PatrolKind<typeof examineMoves> = {
  ...patrolKind(examinePatrol),
  lock: (ctx, id) => readExamineRow(ctx, id, true),
  hinder: (_ctx, row, action) => {
    if (!isArchived(row)) return undefined
    return action === 'archive' ? '该检查已经归档' : '该检查已归档，不能再补充整改'
  },
  seats: (ctx, row) => examineSeats(ctx, row),
}

/** One check with whether it is archived; `lock`: for a change. @throws AppError `notFound` */
export async function readExamineRow(ctx: Pick<Context, 'db'>, id: string, lock = false): Promise<Check> {
  const { rows } = await sql<Check & { archived: boolean }>`select c.*,
      exists (select from site_examine e where e.check_id = c.id and e.archived_at is not null) as archived
    from site_check c where c.id = ${id} and c.kind = ${examinePatrol.kind} ${lock ? sql`for update of c` : sql``}`.execute(ctx.db)
  return found(rows[0], examinePatrol.noun)
}

/** Whoever checked, and the leader of the site who confirms the score. */
async function examineSeats(ctx: Pick<Context, 'db'>, row: Check): Promise<readonly Seat[]> {
  const { rows } = await sql<{
    score: number | null
    reason: string | null
  }>`select score, reason from check_score where check_id = ${row.id}`.execute(ctx.db)
  const content = { ...(await checkContent(ctx, row)), ...rows[0] }
  const leader = { seat: 'leader', role: '项目负责人', own: examineRights, tablet: examineRights, from: submittedStates, content }
  return [...checkerSeats(row, content, examineRights), leader]
}
