import * as calls from '@zhugong/contract/equipment/gate-endpoints'
import { maskName } from '@zhugong/contract/kit/checks'
import { AppError } from '@zhugong/contract/kit/errors'
import { familyOf } from '@zhugong/contract/telemetry/families'
import { sql } from 'kysely'
import { formatDay, formatInstant, startOfDay } from '#kit/clock'
import { type Context, found, projectsFor } from '#kit/context'
import { allOf, anyOf, condition, contains, equals, inProjects, orderBy, pageSlice } from '#kit/list'
import type { HandlerOf, Serve } from '#kit/serve'
import { linkOf } from '../files/public.ts'
import { noteChange } from './change-log.ts'

interface Gate {
  id: string
  name: string
  projectCode: string
}

async function getGate(ctx: Context, id: string): Promise<Gate> {
  const { rows } = await sql<Gate & { family: string }>`select d.id, d.name, d.project_code, d.family from device d
    where ${allOf(...equals('d.id', id), ...inProjects('d.project_code', projectsFor(ctx)))}`.execute(ctx.db)
  const row = found(rows[0], '门禁设备')
  if (row.family !== 'faceGate') throw new AppError('refused', `${row.name} 不是门禁设备`, { field: 'deviceId' })
  return row
}

// Reads tables of labour and personnel directly: gate access depends on stays, consents and photos in one query.
const present = sql`w.exit_time is null and w.stationed = '1' and w.attend_enabled and not w.black_hit`

export function gateRoutes(serve: Serve): void {
  serve(calls.listGates, listGates)
  serve(calls.syncGate, syncGate)
  serve(calls.gateSnaps, gateSnaps)
  serve(calls.gateFaces, gateFaces)
  serve(calls.clearGateFaces, clearGateFaces)
}

const listGates: HandlerOf<typeof calls.listGates> = async ({ query }, ctx) => {
  const today = new Date(startOfDay(formatDay(ctx.clock.now())))
  const where = allOf(
    condition(sql`d.family = 'faceGate'`),
    ...inProjects('d.project_code', projectsFor(ctx, query.projectCode)),
    ...equals('d.id', query.deviceId),
    ...contains('d.name', query.name),
    ...(query.online === undefined ? [] : [condition(sql`coalesce(l.online, false) = ${query.online}`)]),
  )
  const { limit, offset } = pageSlice(query)
  const order = orderBy(query.sort, { name: 'd.name', projectName: 'p.name', online: 'l.online', lastTime: 'l.ts' }, 'projectName', 'd.id')
  const { rows } = await sql<{
    id: string
    name: string
    deviceSn: string
    projectCode: string
    projectName: string
    direction: string | null
    role: string | null
    online: boolean
    ts: Date | null
    expected: number
    onGate: number
    waiting: number
    refused: number
    lastSync: Date | null
    passesToday: number
  }>`select d.id, d.name, d.device_sn, d.project_code, p.name as project_name, d.direction, d.gate_role as role, coalesce(l.online, false) as online, l.ts,
        (select count(*)::int from project_worker w where w.project_code = d.project_code and ${present}) as expected,
        f.on_gate, f.waiting, f.refused, f.last_sync,
        (select count(*)::int from device_record r where r.device_id = d.id and r.record = 'attendance' and r.ts >= ${today}) as passes_today
      from device d join project p on p.project_code = d.project_code left join device_latest l on l.device_id = d.id
      cross join lateral (select count(*) filter (where state = '1')::int as on_gate, count(*) filter (where state in ('0', '3'))::int as waiting,
        count(*) filter (where state = '2')::int as refused, max(at) as last_sync from gate_face g where g.device_id = d.id) f
      where ${where} order by ${order} limit ${limit} offset ${offset}`.execute(ctx.db)
  const total = await sql<{
    n: number
  }>`select count(*)::int as n from device d left join device_latest l on l.device_id = d.id where ${where}`.execute(ctx.db)
  return {
    list: rows.map(({ ts, lastSync, ...r }) => ({
      ...r,
      lastTime: ts?.getTime() ?? null,
      lastSync: lastSync ? formatInstant(lastSync) : null,
    })),
    total: total.rows[0]?.n ?? 0,
  }
}

const syncGate: HandlerOf<typeof calls.syncGate> = async ({ body }, ctx) => {
  const gate = await getGate(ctx, body.deviceId)
  const now = new Date(ctx.clock.now())
  // A face requires its owner's consent; without a photo on file, the gate takes one. Other people use cards.
  const may = sql`zg_face_agreed(w.worker_id)`
  const added = await sql`insert into gate_face (device_id, worker_id, project_code, corp_code, state, at)
      select distinct on (w.worker_id) ${gate.id}, w.worker_id, w.project_code, w.corp_code, '0', ${now}::timestamptz from project_worker w
      where w.project_code = ${gate.projectCode} and ${present} and ${may} order by w.worker_id, w.entry_time desc
      on conflict (device_id, worker_id) do update set state = case when gate_face.state = '3' then '0' else gate_face.state end, at = excluded.at
      where gate_face.state in ('2', '3') returning 1`.execute(ctx.db)
  const removed =
    await sql`update gate_face g set state = '3', reason = '已退场或不再允许通行', at = ${now} where g.device_id = ${gate.id} and g.state <> '3'
      and not exists (select 1 from project_worker w where w.worker_id = g.worker_id and w.project_code = g.project_code and ${present} and ${may}) returning 1`.execute(
      ctx.db,
    )
  const skipped = await sql<{ n: number }>`select count(distinct w.worker_id)::int as n from project_worker w
      where w.project_code = ${gate.projectCode} and ${present} and not ${may}`.execute(ctx.db)
  const on = await sql<{ n: number }>`select count(*)::int as n from gate_face where device_id = ${gate.id} and state = '1'`.execute(ctx.db)
  await noteChange(ctx, { subject: 'device', id: gate.id, projectCode: gate.projectCode, act: '人员同步' })
  ctx.note(`同步门禁人员 ${gate.name}`, gate.id)
  return { added: added.rows.length, removed: removed.rows.length, skipped: skipped.rows[0]?.n ?? 0, onGate: on.rows[0]?.n ?? 0 }
}

