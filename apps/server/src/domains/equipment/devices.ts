import { randomBytes } from 'node:crypto'
import type { DeviceRow } from '@zhugong/contract/equipment/endpoints'
import * as calls from '@zhugong/contract/equipment/endpoints'
import { AppError } from '@zhugong/contract/kit/errors'
import { type Family, familyNamed, familyOf, offlineSecondsOf } from '@zhugong/contract/telemetry/families'
import { sql } from 'kysely'
import { formatDay, formatInstant } from '#kit/clock'
import { type Context, found, oneProject, projectsFor, requireCode } from '#kit/context'
import { isUniqueViolation } from '#kit/db'
import { allOf, anyOf, contains, daysBetween, equals, inProjects, instantsBetween, orderBy, pageSlice } from '#kit/list'
import type { Serve } from '#kit/serve'
import { getGatewayRow } from './gateways.ts'
import { missingParams, paramErrors } from './params.ts'
import type { DeviceAccess } from './tables.ts'
import { verifyDevice } from './verify.ts'

export interface DeviceListRow {
  id: string
  name: string
  deviceSn: string
  family: string
  category: string | null
  type: string | null
  projectCode: string
  projectName: string
  areaCode: string
  factoryName: string | null
  brandName: string | null
  modelName: string | null
  protocol: string
  gatewayId: string | null
  gatewayName: string | null
  installPlace: string | null
  installDate: string | null
  dueDate: string | null
  status: string
  online: boolean | null
  ts: Date | null
  receivedAt: Date | null
  v: Record<string, unknown> | null
  quality: Record<string, string> | null
  openLevel: number | null
  params: Record<string, unknown>
  createTime: Date
  version: number
}

export const deviceColumns = sql`d.id, d.name, d.device_sn, d.family, d.category, d.type, d.project_code, p.name as project_name, p.area_code, d.factory_name, d.brand_name, d.model_name,
  d.protocol, d.gateway_id, g.name as gateway_name, d.install_place, d.install_date, d.due_date, d.status, l.online, l.ts, l.received_at, l.v, l.quality,
  (select min(a.level) from alarm a where a.device_id = d.id and a.active and not a.simulated) as open_level, d.params, d.create_time, d.version`
export const deviceTables = sql`device d join project p on p.project_code = d.project_code left join gateway g on g.id = d.gateway_id left join device_latest l on l.device_id = d.id`

export function toDevice(row: DeviceListRow, withLatest: boolean): DeviceRow {
  const family = familyOf(row.family)
  const all = family?.params.length ?? 0
  return {
    id: row.id,
    name: row.name,
    deviceSn: row.deviceSn,
    family: row.family,
    familyName: family?.name ?? row.family,
    category: row.category ?? (family ? String(family.code) : null),
    type: row.type,
    projectCode: row.projectCode,
    projectName: row.projectName,
    areaCode: row.areaCode,
    factoryName: row.factoryName,
    brandName: row.brandName,
    modelName: row.modelName,
    protocol: row.protocol,
    gatewayId: row.gatewayId,
    gatewayName: row.gatewayName,
    installPlace: row.installPlace,
    installDate: row.installDate,
    dueDate: row.dueDate,
    status: row.status,
    online: row.online ?? false,
    lastTime: row.ts?.getTime() ?? null,
    openLevel: row.openLevel,
    complete: all ? Math.round((1 - missingParams(family, row.params).length / all) * 100) : 100,
    createTime: formatInstant(row.createTime),
    version: row.version,
    ...(withLatest
      ? {
          latest:
            row.ts && row.receivedAt && row.v
              ? { time: row.ts.getTime(), receivedAt: row.receivedAt.getTime(), values: row.v, quality: row.quality, flag: 0 }
              : null,
        }
      : {}),
  }
}

/** Families by key or code, however the caller names the filter. */
function familyKeys(...given: (string[] | undefined)[]): string[] | undefined {
  const names = given.flatMap((g) => g ?? [])
  if (names.length === 0) return undefined
  return names.map((name) => familyNamed(name)?.key ?? name)
}

const dueSoonDays = 30

