import { type BaseState, baseStateNames, baseStates, type ScheduleAction, scheduleMoves } from '@zhugong/contract/schedule/moves'
import { severeDays, shiftDay } from '@zhugong/contract/schedule/plan'
import { sql } from 'kysely'
import { formatDay } from '#kit/clock'
import { type Context, found } from '#kit/context'
import type { Row } from '#kit/db'
import type { Kind, Todo } from '../process/public.ts'

export type Schedule = Row<'schedule'> & {
  projectName: string
  tasks: number
  /** The group of the general contractor; null when it has no accounts. */
  companyGroup: string | null
}

/** Of history, to-dos and export. */
export const scheduleType = 'schedule'
const reportEvery = 7

/** 进度: planned and reported by the site, its baseline approved by 监理. */
export const scheduleKind = {
  kind: scheduleType,
  noun: '进度计划',
  table: 'schedule',
  moves: scheduleMoves,
  stateName: (state) => baseStateNames[state as BaseState] ?? state,
  lock: async (ctx, id) => {
    const { rows } = await sql<Schedule>`${selectSchedule} where s.id = ${id} for update of s`.execute(ctx.db)
    return found(rows[0], '进度计划')
  },
  turns: {
    // The part in the project decides: `site` in the moves.
    site: () => true,
    supervisor: (ctx, row) => ctx.principal.scope.supervised.includes(row.projectCode),
  },
  hinder: (_ctx, row, action) => hindrances[action]?.(row),
  todos: (row) => todosOf(row),
} as const satisfies Kind<Schedule, typeof scheduleMoves>

const selectSchedule = sql`select s.*, p.name as project_name, (select count(*)::int from schedule_task t where t.schedule_id = s.id) as tasks,
    (select t.id from tenant t where t.type = 2 and t.code = s.corp_code) as company_group
  from schedule s join project p using (project_code)`

/** The plan of a project as the caller sees it; undefined: none, or not his to see. */
export async function scheduleOf(ctx: Pick<Context, 'db'>, projectCode: string): Promise<Schedule | undefined> {
  const { rows } = await sql<Schedule>`${selectSchedule} where s.project_code = ${projectCode}`.execute(ctx.db)
  return rows[0]
}

const hindrances: Partial<Record<ScheduleAction, (row: Schedule) => string | undefined>> = {
  submitBaseline: (row) => (row.tasks === 0 ? '计划还没有任务，请先导入或新增' : undefined),
  report: (row) => (row.baseNo === 0 ? '基准计划批准后才能填报进度' : undefined),
}

export const pageOf = (projectCode: string): string => `/schedule/management?project=${projectCode}`

type Due = Pick<
  Schedule,
  'projectCode' | 'projectName' | 'state' | 'baseNo' | 'percent' | 'delayDays' | 'reportTime' | 'approvedAt' | 'companyGroup' | 'shownAt'
>

export function todosOf(row: Due): Todo[] {
  const link = pageOf(row.projectCode)
  const edits = [scheduleMoves.report.needs]
  const todos: Todo[] = []
  if (row.state === baseStates.submitted)
    todos.push({
      turn: 'supervisor',
      codes: [scheduleMoves.approveBaseline.needs],
      title: `批准进度基准：${row.projectName}`,
      link,
      due: null,
    })
  if (row.state === baseStates.drafted && row.shownAt !== null)
    todos.push({ turn: 'responsible', codes: edits, title: '进度基准被退回，修改后重新提交', link, due: null })
  const open = row.baseNo > 0 && row.percent < 100
  const since = row.reportTime ?? row.approvedAt
  if (open && since !== null)
    todos.push({ turn: 'responsible', codes: edits, title: '填报本周进度', link, due: shiftDay(formatDay(since), reportEvery) })
  if (open && row.delayDays > severeDays && row.companyGroup !== null)
    todos.push({
      turn: 'company',
      forGroup: row.companyGroup,
      codes: edits,
      title: `进度严重滞后 ${row.delayDays} 天，请督促赶工：${row.projectName}`,
      link,
      due: null,
    })
  return todos
}

export const scheduleLabels: Readonly<Record<string, string>> = {
  ...Object.fromEntries(Object.entries(scheduleMoves).map(([action, { label }]) => [action, label])),
  create: '开始编制',
  import: '导入计划',
}
