import * as calls from '@zhugong/contract/equipment/endpoints'
import { AppError } from '@zhugong/contract/kit/errors'
import { parseInstant } from '@zhugong/contract/kit/fields'
import { familyOf, offlineSecondsOf } from '@zhugong/contract/telemetry/families'
import { sql } from 'kysely'
import { formatDay, formatInstant } from '#kit/clock'
import { type Context, found, oneProject, projectsFor, requireCode } from '#kit/context'
import { allOf, anyOf, contains, equals, inProjects, orderBy, pageSlice } from '#kit/list'
import type { Serve } from '#kit/serve'
import { fileIdsOf, keptFiles, linksOf } from '../files/public.ts'
import { veilFor } from '../readings/public.ts'
import { findChanges, noteChange } from './change-log.ts'
import { familiesWithRecord } from './device-checks.ts'
import { findChecks } from './device-facts.ts'
import { findHealth } from './device-health.ts'
import { applyPending, changesOf, keyPartOf } from './device-pending.ts'
import { findSelfCheck } from './device-self-check.ts'
import { deviceStats } from './device-stats.ts'
import {
  badFrames,
  type DeviceListRow,
  deviceColumns,
  deviceTables,
  deviceWhere,
  familyKeysOf,
  onlineShare,
  toDevice,
} from './device-view.ts'
import {
  accessOf,
  checkParams,
  familyGiven,
  getDeviceRow,
  guarded,
  moveDevice,
  paramsFrom,
  registerDevice,
  removeDevices,
  requireProvider,
  requireTakingPart,
  tellPoller,
  textParam,
  usableModel,
} from './device-write.ts'
import { soundFrameResults } from './frame-words.ts'
import { hasDueSoon, machinesInUse, machinesOnline } from './in-use.ts'
import { isLimitedAt, requireOwnMachines } from './own-machines.ts'
import { missingParams } from './params.ts'
import { findRegistration, findWarnings, letRegister } from './registrations.ts'
import { keepServiceDue } from './service-due.ts'

const deviceSorts = {
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
  applyTime: 'd.apply_time',
  auditTime: 'd.audit_time',
  gatewayName: 'g.name',
  modelName: 'd.model_name',
  badFrames24h: 'bad_frames',
  onlinePercent30d: 'online_share',
} as const

const lostDays = 7

