import * as calls from '@zhugong/contract/alarms/endpoints'
import { AppError } from '@zhugong/contract/kit/errors'
import { familyOf } from '@zhugong/contract/telemetry/families'
import { sql } from 'kysely'
import { type Context, found, projectsFor, requireCode } from '#kit/context'
import { allOf, equals, inProjects, pageSlice } from '#kit/list'
import { pick } from '#kit/pick'
import type { HandlerOf, Serve } from '#kit/serve'
import { type AlarmRecord, alarmColumns, alarmHappened, openDrill, toAlarm, wornOf } from '../alarms/public.ts'
import { veilFor } from '../readings/public.ts'
import { defaultInWords } from './defaults.ts'
import { openedBy } from './opened-by.ts'

interface Device {
  id: string
  projectCode: string
  name: string
  family: string
  params: Record<string, unknown>
  intervalSeconds: number
  gatewayId: string | null
}

async function deviceOf(ctx: Context, id: string): Promise<Device> {
  const { rows } = await sql<Device>`select id, project_code, name, family, params, interval_seconds, gateway_id from device
    where id = ${id} and ${allOf(...inProjects('project_code', projectsFor(ctx)))}`.execute(ctx.db)
  return found(rows[0], '设备')
}

/** Drills are alarms excluded from statistics. A drill with sample data opens the alarms that the rules would open. */
export function drillRoutes(serve: Serve): void {
  serve(calls.listDrills, listDrills)
  serve(calls.startDrill, startDrill)
}

const listDrills: HandlerOf<typeof calls.listDrills> = async ({ query }, ctx) => {
  const where = allOf(...inProjects('s.project_code', projectsFor(ctx, query.projectCode)), ...equals('s.device_id', query.deviceId))
  const { limit, offset } = pageSlice(query)
  const { rows } = await sql<AlarmRecord & { notify: boolean; linkage: boolean; byName: string | null; endsAt: Date; total: number }>`
      select ${alarmColumns}, s.notify, s.linkage, s.by_name, s.ends_at, count(*) over ()::int as total
      from alarm_drill s join alarm a on a.id = s.alarm_id join project p on p.project_code = a.project_code
      where ${where} order by s.create_time desc, s.alarm_id limit ${limit} offset ${offset}`.execute(ctx.db)
  const now = ctx.clock.now()
  const veil = await veilFor(ctx, rows.map(wornOf))
  const list = rows.map((r) => ({
    ...toAlarm(r, now, veil),
    ...pick(r, 'notify', 'linkage', 'byName'),
    endTime: r.clearTime?.getTime() ?? r.endsAt.getTime(),
  }))
  return { list, total: rows[0]?.total ?? 0 }
}

const startDrill: HandlerOf<typeof calls.startDrill> = async ({ body }, ctx) => {
  // A drill may start real machines, which needs the permission for linkage.
  if (body.linkage) requireCode(ctx, 'rules.linkage')
  const device = await deviceOf(ctx, body.deviceId)
  const family = familyOf(device.family)
  const now = ctx.clock.now()
  const found = body.data
    ? await openedBy(ctx.db, device, body.data, now)
    : [{ alarmKey: body.alarmKey ?? '', level: body.level, ruleId: null, ruleVersion: null, text: '', metric: null }]
  const wanted = body.alarmKey ? found.filter((f) => f.alarmKey === body.alarmKey) : found
  if (wanted.length === 0) throw new AppError('refused', '模拟数据不会触发任何告警')
  const ids: string[] = []
  for (const one of wanted) {
    const kind = family?.alarm(one.alarmKey)
    if (!kind) throw new AppError('invalidInput', `${family?.name ?? '设备'}没有此告警`, { field: 'alarmKey' })
    const id = ctx.newId()
    const level = body.level ?? one.level ?? kind.level
    const at = new Date(now)
    await openDrill(ctx.db, {
      id,
      device,
      ...pick(one, 'alarmKey', 'metric', 'ruleId', 'ruleVersion'),
      label: kind.label,
      level,
      at: now,
      thresholdText: one.text || defaultInWords(kind, device.family),
      values: body.data ?? {},
      byName: ctx.user.name,
    })
    await sql`insert into alarm_drill (alarm_id, project_code, device_id, notify, linkage, ends_at, by_name, create_time)
        values (${id}, ${device.projectCode}, ${device.id}, ${body.notify}, ${body.linkage}, ${new Date(now + body.seconds * 1000)}, ${ctx.user.name}, ${at})`.execute(
      ctx.db,
    )
    if (body.notify || body.linkage) {
      const detail = { simulated: true, notify: body.notify, linkage: body.linkage }
      await alarmHappened(ctx.db, { alarmId: id, projectCode: device.projectCode, event: 'open', level, at: now, detail })
    }
    ids.push(id)
  }
  ctx.note(`告警演练：${device.name}`, ids[0])
  return { ids }
}