export interface DeviceFilter {
  projectCode?: string | undefined
  name?: string | undefined
  deviceSn?: string | undefined
  family?: string[] | undefined
  category?: string[] | undefined
  type?: string[] | undefined
  protocol?: string[] | undefined
  gatewayId?: string | undefined
  status?: string[] | undefined
  auditState?: string[] | undefined
  online?: boolean | undefined
  dueDate?: { from: string | undefined; to: string | undefined } | undefined
  due?: boolean | undefined
  createTime?: { from: string | undefined; to: string | undefined } | undefined
}

export function deviceWhere(ctx: Pick<Context, 'scope' | 'scopeChecks' | 'clock'>, query: DeviceFilter) {
  const soon = formatDay(ctx.clock.now() + dueSoonDays * 86_400_000)
  return allOf(
    ...inProjects('d.project_code', projectsFor(ctx, query.projectCode)),
    ...contains('d.name', query.name),
    ...contains('d.device_sn', query.deviceSn),
    ...anyOf('d.family', familyKeys(query.family, query.category, query.type)),
    ...anyOf('d.protocol', query.protocol),
    ...equals('d.gateway_id', query.gatewayId),
    ...anyOf('d.status', query.status ?? query.auditState),
    ...(query.online === undefined ? [] : [sql`coalesce(l.online, false) = ${query.online}` as never]),
    ...daysBetween('d.due_date', query.dueDate),
    ...(query.due ? [sql`d.due_date <= ${soon}::date` as never] : []),
    ...instantsBetween('d.create_time', query.createTime),
  )
}

export const deviceSorts = {
  name: 'd.name',
  deviceSn: 'd.device_sn',
  family: 'd.family',
  projectName: 'p.name',
  online: 'l.online',
  lastTime: 'l.ts',
  openLevel: 'open_level',
  dueDate: 'd.due_date',
  status: 'd.status',
  createTime: 'd.create_time',
} as const

