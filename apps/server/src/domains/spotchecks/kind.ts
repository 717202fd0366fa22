import { dictName } from '@zhugong/contract/settings/dictionaries'
import { awaitedSpot, badSpot, handledSpot, type SpotAction, type SpotState, spotMoves } from '@zhugong/contract/spotchecks/moves'
import { sql } from 'kysely'
import { type Context, found } from '#kit/context'
import type { Row } from '#kit/db'
import type { Kind, Todo } from '../process/public.ts'

export type Spot = Row<'spotCheck'> & {
  /** State of the order about its failure; null without one. */
  noticeState: string | null
}

/** Of history, to-dos and of the notices that come from it. */
export const spotType = 'spotcheck'

/** 质量抽查: written and reported by whoever checks; the site learns of it when it is submitted. */
export const spotKind = {
  kind: spotType,
  noun: '质量抽查',
  table: 'spotCheck',
  moves: spotMoves,
  stateName: (state) => stateName(state),
  lock: (ctx, id) => readSpotRow(ctx, id, true),
  turns: { checker: (ctx, row) => ctx.group.id === row.checkerGroup },
  hinder: (_ctx, row, action) => hindrances[action]?.(row),
  todos: (row) => todosOf(row),
} as const satisfies Kind<Spot, typeof spotMoves>

export const stateName = (state: string): string => dictName('spotCheckState', state as SpotState) ?? state

/** One check; `lock`: for a change. @throws AppError `notFound` */
export async function readSpotRow(ctx: Pick<Context, 'db'>, id: string, lock = false): Promise<Spot> {
  const { rows } = await sql<Spot>`select c.*, (select r.state from rectify r where r.id = c.rectify_id) as notice_state
    from spot_check c where c.id = ${id} ${lock ? sql`for update of c` : sql``}`.execute(ctx.db)
  return found(rows[0], '质量抽查')
}

/** States of a notice that nobody has answered yet. */
const unanswered = ['1', '2', '3', '6']
const hindrances: Partial<Record<SpotAction, (row: Spot) => string | undefined>> = {
  amend: (row) => (row.reportNo === null ? '现场出结果的抽查没有检测报告' : undefined),
  close: (row) => (row.noticeState !== null && unanswered.includes(row.noticeState) ? '整改单尚未回复，不能复检' : undefined),
}

export const pageOf = ({ id }: Pick<Spot, 'id'>): string => `/qualitySpotCheckDetails?id=${id}`

export function todosOf(row: Pick<Spot, 'id' | 'state' | 'part' | 'kind' | 'checkerGroup' | 'labDue'>): Todo[] {
  const words = `${dictName('spotCheckKind', row.kind) ?? ''} ${row.part}`
  const todo = (code: string, what: string, due: string | null): Todo[] => [
    { turn: 'checker', forGroup: row.checkerGroup, codes: [code], title: `${what} ${words}`, link: pageOf(row), due },
  ]
  if (row.state === awaitedSpot) return todo(spotMoves.report.needs, '录入检测报告', row.labDue)
  if (row.state === badSpot) return todo(spotMoves.issue.needs, '抽查不合格，下发整改', null)
  return row.state === handledSpot ? todo(spotMoves.close.needs, '复检', null) : []
}

export const stepLabels: Readonly<Record<string, string>> = {
  ...Object.fromEntries(Object.entries(spotMoves).map(([action, { label }]) => [action, label])),
  create: '起草',
}
