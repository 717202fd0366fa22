import { randomBytes } from 'node:crypto'
import type { DockingMapping, DockingRow } from '@zhugong/contract/equipment/docking-endpoints'
import * as calls from '@zhugong/contract/equipment/docking-endpoints'
import { AppError } from '@zhugong/contract/kit/errors'
import { parseInstant } from '@zhugong/contract/kit/fields'
import { sql } from 'kysely'
import { addDays, formatDay, formatInstant } from '#kit/clock'
import { type Context, found } from '#kit/context'
import { isUniqueViolation } from '#kit/db'
import { allOf, anyOf, type Condition, contains, daysBetween, instantsBetween, orderBy, pageSlice } from '#kit/list'
import { type Outgoing, OutgoingError } from '#kit/outgoing'
import type { Serve } from '#kit/serve'
import { differences, findChanges, noteChange } from './change-log.ts'
import { registerDevice } from './device-write.ts'
import { fieldsOf, listsIn, mapAnswer } from './docking-map.ts'
import { questionOf } from './docking-run.ts'
import { getModelRecord } from './models.ts'

/** A credential that ends within so many days is said to end. */
const expiringDays = 14
/** Days whose runs a docking's page draws, quiet ones too. */
const shownDays = 14

interface Row {
  id: string
  code: string
  name: string
  vendor: string
  connType: string
  endpoint: string | null
  httpMethod: string
  authKind: string
  authName: string | null
  authSecret: Buffer | null
  tokenExpire: string | null
  scheduleMinutes: number
  mapping: DockingMapping
  modelMatch: Record<string, string>
  projectMatch: Record<string, string>
  sample: string | null
  remark: string | null
  enable: string
  lastRun: Date | null
  lastResult: string | null
  lastMessage: string | null
  rows: number | null
  failed24h: number
  matched: number
  unmatched: number
  createTime: Date
  version: number
}
const columns = sql`g.id, g.code, g.name, g.vendor, g.conn_type, g.endpoint, g.http_method, g.auth_kind, g.auth_name, g.auth_secret, g.token_expire, g.schedule_minutes, g.mapping,
  g.model_match, g.project_match, g.sample, g.remark, g.enable, g.last_run, g.last_result, g.create_time, g.version, r.message as last_message, r.rows,
  s.failed as "failed24h", x.matched, x.unmatched`
const tables = sql`gateway3rd g
  left join lateral (select message, rows from gateway3rd_run r where r.gateway_id = g.id and r.result not in ('waiting', 'running') order by r.at desc limit 1) r on true
  cross join lateral (select count(*)::int as failed from gateway3rd_run r where r.gateway_id = g.id and r.result = 'failed' and r.at > now() - interval '24 hours') s
  cross join lateral (select count(*) filter (where match_state = '1')::int as matched, count(*) filter (where match_state in ('2', '3'))::int as unmatched
    from external_device e where e.gateway_id = g.id) x`

const toDocking = (r: Row): DockingRow => ({
  id: r.id,
  code: r.code,
  name: r.name,
  vendor: r.vendor,
  connType: r.connType,
  endpoint: r.endpoint,
  scheduleMinutes: r.scheduleMinutes,
  enable: r.enable,
  lastRun: r.lastRun ? formatInstant(r.lastRun) : null,
  lastResult: r.lastResult,
  lastMessage: r.lastMessage,
  rows: r.rows,
  failed24h: r.failed24h,
  matched: r.matched,
  unmatched: r.unmatched,
  tokenExpire: r.tokenExpire,
  createTime: formatInstant(r.createTime),
  version: r.version,
})

async function getDockingRow(ctx: Pick<Context, 'db'>, id: string): Promise<Row> {
  const { rows } = await sql<Row>`select ${columns} from ${tables} where g.id = ${id}`.execute(ctx.db)
  return found(rows[0], '第三方网关')
}

const newKey = () => randomBytes(24).toString('base64url')