export function deviceRoutes(serve: Serve): void {
  serve(calls.listDevices, async ({ query }, ctx) => {
    const where = deviceWhere(ctx, query)
    const order = query.sort
      ? orderBy(query.sort, deviceSorts, 'name', 'd.id')
      : sql`open_level nulls last, coalesce(l.online, false), d.name, d.id`
    const { limit, offset } = pageSlice(query)
    const { rows } =
      await sql<DeviceListRow>`select ${deviceColumns} from ${deviceTables} where ${where} order by ${order} limit ${limit} offset ${offset}`.execute(
        ctx.db,
      )
    const counts = await sql<{ total: number }>`select count(*)::int as total from ${deviceTables} where ${where}`.execute(ctx.db)
    const whole = await sql<{ all: number; online: number; dueSoon: number }>`
      select count(*)::int as all, count(*) filter (where l.online)::int as online,
        count(*) filter (where d.due_date <= ${formatDay(ctx.clock.now() + dueSoonDays * 86_400_000)}::date)::int as due_soon
      from device d left join device_latest l on l.device_id = d.id
      where ${allOf(...inProjects('d.project_code', projectsFor(ctx, query.projectCode)), ...anyOf('d.family', familyKeys(query.family, query.category, query.type)))}`.execute(
      ctx.db,
    )
    const n = whole.rows[0] ?? { all: 0, online: 0, dueSoon: 0 }
    const withLatest = query.with?.includes('latest') ?? false
    return {
      list: rows.map((r) => toDevice(r, withLatest)),
      total: counts.rows[0]?.total ?? 0,
      counts: { ...n, offline: n.all - n.online },
    }
  })

  serve(calls.pickDevices, async ({ query }, ctx) => {
    const where = deviceWhere(ctx, { projectCode: query.projectCode, family: query.family, category: query.category, name: query.name })
    const { rows } = await sql<{ id: string; name: string; deviceSn: string; family: string; projectCode: string; online: boolean }>`
      select d.id, d.name, d.device_sn, d.family, d.project_code, coalesce(l.online, false) as online
      from device d left join device_latest l on l.device_id = d.id where ${where} order by d.name, d.id limit 20000`.execute(ctx.db)
    return { list: rows, total: rows.length }
  })

  serve(calls.getDevice, async ({ params }, ctx) => {
    const row = await getDeviceRow(ctx, params.id)
    const family = familyOf(row.family)
    return {
      ...toDevice(row, true),
      access: row.access as unknown as Record<string, unknown>,
      params: row.params,
      intervalSeconds: row.intervalSeconds,
      offlineSeconds: family ? offlineSecondsOf(family, row.intervalSeconds) : 60,
      lng: row.lng,
      lat: row.lat,
      leader: row.leader,
      missing: missingParams(family, row.params),
      alarmCount: row.alarmCount,
      recordCount: row.recordCount,
      updateTime: row.updateTime ? formatInstant(row.updateTime) : null,
    }
  })

  serve(calls.createDevice, async ({ body }, ctx) => {
    const projectCode = oneProject(ctx, body.projectCode)
    const family = familyGiven(body)
    const access = await accessOf(ctx, body.access ?? { protocol: 'http' }, body.deviceSn, projectCode)
    checkParams(family, body.params)
    const id = ctx.newId()
    // Whoever may review puts a device into service at once; from others it waits for the review.
    const status = ctx.codes.has('device-admin.audit') ? '1' : '0'
    await guarded(
      sql`insert into device (id, project_code, name, device_sn, family, category, type, factory_name, brand_name, model_name, access, protocol, access_key, access_secret,
          gateway_id, params, interval_seconds, lng, lat, install_place, install_date, due_date, leader, status, direction, gate_role, create_time, create_by)
        values (${id}, ${projectCode}, ${body.name}, ${body.deviceSn}, ${family.key}, ${String(family.code)}, ${body.type ?? null}, ${body.factoryName ?? null},
          ${body.brandName ?? null}, ${body.modelName ?? null}, ${JSON.stringify(access.stored)}::jsonb, ${access.stored.protocol}, ${access.key},
          ${access.secret ? ctx.secrets.seal(access.secret) : null}, ${access.stored.gatewayId ?? null}, ${JSON.stringify(body.params)}::jsonb,
          ${body.intervalSeconds ?? family.intervalSeconds}, ${body.lng ?? null}, ${body.lat ?? null}, ${body.installPlace ?? null}, ${body.installDate ?? null},
          ${body.dueDate ?? null}, ${body.leader ?? null}, ${status}, ${textParam(body.params, 'direction')}, ${textParam(body.params, 'role')},
          ${new Date(ctx.clock.now())}, ${ctx.user.name})`.execute(ctx.db),
    )
    await sql`delete from unregistered_device where identifier = any (${[body.deviceSn, access.key]})`.execute(ctx.db)
    ctx.note(`新增设备 ${body.name}`, id)
    return { id, status, ...(access.isNew && access.secret ? { password: access.secret } : {}) }
  })

  serve(calls.updateDevice, async ({ params, body }, ctx) => {
    const row = await getDeviceRow(ctx, params.id)
    if (body.version !== undefined && body.version !== row.version)
      throw new AppError('conflict', '设备已被他人修改，请刷新后再试', { version: row.version })
    if (body.auditState) {
      requireCode(ctx, 'device-admin.audit')
      if (row.createBy === ctx.user.name && row.status === '0' && ctx.group.type !== 0)
        throw new AppError('refused', '不能审核自己提交的设备')
    }
    const { auditState, auditRemark: _remark, ...rest } = body
    if (Object.keys(rest).some((key) => key !== 'version')) requireCode(ctx, 'device-admin.edit')
    if (body.projectCode && body.projectCode !== row.projectCode) {
      requireCode(ctx, 'device-admin.transfer')
      oneProject(ctx, body.projectCode)
    }
    const projectCode = body.projectCode ?? row.projectCode
    const family = body.family || body.category ? familyGiven(body) : familyOf(row.family)
    if (!family) throw new AppError('invalidInput', '设备类别不存在', { field: 'family' })
    const deviceSn = body.deviceSn ?? row.deviceSn
    const asked = body.access ?? (deviceSn === row.deviceSn ? undefined : (row.access as calls.AccessInput))
    const access = asked ? await accessOf(ctx, asked, deviceSn, projectCode, row) : undefined
    const merged = body.params ? { ...row.params, ...body.params } : row.params
    if (body.params) checkParams(family, body.params)
    const status = auditState ?? body.status ?? (row.status === '2' ? '0' : row.status)
    await guarded(
      sql`update device set name = ${body.name ?? row.name}, device_sn = ${deviceSn}, project_code = ${projectCode}, family = ${family.key}, category = ${String(family.code)},
          factory_name = ${pick(body.factoryName, row.factoryName)}, brand_name = ${pick(body.brandName, row.brandName)}, model_name = ${pick(body.modelName, row.modelName)},
          access = ${JSON.stringify(access?.stored ?? row.access)}::jsonb, protocol = ${access?.stored.protocol ?? row.protocol}, access_key = ${access?.key ?? row.accessKey},
          access_secret = coalesce(${access?.secret ? ctx.secrets.seal(access.secret) : null}::bytea, access_secret),
          gateway_id = ${access ? (access.stored.gatewayId ?? null) : row.gatewayId}, params = ${JSON.stringify(merged)}::jsonb,
          interval_seconds = ${body.intervalSeconds ?? row.intervalSeconds}, lng = ${pick(body.lng, row.lng)}, lat = ${pick(body.lat, row.lat)},
          install_place = ${pick(body.installPlace, row.installPlace)}, install_date = ${pick(body.installDate, row.installDate)}, due_date = ${pick(body.dueDate, row.dueDate)},
          leader = ${pick(body.leader, row.leader)}, status = ${status}, direction = ${textParam(merged, 'direction')}, gate_role = ${textParam(merged, 'role')},
          update_time = ${new Date(ctx.clock.now())}, update_by = ${ctx.user.name}, version = version + 1
        where id = ${row.id}`.execute(ctx.db),
    )
    // The record of an alarm stays with the project in which it was raised.
    if (projectCode !== row.projectCode) await closeAlarms(ctx, [row.id])
    ctx.note(`${auditState ? (auditState === '1' ? '审核通过' : '驳回') : '修改'}设备 ${row.name}`, row.id)
    return { id: row.id }
  })

  serve(calls.removeDevice, async ({ params }, ctx) => {
    const row = await getDeviceRow(ctx, params.id)
    await removeDevices(ctx, [row.id])
    ctx.note(`删除设备 ${row.name}`, row.id)
  })
  serve(calls.removeDevices, async ({ body }, ctx) => {
    const ids = [...new Set(body.ids)]
    const projects = projectsFor(ctx)
    const { rows } = await sql<{
      id: string
    }>`select d.id from device d where ${allOf(...anyOf('d.id', ids), ...inProjects('d.project_code', projects))}`.execute(ctx.db)
    if (rows.length !== ids.length) throw new AppError('notFound', '部分设备不存在或已删除', { field: 'ids' })
    await removeDevices(ctx, ids)
    ctx.note(`批量删除 ${ids.length} 台设备`)
  })

  serve(calls.verifyDevice, ({ body }, ctx) => verifyDevice(ctx, body))

  serve(calls.deviceStatistics, async ({ query }, ctx) => {
    const byProject = query.groupBy?.includes('project') ?? false
    const { rows } = await sql<{
      family: string
      projectCode: string | null
      projectName: string | null
      all: number
      online: number
      alarming: number
    }>`
      select d.family, ${byProject ? sql`d.project_code` : sql`null::text as project_code`}, ${byProject ? sql`max(p.name)` : sql`null::text`} as project_name,
        count(*)::int as all, count(*) filter (where l.online)::int as online,
        count(*) filter (where exists (select 1 from alarm a where a.device_id = d.id and a.active and not a.simulated))::int as alarming
      from ${deviceTables} where ${allOf(...inProjects('d.project_code', projectsFor(ctx, query.projectCode)))}
      group by d.family ${byProject ? sql`, d.project_code` : sql``} order by d.family ${byProject ? sql`, d.project_code` : sql``}`.execute(
      ctx.db,
    )
    return {
      all: rows.reduce((sum, r) => sum + r.all, 0),
      online: rows.reduce((sum, r) => sum + r.online, 0),
      groups: rows.map((r) => ({ ...r, familyName: familyOf(r.family)?.name ?? r.family })),
    }
  })
  serve(calls.ownDeviceTypes, async ({ query }, ctx) => {
    const { rows } = await sql<{ family: string; count: number }>`
      select d.family, count(*)::int as count from device d where ${allOf(...inProjects('d.project_code', projectsFor(ctx, query.projectCode)))} group by 1`.execute(
      ctx.db,
    )
    const list = rows.flatMap((r) => {
      const family = familyOf(r.family)
      return family ? [{ family: family.key, code: family.code, name: family.name, count: r.count }] : []
    })
    return { list: list.sort((a, b) => a.code - b.code), total: list.length }
  })
  serve(calls.ownDeviceModels, async ({ query }, ctx) => {
    const { rows } = await sql<{
      factoryName: string | null
      brandName: string | null
      modelName: string | null
      family: string
      count: number
    }>`
      select d.factory_name, d.brand_name, d.model_name, d.family, count(*)::int as count from device d
      where ${allOf(...inProjects('d.project_code', projectsFor(ctx, query.projectCode)), ...anyOf('d.family', familyKeys(query.family)))}
      group by 1, 2, 3, 4 order by 5 desc, 4, 1, 2, 3 limit 1000`.execute(ctx.db)
    return { list: rows, total: rows.length }
  })

  serve(calls.listUnregistered, async ({ query }, ctx) => {
    const where = allOf(
      ...contains('u.identifier', query.identifier),
      ...anyOf('u.protocol', query.protocol),
      ...anyOf('u.reason', query.reason),
      ...equals('u.gateway_id', query.gatewayId),
      ...equals('u.ignored', query.ignored ?? false),
    )
    const order = orderBy(
      query.sort,
      { lastTime: 'u.last_time', firstTime: 'u.first_time', count: 'u.count', identifier: 'u.identifier' },
      '-lastTime',
      'u.identifier',
    )
    const { limit, offset } = pageSlice(query)
    const { rows } = await sql<{
      identifier: string
      protocol: string
      address: string
      gatewayId: string | null
      gatewayName: string | null
      reason: string
      count: number
      firstTime: Date
      lastTime: Date
      sample: string | null
      guess: string | null
      ignored: boolean
    }>`select u.identifier, u.protocol, u.address, u.gateway_id, g.name as gateway_name, u.reason, u.count, u.first_time, u.last_time, u.sample, u.guess, u.ignored
       from unregistered_device u left join gateway g on g.id = u.gateway_id where ${where} order by ${order} limit ${limit} offset ${offset}`.execute(
      ctx.db,
    )
    const total = await sql<{ n: number }>`select count(*)::int as n from unregistered_device u where ${where}`.execute(ctx.db)
    return {
      list: rows.map((r) => ({
        ...r,
        reasonText: reasons[r.reason] ?? r.reason,
        firstTime: formatInstant(r.firstTime),
        lastTime: formatInstant(r.lastTime),
      })),
      total: total.rows[0]?.n ?? 0,
    }
  })
  serve(calls.ignoreUnregistered, async ({ params, body }, ctx) => {
    const { rows } =
      await sql`update unregistered_device set ignored = ${body.ignored} where identifier = ${params.identifier} returning 1`.execute(
        ctx.db,
      )
    found(rows[0], '未登记设备')
  })
}

