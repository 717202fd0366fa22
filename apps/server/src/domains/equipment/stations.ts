import { randomBytes } from 'node:crypto'
import type * as calls from '@zhugong/contract/equipment/endpoints'
import { segmentLimits } from '@zhugong/contract/equipment/endpoints'
import { paramsSaidByAccess } from '@zhugong/contract/equipment/said-by-access'
import type { Endpoint } from '@zhugong/contract/kit/endpoint'
import { AppError } from '@zhugong/contract/kit/errors'
import { parseInstant } from '@zhugong/contract/kit/fields'
import { familyOf } from '@zhugong/contract/telemetry/families'
import { sql } from 'kysely'
import { formatInstant } from '#kit/clock'
import { type Context, found, oneProject, projectsFor, requireCode } from '#kit/context'
import { allOf, type Condition, contains, equals, inProjects, instantsBetween, orderBy, pageSlice } from '#kit/list'
import { type Difference, findChanges, noteChange } from './change-log.ts'
import { badFrames } from './device-view.ts'
import { guarded, moveDevice, removeDevices, usableModel } from './device-write.ts'
import { soundFrameResults } from './frame-words.ts'
import { fenceOf, outsideMeters } from './place.ts'
import { checkCodes, particulates, standardCodes } from './station-codes.ts'
import { newStationPassword } from './station-password.ts'
import type { DeviceAccess } from './tables.ts'

type ParsedOf<E> = E extends Endpoint<infer _I, infer P, infer _O> ? P : never
type Update = ParsedOf<typeof calls.updateGateway> extends { body: infer B } ? B : never
type Query = ParsedOf<typeof calls.listGateways> extends { query: infer Q } ? Q : never

interface Row {
  id: string
  name: string
  projectCode: string
  projectName: string
  family: string
  access: DeviceAccess
  accessKey: string
  status: string
  online: boolean
  ts: Date | null
  modelId: string | null
  modelName: string | null
  intervalSeconds: number
  bad: number
  edition: number | null
  address: string | null
  createTime: Date
  version: number
  lng: number | null
  lat: number | null
  projectLng: number
  projectLat: number
  areaRule: unknown
  hasKey: boolean
  firstActions: Record<string, unknown> | null
}

const from = sql`device d join project p on p.project_code = d.project_code left join device_latest l on l.device_id = d.id left join hj212_station h on h.id = d.id`
const missingUnits = sql`(select count(*)::int from unnest('{tsp,pm10,pm25}'::text[]) m where not coalesce(d.access -> 'units', '{}'::jsonb) ? m)`
const columnsAt = (
  now: number,
) => sql`d.id, d.name, d.project_code, p.name as project_name, d.family, d.access, d.access_key, d.status, coalesce(l.online, false) as online, l.ts, d.model_id,
  d.model_name, d.interval_seconds, h.edition, (select f.address from device_frame f where f.device_id = d.id order by f.time desc limit 1) as address, d.create_time, d.version, d.lng, d.lat,
  p.lng as project_lng, p.lat as project_lat, p.area_rule, h.sm4_key is not null as has_key, h.first_actions, ${badFrames(now, soundFrameResults)} as bad`

const editions: Readonly<Record<string, string>> = { '2005': '2005', '2017': '2017', '2025': '2025' }

export async function isStation(ctx: Pick<Context, 'db'>, id: string): Promise<boolean> {
  const { rows } = await sql`select 1 from device where id = ${id} and protocol = 'hj212'`.execute(ctx.db)
  return rows.length > 0
}

