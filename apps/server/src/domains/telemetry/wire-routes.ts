import { randomBytes } from 'node:crypto'
import { AppError } from '@zhugong/contract/kit/errors'
import { parseInstant } from '@zhugong/contract/kit/fields'
import { commandResults, deviceCommands, frameResults } from '@zhugong/contract/telemetry/commands'
import * as calls from '@zhugong/contract/telemetry/wire-endpoints'
import { sql } from 'kysely'
import type { Config } from '#kit/config'
import { type Context, found, projectsFor } from '#kit/context'
import type { Tx } from '#kit/db'
import { allOf, anyOf, equals, inProjects, pageSlice } from '#kit/list'
import type { Serve } from '#kit/serve'
import { keyHash } from './gates/push.ts'
import { askIngest } from './local.ts'

interface WireDevice {
  id: string
  name: string
  projectCode: string
  family: string
  protocol: string
  status: string
}

/** A device the caller may see; refused with the same words whether it is hidden or does not exist. */
async function getDevice(ctx: Context, id: string): Promise<WireDevice> {
  const { rows } = await sql<WireDevice>`select d.id, d.name, d.project_code, d.family, d.protocol, d.status from device d
    where ${allOf(...equals('d.id', id), ...inProjects('d.project_code', projectsFor(ctx)))}`.execute(ctx.db)
  return found(rows[0], '设备')
}
async function getGateway(ctx: Context, id: string): Promise<{ id: string; name: string; projectCode: string }> {
  const { rows } = await sql<{ id: string; name: string; projectCode: string }>`select g.id, g.name, g.project_code from gateway g
    where ${allOf(...equals('g.id', id), ...inProjects('g.project_code', projectsFor(ctx)))}`.execute(ctx.db)
  return found(rows[0], '网关')
}

interface FrameFilter {
  projects: readonly string[] | undefined
  deviceId?: string | undefined
  identifier?: string | undefined
  gatewayId?: string | undefined
  startTime?: string | undefined
  endTime?: string | undefined
  direction?: string[] | undefined
  kind?: string[] | undefined
  result?: string[] | undefined
}

interface StoredFrame {
  id: string
  time: Date
  direction: 'up' | 'down'
  kind: string
  result: string
  length: number
  body: Buffer
  isText: boolean
  decoded: Record<string, unknown> | null
  answer: string | null
  delayMs: number | null
  protocol: string
  identifier: string
  address: string
  deviceId: string | null
  gatewayId: string | null
}

/** Frames of the last day. Those of strangers have no project: only who sees all sees them. */
async function findFrames(db: Tx, f: FrameFilter, slice: { limit: number; offset: number }) {
  const at = (text: string | undefined) => (text ? new Date(parseInstant(text) ?? 0) : undefined)
  const [from, to] = [at(f.startTime), at(f.endTime)]
  const where = allOf(
    ...inProjects('f.project_code', f.projects),
    ...equals('f.device_id', f.deviceId),
    ...equals('f.identifier', f.identifier),
    ...equals('f.gateway_id', f.gatewayId),
    ...anyOf('f.direction', f.direction),
    ...anyOf('f.kind', f.kind),
    ...anyOf('f.result', f.result),
    ...(from ? [sql`f.time >= ${from}` as never] : []),
    ...(to ? [sql`f.time < ${to}` as never] : []),
  )
  const { rows } =
    await sql<StoredFrame>`select f.id, f.time, f.direction, f.kind, f.result, f.length, f.body, f.is_text, f.decoded, f.answer, f.delay_ms,
      f.protocol, f.identifier, f.address, f.device_id, f.gateway_id
    from device_frame f where ${where} order by f.time desc, f.id desc limit ${slice.limit} offset ${slice.offset}`.execute(db)
  const count = await sql<{ n: number }>`select count(*)::int as n from device_frame f where ${where}`.execute(db)
  return { rows, total: count.rows[0]?.n ?? 0 }
}

const toFrame = ({ time, body, isText, ...rest }: StoredFrame) => ({
  ...rest,
  time: time.getTime(),
  resultText: frameResults[rest.result] ?? rest.result,
  text: isText ? body.toString('utf8') : null,
  hex: body.toString('hex'),
})