export function deviceRoutes(serve: Serve, ports: { mqtt: number; hj212: number; jt808: number }): void {
  serve(calls.listDevices, async ({ query }, ctx) => {
    const now = ctx.clock.now()
    const wants = new Set(query.with ?? [])
    const where = deviceWhere(ctx, query, soundFrameResults)
    const order = query.sort
      ? orderBy(query.sort, deviceSorts, 'name', 'd.id')
      : wants.has('health')
        ? sql`bad_frames desc, l.ts nulls first, d.id`
        : query.auditState?.includes('0')
          ? sql`coalesce(d.apply_time, d.create_time), d.id`
          : sql`open_level nulls last, coalesce(l.online, false), d.name, d.id`
    const sorted = query.sort?.replace('-', '')
    const extra = [
      ...(wants.has('health') || sorted === 'badFrames24h' ? [sql`, ${badFrames(now, soundFrameResults)} as bad_frames`] : []),
      ...(wants.has('online30') || sorted === 'onlinePercent30d' ? [sql`, ${onlineShare(now)} as online_share`] : []),
    ]
    const { limit, offset } = pageSlice(query)
    const { rows } = await sql<
      DeviceListRow & { onlineShare?: number | null }
    >`select ${deviceColumns}${sql.join(extra, sql``)} from ${deviceTables} where ${where}
      order by ${order} limit ${limit} offset ${offset}`.execute(ctx.db)
    const total = await sql<{ total: number }>`select count(*)::int as total from ${deviceTables} where ${where}`.execute(ctx.db)
    const counts = await countDevices(ctx, query, wants)
    const ids = rows.map((r) => r.id)
    const health = wants.has('health') ? await findHealth(ctx, ids) : undefined
    const checks = wants.has('checks') ? await findChecks(ctx, ids) : undefined
    const veil = await veilFor(ctx, rows)
    return {
      list: rows.map((r) => {
        const one = health?.get(r.id)
        const ticks = checks?.get(r.id)
        return {
          ...toDevice(r, veil, wants.has('latest')),
          ...(one ? { health: one } : {}),
          ...(ticks ? { checks: ticks } : {}),
          ...(wants.has('online30') ? { onlinePercent30d: r.onlineShare ?? null } : {}),
        }
      }),
      total: total.rows[0]?.total ?? 0,
      counts,
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
      ...(health ? { health } : {}),
      access: row.access as unknown as Record<string, unknown>,
      params: veil.params(row, row.params),
      intervalSeconds: row.intervalSeconds,
      offlineSeconds,
      lng: row.lng,
      lat: row.lat,
      leader: row.leader,
      missing: missingParams(family, row.params),
      alarmCount: row.alarmCount,
      recordCount: row.recordCount,
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
      // Who wore it before is as much a person as who wears it now.
      changes: veil.seesPerson(row) ? changes : changes.map((c) => ({ ...c, detail: [] })),
      ports,
      selfCheck: await findSelfCheck(ctx, row, health, offlineSeconds),
      hourly: hourly.rows.map((h) => ({ ...h, hour: h.hour.getTime() })),
      repairOpen: repairs.rows[0]?.n ?? 0,
      registration: row.protocol === 'jt808' ? await findRegistration(ctx, row.id) : null,
      warnings: await findWarnings(ctx, row.id),
    }
  })

  serve(calls.createDevice, async ({ body }, ctx) => {
    const files = await keptFiles(ctx, fileIdsOf(body.files))
    const made = await registerDevice(ctx, { ...body, files }, { source: '1', origin: body.adopts ? '3' : '1' })
    if (body.adopts) await sql`delete from unregistered_device where identifier = ${body.adopts}`.execute(ctx.db)
    ctx.note(`${body.adopts ? '认领' : '新增'}设备 ${body.name}`, made.id)
    return made
  })

  serve(calls.updateDevice, async ({ params, body }, ctx) => {
    const row = await getDeviceRow(ctx, params.id)
    await requireOwnMachines(ctx, [row.id])
    const limited = isLimitedAt(ctx, row.projectCode)
    if (limited && body.ownerCorp !== undefined && body.ownerCorp !== row.ownerCorp)
      throw new AppError('forbidden', '产权单位由项目或总承包单位变更', { field: 'ownerCorp' })
    if (body.version !== undefined && body.version !== row.version)
      throw new AppError('conflict', '设备已被他人修改，请刷新后再试', { version: row.version })
    // Out of review comes a device by the review alone.
    if (body.status !== undefined && body.status !== row.status && ['0', '2'].includes(row.status))
      throw new AppError('refused', '设备尚未通过审核，不能启用或停用', { field: 'status' })
    if (body.auditState) {
      requireCode(ctx, 'device-admin.audit')
      if (limited) throw new AppError('forbidden', '本单位的设备由项目或总承包单位审核')
      const applicant = row.pending?.by ?? row.createBy
      if (applicant === ctx.user.name && (row.status === '0' || row.pending) && ctx.group.type !== 0)
        throw new AppError('refused', '不能审核自己提交的设备')
      if (body.auditState === '2' && !body.auditRemark) throw new AppError('invalidInput', '驳回请填写原因', { field: 'auditRemark' })
      const recordNo = body.specialRecordNo ?? row.specialRecordNo
      if (body.auditState === '1' && familiesWithRecord.includes(row.family) && row.status === '0' && !recordNo)
        throw new AppError('refused', '塔机、升降机须先填写产权备案编号', { field: 'specialRecordNo' })
    }
    const { auditState, auditRemark, ...rest } = body
    if (Object.keys(rest).some((key) => key !== 'version')) requireCode(ctx, 'device-admin.edit')
    if (auditState && row.pending) return reviewPending(ctx, row, auditState, auditRemark)
    const keyPart = keyPartOf(rest)
    // Who may not review changes what rules depend on only with a review; until then the old values stay in force.
    if ((limited || !ctx.codes.has('device-admin.audit')) && row.status === '1' && keyPart) {
      const difference = changesOf(row, keyPart.body)
      if (difference.length) {
        const pending = { by: ctx.user.name, at: ctx.clock.now(), body: keyPart.body, difference }
        await writeDevice(ctx, row, keyPart.rest)
        await sql`update device set pending = ${JSON.stringify(pending)}::jsonb, apply_time = ${new Date(ctx.clock.now())} where id = ${row.id}`.execute(
          ctx.db,
        )
        await noteChange(ctx, { subject: 'device', id: row.id, projectCode: row.projectCode, act: '提交变更审核', detail: difference })
        ctx.note(`提交设备变更 ${row.name}`, row.id)
        return { id: row.id, pending: true }
      }
    }
    const password = await writeDevice(ctx, row, rest, auditState, auditRemark)
    ctx.note(`${auditState ? (auditState === '1' ? '审核通过' : '驳回') : '修改'}设备 ${row.name}`, row.id)
    return { id: row.id, ...(password ? { password } : {}) }
  })

  serve(calls.removeDevice, async ({ params }, ctx) => {
    const row = await getDeviceRow(ctx, params.id)
    await requireOwnMachines(ctx, [row.id])
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
    await requireOwnMachines(ctx, ids)
    await removeDevices(ctx, ids)
    ctx.note(`批量删除 ${ids.length} 台设备`)
  })

  serve(calls.deviceStatistics, ({ query }, ctx) => deviceStats(ctx, query))

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
      where ${allOf(...inProjects('d.project_code', projectsFor(ctx, query.projectCode)), ...anyOf('d.family', familyKeysOf(query.family)))}
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

export const reasons: Record<string, string> = {
  unregistered: '未登记',
  wrongPassword: '密码错误',
  tooManyTries: '错误次数过多',
  notBound: '未绑定网关',
  notInService: '未投入使用',
  encryptedNoKey: '加密无密钥',
}

/** Over all the caller sees of the project and families asked for, whatever else is filtered. */
async function countDevices(
  ctx: Context,
  query: { projectCode?: string | undefined; family?: string[] | undefined; category?: string[] | undefined; type?: string[] | undefined },
  wants: ReadonlySet<string>,
) {
  const now = ctx.clock.now()
  const where = allOf(
    ...inProjects('d.project_code', projectsFor(ctx, query.projectCode)),
    ...anyOf('d.family', familyKeysOf(query.family, query.category, query.type)),
  )
  const whole = await sql<{ all: number; inUse: number; online: number; dueSoon: number; lost7d: number; waiting: number }>`
    select count(*)::int as all, ${machinesInUse} as in_use, ${machinesOnline} as online,
      count(*) filter (where ${hasDueSoon(formatDay(now))})::int as due_soon,
      count(*) filter (where d.status = '1' and coalesce(l.received_at, d.create_time) < ${new Date(now - lostDays * 86_400_000)})::int as "lost7d",
      count(*) filter (where d.status = '0' or d.pending is not null)::int as waiting
    from device d left join device_latest l on l.device_id = d.id where ${where}`.execute(ctx.db)
  const wire = wants.has('health')
    ? await sql<{ badFrames: number; unregistered: number }>`
        select (select count(distinct f.device_id)::int from device_frame f join device d on d.id = f.device_id where ${where} and f.time > ${new Date(now - 86_400_000)}
            and not f.result = any (${[...soundFrameResults]})) as bad_frames,
          (select count(*)::int from unregistered_device where not ignored) as unregistered`.execute(ctx.db)
    : undefined
  const n = whole.rows[0] ?? { all: 0, inUse: 0, online: 0, dueSoon: 0, lost7d: 0, waiting: 0 }
  return { ...n, offline: n.inUse - n.online, badFrames: wire?.rows[0]?.badFrames ?? 0, unregistered: wire?.rows[0]?.unregistered ?? 0 }
}

type Row = Awaited<ReturnType<typeof getDeviceRow>>
type Change = Omit<Parameters<typeof keyPartOf>[0], never>

async function reviewPending(ctx: Context, row: Row, auditState: '1' | '2', remark: string | undefined) {
  const body = applyPending(row)
  await sql`update device set pending = null, audit_time = ${new Date(ctx.clock.now())}, audit_by = ${ctx.user.name}, audit_remark = ${remark ?? null} where id = ${row.id}`.execute(
    ctx.db,
  )
  if (auditState === '1') await writeDevice(ctx, row, body)
  await noteChange(ctx, {
    subject: 'device',
    id: row.id,
    projectCode: row.projectCode,
    act: auditState === '1' ? '变更审核通过' : '变更被驳回',
    detail: remark ? [{ label: '意见', before: null, after: remark }] : [],
  })
  ctx.note(`${auditState === '1' ? '审核通过' : '驳回'}设备变更 ${row.name}`, row.id)
  return { id: row.id }
}

/** Writes what was given; answers a station's new password when one was made. */
async function writeDevice(
  ctx: Context,
  row: Row,
  body: Change,
  auditState?: '1' | '2',
  auditRemark?: string,
): Promise<string | undefined> {
  if (Object.keys(body).every((key) => key === 'version') && !auditState) return undefined
  const projectCode = body.projectCode ?? row.projectCode
  const moves = projectCode !== row.projectCode
  if (moves) {
    requireCode(ctx, 'device-admin.transfer')
    oneProject(ctx, projectCode)
    if ((row.protocol === 'mqtt' || row.protocol === 'poll') && !body.access)
      throw new AppError('invalidInput', '设备经网关接入，调拨时请选择新项目的网关', { field: 'access.gatewayId' })
  }
  const model = body.modelId ? await usableModel(ctx, body.modelId) : undefined
  const family = body.family || body.category ? familyGiven(body) : familyOf(row.family)
  if (!family) throw new AppError('invalidInput', '设备类别不存在', { field: 'family' })
  if (model && model.family !== family.key)
    throw new AppError('invalidInput', `型号 ${model.name} 不是${family.name}`, { field: 'modelId' })
  if (body.providerId) await requireProvider(ctx, body.providerId)
  const ownerCorp = pick(body.ownerCorp, row.ownerCorp)
  if (ownerCorp && (moves || ownerCorp !== row.ownerCorp)) await requireTakingPart(ctx, projectCode, ownerCorp)
  const deviceSn = body.deviceSn ?? row.deviceSn
  const renews = body.renewSecret && row.protocol === 'hj212' && !body.access
  if (body.renewSecret) requireCode(ctx, 'device-admin.secret')
  const asked = body.access ?? (deviceSn === row.deviceSn && !renews ? undefined : (row.access as calls.AccessInput))
  const access = asked ? await accessOf(ctx, asked, deviceSn, projectCode, renews ? { ...row, accessKey: '' } : row) : undefined
  const merged = { ...row.params, ...body.params, ...(access || body.params ? paramsFrom(family, access?.stored ?? row.access) : {}) }
  if (body.params) checkParams(family, body.params)
  const status = auditState ?? body.status ?? (row.status === '2' && !auditState ? '0' : row.status)
  const files = body.files ? await keptFiles(ctx, fileIdsOf(body.files), row.files) : row.files
  const now = new Date(ctx.clock.now())
  const linked =
    body.modelId === null
      ? { factoryId: null, brandId: null, id: null }
      : (model ?? { factoryId: row.factoryId, brandId: row.brandId, id: row.modelId })
  await guarded(
    sql`update device set name = ${body.name ?? row.name}, device_sn = ${deviceSn}, project_code = ${projectCode}, family = ${family.key}, category = ${String(family.code)},
        factory_name = ${model?.factoryName ?? pick(body.factoryName, row.factoryName)}, brand_name = ${model?.brandName ?? pick(body.brandName, row.brandName)},
        model_name = ${model?.name ?? pick(body.modelName, row.modelName)}, factory_id = ${linked.factoryId}, brand_id = ${linked.brandId}, model_id = ${linked.id},
        provider_id = ${pick(body.providerId, row.providerId)}, special_record_no = ${pick(body.specialRecordNo, row.specialRecordNo)}, owner_corp = ${ownerCorp}, files = ${files},
        access = ${JSON.stringify(access?.stored ?? row.access)}::jsonb, protocol = ${access?.stored.protocol ?? row.protocol}, access_key = ${access?.key ?? row.accessKey},
        access_secret = coalesce(${access?.secret ? ctx.secrets.seal(access.secret) : null}::bytea, access_secret),
        gateway_id = ${access ? (access.stored.gatewayId ?? null) : row.gatewayId}, params = ${JSON.stringify(merged)}::jsonb,
        interval_seconds = ${body.intervalSeconds ?? row.intervalSeconds}, lng = ${pick(body.lng, row.lng)}, lat = ${pick(body.lat, row.lat)},
        install_place = ${pick(body.installPlace, row.installPlace)}, install_date = ${pick(body.installDate, row.installDate)}, due_date = ${pick(body.dueDate, row.dueDate)},
        leader = ${pick(body.leader, row.leader)}, status = ${status}, direction = ${textParam(merged, 'direction')}, gate_role = ${textParam(merged, 'role')},
        audit_time = ${auditState ? now : row.auditTime}, audit_by = ${auditState ? ctx.user.name : row.auditBy}, audit_remark = ${auditState ? (auditRemark ?? null) : row.auditRemark},
        apply_time = ${row.status === '2' && !auditState ? now : row.applyTime}, update_time = ${now}, update_by = ${ctx.user.name}, version = version + 1
      where id = ${row.id}`.execute(ctx.db),
  )
  if (access || model) await tellPoller(ctx, row.id, access?.stored ?? row.access, model?.registers ?? [])
  // Another card in the terminal, or let into service only now: it has to register.
  const isReviewed = auditState === '1' && row.status === '0'
  const isElsewhere = access !== undefined && (access.stored.protocol !== row.protocol || access.key !== row.accessKey)
  if ((access?.stored ?? row.access).protocol === 'jt808' && (isReviewed || isElsewhere)) await letRegister(ctx, row.id)
  if (moves)
    await moveDevice(ctx, row, projectCode, {
      since: body.transfer?.since ? parseInstant(body.transfer.since) : undefined,
      reason: body.transfer?.reason ?? '',
    })
  if (body.dueDate !== undefined && body.dueDate !== row.dueDate) await keepServiceDue(ctx, { id: row.id, projectCode }, body.dueDate)
  await noteChange(ctx, {
    subject: 'device',
    id: row.id,
    projectCode,
    act: auditState
      ? auditState === '1'
        ? '审核通过'
        : '驳回'
      : moves
        ? '调拨'
        : body.status
          ? body.status === '3'
            ? '停用'
            : '启用'
          : '修改',
    detail: [...changesOf(row, body), ...(auditRemark ? [{ label: '意见', before: null, after: auditRemark }] : [])],
  })
  return access?.isNew ? access.secret : undefined
}

const pick = <T>(given: T | undefined, before: T): T => (given === undefined ? before : given)
