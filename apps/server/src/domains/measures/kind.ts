import { type MeasureAction, type MeasureState, measureMoves, measureStates } from '@zhugong/contract/measures/moves'
import { sql } from 'kysely'
import { type Context, found, groupTypes } from '#kit/context'
import type { Row } from '#kit/db'
import type { Kind, Todo } from '../process/public.ts'

export type Measure = Row<'safetyMeasure'> & {
  /** Who showed work done. */
  workers: string[]
}

/** 安全措施: written by the site or its company, implemented by the responsible company, archived by 监理. */
export const measureKind: Kind<Measure, typeof measureMoves> = {
  kind: 'safetyMeasures',
  noun: '安全措施',
  table: 'safetyMeasure',
  moves: measureMoves,
  stateName: (state) => measureStates[state as MeasureState] ?? state,
  lock: async (ctx, id) => {
    const { rows } = await sql<Measure>`select m.*,
        array(select w.by_id from safety_measure_work w where w.measure_id = m.id) as workers
      from safety_measure m where m.id = ${id} for update of m`.execute(ctx.db)
    return found(rows[0], '安全措施')
  },
  turns: {
    author: (ctx, row) => ctx.group.id === row.authorGroup,
    // The part in the project decides which company: `own` in the moves.
    responsible: (ctx) => ctx.group.type === groupTypes.project || ctx.group.type === groupTypes.corporation,
    supervisor: (ctx, row) => ctx.principal.scope.supervised.includes(row.projectCode),
  },
  hinder: (ctx, row, action) => hindrances[action]?.(ctx, row),
  todos: (row) => todosOf(row),
}

const hindrances: Partial<Record<MeasureAction, (ctx: Context, row: Measure) => string | undefined>> = {
  archive: (ctx, row) =>
    row.doneAt === null ? '尚未上传落实照片，不能归档' : row.workers.includes(ctx.user.id) ? '落实人不能归档自己落实的措施' : undefined,
}

const running: MeasureState = '1'

function todosOf(row: Measure): Todo[] {
  if (row.state !== running) return []
  const link = pageOf(row)
  if (row.doneAt === null)
    return [{ turn: 'responsible', codes: [measureMoves.implement.needs], title: `落实安全措施 ${row.name}`, link, due: row.endDate }]
  return [{ turn: 'supervisor', codes: [measureMoves.archive.needs], title: `确认并归档安全措施 ${row.name}`, link, due: null }]
}

export const pageOf = ({ id }: Pick<Measure, 'id'>): string => `/safetyMeasuresdetail?id=${id}`

export const stepLabels: Readonly<Record<string, string>> = {
  ...Object.fromEntries(Object.entries(measureMoves).map(([action, { label }]) => [action, label])),
  create: '起草',
  late: '逾期提醒',
}
