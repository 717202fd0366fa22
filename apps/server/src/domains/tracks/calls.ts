import { AppError } from '@zhugong/contract/kit/errors'
import { parseInstant } from '@zhugong/contract/kit/fields'
import { dayMs } from '@zhugong/contract/kit/time'
import * as contract from '@zhugong/contract/tracks/calls'
import { formatDay, startOfDay } from '#kit/clock'
import type { HandlerOf, Serve } from '#kit/serve'
import { dayOf } from './day.ts'
import { latestOf } from './latest.ts'
import { keepLook, looks } from './looks.ts'
import { storePlaces } from './send.ts'
import { hoursOf, readDuty, requireBody, switchDuty, writeHours } from './settings.ts'
import { exportSheet } from './sheet.ts'

export function trackRoutes(serve: Serve): void {
  serve(contract.getTrack, readTrack)
  serve(contract.sendPlaces, storePlaces)
  serve(contract.getDuty, readDuty)
  serve(contract.setDuty, switchDuty)
  serve(contract.saveDutyHours, writeHours)
  serve(contract.listLooks, looks)
  serve(contract.trackSheet, exportSheet)
}

/** Longest period of one look. */
const longestMs = dayMs

const readTrack: HandlerOf<typeof contract.getTrack> = async ({ query }, ctx) => {
  requireBody(ctx)
  const now = ctx.clock.now()
  const today = formatDay(now)
  const mayView = ctx.codes.has('inspection.trackView')
  const userId = query.userId ?? (mayView ? undefined : ctx.user.id)
  if (userId !== undefined && userId !== ctx.user.id && !mayView) throw new AppError('forbidden', '只能查看自己的轨迹')
  const { keepDays } = await hoursOf(ctx)
  const { officers, sites } = await latestOf(ctx, mayView ? undefined : ctx.user.id)
  const n = (is: (one: contract.Officer) => boolean) => officers.filter(is).length
  const shared = {
    officers,
    sites,
    counts: {
      duty: n((one) => one.state !== 'off'),
      onSite: n((one) => one.projectCode !== null),
      checked: officers.reduce((sum, one) => sum + one.checked, 0),
      silent: n((one) => one.state === 'silent'),
    },
    keepDays,
  }
  if (userId === undefined || (query.userId === undefined && !query.startTime)) {
    if (mayView) await keepLook(ctx, { userId: null, kind: 'latest', day: today })
    return { ...shared, day: null }
  }
  const from = parseInstant(query.startTime ?? '') ?? startOfDay(today)
  const to = parseInstant(query.endTime ?? '') ?? from + dayMs
  if (to <= from) throw new AppError('invalidInput', '结束时间应晚于开始时间', { field: 'endTime' })
  if (to - from > longestMs) throw new AppError('invalidInput', '一次最多查看一天', { field: 'endTime' })
  const day = await dayOf(ctx, userId, new Date(from), new Date(to))
  await keepLook(ctx, { userId, kind: 'day', day: formatDay(from) })
  return { ...shared, day }
}
