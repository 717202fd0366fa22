import { AppError } from '@zhugong/contract/kit/errors'
import { nextPourSteps } from '@zhugong/contract/monitoring/formwork/formwork'
import * as calls from '@zhugong/contract/monitoring/point-changes'
import { sql } from 'kysely'
import { projectsFor } from '#kit/context'
import type { HandlerOf, Serve } from '#kit/serve'
import { findDeviceRows } from '../shared/devices.ts'
import { numberOr, textOr } from '../shared/family.ts'
import { changePoint, pointChanges } from '../shared/point-changes.ts'
import { newestOfPoints } from '../shared/points.ts'
import { bayOf } from './formwork.ts'
import { lastPourStep } from './pour-steps.ts'

const family = 'highFormwork'
/** Metrics relative to a zero. Force is excluded: the measured force is the pole's actual load. */
const zeroed = ['settlement', 'horizontalDisplacement', 'tiltX', 'tiltY'] as const

export function formworkZeroRoutes(serve: Serve): void {
  serve(calls.listPointZeros, ({ query }, ctx) => pointChanges(ctx, family, query))
  serve(calls.zeroBay, zeroBay)
}

const zeroBay: HandlerOf<typeof calls.zeroBay> = async ({ query, body }, ctx) => {
  const [projectCode, ...more] = projectsFor(ctx, query.projectCode) ?? []
  if (!projectCode || more.length > 0) throw new AppError('invalidInput', '请先选择一个项目', { field: 'projectCode' })
  // Shares the lock with starting a pour.
  await sql`select pg_advisory_xact_lock(hashtext(${`pour ${projectCode} ${body.bayName}`}))`.execute(ctx.db)
  const last = await lastPourStep(ctx.db, projectCode, body.bayName)
  if (!nextPourSteps(last?.kind).includes('start')) throw new AppError('refused', '浇筑进行中，不能归零')
  const { rows } = await findDeviceRows(ctx.db, family, [projectCode])
  const points = rows.filter((row) => row.status === '1' && bayOf(row) === body.bayName)
  if (points.length === 0) throw new AppError('invalidInput', '没有这个浇筑部位的测点', { field: 'bayName' })
  const at = ctx.clock.now()
  const fresh = (await newestOfPoints(ctx.db, family, points)).filter((one) => at - one.time <= calls.zeroReadingMs)
  if (fresh.length === 0) throw new AppError('refused', '10 分钟内没有测点上报，不能归零')
  for (const { device, pointCode, values } of fresh) {
    const current = device.points[pointCode]?.shift ?? {}
    // Stored values already contain the previous zero.
    const shift = Object.fromEntries(
      zeroed.flatMap((metric): [string, number][] => {
        const value = numberOr(values[metric])
        return value === null ? [] : [[metric, (current[metric] ?? 0) - value]]
      }),
    )
    await changePoint(
      ctx,
      { device, pointCode, kind: 'zeroed', at, reason: body.reason, value: numberOr(values.settlement), initial: null, files: [] },
      { since: at, shift: { ...current, ...shift } },
    )
  }
  const done = new Set(fresh.map((one) => one.device.id))
  const missing = points.filter((one) => !done.has(one.id)).map((one) => textOr(one.params.pointCode) ?? one.name)
  ctx.note(`${body.bayName} 测点归零 ${fresh.length} 个${missing.length > 0 ? `，未归零 ${missing.join('、')}` : ''}`, projectCode)
  return { zeroed: fresh.map((one) => one.pointCode), missing }
}
