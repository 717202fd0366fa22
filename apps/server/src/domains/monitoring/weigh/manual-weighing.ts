import { AppError } from '@zhugong/contract/kit/errors'
import { parseInstant } from '@zhugong/contract/kit/fields'
import { dayMs } from '@zhugong/contract/kit/time'
import { weighType } from '@zhugong/contract/monitoring/weigh/weigh-codes'
import type * as calls from '@zhugong/contract/monitoring/weigh/weighing'
import { sql } from 'kysely'
import { formatDay } from '#kit/clock'
import { type Context, projectsFor } from '#kit/context'
import { allOf, equals } from '#kit/list'
import { pick } from '#kit/pick'
import type { HandlerOf } from '#kit/serve'
import { fileIdsOf, keptFiles } from '../../files/public.ts'
import { recordKeySql } from '../shared/device-records.ts'
import { getDeviceRow } from '../shared/devices.ts'
import { toTicket } from './ticket.ts'
import { requireSense } from './ticket-correction.ts'
import { family, now as heldNow, isVoid, record, ticketBy, ticketTables } from './ticket-store.ts'

/** Older weighings are refused: their month may be settled. */
const mostDaysBack = 7
/** Two tickets of a truck on one bridge within this time are one. */
const sameMs = 10 * 60_000

interface Weighed {
  gross: number | null
  tare: number | null
  grossTime: number | null
  tareTime: number | null
}

function weighed(body: Pick<Body, 'grossWeight' | 'tareWeight' | 'grossTime' | 'tareTime'>, now: number): Weighed {
  const timeOf = (value: number | null, at: string | null) => (value === null ? null : at === null ? now : (parseInstant(at) ?? now))
  return {
    gross: body.grossWeight,
    tare: body.tareWeight,
    grossTime: timeOf(body.grossWeight, body.grossTime),
    tareTime: timeOf(body.tareWeight, body.tareTime),
  }
}
type Body = NonNullable<(typeof calls.manualWeighing)['types']>['parsed']['body']

function requireTimes({ grossTime, tareTime }: Weighed, type: string, now: number): void {
  for (const [field, at] of [
    ['grossTime', grossTime],
    ['tareTime', tareTime],
  ] as const) {
    if (at === null) continue
    if (at > now) throw new AppError('invalidInput', '过磅时间不能晚于现在', { field })
    if (at < now - mostDaysBack * dayMs) throw new AppError('invalidInput', `只能补录近 ${mostDaysBack} 天的过磅`, { field })
  }
  // Deliveries are weighed full first, removals empty first.
  if (type === weighType.inward && grossTime !== null && tareTime !== null && tareTime < grossTime)
    throw new AppError('invalidInput', '收料先过毛重，皮重时间应晚于毛重时间', { field: 'tareTime' })
}

async function requireOnce(ctx: Context, deviceId: string, plateNo: string, at: number): Promise<void> {
  const { rows } = await sql<{ no: string }>`select coalesce(${heldNow('recordNo')}, r.id) as no from ${ticketTables}
    where ${allOf(...equals('r.device_id', deviceId), ...equals('r.record', record))} and r.ts between ${new Date(at - sameMs)} and ${new Date(at + sameMs)}
      and ${heldNow('plateNo')} = ${plateNo} and not ${isVoid} limit 1`.execute(ctx.db)
  if (rows[0]) throw new AppError('refused', `该车 10 分钟内已有磅单 ${rows[0].no}，不能重复补录`, { field: 'plateNo' })
}

/** Ticket numbers of manual weighings are consecutive per bridge and day. */
async function nextNumber(ctx: Context, deviceId: string, at: number): Promise<string> {
  const day = formatDay(at).replaceAll('-', '')
  const { rows } = await sql<{ n: number }>`select count(*)::int as n from device_record
    where device_id = ${deviceId} and record = ${record} and data ->> 'recordNo' like ${`SG${day}-%`}`.execute(ctx.db)
  return `SG${day}-${String((rows[0]?.n ?? 0) + 1).padStart(3, '0')}`
}

