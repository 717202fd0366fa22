import * as contract from '@zhugong/contract/prevention/endpoints'
import { projectsFor } from '#kit/context'
import type { Serve } from '#kit/serve'
import { exportOf, type ListContext, pagesOf } from '../exports/registry.ts'
import { actOnAlarms, countTempAlarms, findTempAlarms, tempAlarmDetail, tempAlarmPage, toTempAlarm } from './alarms.ts'
import { countReadings, declarationPage, findReadings, healthyPage, limitsOf, readingPage, toReading } from './readings.ts'
import { saveSetting, settingAnswer } from './settings.ts'

export function preventionRoutes(serve: Serve): void {
  serve(contract.getTempSetting, async ({ query }, ctx) => settingAnswer(ctx, query.projectCode))
  serve(contract.saveTempSetting, async ({ body }, ctx) => saveSetting(ctx, body))
  serve(contract.listTempAlarms, async ({ query }, ctx) => tempAlarmPage(ctx, query))
  serve(contract.getTempAlarm, async ({ params }, ctx) => tempAlarmDetail(ctx, params.id))
  serve(contract.actOnTempAlarms, async (input, ctx) => actOnAlarms(ctx, input))
  serve(contract.listTemperatures, async ({ query }, ctx) => readingPage(ctx, query))
  serve(contract.listDeclarations, async ({ query }, ctx) => declarationPage(ctx, query))
  serve(contract.listHealthy, async ({ query }, ctx) => healthyPage(ctx, query))
}

type AlarmQuery = NonNullable<(typeof contract.listTempAlarms)['types']>['parsed']['query']
type ReadingQuery = NonNullable<(typeof contract.listTemperatures)['types']>['parsed']['query']
const widths = { name: 12, projectName: 28, corpName: 26 }

export function registerPreventionExports(): void {
  exportOf(
    contract.tempAlarmList,
    {
      title: '体温预警记录',
      widths,
      rows: (ctx: ListContext, query: AlarmQuery) =>
        pagesOf(query, async (q) => (await findTempAlarms(ctx, q)).map((a) => toTempAlarm(ctx, a))),
      count: countTempAlarms,
    },
    {
      level: (r) => r.levelName,
      handleState: (r) => r.handleStateName,
    },
  )
  exportOf(
    contract.temperatureList,
    {
      title: '人员体温记录',
      widths,
      async *rows(ctx: ListContext, query: ReadingQuery) {
        const limits = await limitsOf(ctx, projectsFor(ctx, query.projectCode))
        yield* pagesOf(query, async (q) => (await findReadings(ctx, q)).map((r) => toReading(ctx, r, limits)))
      },
      count: countReadings,
    },
    {
      level: (r) => r.levelName,
    },
  )
}
