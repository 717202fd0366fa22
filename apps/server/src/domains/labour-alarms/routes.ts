import { AppError } from '@zhugong/contract/kit/errors'
import { labourAlarmActions, mayTurn } from '@zhugong/contract/labour-alarms/codes'
import * as contract from '@zhugong/contract/labour-alarms/endpoints'
import { sql } from 'kysely'
import { changeRow } from '#kit/change-row'
import { projectsFor } from '#kit/context'
import { allOf, inProjects } from '#kit/list'
import type { HandlerOf, Serve } from '#kit/serve'
import { exportOf, type ListContext, pagesOf } from '../exports/registry.ts'
import { countLabourAlarms, countsOf, findLabourAlarms, toLabourAlarm } from './find.ts'

export function labourAlarmRoutes(serve: Serve): void {
  serve(contract.listLabourAlarms, async ({ query }, ctx) => ({
    list: (await findLabourAlarms(ctx, query)).map(toLabourAlarm),
    total: await countLabourAlarms(ctx, query),
  }))
  serve(contract.labourAlarmCounts, async ({ query }, ctx) => countsOf(ctx, projectsFor(ctx, query.projectCode)))
  serve(contract.actOnLabourAlarms, actOnLabourAlarms)
}

const actOnLabourAlarms: HandlerOf<typeof contract.actOnLabourAlarms> = async ({ query, body }, ctx) => {
  const { action, remark } = body
  const { to, name } = labourAlarmActions[action]
  const now = new Date(ctx.clock.now())
  const { rows: found } = await sql<{ id: string; state: string; active: boolean; version: number }>`
    select id, state, active, version from labor_alarm a where a.id = any (${body.items.map((i) => i.id)})
      and ${allOf(...inProjects('a.projectCode', projectsFor(ctx, query.projectCode)))} for update`.execute(ctx.db)
  const byId = new Map(found.map((a) => [a.id, a]))
  if (byId.size === 0) throw new AppError('notFound', '预警不存在或不在您的管辖范围内')
  const skipped: { id: string; reason: string }[] = []
  let done = 0
  for (const { id, version } of body.items) {
    const alarm = byId.get(id)
    const reason = !alarm
      ? '预警不存在或不在您的管辖范围内'
      : alarm.version !== version
        ? '预警已有变化，请刷新后再处理'
        : mayTurn(alarm.state, alarm.active, action)
          ? undefined
          : `当前状态不能${name}`
    if (reason) {
      skipped.push({ id, reason })
      continue
    }
    await changeRow(ctx, 'laborAlarm', {
      key: { id },
      version,
      noun: '预警',
      values: { state: to, handler: ctx.user.id, handlerName: ctx.user.name, handleRemark: remark, handleTime: now },
    })
    done++
  }
  if (done === 0) throw new AppError('refused', skipped[0]?.reason ?? '没有可处理的预警')
  ctx.note(`劳务预警${name} ${done} 条`)
  return { done, skipped }
}

type Query = NonNullable<(typeof contract.listLabourAlarms)['types']>['parsed']['query']
export function registerLabourAlarmExport(): void {
  exportOf(
    contract.labourAlarmList,
    {
      title: '劳务预警',
      widths: { content: 48, projectName: 28, corpName: 26, name: 12, time: 20, lastTime: 20, handleTime: 20, handleRemark: 30 },
      rows: (ctx: ListContext, query: Query) => pagesOf(query, async (q) => (await findLabourAlarms(ctx, q)).map(toLabourAlarm)),
      count: countLabourAlarms,
    },
    {
      type: (r) => r.typeName,
      state: (r) => r.stateName,
    },
  )
}
