import { sessionStates } from '@zhugong/contract/personnel/train-model'
import { sessionList } from '@zhugong/contract/personnel/training'
import { exportOf } from '../exports/registry.ts'
import { countSessions, readSessions, sessionConditions } from './train-sessions.ts'

export function registerSessionExport(): void {
  exportOf(
    sessionList,
    {
      title: '培训场次',
      widths: { startTime: 20, name: 30, projectName: 28, teams: 28 },
      async *rows(ctx, query) {
        yield* await readSessions(ctx, sessionConditions(ctx, query), { sort: query.sort })
      },
      count: (ctx, query) => countSessions(ctx, sessionConditions(ctx, query)),
    },
    { trainingType: (r) => r.typeName, teams: (r) => r.teams.join('、'), state: (r) => sessionStates[r.state] },
  )
}
