import { AppError } from '@zhugong/contract/kit/errors'
import { parseInstant } from '@zhugong/contract/kit/fields'
import { dayMs } from '@zhugong/contract/kit/time'
import * as calls from '@zhugong/contract/monitoring/unloading/platform-moves'
import { sql } from 'kysely'
import { formatInstant } from '#kit/clock'
import { projectsFor } from '#kit/context'
import type { Tx } from '#kit/db'
import { allOf, equals, inProjects, pageSlice } from '#kit/list'
import type { HandlerOf, Serve } from '#kit/serve'
import { placeMachine } from '../../equipment/public.ts'
import { fileIdsOf, keptFiles, linksOf } from '../../files/public.ts'
import { loadedFrom } from '../cycles/unloading.ts'
import { type DeviceRow, getDeviceRow } from '../shared/devices.ts'
import { numberOr } from '../shared/family.ts'

const family = 'unloadingPlatform'
/** Assumed rated load if none is set, tonnes. */
export const usualRatedLoad = 1.5

interface Row extends Omit<calls.PlatformMove, 'movedAt' | 'zeroedAt'> {
  movedAt: Date
  zeroedAt: Date | null
}
const columns = sql`m.id, m.project_code, m.device_id, d.name as device_name, m.moved_at, m.from_place, m.to_place, m.person_name, m.remark, m.files, m.by_name,
  m.zero_weight, m.zeroed_at, m.zeroed_by`

export function platformMoveRoutes(serve: Serve): void {
  serve(calls.listPlatformMoves, listPlatformMoves)
  serve(calls.addPlatformMove, addPlatformMove)
  serve(calls.zeroPlatform, zeroPlatform)
}

/** The last move of a platform. */
export async function lastMove(db: Tx, deviceId: string) {
  const { rows } = await sql<Pick<Row, 'id' | 'movedAt' | 'toPlace' | 'personName' | 'zeroWeight' | 'zeroedAt'>>`
    select id, moved_at, to_place, person_name, zero_weight, zeroed_at from platform_move where device_id = ${deviceId}
    order by moved_at desc, id desc limit 1`.execute(db)
  const [row] = rows
  return row ? { ...row, movedAt: row.movedAt.getTime(), zeroedAt: row.zeroedAt?.getTime() ?? null } : null
}

const listPlatformMoves: HandlerOf<typeof calls.listPlatformMoves> = async ({ query }, ctx) => {
  const { limit, offset } = pageSlice(query)
  const { rows } = await sql<Row & { total: number }>`
    select ${columns}, count(*) over ()::int as total from platform_move m join device d on d.id = m.device_id
    where ${allOf(...inProjects('m.project_code', projectsFor(ctx, query.projectCode)), ...equals('m.device_id', query.deviceId))}
    order by m.moved_at desc, m.id desc limit ${limit} offset ${offset}`.execute(ctx.db)
  return {
    list: rows.map(({ total: _total, ...row }) => ({
      ...row,
      movedAt: row.movedAt.getTime(),
      zeroedAt: row.zeroedAt?.getTime() ?? null,
      files: linksOf(ctx, row.files),
    })),
    total: rows[0]?.total ?? 0,
  }
}

/** Current load from the newest reading, if it is recent enough. */
const weighs = (row: DeviceRow, now: number): number | undefined =>
  row.ts && now - row.ts.getTime() <= calls.zeroFreshMs ? (numberOr(row.v?.weight) ?? undefined) : undefined

const addPlatformMove: HandlerOf<typeof calls.addPlatformMove> = async ({ query, body }, ctx) => {
  const platform = await getDeviceRow(ctx, body.deviceId, family)
  if (!(projectsFor(ctx, query.projectCode) ?? [platform.projectCode]).includes(platform.projectCode))
    throw new AppError('invalidInput', '卸料平台不属于所选项目', { field: 'deviceId' })
  const now = ctx.clock.now()
  const at = body.movedAt ? (parseInstant(body.movedAt) ?? now) : now
  if (at > now) throw new AppError('invalidInput', '移位时间不能晚于现在', { field: 'movedAt' })
  if (at < now - calls.movePastDays * dayMs)
    throw new AppError('invalidInput', `只能补登 ${calls.movePastDays} 天内的移位`, { field: 'movedAt' })
  const last = await lastMove(ctx.db, platform.id)
  if (last && at <= last.movedAt)
    throw new AppError('invalidInput', `移位时间应晚于上次移位（${formatInstant(last.movedAt)}）`, { field: 'movedAt' })
  if (body.toPlace === platform.installPlace) throw new AppError('invalidInput', '新位置与现在的位置相同', { field: 'toPlace' })
  const weight = weighs(platform, now)
  if (weight !== undefined && weight >= loadedFrom(numberOr(platform.params.ratedLoad) ?? usualRatedLoad))
    throw new AppError('refused', `平台上还有材料（${weight.toFixed(2)} t），清空后再移位`)
  const id = ctx.newId()
  const files = await keptFiles(ctx, fileIdsOf(body.files), [], 'files')
  await sql`insert into platform_move (id, project_code, device_id, moved_at, from_place, to_place, person_name, remark, files, by_name, create_time)
    values (${id}, ${platform.projectCode}, ${platform.id}, ${new Date(at)}, ${platform.installPlace ?? ''}, ${body.toPlace}, ${body.personName}, ${body.remark},
      ${files}::text[], ${ctx.user.name}, ${new Date(now)})`.execute(ctx.db)
  await placeMachine(ctx, platform.id, body.toPlace)
  ctx.note(`登记移位 ${platform.name}：${platform.installPlace ?? '未登记'} 至 ${body.toPlace}`, id)
  return { id }
}

const zeroPlatform: HandlerOf<typeof calls.zeroPlatform> = async ({ params, query }, ctx) => {
  const { rows } = await sql<{ deviceId: string; movedAt: Date; zeroedAt: Date | null; newest: boolean }>`
    select m.device_id, m.moved_at, m.zeroed_at, not exists (select 1 from platform_move x where x.device_id = m.device_id and x.moved_at > m.moved_at) as newest
    from platform_move m where ${allOf(...equals('m.id', params.id), ...inProjects('m.project_code', projectsFor(ctx, query.projectCode)))}
    for update`.execute(ctx.db)
  const [move] = rows
  if (!move) throw new AppError('notFound', '移位记录不存在或已删除')
  if (move.zeroedAt) throw new AppError('refused', '这次移位已经校零')
  if (!move.newest) throw new AppError('refused', '平台之后又移位，请对最近一次移位校零')
  const platform = await getDeviceRow(ctx, move.deviceId, family)
  const weight = weighs(platform, ctx.clock.now())
  if (weight === undefined || !platform.ts || platform.ts <= move.movedAt)
    throw new AppError('refused', '移位后还没有收到 10 分钟内的读数，不能校零')
  if (Math.abs(weight) > calls.zeroTolerance)
    throw new AppError('refused', `空载读数 ${weight.toFixed(2)} t，超过 ±${calls.zeroTolerance} t：请先在现场主机上校零`)
  await sql`update platform_move set zero_weight = ${weight}, zeroed_at = ${new Date(ctx.clock.now())}, zeroed_by = ${ctx.user.name}
    where id = ${params.id}`.execute(ctx.db)
  ctx.note(`校零 ${platform.name}：空载 ${weight.toFixed(2)} t`, params.id)
  return { zeroWeight: weight }
}
