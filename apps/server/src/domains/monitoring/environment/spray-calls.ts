import { AppError } from '@zhugong/contract/kit/errors'
import type * as environment from '@zhugong/contract/monitoring/environment/environment-endpoints'
import type { Config } from '#kit/config'
import { AfterCommit } from '#kit/context'
import type { HandlerOf } from '#kit/serve'
import { askIngest } from '../../telemetry/public.ts'
import { getDeviceRow } from '../shared/devices.ts'
import { noRuns, sprayDayPage, sprayRunPage } from './environment-pages.ts'

export const sprayRecords: HandlerOf<typeof environment.sprayRecords> = async ({ query }, ctx) => {
  const { sort } = query
  if (!query.groupBy) {
    const ofDays = sort === 'responsePercent' || sort === '-responsePercent' || sort === 'day' || sort === '-day'
    const byOver = sort === 'overMinutes' || sort === '-overMinutes'
    return sprayRunPage(ctx, { ...query, sort: ofDays || byOver ? undefined : sort })
  }
  const ofRuns = sort === 'time' || sort === '-time' || sort === 'startTime' || sort === '-startTime'
  const byLength = sort === 'durationSeconds' || sort === '-durationSeconds'
  return { ...(await sprayDayPage(ctx, { ...query, sort: ofRuns || byLength ? undefined : sort })), sums: noRuns }
}

export const switchSpray =
  (config: Pick<Config, 'ingestSocket'>): HandlerOf<typeof environment.switchSpray> =>
  async ({ body }, ctx) => {
    const row = await getDeviceRow(ctx, body.deviceId, 'sprayController')
    ctx.note(body.status === '1' ? `启动喷淋 ${body.minutes} 分钟` : '停止喷淋', row.id)
    const request = {
      deviceId: row.id,
      cmdId: ctx.newId(),
      cmd: body.status === '1' ? 'spray.start' : 'spray.stop',
      params: body.status === '1' ? { durationSeconds: Math.round(body.minutes * 60) } : {},
      by: ctx.user.name,
    }
    return new AfterCommit(async () => {
      const answer = await askIngest(config, '/command', request)
      if (answer.result !== 0) throw new AppError('refused', answer.message || '设备没有执行指令', { cmdId: answer.cmdId })
      return answer
    })
  }