export function dockingRoutes(serve: Serve, outgoing: Outgoing): void {
  serve(calls.listDockings, async ({ query }, ctx) => {
    const today = formatDay(ctx.clock.now())
    const where = allOf(
      ...contains('g.name', query.name),
      ...contains('g.vendor', query.vendor),
      ...anyOf('g.conn_type', query.connType),
      ...anyOf('g.enable', query.enable),
      ...anyOf('g.last_result', query.lastResult),
      ...instantsBetween('g.last_run', query.lastRun),
      ...daysBetween('g.token_expire', query.tokenExpire),
    )
    const order = query.sort
      ? orderBy(
          query.sort,
          {
            name: 'g.name',
            vendor: 'g.vendor',
            lastRun: 'g.last_run',
            failed24h: 's.failed',
            unmatched: 'x.unmatched',
            tokenExpire: 'g.token_expire',
            enable: 'g.enable',
          },
          'name',
          'g.id',
        )
      : sql`case g.last_result when 'failed' then 0 when 'partial' then 1 else 2 end, g.name, g.id`
    const { limit, offset } = pageSlice(query)
    const { rows } =
      await sql<Row>`select ${columns} from ${tables} where ${where} order by ${order} limit ${limit} offset ${offset}`.execute(ctx.db)
    const total = await sql<{ n: number }>`select count(*)::int as n from gateway3rd g where ${where}`.execute(ctx.db)
    const counts = await sql<{ ok: number; failed: number; expiring: number; unmatched: number }>`
      select count(*) filter (where g.enable = '1' and coalesce(g.last_result, 'ok') <> 'failed')::int as ok, count(*) filter (where g.last_result = 'failed')::int as failed,
        count(*) filter (where g.token_expire <= ${addDays(today, expiringDays)}::date)::int as expiring,
        (select count(*)::int from external_device where match_state in ('2', '3')) as unmatched from gateway3rd g`.execute(ctx.db)
    return {
      list: rows.map(toDocking),
      total: total.rows[0]?.n ?? 0,
      counts: counts.rows[0] ?? { ok: 0, failed: 0, expiring: 0, unmatched: 0 },
    }
  })

  serve(calls.getDocking, async ({ params }, ctx) => {
    const row = await getDockingRow(ctx, params.id)
    const today = formatDay(ctx.clock.now())
    const days = await sql<{ day: string; ok: number; failed: number; rows: number }>`
      select to_char(d.day, 'YYYY-MM-DD') as day, count(r.id) filter (where r.result <> 'failed')::int as ok,
        count(r.id) filter (where r.result = 'failed')::int as failed, coalesce(sum(r.rows), 0)::int as rows
      from generate_series(${addDays(today, 1 - shownDays)}::date, ${today}::date, interval '1 day') as d(day)
      left join gateway3rd_run r on r.gateway_id = ${row.id} and r.at >= d.day::timestamp at time zone 'Asia/Shanghai'
        and r.at < (d.day + interval '1 day')::timestamp at time zone 'Asia/Shanghai'
      group by 1 order by 1`.execute(ctx.db)
    const open = await sql<{ model: string | null; project: string | null }>`
      select distinct external_model as model, external_project as project from external_device where gateway_id = ${row.id} limit 1000`.execute(
      ctx.db,
    )
    const missing = (pick: 'model' | 'project', known: Record<string, string>) =>
      [...new Set(open.rows.flatMap((o) => o[pick] ?? []))].filter((name) => !known[name]).sort()
    return {
      ...toDocking(row),
      httpMethod: row.httpMethod,
      authKind: row.authKind,
      authName: row.authName,
      hasSecret: row.authSecret !== null,
      mapping: row.mapping,
      modelMatch: row.modelMatch,
      projectMatch: row.projectMatch,
      sample: row.sample,
      remark: row.remark,
      pushPath: `/api/v1/open/dock/${row.id}`,
      openModels: missing('model', row.modelMatch),
      openProjects: missing('project', row.projectMatch),
      days: days.rows,
      changes: await findChanges(ctx.db, 'docking', row.id),
    }
  })

  serve(calls.createDocking, async ({ body }, ctx) => {
    requireComplete(body)
    const id = ctx.newId()
    const pushSecret = body.connType === '2' ? newKey() : undefined
    await guarded(
      sql`insert into gateway3rd (id, code, name, vendor, conn_type, endpoint, http_method, auth_kind, auth_name, auth_secret, token_expire, schedule_minutes, mapping,
          model_match, project_match, push_secret, sample, remark, enable, create_time, create_by, update_time)
        values (${id}, ${body.code || `DK${id.slice(-8).toUpperCase()}`}, ${body.name}, ${body.vendor}, ${body.connType}, ${body.endpoint ?? null}, ${body.httpMethod},
          ${body.authKind}, ${body.authName ?? null}, ${ctx.secrets.seal(body.authSecret)}, ${body.tokenExpire ?? null}, ${body.scheduleMinutes},
          ${JSON.stringify(body.mapping)}::jsonb, ${JSON.stringify(body.modelMatch)}::jsonb, ${JSON.stringify(body.projectMatch)}::jsonb,
          ${ctx.secrets.seal(pushSecret)}, ${body.sample ?? null}, ${body.remark ?? null}, ${body.enable}, ${new Date(ctx.clock.now())}, ${ctx.user.name}, ${new Date(ctx.clock.now())})`.execute(
        ctx.db,
      ),
    )
    await noteChange(ctx, { subject: 'docking', id, act: '新增' })
    ctx.note(`新增第三方网关 ${body.name}`, id)
    return { id, ...(pushSecret ? { pushSecret } : {}) }
  })

  serve(calls.updateDocking, async ({ params, body }, ctx) => {
    const row = await getDockingRow(ctx, params.id)
    if (body.version !== undefined && body.version !== row.version)
      throw new AppError('conflict', '第三方网关已被他人修改，请刷新后再试', { version: row.version })
    if (body.match) {
      const deviceId = await matchExternal(ctx, row, body.match)
      return { id: row.id, ...(deviceId ? { deviceId } : {}) }
    }
    if (body.sync) return { id: row.id, runId: await askForRun(ctx, row, body.sync) }
    const connType = body.connType ?? row.connType
    requireComplete({ connType, endpoint: body.endpoint === undefined ? row.endpoint : body.endpoint })
    const pushSecret = body.renewSecret || (connType === '2' && row.connType !== '2') ? newKey() : undefined
    await guarded(
      sql`update gateway3rd set code = ${body.code || row.code}, name = ${body.name ?? row.name}, vendor = ${body.vendor ?? row.vendor}, conn_type = ${connType},
          endpoint = ${pick(body.endpoint, row.endpoint)}, http_method = ${body.httpMethod ?? row.httpMethod}, auth_kind = ${body.authKind ?? row.authKind},
          auth_name = ${pick(body.authName, row.authName)}, auth_secret = coalesce(${ctx.secrets.seal(body.authSecret)}::bytea, auth_secret),
          token_expire = ${pick(body.tokenExpire, row.tokenExpire)}::date, schedule_minutes = ${body.scheduleMinutes ?? row.scheduleMinutes},
          mapping = ${JSON.stringify(body.mapping ?? row.mapping)}::jsonb, model_match = ${JSON.stringify(body.modelMatch ?? row.modelMatch)}::jsonb,
          project_match = ${JSON.stringify(body.projectMatch ?? row.projectMatch)}::jsonb, push_secret = coalesce(${ctx.secrets.seal(pushSecret)}::bytea, push_secret),
          sample = ${pick(body.sample, row.sample)}, remark = ${pick(body.remark, row.remark)}, enable = ${body.enable ?? row.enable},
          update_time = ${new Date(ctx.clock.now())}, update_by = ${ctx.user.name}, version = version + 1 where id = ${row.id}`.execute(
        ctx.db,
      ),
    )
    if (body.modelMatch || body.projectMatch) await recheckMatches(ctx, row.id)
    const detail = differences<Record<string, unknown>>(
      {
        name: '名称',
        vendor: '厂商',
        connType: '接入方式',
        endpoint: '接口地址',
        authKind: '鉴权方式',
        tokenExpire: '凭证到期',
        scheduleMinutes: '间隔（分钟）',
        mapping: '字段映射',
        modelMatch: '型号映射',
        projectMatch: '项目映射',
        enable: '启用',
      },
      row as unknown as Record<string, unknown>,
      body as Record<string, unknown>,
    )
    await noteChange(ctx, { subject: 'docking', id: row.id, act: body.authSecret || pushSecret ? '更新凭证' : '修改', detail })
    ctx.note(`修改第三方网关 ${row.name}`, row.id)
    return { id: row.id, ...(pushSecret ? { pushSecret } : {}) }
  })

  serve(calls.removeDocking, async ({ params }, ctx) => {
    const row = await getDockingRow(ctx, params.id)
    await sql`delete from gateway3rd where id = ${row.id}`.execute(ctx.db)
    ctx.note(`删除第三方网关 ${row.name}`, row.id)
  })
  serve(calls.switchDocking, async ({ body }, ctx) => {
    const row = await getDockingRow(ctx, body.id)
    await sql`update gateway3rd set enable = ${body.status}, update_time = ${new Date(ctx.clock.now())}, version = version + 1 where id = ${row.id}`.execute(
      ctx.db,
    )
    await noteChange(ctx, { subject: 'docking', id: row.id, act: body.status === '1' ? '启用' : '停用' })
    ctx.note(`${body.status === '1' ? '启用' : '停用'}第三方网关 ${row.name}`, row.id)
  })
  serve(calls.copyDocking, async ({ params }, ctx) => {
    const row = await getDockingRow(ctx, params.id)
    const id = ctx.newId()
    const pushSecret = row.connType === '2' ? newKey() : undefined
    // Credentials are not copied: each docking has its own.
    await sql`insert into gateway3rd (id, code, name, vendor, conn_type, endpoint, http_method, auth_kind, auth_name, token_expire, schedule_minutes, mapping, model_match,
        project_match, push_secret, sample, remark, enable, create_time, create_by, update_time)
      select ${id}, ${`DK${id.slice(-8).toUpperCase()}`}, ${`${row.name} 副本`.slice(0, 100)}, vendor, conn_type, endpoint, http_method, auth_kind, auth_name, token_expire,
        schedule_minutes, mapping, model_match, project_match, ${ctx.secrets.seal(pushSecret)}::bytea, sample, remark, '0', ${new Date(ctx.clock.now())}, ${ctx.user.name},
        ${new Date(ctx.clock.now())} from gateway3rd where id = ${row.id}`.execute(ctx.db)
    await noteChange(ctx, { subject: 'docking', id, act: `由 ${row.name} 复制` })
    ctx.note(`复制第三方网关 ${row.name}`, id)
    return { id, ...(pushSecret ? { pushSecret } : {}) }
  })

  serve(calls.tryDocking, async ({ body }, ctx) => {
    let sample = body.sample ?? null
    if (!sample) {
      const row = body.id ? await getDockingRow(ctx, body.id) : undefined
      const endpoint = body.endpoint ?? row?.endpoint ?? null
      if (!endpoint) throw new AppError('invalidInput', '请填写接口地址或粘贴样例', { field: 'endpoint' })
      const asked = {
        endpoint,
        http_method: body.httpMethod ?? row?.httpMethod ?? 'GET',
        auth_kind: body.authKind ?? row?.authKind ?? 'none',
        auth_name: body.authName ?? row?.authName ?? null,
      }
      try {
        sample = await outgoing.ask(questionOf(asked, body.authSecret ?? ctx.secrets.open(row?.authSecret ?? null), ctx.clock.now()))
      } catch (error) {
        if (!(error instanceof OutgoingError)) throw error
        return { ok: false, message: error.message, total: 0, rows: [], fields: [], sample: null }
      }
    }
    let answer: unknown
    try {
      answer = JSON.parse(sample)
    } catch {
      return { ok: false, message: '内容不是有效的 JSON', total: 0, rows: [], fields: [], sample: sample.slice(0, 4000) }
    }
    const { items, problem } = mapAnswer(answer, body.mapping)
    const lists = problem ? listsIn(answer).filter(Boolean) : []
    return {
      ok: !problem && items.every((i) => i.errors.length === 0),
      message: problem ? `${problem}${lists.length ? `，可能是 ${lists.slice(0, 3).join('、')}` : ''}` : `读到 ${items.length} 条`,
      total: items.length,
      rows: items.slice(0, 10).map(({ raw: _raw, sn: _sn, ...item }) => item),
      fields: fieldsOf(answer, problem ? (lists[0] ?? '') : body.mapping.list),
      sample: body.sample ? null : JSON.stringify(answer, null, 2).slice(0, 20_000),
    }
  })

  serve(calls.listDockingRuns, async ({ params, query }, ctx) => {
    await getDockingRow(ctx, params.id)
    const where = allOf(
      sql`r.gateway_id = ${params.id}` as Condition,
      ...anyOf('r.result', query.result),
      ...instantsBetween('r.at', query.at),
    )
    const { limit, offset } = pageSlice(query)
    const order = orderBy(query.sort, { at: 'r.at', rows: 'r.rows', rejected: 'r.rejected', ms: 'r.ms' }, '-at', 'r.id')
    const { rows } = await sql<{
      id: string
      cause: string
      at: Date
      ms: number | null
      rows: number
      accepted: number
      duplicated: number
      rejected: number
      result: string
      message: string | null
      refused: { externalId: string; reason: string; item: string }[]
    }>`select r.id, r.cause, r.at, r.ms, r.rows, r.accepted, r.duplicated, r.rejected, case when r.result = 'waiting' then 'running' else r.result end as result, r.message,
        case when r.result in ('waiting', 'running') then '[]'::jsonb else r.refused end as refused
      from gateway3rd_run r where ${where} order by ${order} limit ${limit} offset ${offset}`.execute(ctx.db)
    const total = await sql<{ n: number }>`select count(*)::int as n from gateway3rd_run r where ${where}`.execute(ctx.db)
    return { list: rows.map((r) => ({ ...r, at: formatInstant(r.at) })), total: total.rows[0]?.n ?? 0 }
  })

  serve(calls.listExternalDevices, async ({ query }, ctx) => {
    const conflict =
      sql`(x.device_sn is not null and exists (select 1 from external_device y where y.device_sn = x.device_sn and y.id <> x.id))` as Condition
    const where = allOf(
      ...(query.gatewayId ? [sql`x.gateway_id = ${query.gatewayId}` as Condition] : []),
      ...contains('x.external_id', query.externalId),
      ...contains('x.external_name', query.externalName),
      ...contains('d.name', query.deviceName),
      ...contains('p.name', query.projectName),
      ...anyOf('x.match_state', query.matchState),
      ...instantsBetween('x.last_sync', query.lastSync),
      ...contains('x.last_error', query.lastError),
      ...(query.conflict ? [conflict] : []),
    )
    const order = query.sort
      ? orderBy(
          query.sort,
          {
            externalId: 'x.external_id',
            externalName: 'x.external_name',
            matchState: 'x.match_state',
            lastSync: 'x.last_sync',
            deviceName: 'd.name',
          },
          'externalId',
          'x.id',
        )
      : sql`case x.match_state when '2' then 0 when '3' then 1 when '4' then 2 else 3 end, x.last_sync nulls first, x.id`
    const { limit, offset } = pageSlice(query)
    const from = sql`external_device x join gateway3rd g on g.id = x.gateway_id left join device d on d.id = x.device_id left join project p on p.project_code = d.project_code`
    const { rows } = await sql<{
      id: string
      gatewayId: string
      gatewayName: string
      externalId: string
      externalName: string | null
      externalProject: string | null
      externalModel: string | null
      deviceSn: string | null
      matchState: string
      enabled: boolean
      deviceId: string | null
      deviceName: string | null
      projectName: string | null
      lastSync: Date | null
      lastError: string | null
      conflictWith: { externalId: string; gatewayName: string }[]
      suggestion: { deviceId: string; name: string; projectName: string } | null
    }>`select x.id, x.gateway_id, g.name as gateway_name, x.external_id, x.external_name, x.external_project, x.external_model, x.device_sn, x.match_state, x.enabled, x.device_id,
        d.name as device_name, p.name as project_name, x.last_sync, x.last_error,
        coalesce((select jsonb_agg(jsonb_build_object('externalId', y.external_id, 'gatewayName', h.name)) from external_device y join gateway3rd h on h.id = y.gateway_id
          where x.device_sn is not null and y.device_sn = x.device_sn and y.id <> x.id), '[]'::jsonb) as conflict_with,
        case when x.device_id is null then (select jsonb_build_object('deviceId', s.id, 'name', s.name, 'projectName', q.name) from device s join project q on q.project_code = s.project_code
          where (s.device_sn = x.device_sn or s.device_sn = x.external_id or (s.name = x.external_name and s.protocol = 'http'))
            and not exists (select 1 from external_device z where z.device_id = s.id) order by (s.device_sn = x.device_sn) desc nulls last, s.id limit 1) end as suggestion
      from ${from} where ${where} order by ${order} limit ${limit} offset ${offset}`.execute(ctx.db)
    const total = await sql<{ n: number }>`select count(*)::int as n from ${from} where ${where}`.execute(ctx.db)
    const counts = await sql<{ matched: number; waiting: number; gone: number; failed: number; conflicts: number }>`
      select count(*) filter (where x.match_state = '1')::int as matched, count(*) filter (where x.match_state in ('2', '3'))::int as waiting,
        count(*) filter (where x.match_state = '4')::int as gone, count(*) filter (where x.last_error is not null and x.match_state = '1')::int as failed,
        count(*) filter (where ${conflict})::int as conflicts from external_device x`.execute(ctx.db)
    return {
      list: rows.map((r) => ({
        ...r,
        lastSync: r.lastSync ? formatInstant(r.lastSync) : null,
        lagMinutes: r.lastSync ? Math.max(0, Math.round((ctx.clock.now() - r.lastSync.getTime()) / 60_000)) : null,
      })),
      total: total.rows[0]?.n ?? 0,
      counts: counts.rows[0] ?? { matched: 0, waiting: 0, gone: 0, failed: 0, conflicts: 0 },
    }
  })
}