const reasons: Record<string, string> = {
  unregistered: '未登记',
  wrongPassword: '密码错误',
  notBound: '未绑定网关',
  notInService: '未投入使用',
  encryptedNoKey: '加密无密钥',
}

interface DeviceDetailRow extends DeviceListRow {
  access: DeviceAccess
  accessKey: string
  intervalSeconds: number
  lng: number | null
  lat: number | null
  leader: string | null
  updateTime: Date | null
  createBy: string | null
  alarmCount: number
  recordCount: number
}

async function getDeviceRow(ctx: Context, id: string): Promise<DeviceDetailRow> {
  const { rows } = await sql<DeviceDetailRow>`
    select ${deviceColumns}, d.access, d.access_key, d.interval_seconds, d.lng, d.lat, d.leader, d.update_time, d.create_by,
      (select count(*)::int from alarm a where a.device_id = d.id and not a.simulated) as alarm_count,
      (select count(*)::int from device_record r where r.device_id = d.id) as record_count
    from ${deviceTables} where ${allOf(...equals('d.id', id), ...inProjects('d.project_code', projectsFor(ctx)))}`.execute(ctx.db)
  return found(rows[0], '设备')
}

function familyGiven(body: { family?: string | undefined; category?: string | undefined; type?: string | undefined }): Family {
  const family = [body.family, body.category, body.type].flatMap((name) => (name ? (familyNamed(name) ?? []) : []))[0]
  if (!family) throw new AppError('invalidInput', '请选择设备类别', { field: 'family' })
  return family
}