interface CommandRow {
  id: string
  cmd: string
  params: Record<string, unknown>
  byName: string | null
  sentAt: Date
  expireAt: Date | null
  answeredAt: Date | null
  result: number | null
  message: string
  steps: { at: number; step: string; text: string }[]
  data: Record<string, unknown> | null
}

const loopback = /^(localhost|127\.|0\.|169\.254\.|\[?::1)/i

export function wireRoutes(serve: Serve, deps: { config: Config }): void {
  serve(calls.listFrames, async ({ query }, ctx) => {
    if (query.deviceId) await getDevice(ctx, query.deviceId)
    if (query.gatewayId) await getGateway(ctx, query.gatewayId)
    const { rows, total } = await findFrames(ctx.db, { ...query, projects: projectsFor(ctx) }, pageSlice(query))
    return { list: rows.map(toFrame), total }
  })

  serve(calls.sendCommand, async ({ params, body }, ctx) => {
    const device = await getDevice(ctx, params.id)
    if (device.status !== '1') throw new AppError('refused', '设备未在使用中，不能下发指令')
    ctx.note(`${deviceCommands[body.cmd]} ${device.name}`, device.id)
    return askIngest(deps.config, '/command', {
      deviceId: device.id,
      cmdId: ctx.newId(),
      cmd: body.cmd,
      params: body.params,
      expireAt: ctx.clock.now() + body.expireSeconds * 1000,
      by: ctx.user.name,
    })
  })

  serve(calls.listCommands, async ({ params, query }, ctx) => {
    const device = await getDevice(ctx, params.id)
    const { limit, offset } = pageSlice(query)
    const { rows } = await sql<CommandRow>`select id, cmd, params, by_name, sent_at, expire_at, answered_at, result, message, steps, data
      from device_command where device_id = ${device.id} order by sent_at desc, id desc limit ${limit} offset ${offset}`.execute(ctx.db)
    const count = await sql<{ n: number }>`select count(*)::int as n from device_command where device_id = ${device.id}`.execute(ctx.db)
    return {
      list: rows.map((r) => ({
        ...r,
        cmdText: (deviceCommands as Record<string, string>)[r.cmd] ?? r.cmd,
        sentAt: r.sentAt.getTime(),
        expireAt: r.expireAt?.getTime() ?? null,
        answeredAt: r.answeredAt?.getTime() ?? null,
        result: r.result ?? commandResults.pending,
      })),
      total: count.rows[0]?.n ?? 0,
    }
  })

  serve(calls.getPolling, async ({ params }, ctx) => {
    const gateway = await getGateway(ctx, params.id)
    const { rows } = await sql<{
      protocol: 'modbusTcp' | 'modbusRtu' | 'dlt645' | 'cjt188'
      host: string
      port: number
      intervalSeconds: number
      timeoutMs: number
      enabled: boolean
      lastOk: Date | null
      lastError: string | null
    }>`select protocol, host, port, interval_seconds, timeout_ms, enabled, last_ok, last_error from poll_gateway where id = ${gateway.id}`.execute(
      ctx.db,
    )
    const [row] = rows
    if (!row) return { polling: null, lastOk: null, lastError: null }
    const { lastOk, lastError, ...settings } = row
    const devices = await sql<{ deviceId: string; address: string; registers: calls.PolledRegister[] }>`
      select id as device_id, address, registers from poll_device where gateway_id = ${gateway.id} order by address`.execute(ctx.db)
    return { polling: { ...settings, devices: devices.rows }, lastOk: lastOk?.getTime() ?? null, lastError }
  })

  serve(calls.savePolling, async ({ params, body }, ctx) => {
    const gateway = await getGateway(ctx, params.id)
    // The server's own services are nobody's meters.
    if (deps.config.mode === 'serve' && loopback.test(body.host)) throw new AppError('invalidInput', '不能采集本机地址', { field: 'host' })
    const ids = [...new Set(body.devices.map((d) => d.deviceId))]
    if (ids.length !== body.devices.length) throw new AppError('invalidInput', '同一设备只能出现一次', { field: 'devices' })
    if (new Set(body.devices.map((d) => d.address)).size !== body.devices.length)
      throw new AppError('invalidInput', '站号或表号重复', { field: 'devices' })
    if (body.protocol.startsWith('modbus')) {
      for (const device of body.devices) {
        if (Number(device.address) > 247) throw new AppError('invalidInput', 'Modbus 站号应在 0～247 之间', { field: 'devices' })
        if (device.registers.length === 0) throw new AppError('invalidInput', '请填写寄存器表', { field: 'devices' })
      }
    }
    const { rows: own } = await sql<{ id: string }>`select d.id from device d
      where d.id = any (${ids}) and d.project_code = ${gateway.projectCode}`.execute(ctx.db)
    if (own.length !== ids.length) throw new AppError('notFound', '部分设备不存在，或不在网关所属项目', { field: 'devices' })
    await sql`insert into poll_gateway (id, protocol, host, port, interval_seconds, timeout_ms, enabled)
      values (${gateway.id}, ${body.protocol}, ${body.host}, ${body.port}, ${body.intervalSeconds}, ${body.timeoutMs}, ${body.enabled})
      on conflict (id) do update set protocol = excluded.protocol, host = excluded.host, port = excluded.port, interval_seconds = excluded.interval_seconds,
        timeout_ms = excluded.timeout_ms, enabled = excluded.enabled`.execute(ctx.db)
    await sql`delete from poll_device where gateway_id = ${gateway.id} or id = any (${ids})`.execute(ctx.db)
    for (const device of body.devices)
      await sql`insert into poll_device (id, gateway_id, address, registers)
        values (${device.deviceId}, ${gateway.id}, ${device.address}, ${JSON.stringify(device.registers)}::jsonb)`.execute(ctx.db)
    ctx.note(`设置网关采集 ${gateway.name}：${calls.pollProtocols[body.protocol]}，${body.devices.length} 台`, gateway.id)
  })

  serve(calls.getStation, async ({ params }, ctx) => {
    const device = await getDevice(ctx, params.id)
    const { rows } = await sql<{ edition: number | null; hasKey: boolean; firstActions: Record<string, unknown> }>`
      select edition, sm4_key is not null as has_key, first_actions from hj212_station where id = ${device.id}`.execute(ctx.db)
    return rows[0] ?? { edition: null, hasKey: false, firstActions: {} }
  })
  serve(calls.saveStation, async ({ params, body }, ctx) => {
    const device = await getDevice(ctx, params.id)
    if (device.protocol !== 'hj212') throw new AppError('refused', '该设备不是 HJ 212 环境站')
    const key = body.sm4Key === undefined ? undefined : ctx.secrets.seal(body.sm4Key.toLowerCase())
    await sql`insert into hj212_station (id, sm4_key, first_actions) values (${device.id}, ${key ?? null}, ${JSON.stringify(body.firstActions ?? {})}::jsonb)
      on conflict (id) do update set sm4_key = ${key === undefined ? sql`hj212_station.sm4_key` : key},
        first_actions = ${body.firstActions === undefined ? sql`hj212_station.first_actions` : sql`excluded.first_actions`}`.execute(ctx.db)
    ctx.note(`设置环境站接入 ${device.name}`, device.id)
  })

  serve(calls.createGatePush, async ({ params, body }, ctx) => {
    const device = await getDevice(ctx, params.id)
    if (device.family !== 'faceGate') throw new AppError('refused', '只有人脸闸机可以生成推送地址')
    const key = randomBytes(24).toString('base64url')
    await sql`insert into gate_push (id, adapter, key_hash, created_at) values (${device.id}, ${body.adapter}, ${keyHash(key)}, ${new Date(ctx.clock.now())})
      on conflict (id) do update set adapter = excluded.adapter, key_hash = excluded.key_hash, created_at = excluded.created_at`.execute(
      ctx.db,
    )
    ctx.note(`生成闸机推送地址 ${device.name}`, device.id)
    return { path: `/api/v1/open/gate/${body.adapter}/${key}` }
  })
}
