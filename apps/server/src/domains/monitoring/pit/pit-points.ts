import { AppError } from '@zhugong/contract/kit/errors'
import * as calls from '@zhugong/contract/monitoring/point-changes'
import type { PointMark } from '@zhugong/contract/telemetry/point-marks'
import { sql } from 'kysely'
import { type Context, projectsFor } from '#kit/context'
import { pick } from '#kit/pick'
import type { HandlerOf, Serve } from '#kit/serve'
import { fileIdsOf, keptFiles } from '../../files/public.ts'
import type { ReadingRow } from '../../readings/public.ts'
import { type DeviceRow, getDeviceRow } from '../shared/devices.ts'
import { numberOr, textOr } from '../shared/family.ts'
import { changePoint, faultless, pointChanges } from '../shared/point-changes.ts'
import { pitMetricOf, pitTypeOf, pitValue, profileOf, toPointReading } from '../shared/points.ts'
import { pitFamily } from './pit-of.ts'

export function pitPointRoutes(serve: Serve): void {
  serve(calls.listPitPointChanges, ({ query }, ctx) => pointChanges(ctx, pitFamily, query))
  serve(calls.changePitPoint, changePitPoint)
}

/** The newest good reading of a point. */
async function lastGood(ctx: Context, device: DeviceRow, pointCode: string) {
  const { rows } = await sql<ReadingRow>`
    select t.device_id, t.ts, t.seq, t.received_at, t.schema_ver, t.v, t.w, t.extra, t.quality, t.flag from telemetry t
    where t.device_id = ${device.id} and t.flag <> 2 and ${faultless('t')} and t.ts <= ${new Date(ctx.clock.now())}
      and coalesce(t.extra ->> 'pointCode', ${textOr(device.params.pointCode) ?? device.name}) = ${pointCode}
    order by t.ts desc, t.received_at desc, t.seq desc limit 1`.execute(ctx.db)
  return rows[0] && toPointReading(pitFamily, rows[0], device)
}

const changePitPoint: HandlerOf<typeof calls.changePitPoint> = async ({ query, body }, ctx) => {
  const device = await getDeviceRow(ctx, body.deviceId, pitFamily)
  if (!(projectsFor(ctx, query.projectCode) ?? [device.projectCode]).includes(device.projectCode))
    throw new AppError('invalidInput', '测点不属于所选项目', { field: 'deviceId' })
  // Serializes changes of a device: concurrent ones would build on each other.
  await sql`select 1 from device where id = ${device.id} for update`.execute(ctx.db)
  const current = (await getDeviceRow(ctx, device.id, pitFamily)).points[body.pointCode]
  const good = await lastGood(ctx, device, body.pointCode)
  if (!good && !current && (textOr(device.params.pointCode) ?? device.name) !== body.pointCode)
    throw new AppError('invalidInput', '设备下没有这个测点', { field: 'pointCode' })
  if (body.kind === 'damaged' && current?.damaged !== undefined) throw new AppError('refused', `${body.pointCode} 已标记损坏`)
  const at = ctx.clock.now()
  const type = good ? pitTypeOf(good) : (textOr(device.params.pointType) ?? 'surface')
  const value = good ? pitValue(type, good.values) : null
  const change = {
    device,
    ...pick(body, 'pointCode', 'kind', 'reason'),
    at,
    files: await keptFiles(ctx, fileIdsOf(body.files), [], 'files'),
  }
  if (body.kind === 'damaged') {
    const id = await changePoint(ctx, { ...change, value, initial: null }, { since: at, damaged: body.reason })
    ctx.note(`标记测点损坏 ${body.pointCode}：${body.reason}`, id)
    return { id }
  }
  const profile = good ? profileOf(good.values) : []
  if (profile.length > 0 && (body.carried !== null || body.initial !== null))
    throw new AppError('invalidInput', '测斜按各深度接续，不填接续值与初始值', { field: 'carried' })
  const carried = body.carried ?? value
  if (carried === null) throw new AppError('invalidInput', `${body.pointCode} 没有可接续的读数，请填写接续累计值`, { field: 'carried' })
  const initial = body.initial ?? 0
  const mark: PointMark = {
    since: at,
    shift: Object.fromEntries(shiftsOf(type, good?.values, carried, initial, body.carried !== null)),
    profile: profile.length > 0 ? [...profile].sort((a, b) => a.depth - b.depth) : undefined,
  }
  const id = await changePoint(ctx, { ...change, value: carried, initial }, mark)
  ctx.note(`更换测点 ${body.pointCode}：接续 ${carried}，初始 ${initial}，${body.reason}`, id)
  return { id }
}

/** Offsets added to the new instrument's readings; the tilt of a building has two directions. */
function shiftsOf(
  type: string,
  values: Readonly<Record<string, unknown>> | undefined,
  carried: number,
  initial: number,
  given: boolean,
): [string, number][] {
  if (type !== 'tilt' || given) return [[pitMetricOf(type), carried - initial]]
  return ['tiltX', 'tiltY'].flatMap((metric): [string, number][] => {
    const value = numberOr(values?.[metric])
    return value === null ? [] : [[metric, value - initial]]
  })
}