const pick = <T>(given: T | undefined, before: T): T => (given === undefined ? before : given)

function requireComplete(d: { connType: string; endpoint?: string | null | undefined }): void {
  if (d.connType === '3' && !d.endpoint) throw new AppError('invalidInput', '拉取方式请填写接口地址', { field: 'endpoint' })
}

/** Written down here, carried out by the jobs role: a request does not wait for another platform. */
async function askForRun(ctx: Context, row: Row, asked: { from?: string | undefined; to?: string | undefined }): Promise<string> {
  if (row.connType !== '3') throw new AppError('refused', '推送方式由对方发起，不能由平台拉取')
  const { rows } =
    await sql`select 1 from gateway3rd_run where gateway_id = ${row.id} and result in ('waiting', 'running') and at > ${new Date(ctx.clock.now() - 120_000)}`.execute(
      ctx.db,
    )
  if (rows.length) throw new AppError('refused', '同步正在进行，请稍后查看同步记录')
  const id = ctx.newId()
  const period = {
    ...(asked.from ? { from: parseInstant(asked.from) } : {}),
    ...(asked.to ? { to: parseInstant(asked.to) } : {}),
  }
  await sql`insert into gateway3rd_run (id, gateway_id, cause, at, result, refused) values (${id}, ${row.id}, 'manual', ${new Date(ctx.clock.now())}, 'waiting', ${JSON.stringify([period])}::jsonb)`.execute(
    ctx.db,
  )
  ctx.note(`立即同步 ${row.name}`, row.id)
  return id
}