function toStation(r: Row, unknownCodes: number): calls.GatewayRow {
  const units = r.access.units ?? {}
  return {
    id: r.id,
    code: r.accessKey,
    name: r.name,
    connectionType: 'hj212',
    connType: '6',
    projectCode: r.projectCode,
    projectName: r.projectName,
    status: r.status === '1' ? '1' : '0',
    online: r.online,
    ip: r.address,
    lastSeen: r.ts ? formatInstant(r.ts) : null,
    devices: 1,
    devicesOnline: r.online ? 1 : 0,
    refused24h: r.bad,
    remark: null,
    createTime: formatInstant(r.createTime),
    version: r.version,
    msgPerMin: Math.round((60 / Math.max(0.1, Number(r.intervalSeconds))) * 10) / 10,
    station: {
      mn: r.access.mn ?? r.accessKey,
      edition: r.edition === null ? null : (editions[String(r.edition)] ?? String(r.edition)),
      crcMode: r.access.crcMode ?? 'standard',
      maxLength: r.access.maxLength ?? segmentLimits.standard,
      unitsMissing: particulates.filter((metric) => !units[metric]),
      units,
      modelId: r.modelId,
      modelName: r.modelName,
      intervalSeconds: Number(r.intervalSeconds),
      badFrames24h: r.bad,
      unknownCodes,
    },
  }
}