const gateSnaps: HandlerOf<typeof calls.gateSnaps> = async ({ query }, ctx) => {
  const gate = await getGate(ctx, query.deviceId)
  const record = familyOf('faceGate')?.record('attendance')
  const word = (field: string, value: unknown) => {
    const text = value === undefined || value === null ? '' : String(value)
    return record?.fields.find((f) => f.key === field)?.values?.[text] ?? text
  }
  const { limit, offset } = pageSlice(query)
  // A gate may send any id, so the photo must belong to the gate's project, and the caller needs the permission for passage photos.
  const { rows } = await sql<{ id: string; ts: Date; data: Record<string, unknown>; workerName: string | null; photoId: string | null }>`
      select r.id, r.ts, r.data, (select f.id from stored_file f where f.id = r.data ->> 'photoId' and f.project_code = r.project_code) as photo_id,
        (select w.worker_name from project_worker w where w.worker_id = r.data ->> 'workerId' and w.project_code = r.project_code order by w.entry_time desc limit 1) as worker_name
      from device_record r where r.device_id = ${gate.id} and r.record = 'attendance' order by r.ts desc, r.id limit ${limit} offset ${offset}`.execute(
    ctx.db,
  )
  const total = await sql<{
    n: number
  }>`select count(*)::int as n from device_record r where r.device_id = ${gate.id} and r.record = 'attendance'`.execute(ctx.db)
  return {
    list: rows.map(({ id, ts, data, workerName, photoId }) => ({
      id,
      time: ts.getTime(),
      // The name is shown only to users who may see the person's stay.
      name: workerName ? maskName(workerName) : '其他人员',
      personType: word('personType', data.personType),
      direction: word('direction', data.direction),
      mode: word('mode', data.mode),
      score: typeof data.score === 'number' ? data.score : null,
      pass: String(data.pass ?? '1') !== '0',
      photo: ctx.codes.has('attendance.photo') ? linkOf(ctx, photoId) : null,
    })),
    total: total.rows[0]?.n ?? 0,
  }
}

const gateFaces: HandlerOf<typeof calls.gateFaces> = async ({ query }, ctx) => {
  const gate = await getGate(ctx, query.deviceId)
  const where = allOf(condition(sql`g.device_id = ${gate.id}`), ...anyOf('g.state', query.state), ...contains('w.worker_name', query.name))
  const from = sql`gate_face g join lateral (select worker_name, team_id, corp_code from project_worker w where w.worker_id = g.worker_id and w.project_code = g.project_code
        order by entry_time desc limit 1) w on true left join team t on t.id = w.team_id left join corporation c on c.corp_code = g.corp_code`
  const { limit, offset } = pageSlice(query)
  const order = orderBy(query.sort, { at: 'g.at', state: 'g.state', name: 'w.worker_name' }, '-at', 'g.worker_id')
  const { rows } = await sql<{
    workerId: string
    workerName: string
    corpName: string | null
    teamName: string | null
    state: string
    reason: string | null
    at: Date
  }>`select g.worker_id, w.worker_name, c.corp_name, t.team_name, g.state, g.reason, g.at from ${from} where ${where} order by ${order} limit ${limit} offset ${offset}`.execute(
    ctx.db,
  )
  const total = await sql<{ n: number }>`select count(*)::int as n from ${from} where ${where}`.execute(ctx.db)
  // Reading a gate's people is recorded.
  await noteChange(ctx, { subject: 'device', id: gate.id, projectCode: gate.projectCode, act: '查看门禁人脸' })
  return {
    list: rows.map(({ workerName, corpName, at, ...r }) => ({
      ...r,
      name: maskName(workerName),
      corpName: corpName ?? '',
      at: formatInstant(at),
    })),
    total: total.rows[0]?.n ?? 0,
  }
}

const clearGateFaces: HandlerOf<typeof calls.clearGateFaces> = async ({ query }, ctx) => {
  const gate = await getGate(ctx, query.deviceId)
  const { rows } =
    await sql`update gate_face set state = '3', reason = '清空', at = ${new Date(ctx.clock.now())} where device_id = ${gate.id} and state <> '3' returning 1`.execute(
      ctx.db,
    )
  await noteChange(ctx, { subject: 'device', id: gate.id, projectCode: gate.projectCode, act: `清空人脸 ${rows.length} 人` })
  ctx.note(`清空门禁人脸 ${gate.name}（${rows.length} 人）`, gate.id)
  return { removed: rows.length }
}
