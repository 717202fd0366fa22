import { constructionList } from '@zhugong/contract/daylogs/construction'
import { ownLogList } from '@zhugong/contract/daylogs/own-log'
import { dayMarks } from '@zhugong/contract/daylogs/rules'
import { safetyLogList, safetyMatrixList } from '@zhugong/contract/daylogs/safety-log'
import { exportOf } from '../exports/registry.ts'
import { countMatrix, readMatrix } from './matrix.ts'
import { conditions, countLogs, readLogs } from './rows.ts'

const widths = { day: 12, projectName: 28, parts: 40, submittedAt: 20 } as const
const legend = Object.entries(dayMarks)
  .flatMap(([mark, name]) => (name ? [`${mark} ${name}`] : []))
  .join('，')

export function registerDayLogExports(): void {
  exportOf(
    safetyLogList,
    {
      title: '项目安全日志',
      widths,
      async *rows(ctx, query) {
        yield* await readLogs(ctx, conditions(ctx, 'safetyPLog', query), { sort: query.sort })
      },
      count: (ctx, query) => countLogs(ctx, conditions(ctx, 'safetyPLog', query)),
    },
    { weather: (x) => x.weatherName, state: (x) => (x.late ? `${x.stateName}（补记）` : x.stateName) },
  )
  exportOf(
    safetyMatrixList,
    {
      title: '安全日志填写情况',
      widths: { projectName: 30, marks: 36 },
      heading: async (_ctx, query) => [`${query.month ?? '本月'}，每天一个字符：${legend}，- 不要求`],
      async *rows(ctx, query) {
        yield* (await readMatrix(ctx, query)).list
      },
      count: (ctx, query) => countMatrix(ctx, query),
    },
    { marks: (x) => x.marks },
  )
  exportOf(
    constructionList,
    {
      title: '施工日志',
      widths: { ...widths, unitName: 16, ran: 30, progress: 40 },
      async *rows(ctx, query) {
        yield* await readLogs(ctx, conditions(ctx, 'construction', query), { sort: query.sort })
      },
      count: (ctx, query) => countLogs(ctx, conditions(ctx, 'construction', query)),
    },
    { weather: (x) => x.weatherName, impact: (x) => x.impactName, state: (x) => (x.late ? `${x.stateName}（补记）` : x.stateName) },
  )
  exportOf(
    ownLogList,
    {
      title: '本单位安全日志',
      widths: { day: 12, parts: 40, submittedAt: 20, projects: 40 },
      async *rows(ctx, query) {
        yield* await readLogs(ctx, conditions(ctx, 'log', query), { sort: query.sort })
      },
      count: (ctx, query) => countLogs(ctx, conditions(ctx, 'log', query)),
    },
    { projects: (x) => x.visited.map((one) => one.name).join('、'), state: (x) => (x.late ? `${x.stateName}（补记）` : x.stateName) },
  )
}