/** How the device comes in: what is stored openly, the key it is found by, and what stays secret. */
async function accessOf(
  ctx: Context,
  asked: calls.AccessInput,
  deviceSn: string,
  projectCode: string,
  before?: DeviceDetailRow,
): Promise<{ stored: DeviceAccess; key: string; secret?: string; isNew?: boolean }> {
  switch (asked.protocol) {
    case 'mqtt': {
      const gateway = await getGatewayRow(ctx, asked.gatewayId)
      if (gateway.projectCode !== projectCode) throw new AppError('invalidInput', '网关属于另一个项目', { field: 'access.gatewayId' })
      return { stored: { protocol: 'mqtt', gatewayId: gateway.id }, key: `${gateway.id}/${deviceSn}` }
    }
    case 'hj212': {
      const keeps = before?.protocol === 'hj212' && before.accessKey === asked.mn && !asked.password
      const secret = keeps ? undefined : (asked.password ?? randomBytes(8).toString('hex'))
      return {
        stored: { protocol: 'hj212', mn: asked.mn, ...(asked.units ? { units: asked.units } : {}), crcMode: asked.crcMode ?? 'standard' },
        key: asked.mn,
        ...(secret ? { secret } : {}),
        isNew: !asked.password,
      }
    }
    case 'jt808':
      return { stored: { protocol: 'jt808', phone: asked.phone }, key: asked.phone.replace(/^0+/, '') }
    case 'http': {
      if (asked.appId) {
        const { rows } = await sql`select 1 from open_app where id = ${asked.appId} and project_code = ${projectCode}`.execute(ctx.db)
        if (rows.length === 0) throw new AppError('invalidInput', '开放应用不存在或不属于该项目', { field: 'access.appId' })
      }
      return { stored: { protocol: 'http', ...(asked.appId ? { appId: asked.appId } : {}) }, key: deviceSn }
    }
  }
}

