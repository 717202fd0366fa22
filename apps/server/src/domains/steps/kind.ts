import { linkName } from '@zhugong/contract/steps/chain'
import { failedStep, type StepAction, type StepState, stepMoves, stepStates } from '@zhugong/contract/steps/moves'
import { sql } from 'kysely'
import { type Context, found } from '#kit/context'
import type { Row } from '#kit/db'
import type { Kind, Todo } from '../process/public.ts'
import { stepSeats } from './seats.ts'

export type Step = Row<'siteStep'> & {
  /** State of the order that its last failure became; null without one. */
  noticeState: string | null
}

/** Of history, to-dos, signatures and of the notices that come from it. */
export const stepType = 'qualityP'

/** 工序验收: written by the site, accepted by 监理 where the work is handed over or covered. */
export const stepKind = {
  kind: stepType,
  noun: '工序验收',
  table: 'siteStep',
  moves: stepMoves,
  stateName: (state) => stepStates[state as StepState] ?? state,
  lock: (ctx, id) => readStepRow(ctx, id, true),
  turns: {
    author: (ctx, row) => ctx.group.id === row.authorGroup,
    supervisor: (ctx, row) => ctx.principal.scope.supervised.includes(row.projectCode),
    // The part in the project decides: `site` in the moves.
    site: () => true,
  },
  hinder: (_ctx, row, action) => hindrances[action]?.(row),
  seats: (ctx, row) => stepSeats(ctx, row),
  todos: (row) => todosOf(row),
} as const satisfies Kind<Step, typeof stepMoves>

/** One record; `lock`: for a change. @throws AppError `notFound` */
export async function readStepRow(ctx: Pick<Context, 'db'>, id: string, lock = false): Promise<Step> {
  const { rows } = await sql<Step>`select s.*, (select r.state from rectify r where r.id = s.rectify_id) as notice_state
    from site_step s where s.id = ${id} ${lock ? sql`for update of s` : sql``}`.execute(ctx.db)
  return found(rows[0], '工序验收')
}

/** States of a notice that nobody has answered yet. */
const unanswered = ['1', '2', '3', '6']
const hindrances: Partial<Record<StepAction, (row: Step) => string | undefined>> = {
  recheck: (row) => (row.noticeState !== null && unanswered.includes(row.noticeState) ? '整改单尚未回复，不能复验' : undefined),
}

export const pageOf = ({ id }: Pick<Step, 'id'>): string => `/safetyP/qualityP/details?id=${id}`

export function todosOf(row: Pick<Step, 'id' | 'state' | 'part' | 'work' | 'kind' | 'authorGroup' | 'deadline'>): Todo[] {
  const words = `${row.part} ${linkName(row)}`
  const link = pageOf(row)
  if (row.state === '1') return [{ turn: 'supervisor', codes: [stepMoves.accept.needs], title: `验收 ${words}`, link, due: null }]
  if (row.state !== failedStep) return []
  return [{ turn: 'author', forGroup: row.authorGroup, codes: [stepMoves.recheck.needs], title: `复验 ${words}`, link, due: row.deadline }]
}

export const stepLabels: Readonly<Record<string, string>> = {
  ...Object.fromEntries(Object.entries(stepMoves).map(([action, { label }]) => [action, label])),
  create: '起草',
}