interface Match {
  externalId: string
  deviceId?: string | undefined
  create?: { modelId: string; projectCode: string; name?: string | undefined } | undefined
  enabled?: boolean | undefined
  release?: boolean | undefined
}

async function matchExternal(ctx: Context, row: Row, match: Match): Promise<string | undefined> {
  const { rows } = await sql<{
    id: string
    externalId: string
    externalName: string | null
    deviceSn: string | null
    deviceId: string | null
  }>`
    select id, external_id, external_name, device_sn, device_id from external_device where gateway_id = ${row.id} and external_id = ${match.externalId}`.execute(
    ctx.db,
  )
  const external = found(rows[0], '第三方设备')
  if (match.enabled !== undefined) {
    await sql`update external_device set enabled = ${match.enabled} where id = ${external.id}`.execute(ctx.db)
    ctx.note(`${match.enabled ? '启用' : '停用'}第三方设备 ${external.externalId}`, row.id)
    return undefined
  }
  if (match.release) {
    await sql`update external_device set device_id = null, match_state = '2' where id = ${external.id}`.execute(ctx.db)
    ctx.note(`取消匹配 ${external.externalId}`, row.id)
    return undefined
  }
  const deviceId = match.create ? await makeDevice(ctx, row, external, match.create) : await adoptDevice(ctx, row, match.deviceId ?? '')
  await sql`update external_device set device_id = ${deviceId}, match_state = '1', last_error = null where id = ${external.id}`.execute(
    ctx.db,
  )
  await noteChange(ctx, {
    subject: 'docking',
    id: row.id,
    act: '匹配设备',
    detail: [{ label: external.externalName ?? external.externalId, before: null, after: external.externalId }],
  })
  ctx.note(`匹配第三方设备 ${external.externalId}`, deviceId)
  return deviceId
}