function checkParams(family: Family, params: Record<string, unknown>): void {
  const [first] = paramErrors(family, params)
  if (first) throw new AppError('invalidInput', first.text, { field: `params.${first.key}` })
  if (JSON.stringify(params).length > 16_384) throw new AppError('invalidInput', '设备参数过长', { field: 'params' })
}

const textParam = (params: Record<string, unknown>, key: string) => (typeof params[key] === 'string' ? (params[key] as string) : null)
const pick = <T>(given: T | undefined, before: T): T => (given === undefined ? before : given)

async function closeAlarms(ctx: Context, ids: readonly string[]): Promise<void> {
  const now = new Date(ctx.clock.now())
  await sql`with closed as (
      update alarm set active = false, stale = false, clear_time = ${now}, clear_reason = 'deviceRemoved' where device_id = any (${[...ids]}) and active returning id, project_code)
    insert into alarm_log (id, alarm_id, project_code, at, event, text, by_name)
    select replace(gen_random_uuid()::text, '-', ''), id, project_code, ${now}, 'clear', '设备已移除', ${ctx.user.name} from closed`.execute(
    ctx.db,
  )
  await sql`delete from rule_state where device_id = any (${[...ids]})`.execute(ctx.db)
}

/** The device goes, its history stays: readings, records and alarms remain for whoever looks into what happened. */
async function removeDevices(ctx: Context, ids: readonly string[]): Promise<void> {
  await closeAlarms(ctx, ids)
  await sql`delete from device where id = any (${[...ids]})`.execute(ctx.db)
}

async function guarded<T>(work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    if (isUniqueViolation(error, 'device_access'))
      throw new AppError('refused', '已有设备使用相同的接入标识（MN、手机号或网关内序列号）', { field: 'access' })
    if (isUniqueViolation(error)) throw new AppError('refused', '设备序列号已存在', { field: 'deviceSn' })
    throw error
  }
}
