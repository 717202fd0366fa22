import { type MeasureTaskState, taskMoves, taskStates } from '@zhugong/contract/measuring/moves'
import { dictName } from '@zhugong/contract/settings/dictionaries'
import { sql } from 'kysely'
import { type Context, found, groupTypes } from '#kit/context'
import type { Row } from '#kit/db'
import type { Kind, Todo } from '../process/public.ts'

export type Task = Row<'measureTask'>

const ofSite = (ctx: Pick<Context, 'group'>) => ctx.group.type === groupTypes.project || ctx.group.type === groupTypes.corporation

/** 实测实量任务: assigned to a measurer, measured, mended by the company that did the work, measured again. */
export const taskKind: Kind<Task, typeof taskMoves> = {
  kind: 'measureTask',
  noun: '实测实量任务',
  table: 'measureTask',
  moves: taskMoves,
  stateName: (state) => dictName('measureTaskState', state) ?? state,
  lock: async (ctx, id) => {
    const { rows } = await sql<Task>`select * from measure_task where id = ${id} for update`.execute(ctx.db)
    return found(rows[0], '实测实量任务')
  },
  turns: {
    // The part in the project decides which company: `acts` in the moves.
    site: ofSite,
    measurer: (ctx, row) => ctx.user.id === row.memberId,
    responsible: ofSite,
    reviewer: ofSite,
  },
  hinder: (ctx, row, action) => (action === 'retest' && row.fixBy === ctx.user.id ? '整改人不能复测自己的整改' : undefined),
  todos: (row) => todosOf(row),
}

const measuring: readonly MeasureTaskState[] = [taskStates.assigned, taskStates.running, taskStates.own]

export function todosOf(row: Pick<Task, 'id' | 'state' | 'taskName' | 'memberGroup' | 'deadline'>): Todo[] {
  const link = pageOf(row)
  if (measuring.includes(row.state))
    return [
      {
        turn: 'measurer',
        forGroup: row.memberGroup,
        codes: [taskMoves.submit.needs],
        title: `实测实量 ${row.taskName}`,
        link,
        due: row.deadline,
      },
    ]
  if (row.state === taskStates.toFix)
    return [{ turn: 'responsible', codes: taskMoves.fix.needs, title: `整改不合格测点 ${row.taskName}`, link, due: null }]
  if (row.state === taskStates.toRetest)
    return (['responsible', 'supervisor'] as const).map((turn) => ({
      turn,
      codes: [taskMoves.retest.needs],
      title: `复测 ${row.taskName}`,
      link,
      due: null,
    }))
  return []
}

export const pageOf = ({ id }: Pick<Task, 'id'>): string => `/measure_task?task=${id}`

export const stepLabels: Readonly<Record<string, string>> = {
  ...Object.fromEntries(Object.entries(taskMoves).map(([action, { label }]) => [action, label])),
  create: '指派',
  own: '自建',
}