/** The application in whose name a docking hands on readings of one project's devices. */
async function applicationFor(ctx: Context, row: Row, projectCode: string): Promise<string> {
  const name = `对接 ${row.code}`
  const known = await sql<{ id: string }>`select id from open_app where name = ${name} and project_code = ${projectCode}`.execute(ctx.db)
  if (known.rows[0]) return known.rows[0].id
  const id = randomBytes(8).toString('hex')
  await sql`insert into open_app (id, name, project_code, secret, families, create_time, create_by)
    values (${id}, ${name}, ${projectCode}, ${ctx.secrets.seal(randomBytes(16).toString('hex'))}, '{}', ${new Date(ctx.clock.now())}, ${ctx.user.name})`.execute(
    ctx.db,
  )
  return id
}

async function makeDevice(
  ctx: Context,
  row: Row,
  external: { externalId: string; externalName: string | null; deviceSn: string | null },
  create: { modelId: string; projectCode: string; name?: string | undefined },
): Promise<string> {
  const model = await getModelRecord(ctx.db, create.modelId)
  const clean = (text: string) => text.replace(/[^\w.:-]/g, '-').slice(0, 64)
  const made = await registerDevice(
    ctx,
    {
      name: create.name || external.externalName || external.externalId,
      deviceSn:
        external.deviceSn && /^[\w.:-]{3,64}$/.test(external.deviceSn) ? external.deviceSn : clean(`${row.code}-${external.externalId}`),
      projectCode: create.projectCode,
      family: model.family,
      modelId: model.id,
      access: { protocol: 'http', appId: await applicationFor(ctx, row, create.projectCode) },
      params: {},
    },
    { source: '2', origin: '4' },
  )
  return made.id
}

