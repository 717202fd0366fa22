import { randomBytes } from 'node:crypto'
import type * as calls from '@zhugong/contract/equipment/gateway-endpoints'
import type { ParsedFor } from '@zhugong/contract/kit/endpoint'
import { AppError } from '@zhugong/contract/kit/errors'
import { stationProtocol } from '@zhugong/contract/protocols/hj212'
import { sql } from 'kysely'
import { changeRow } from '#kit/change-row'
import { type Context, projectsFor, requireCode } from '#kit/context'
import { allOf, condition, contains, inProjects, instantsBetween, orderBy, pageSlice } from '#kit/list'
import { noteChange } from './change-log.ts'
import { askReview } from './device-flow.ts'
import { badFrames } from './device-view.ts'
import { removeDevices } from './device-write.ts'
import { soundFrameResults } from './frame-words.ts'
import { isLimitedAt } from './own-machines.ts'
import { newStationPassword } from './station-password.ts'
import { columnsAt, from, getStationRow, missingUnits, type Row, toStation } from './station-store.ts'

type Query = ParsedFor<typeof calls.listGateways> extends { query: infer Q } ? Q : never

export async function isStation(ctx: Pick<Context, 'db'>, id: string): Promise<boolean> {
  const { rows } = await sql`select 1 from device where id = ${id} and protocol = ${stationProtocol}`.execute(ctx.db)
  return rows.length > 0
}

export async function findStations(ctx: Context, query: Query) {
  const now = ctx.clock.now()
  const scope = [...inProjects('d.project_code', projectsFor(ctx, query.projectCode)), condition(sql`d.protocol = ${stationProtocol}`)]
  const wantsEnable = query.status ?? query.enable
  const where = allOf(
    ...scope,
    ...contains('d.name', query.name),
    ...contains('d.access_key', query.mn ?? query.code),
    ...contains('p.name', query.projectName),
    ...contains('d.model_name', query.modelName),
    ...(query.edition?.length ? [condition(sql`h.edition::text = any (${query.edition})`)] : []),
    ...(query.crcMode?.length ? [condition(sql`coalesce(d.access ->> 'crcMode', 'standard') = any (${query.crcMode})`)] : []),
    ...(query.unit?.length === 1 ? [condition(sql`(${missingUnits} > 0) = ${query.unit[0] === 'missing'}`)] : []),
    ...(query.online === undefined ? [] : [condition(sql`coalesce(l.online, false) = ${query.online}`)]),
    ...(wantsEnable?.length === 1 ? [condition(sql`(d.status = '1') = ${wantsEnable[0] === '1'}`)] : []),
    ...instantsBetween('l.ts', query.lastSeen),
    ...(query.badFrames24h?.low === undefined ? [] : [condition(sql`${badFrames(now, soundFrameResults)} >= ${query.badFrames24h.low}`)]),
    ...(query.badFrames24h?.high === undefined ? [] : [condition(sql`${badFrames(now, soundFrameResults)} <= ${query.badFrames24h.high}`)]),
  )
  const order = query.sort
    ? orderBy(
        query.sort,
        {
          name: 'd.name',
          code: 'd.access_key',
          projectName: 'p.name',
          lastSeen: 'l.ts',
          online: 'l.online',
          status: 'd.status',
          createTime: 'd.create_time',
        },
        'name',
        'd.id',
      )
    : sql`(d.model_id is null or ${missingUnits} > 0) desc, l.ts nulls first, d.id`
  const { limit, offset } = pageSlice(query)
  const { rows } =
    await sql<Row>`select ${columnsAt(now)} from ${from} where ${where} order by ${order} limit ${limit} offset ${offset}`.execute(ctx.db)
  const total = await sql<{ n: number }>`select count(*)::int as n from ${from} where ${where}`.execute(ctx.db)
  const counts = await sql<{
    online: number
    offline: number
    disabled: number
    unmatched: number
    unitsMissing: number
    badFrames: number
  }>`
    select count(*) filter (where d.status = '1' and coalesce(l.online, false))::int as online, count(*) filter (where d.status = '1' and not coalesce(l.online, false))::int as offline,
      count(*) filter (where d.status <> '1')::int as disabled, count(*) filter (where d.model_id is null)::int as unmatched,
      count(*) filter (where ${missingUnits} > 0)::int as units_missing, coalesce(sum(${badFrames(now, soundFrameResults)}), 0)::int as bad_frames
    from ${from} where ${allOf(...scope)}`.execute(ctx.db)
  const n = counts.rows[0] ?? { online: 0, offline: 0, disabled: 0, unmatched: 0, unitsMissing: 0, badFrames: 0 }
  return { list: rows.map((r) => toStation(r, 0)), total: total.rows[0]?.n ?? 0, counts: { ...n, refused: 0 } }
}

export async function switchStation(ctx: Context, id: string, status: '0' | '1'): Promise<void> {
  const row = await getStationRow(ctx, id)
  // Enabling or disabling must not bypass the review.
  if (row.status === '0' || row.status === '2') throw new AppError('refused', '监测站待审核，请在设备审核中通过')
  await changeRow(ctx, 'device', {
    key: { id },
    version: row.version,
    noun: '设备',
    by: ctx.user.name,
    values: { status: status === '1' ? '1' : '3' },
  })
  await noteChange(ctx, { subject: 'device', id, projectCode: row.projectCode, act: status === '1' ? '启用' : '停用' })
  ctx.note(`${status === '1' ? '启用' : '停用'}环境网关 ${row.name}`, id)
}

/** Copies a station; the copy is out of service until its own MN is entered. */
export async function copyStation(ctx: Context, id: string): Promise<{ id: string; secret: string }> {
  const row = await getStationRow(ctx, id)
  requireCode(ctx, 'device-admin.create')
  const made = ctx.newId()
  const mn = randomBytes(12).toString('hex').toUpperCase()
  const secret = newStationPassword()
  // Without the review permission, a copy needs a review too.
  const status = ctx.codes.has('device-admin.audit') && !isLimitedAt(ctx, row.projectCode) ? '3' : '0'
  await sql`insert into device (id, project_code, name, device_sn, family, category, type, factory_name, brand_name, model_name, access, protocol, access_key, access_secret, params,
      interval_seconds, install_place, status, create_time, create_by, factory_id, brand_id, model_id, provider_id, origin, apply_time)
    select ${made}, project_code, ${`${row.name} 副本`.slice(0, 100)}, ${mn}, family, category, type, factory_name, brand_name, model_name,
      ${JSON.stringify({ ...row.access, mn })}::jsonb, ${stationProtocol}, ${mn}, ${ctx.secrets.seal(secret)}, params, interval_seconds, install_place, ${status}, ${new Date(ctx.clock.now())},
      ${ctx.user.name}, factory_id, brand_id, model_id, provider_id, '1', ${new Date(ctx.clock.now())} from device where id = ${row.id}`.execute(
    ctx.db,
  )
  await askReview(ctx, made)
  await noteChange(ctx, { subject: 'device', id: made, projectCode: row.projectCode, act: `由 ${row.name} 复制` })
  ctx.note(`复制环境网关 ${row.name}`, made)
  return { id: made, secret }
}

export async function removeStation(ctx: Context, id: string): Promise<void> {
  const row = await getStationRow(ctx, id)
  requireCode(ctx, 'device-admin.delete')
  await removeDevices(ctx, [row.id])
  ctx.note(`删除环境网关 ${row.name}`, row.id)
}
