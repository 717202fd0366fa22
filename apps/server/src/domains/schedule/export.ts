import { scheduleList, scheduleTaskList } from '@zhugong/contract/schedule/calls'
import { oneProject } from '#kit/context'
import { exportOf } from '../exports/registry.ts'
import { conditions, countSchedules, readSchedules } from './rows.ts'
import { countTasks, readTasks, taskConditions } from './tasks.ts'

const yes = (value: boolean) => (value ? '是' : '')

export function registerScheduleExports(): void {
  exportOf(
    scheduleList,
    {
      title: '项目进度',
      widths: { projectName: 32, projectCode: 24, corpName: 28, reportTime: 20 },
      async *rows(ctx, query) {
        yield* await readSchedules(ctx, conditions(ctx, query), { sort: query.sort })
      },
      count: (ctx, query) => countSchedules(ctx, conditions(ctx, query)),
    },
    { phase: (r) => r.phaseName, state: (r) => r.stateName, baseState: (r) => r.baseStateName },
  )
  exportOf(
    scheduleTaskList,
    {
      title: '进度计划与实际',
      widths: { wbs: 12, unitName: 16, name: 32, corpName: 28, delayReason: 36, reportTime: 20 },
      async *rows(ctx, query) {
        yield* await readTasks(ctx, taskConditions(oneProject(ctx, query.projectCode), query), { sort: query.sort })
      },
      count: (ctx, query) => countTasks(ctx, taskConditions(oneProject(ctx, query.projectCode), query)),
    },
    { milestone: (r) => yes(r.milestone), critical: (r) => yes(r.critical), state: (r) => r.stateName },
  )
}