async function adoptDevice(ctx: Context, row: Row, id: string): Promise<string> {
  const { rows } = await sql<{
    id: string
    name: string
    protocol: string
    projectCode: string
    access: { appId?: string }
    taken: string | null
  }>`
    select d.id, d.name, d.protocol, d.project_code, d.access, (select x.external_id from external_device x where x.device_id = d.id limit 1) as taken
    from device d where d.id = ${id}`.execute(ctx.db)
  const device = found(rows[0], '设备')
  if (device.taken) throw new AppError('refused', `${device.name} 已与 ${device.taken} 匹配，请先取消`, { field: 'match.deviceId' })
  if (device.protocol !== 'http')
    throw new AppError('refused', `${device.name} 不是 HTTP 接入，不能由第三方平台上报`, { field: 'match.deviceId' })
  if (!device.access.appId) {
    const access = JSON.stringify({ ...device.access, protocol: 'http', appId: await applicationFor(ctx, row, device.projectCode) })
    await sql`update device set access = ${access}::jsonb, version = version + 1 where id = ${id}`.execute(ctx.db)
  }
  await sql`update device set source = '2' where id = ${id}`.execute(ctx.db)
  return device.id
}

/** What is missing for the devices not matched yet, after the mapping has changed. */
async function recheckMatches(ctx: Context, id: string): Promise<void> {
  await sql`update external_device x set match_state = case when x.external_model is not null and g.model_match ? x.external_model and x.external_project is not null
      and not g.project_match ? x.external_project then '3' else '2' end
    from gateway3rd g where g.id = x.gateway_id and x.gateway_id = ${id} and x.device_id is null and x.match_state in ('2', '3')`.execute(
    ctx.db,
  )
}

async function guarded<T>(work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    if (isUniqueViolation(error)) throw new AppError('refused', '对接编号已存在', { field: 'code' })
    throw error
  }
}
