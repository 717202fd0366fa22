import type * as calls from '@zhugong/contract/equipment/endpoints'
import type { ListenPorts } from '@zhugong/contract/equipment/gateway-endpoints'
import { familyOf, offlineSecondsOf } from '@zhugong/contract/telemetry/families'
import { sql } from 'kysely'
import { formatInstant } from '#kit/clock'
import { pick } from '#kit/pick'
import type { HandlerOf } from '#kit/serve'
import { linksOf } from '../files/public.ts'
import { veilFor } from '../readings/public.ts'
import { findChanges } from './change-log.ts'
import { findHealth } from './device-health.ts'
import { findSelfCheck } from './device-self-check.ts'
import { toDevice } from './device-view.ts'
import { getDeviceRow } from './device-write.ts'
import { missingParams } from './params.ts'
import { findRegistration, findWarnings } from './registrations.ts'

export const getDevice =
  (ports: ListenPorts): HandlerOf<typeof calls.getDevice> =>
  async ({ params }, ctx) => {
    const row = await getDeviceRow(ctx, params.id)
    const family = familyOf(row.family)
    const dues = await sql<{ id: string; kind: string; dueDate: string; noticeState: string }>`
    select id, kind, due_date, notice_state from device_due where device_id = ${row.id} order by due_date`.execute(ctx.db)
    const moves = await sql<{ at: Date; fromName: string | null; toName: string | null; since: Date; byName: string; reason: string }>`
    select m.at, a.name as from_name, b.name as to_name, m.since, m.by_name, m.reason from device_move m
    left join project a on a.project_code = m.from_project left join project b on b.project_code = m.to_project where m.device_id = ${row.id} order by m.at desc limit 50`.execute(
      ctx.db,
    )
    const hourly = await sql<{ hour: Date; readings: number; late: number; doubtful: number }>`
    select date_trunc('hour', ts) as hour, count(*)::int as readings, count(*) filter (where flag = 1)::int as late, count(quality)::int as doubtful
    from telemetry where device_id = ${row.id} and ts > ${new Date(ctx.clock.now() - 86_400_000)} and ts <= ${new Date(ctx.clock.now())} group by 1 order by 1`.execute(
      ctx.db,
    )
    const repairs = await sql<{
      n: number
    }>`select count(*)::int as n from device_repair where device_id = ${row.id} and done_at is null`.execute(ctx.db)
    const health = (await findHealth(ctx, [row.id])).get(row.id)
    const offlineSeconds = family ? offlineSecondsOf(family, row.intervalSeconds) : 60
    const veil = await veilFor(ctx, [row])
    const changes = await findChanges(ctx.db, 'device', row.id)
    return {
      ...toDevice(row, veil, true),
      health,
      access: row.access as unknown as Record<string, unknown>,
      params: veil.params(row, row.params),
      ...pick(row, 'intervalSeconds', 'lng', 'lat', 'leader', 'alarmCount', 'recordCount'),
      offlineSeconds,
      missing: missingParams(family, row.params),
      updateTime: row.updateTime ? formatInstant(row.updateTime) : null,
      files: linksOf(ctx, row.files),
      dues: dues.rows,
      moves: moves.rows.map((m) => ({
        ...m,
        fromName: m.fromName ?? '其他项目',
        toName: m.toName ?? '其他项目',
        at: formatInstant(m.at),
        since: formatInstant(m.since),
      })),
      // Former wearers are personal data too, like the current one.
      changes: veil.seesPerson(row) ? changes : changes.map((c) => ({ ...c, detail: [] })),
      ports,
      selfCheck: await findSelfCheck(ctx, row, health, offlineSeconds),
      hourly: hourly.rows.map((h) => ({ ...h, hour: h.hour.getTime() })),
      repairOpen: repairs.rows[0]?.n ?? 0,
      registration: row.protocol === 'jt808' ? await findRegistration(ctx, row.id) : null,
      warnings: await findWarnings(ctx, row.id),
    }
  }