export async function findStations(ctx: Context, query: Query) {
  const now = ctx.clock.now()
  const scope = [...inProjects('d.project_code', projectsFor(ctx, query.projectCode)), sql`d.protocol = 'hj212'` as Condition]
  const wantsEnable = query.status ?? query.enable
  const where = allOf(
    ...scope,
    ...contains('d.name', query.name),
    ...contains('d.access_key', query.mn ?? query.code),
    ...contains('p.name', query.projectName),
    ...contains('d.model_name', query.modelName),
    ...(query.edition?.length ? [sql`h.edition::text = any (${query.edition})` as Condition] : []),
    ...(query.crcMode?.length ? [sql`coalesce(d.access ->> 'crcMode', 'standard') = any (${query.crcMode})` as Condition] : []),
    ...(query.unit?.length === 1 ? [sql`(${missingUnits} > 0) = ${query.unit[0] === 'missing'}` as Condition] : []),
    ...(query.online === undefined ? [] : [sql`coalesce(l.online, false) = ${query.online}` as Condition]),
    ...(wantsEnable?.length === 1 ? [sql`(d.status = '1') = ${wantsEnable[0] === '1'}` as Condition] : []),
    ...instantsBetween('l.ts', query.lastSeen),
    ...(query.badFrames24h?.low === undefined ? [] : [sql`${badFrames(now, soundFrameResults)} >= ${query.badFrames24h.low}` as Condition]),
    ...(query.badFrames24h?.high === undefined
      ? []
      : [sql`${badFrames(now, soundFrameResults)} <= ${query.badFrames24h.high}` as Condition]),
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

async function getStationRow(ctx: Context, id: string): Promise<Row> {
  const { rows } = await sql<Row>`select ${columnsAt(ctx.clock.now())} from ${from}
    where ${allOf(...equals('d.id', id), ...inProjects('d.project_code', projectsFor(ctx)), sql`d.protocol = 'hj212'` as Condition)}`.execute(
    ctx.db,
  )
  return found(rows[0], '环境网关')
}

interface SeenCode {
  code: string
  lastValue: string | null
  count: number
  lastTime: number | null
}

/** Codes in the readings of the last day: known ones by their metric, unknown ones as they were sent. */
async function findSeen(ctx: Context, id: string): Promise<{ metrics: Map<string, SeenCode>; unknown: SeenCode[] }> {
  const since = new Date(ctx.clock.now() - 86_400_000)
  const unknown = await sql<{ code: string; lastValue: string | null; count: number; lastTime: Date }>`
    select regexp_replace(k.key, '-[A-Za-z]+$', '') as code, (array_agg(k.value order by t.ts desc))[1] as last_value, count(*)::int as count, max(t.ts) as last_time
    from (select ts, extra from telemetry where device_id = ${id} and ts > ${since} and extra is not null order by ts desc limit 5000) t
    cross join lateral jsonb_each_text(t.extra) k where k.key ~ '-(Rtd|Avg|Data)$' group by 1 order by 1 limit 100`.execute(ctx.db)
  const latest = await sql<{ v: Record<string, unknown>; ts: Date; n: number }>`
    select l.v, l.ts, (select count(*)::int from telemetry t where t.device_id = ${id} and t.ts > ${since}) as n from device_latest l where l.device_id = ${id}`.execute(
    ctx.db,
  )
  const now = latest.rows[0]
  const metrics = new Map<string, SeenCode>()
  for (const [key, value] of Object.entries(now?.v ?? {}))
    metrics.set(key, {
      code: key,
      lastValue: value === null ? null : String(value),
      count: now?.n ?? 0,
      lastTime: now?.ts.getTime() ?? null,
    })
  return { metrics, unknown: unknown.rows.map((r) => ({ ...r, lastTime: r.lastTime.getTime() })) }
}

export async function findStation(ctx: Context, id: string) {
  const row = await getStationRow(ctx, id)
  const family = familyOf(row.family)
  const { metrics, unknown } = await findSeen(ctx, id)
  const own = row.access.codes ?? {}
  const listed = new Set<string>()
  const codes = [
    ...unknown.map((u) => ({
      ...u,
      metric: own[u.code]?.metric ?? null,
      factor: own[u.code]?.factor ?? 1,
      by: own[u.code] ? 'own' : 'none',
    })),
    ...Object.entries(own)
      .filter(([code]) => !unknown.some((u) => u.code === code))
      .map(([code, { metric, factor }]) => ({
        ...(metrics.get(metric) ?? { lastValue: null, count: 0, lastTime: null }),
        code,
        metric,
        factor,
        by: 'own',
      })),
    ...standardCodes.flatMap(({ code, metric }) => {
      const seen = metrics.get(metric)
      if (!seen || own[code] || listed.has(metric) || Object.values(own).some((o) => o.metric === metric)) return []
      listed.add(metric)
      return [{ ...seen, code, metric, factor: 1, by: 'standard' }]
    }),
  ].sort((a, b) => Number(a.metric !== null) - Number(b.metric !== null) || a.code.localeCompare(b.code))
  const moves = await sql<{ projectName: string | null; since: Date; byName: string; reason: string }>`
    select b.name as project_name, m.since, m.by_name, m.reason from device_move m left join project b on b.project_code = m.to_project where m.device_id = ${id} order by m.since`.execute(
    ctx.db,
  )
  const first = await sql<{
    name: string | null
  }>`select p.name from device_move m left join project p on p.project_code = m.from_project where m.device_id = ${id} order by m.since limit 1`.execute(
    ctx.db,
  )
  const stays = [
    {
      projectName: moves.rows.length ? (first.rows[0]?.name ?? '其他项目') : row.projectName,
      since: row.createTime,
      byName: '',
      reason: '',
    },
    ...moves.rows.map((m) => ({ ...m, projectName: m.projectName ?? '其他项目' })),
  ]
  const fence = fenceOf(row.areaRule)
  return {
    ...toStation(row, codes.filter((c) => c.by === 'none').length),
    clientId: row.accessKey,
    topics: { up: '', down: '' },
    deviceList: [
      { id: row.id, name: row.name, deviceSn: row.accessKey, family: row.family, online: row.online, lastTime: row.ts?.getTime() ?? null },
    ],
    poll: null,
    hours: [],
    changes: await findChanges(ctx.db, 'device', id),
    match: {
      codes,
      since: row.access.codesSince ?? null,
      metrics: (family?.metrics ?? [])
        .filter((m) => m.type === 'number' || m.type === 'integer')
        .map((m) => ({ key: m.key, label: m.label, unit: m.unit, min: m.min ?? null, max: m.max ?? null })),
      lng: row.lng,
      lat: row.lat,
      projectLng: row.projectLng,
      projectLat: row.projectLat,
      fence,
      outsideMeters: row.lng !== null && row.lat !== null && fence.length > 2 ? Math.round(outsideMeters([row.lng, row.lat], fence)) : null,
      moves: stays
        .map((s, i) => ({
          projectName: s.projectName,
          from: formatInstant(s.since),
          to: stays[i + 1] ? formatInstant(stays[i + 1]?.since ?? 0) : null,
          byName: s.byName,
          reason: s.reason,
        }))
        .reverse(),
      hasKey: row.hasKey,
      firstActions: row.firstActions ?? {},
    },
  }
}

export async function updateStation(ctx: Context, id: string, body: Update): Promise<{ id: string; secret?: string }> {
  const row = await getStationRow(ctx, id)
  if (body.version !== undefined && body.version !== row.version)
    throw new AppError('conflict', '环境网关已被他人修改，请刷新后再试', { version: row.version })
  const access: DeviceAccess = { ...row.access }
  const detail: Difference[] = []
  const change = (label: string, before: unknown, after: unknown) => {
    if (JSON.stringify(before ?? null) !== JSON.stringify(after ?? null))
      detail.push({
        label,
        before: before === undefined || before === null ? null : String(before),
        after: after === null ? null : String(after),
      })
  }
  const { station, modelMatch, projectMatch } = body
  if (station?.units) {
    for (const metric of particulates) change(`${metric} 单位`, access.units?.[metric], station.units[metric])
    access.units = station.units
  }
  if (station?.crcMode) {
    change('校验方式', access.crcMode ?? 'standard', station.crcMode)
    access.crcMode = station.crcMode
  }
  if (station?.maxLength) {
    change('最大长度', access.maxLength ?? segmentLimits.standard, station.maxLength)
    access.maxLength = station.maxLength
  }
  if (station?.mn) {
    change('MN', access.mn, station.mn)
    access.mn = station.mn
  }
  let model: { id: string; name: string; factoryId: string; factoryName: string; brandId: string; brandName: string } | null | undefined
  if (modelMatch) {
    checkCodes(familyOf(row.family), modelMatch.codes)
    change('型号匹配', Object.keys(row.access.codes ?? {}).length, Object.keys(modelMatch.codes).length)
    access.codes = modelMatch.codes
    // From here on; what is stored already is not reckoned anew.
    access.codesSince = formatInstant(ctx.clock.now())
    if (modelMatch.modelId !== undefined) model = modelMatch.modelId === null ? null : await usableModel(ctx, modelMatch.modelId)
    if (
      model &&
      familyOf(row.family) &&
      (await sql`select 1 from model where id = ${model.id} and family = ${row.family}`.execute(ctx.db)).rows.length === 0
    )
      throw new AppError('invalidInput', `型号 ${model.name} 不是环境监测设备`, { field: 'modelMatch.modelId' })
    if (model !== undefined) change('型号', row.modelName, model?.name ?? null)
  }
  let secret: string | undefined
  if (body.renewSecret) {
    requireCode(ctx, 'device-admin.secret')
    secret = newStationPassword()
  }
  let projectCode = row.projectCode
  if (projectMatch && projectMatch.projectCode !== row.projectCode) {
    requireCode(ctx, 'device-admin.transfer')
    projectCode = oneProject(ctx, projectMatch.projectCode)
  }
  change('名称', row.name, body.name ?? row.name)
  await guarded(
    sql`update device set name = ${body.name ?? row.name}, project_code = ${projectCode}, access = ${JSON.stringify(access)}::jsonb, access_key = ${access.mn ?? row.accessKey},
        access_secret = coalesce(${secret ? ctx.secrets.seal(secret) : null}::bytea, access_secret), interval_seconds = ${station?.intervalSeconds ?? row.intervalSeconds},
        model_id = ${model === undefined ? row.modelId : (model?.id ?? null)}, model_name = ${model === undefined ? row.modelName : (model?.name ?? null)},
        factory_id = case when ${model === undefined} then factory_id else ${model?.factoryId ?? null} end,
        factory_name = case when ${model === undefined} then factory_name else ${model?.factoryName ?? null} end,
        brand_id = case when ${model === undefined} then brand_id else ${model?.brandId ?? null} end,
        brand_name = case when ${model === undefined} then brand_name else ${model?.brandName ?? null} end,
        params = params || ${JSON.stringify(paramsSaidByAccess(access))}::jsonb,
        update_time = ${new Date(ctx.clock.now())}, update_by = ${ctx.user.name}, version = version + 1 where id = ${row.id}`.execute(
      ctx.db,
    ),
  )
  if (station?.sm4Key || station?.firstActions)
    await sql`insert into hj212_station (id, sm4_key, first_actions) values (${row.id}, ${station.sm4Key ? ctx.secrets.seal(station.sm4Key) : null},
        ${JSON.stringify(station.firstActions ?? {})}::jsonb)
      on conflict (id) do update set sm4_key = coalesce(excluded.sm4_key, hj212_station.sm4_key),
        first_actions = case when ${station.firstActions !== undefined} then excluded.first_actions else hj212_station.first_actions end`.execute(
      ctx.db,
    )
  if (projectCode !== row.projectCode)
    await moveDevice(ctx, row, projectCode, {
      since: projectMatch?.since ? parseInstant(projectMatch.since) : undefined,
      reason: projectMatch?.reason ?? '',
    })
  await noteChange(ctx, {
    subject: 'device',
    id: row.id,
    projectCode,
    act: projectCode !== row.projectCode ? '调拨' : secret ? '重置密码' : modelMatch ? '修改型号匹配' : '修改接入',
    detail,
  })
  ctx.note(secret ? `重置监测站密码 ${row.name}` : `修改环境网关 ${row.name}`, row.id)
  return { id: row.id, ...(secret ? { secret } : {}) }
}

export async function switchStation(ctx: Context, id: string, status: '0' | '1'): Promise<void> {
  const row = await getStationRow(ctx, id)
  if (row.status === '0' && status === '1') throw new AppError('refused', '监测站待审核，请在设备审核中通过')
  await sql`update device set status = ${status === '1' ? '1' : '3'}, update_time = ${new Date(ctx.clock.now())}, update_by = ${ctx.user.name}, version = version + 1 where id = ${id}`.execute(
    ctx.db,
  )
  await noteChange(ctx, { subject: 'device', id, projectCode: row.projectCode, act: status === '1' ? '启用' : '停用' })
  ctx.note(`${status === '1' ? '启用' : '停用'}环境网关 ${row.name}`, id)
}

/** Another station of the same kind, out of service until its own MN is written in. */
export async function copyStation(ctx: Context, id: string): Promise<{ id: string; secret: string }> {
  const row = await getStationRow(ctx, id)
  requireCode(ctx, 'device-admin.create')
  const made = ctx.newId()
  const mn = randomBytes(12).toString('hex').toUpperCase()
  const secret = newStationPassword()
  await sql`insert into device (id, project_code, name, device_sn, family, category, type, factory_name, brand_name, model_name, access, protocol, access_key, access_secret, params,
      interval_seconds, install_place, status, create_time, create_by, factory_id, brand_id, model_id, provider_id, origin, apply_time)
    select ${made}, project_code, ${`${row.name} 副本`.slice(0, 100)}, ${mn}, family, category, type, factory_name, brand_name, model_name,
      ${JSON.stringify({ ...row.access, mn })}::jsonb, 'hj212', ${mn}, ${ctx.secrets.seal(secret)}, params, interval_seconds, install_place, '3', ${new Date(ctx.clock.now())},
      ${ctx.user.name}, factory_id, brand_id, model_id, provider_id, '1', ${new Date(ctx.clock.now())} from device where id = ${row.id}`.execute(
    ctx.db,
  )
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