/**
 * Enters a manual weighing as a record of the bridge, permanently marked as manual. As with any weight not from a bridge, a second person must
 * approve it.
 */
export const manualWeighing: HandlerOf<typeof calls.manualWeighing> = async ({ query, body }, ctx) => {
  const bridge = await getDeviceRow(ctx, body.deviceId, family)
  if (!(projectsFor(ctx, query.projectCode) ?? [bridge.projectCode]).includes(bridge.projectCode))
    throw new AppError('notFound', '设备不存在或已删除')
  const now = ctx.clock.now()
  if (body.grossWeight === null && body.tareWeight === null)
    throw new AppError('invalidInput', '毛重与皮重至少填写一项', { field: 'grossWeight' })
  const at = weighed(body, now)
  requireTimes(at, body.weighType, now)
  const fields = {
    ...(at.gross === null ? {} : { grossWeight: at.gross }),
    ...(at.tare === null ? {} : { tareWeight: at.tare }),
  }
  const data = {
    source: 'manual',
    ...pick(body, 'plateNo', 'supplier', 'receiver'),
    direction: body.weighType,
    goodsName: body.material,
    goodsSpec: body.spec,
    plannedWeight: body.billWeight,
    deduction: body.deductWeight,
    grossTime: at.grossTime === null ? null : new Date(at.grossTime).toISOString(),
    tareTime: at.tareTime === null ? null : new Date(at.tareTime).toISOString(),
    operator: ctx.user.name,
    manualReason: body.reason,
    /** Whether the bridge was online at the time of the manual weighing. */
    bridgeOnline: bridge.online ?? false,
  }
  requireSense({ ...data, ...fields })
  const time = Math.max(at.grossTime ?? 0, at.tareTime ?? 0)
  // Serializes entries of a bridge: numbers have no gaps, and a truck is not entered twice.
  await sql`select pg_advisory_xact_lock(hashtextextended(${`weigh ${bridge.id}`}, 0))`.execute(ctx.db)
  await requireOnce(ctx, bridge.id, body.plateNo, time)
  const photos = await keptFiles(ctx, fileIdsOf(body.photos), [], 'photos')
  const id = `manual:${ctx.newId()}`
  const recordNo = await nextNumber(ctx, bridge.id, time)
  const said = JSON.stringify({ ...data, recordNo, photos })
  const pending = JSON.stringify({ fields, reason: body.reason, byName: ctx.user.name, at: now })
  const changes = JSON.stringify(Object.entries(fields).map(([field, to]) => ({ field, from: null, to })))
  await sql`insert into device_record (device_id, project_code, ts, id, record, data, received_at)
    values (${bridge.id}, ${bridge.projectCode}, ${new Date(time)}, ${id}, ${record}, ${said}::jsonb, ${new Date(now)})`.execute(ctx.db)
  await sql`insert into weigh_ticket (device_id, ts, record_id, project_code, pending)
    values (${bridge.id}, ${new Date(time)}, ${id}, ${bridge.projectCode}, ${pending}::jsonb)`.execute(ctx.db)
  await sql`insert into weigh_change (id, project_code, device_id, ts, record_id, at, action, changes, reason, by_name)
    values (${ctx.newId()}, ${bridge.projectCode}, ${bridge.id}, ${new Date(time)}, ${id}, ${new Date(now)}, 'manual', ${changes}::jsonb, ${body.reason},
      ${ctx.user.name})`.execute(ctx.db)
  const { rows } = await sql<{ key: string }>`select ${recordKeySql} as key from device_record r
    where r.device_id = ${bridge.id} and r.ts = ${new Date(time)} and r.id = ${id}`.execute(ctx.db)
  ctx.note(`手工补录过磅 ${recordNo} ${body.plateNo}（${body.reason}）`, rows[0]?.key)
  return toTicket(await ticketBy(ctx, rows[0]?.key ?? ''), now)
}
