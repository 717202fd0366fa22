import { type ImprovementAction, improvementMoves } from '@zhugong/contract/quality/improvement-moves'
import { closedState } from '@zhugong/contract/rectify/moves'
import { dictName } from '@zhugong/contract/settings/dictionaries'
import { sql } from 'kysely'
import { formatDay } from '#kit/clock'
import { type Context, found } from '#kit/context'
import type { Row } from '#kit/db'
import type { Kind, Todo } from '../process/public.ts'

export type Improvement = Row<'qualityImprovement'>

/** Process type; also the kind of its notice's source. */
export const improvementType = 'qualityImprovement'

/** 质量改进: written by the site, its company or 监理; mended through its notice; judged by its author weeks later. */
export const improvementKind: Kind<Improvement, typeof improvementMoves> = {
  kind: improvementType,
  noun: '质量改进单',
  table: 'qualityImprovement',
  moves: improvementMoves,
  stateName: (state) => dictName('rectifyState', state) ?? state,
  lock: async (ctx, id) => {
    const { rows } = await sql<Improvement>`select * from quality_improvement where id = ${id} for update`.execute(ctx.db)
    return found(rows[0], '质量改进单')
  },
  turns: { author: (ctx, row) => ctx.group.id === row.authorGroup },
  hinder: (ctx, row, action) => hindrances[action]?.(ctx, row),
  todos: (row) => todosOf(row),
}

const judged = (ctx: Context, row: Improvement): string | undefined =>
  row.verdict !== null
    ? '已经验证过'
    : formatDay(ctx.clock.now()) < row.recheckAfter
      ? `验证日期为 ${row.recheckAfter}，到期后才能验证`
      : undefined
const hindrances: Partial<Record<ImprovementAction, (ctx: Context, row: Improvement) => string | undefined>> = {
  effective: judged,
  ineffective: judged,
}

/** Closed is not verified: the second date stays until it is judged. */
function todosOf(row: Improvement): Todo[] {
  if (row.state !== closedState || row.verdict !== null) return []
  return [
    {
      turn: 'author',
      forGroup: row.authorGroup,
      codes: [improvementMoves.effective.needs],
      title: `验证质量改进 ${row.code ?? ''}：${row.title}`,
      link: pageOf(row),
      due: row.recheckAfter,
    },
  ]
}

export const pageOf = ({ id }: Pick<Improvement, 'id'>): string => `/qualityImprovementdetail?id=${id}`

export const stepLabels: Readonly<Record<string, string>> = {
  ...Object.fromEntries(Object.entries(improvementMoves).map(([action, { label }]) => [action, label])),
  create: '起草',
  follow: '由无效的改进续开',
  late: '逾期提醒',
}
