import { randomBytes } from 'node:crypto'
import { AppError } from '@zhugong/contract/kit/errors'
import { parseInstant } from '@zhugong/contract/kit/fields'
import {
  commandCodes,
  commandResults,
  type DeviceCommand,
  deviceCommands,
  frameHint,
  frameResults,
  isFireLine,
  warnTextMax,
} from '@zhugong/contract/telemetry/commands'
import { readParameterValues } from '@zhugong/contract/telemetry/terminal-parameters'
import * as calls from '@zhugong/contract/telemetry/wire-endpoints'
import { sql } from 'kysely'
import type { Config } from '#kit/config'
import { AfterCommit, type Context, found, projectsFor, requireCode } from '#kit/context'
import type { Tx } from '#kit/db'
import { allOf, anyOf, condition, equals, inProjects, pageSlice } from '#kit/list'
import type { HandlerOf, Serve } from '#kit/serve'
import { type Veil, veilFor } from '../readings/public.ts'
import { keyHash } from './gates/push.ts'
import { parametersRequested } from './jt808/downlink.ts'
import { askIngest } from './local.ts'

interface WireDevice {
  id: string
  name: string
  projectCode: string
  family: string
  deviceSn: string
  accessKey: string
  protocol: string
  status: string
  installPlace: string | null
}

/** A device the user may see. The error is the same whether it is hidden or does not exist. */
async function getDevice(ctx: Context, id: string): Promise<WireDevice> {
  const { rows } =
    await sql<WireDevice>`select d.id, d.name, d.project_code, d.family, d.device_sn, d.access_key, d.protocol, d.status, d.install_place from device d
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
  device?: WireDevice | undefined
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
  hint: string | null
  protocol: string
  identifier: string
  address: string
  deviceId: string | null
  gatewayId: string | null
  family: string | null
  projectCode: string | null
}

/** Frames of a device, including those its hardware sent before it was registered. */
function ofDevice({ id, deviceSn, accessKey }: WireDevice) {
  const names = [deviceSn, accessKey, accessKey.replace(/^0+(?=\d)/, '')]
  return condition(sql`(f.device_id = ${id} or (f.device_id is null and f.identifier = any (${names})))`)
}

/** Frames of the last day. Frames of unknown devices have no project and are visible only to users who see all projects. */
async function findFrames(db: Tx, f: FrameFilter, slice: { limit: number; offset: number }) {
  const at = (text: string | undefined) => (text ? new Date(parseInstant(text) ?? 0) : undefined)
  const [from, to] = [at(f.startTime), at(f.endTime)]
  const where = allOf(
    ...inProjects('f.project_code', f.projects),
    ...(f.device ? [ofDevice(f.device)] : []),
    ...equals('f.identifier', f.identifier),
    ...equals('f.gateway_id', f.gatewayId),
    ...anyOf('f.direction', f.direction),
    ...anyOf('f.kind', f.kind),
    ...anyOf('f.result', f.result),
    ...(from ? [condition(sql`f.time >= ${from}`)] : []),
    ...(to ? [condition(sql`f.time < ${to}`)] : []),
  )
  const { rows } =
    await sql<StoredFrame>`select f.id, f.time, f.direction, f.kind, f.result, f.length, f.body, f.is_text, f.decoded, f.answer, f.delay_ms, f.hint,
      f.protocol, f.identifier, f.address, f.device_id, f.gateway_id, f.project_code, d.family
    from device_frame f left join device d on d.id = f.device_id where ${where} order by f.time desc, f.id desc limit ${slice.limit} offset ${slice.offset}`.execute(
      db,
    )
  const count = await sql<{ n: number }>`select count(*)::int as n from device_frame f where ${where}`.execute(db)
  return { rows, total: count.rows[0]?.n ?? 0 }
}

/** Hides the content of a frame with personal data that the user may not see; its time and result remain visible. */
function toFrame({ time, body, isText, hint, family, projectCode, ...rest }: StoredFrame, veil: Veil, seesAll: boolean) {
  // The family is missing if the device has moved to another project; its content is then hidden.
  const isOpen = !rest.deviceId || (family ? veil.seesFrames({ id: rest.deviceId, family, projectCode: projectCode ?? '' }) : seesAll)
  return {
    ...rest,
    hint: isOpen ? (hint ?? frameHint(rest.protocol, rest.result) ?? null) : '报文含人员信息（位置、健康或身份），您没有查看权限',
    time: time.getTime(),
    resultText: frameResults[rest.result] ?? rest.result,
    text: isText && isOpen ? body.toString('utf8') : null,
    hex: isOpen ? body.toString('hex') : '',
    decoded: isOpen ? rest.decoded : null,
    answer: isOpen ? rest.answer : null,
  }
}

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

export function wireRoutes(serve: Serve, deps: { config: Config }): void {
  serve(calls.listFrames, listFrames)
  serve(calls.sendCommand, sendCommand(deps))
  serve(calls.listCommands, listCommands)
  serve(calls.createGatePush, createGatePush)
}

const listFrames: HandlerOf<typeof calls.listFrames> = async ({ query }, ctx) => {
  const device = query.deviceId ? await getDevice(ctx, query.deviceId) : undefined
  if (query.gatewayId) await getGateway(ctx, query.gatewayId)
  const { rows, total } = await findFrames(ctx.db, { ...query, device, projects: projectsFor(ctx) }, pageSlice(query))
  const veil = await veilFor(
    ctx,
    rows.flatMap((r) => (r.deviceId && r.family ? [{ id: r.deviceId, family: r.family, projectCode: r.projectCode ?? '' }] : [])),
  )
  return { list: rows.map((r) => toFrame(r, veil, ctx.scope.all)), total }
}

const sendCommand =
  (deps: { config: Config }): HandlerOf<typeof calls.sendCommand> =>
  async ({ params, body }, ctx) => {
    const device = await getDevice(ctx, params.id)
    if (device.status !== '1') throw new AppError('refused', '设备未在使用中，不能下发指令')
    checkCode(ctx, body.cmd, device.family)
    if (body.cmd === 'meter.valve' && isFireLine(device.name, device.installPlace))
      throw new AppError('refused', '消防管路的阀门不能远程操作，请到现场开关')
    if (body.cmd === 'crane.warn') checkWarning(device, body.params.text)
    if (device.protocol === 'jt808' && body.cmd === 'device.setParams') {
      const [wrong] = readParameterValues(parametersRequested(body.params)).errors
      if (wrong) throw new AppError('invalidInput', wrong.text, { field: wrong.key ? `params.${wrong.key}` : 'params' })
    }
    ctx.note(`${deviceCommands[body.cmd]} ${device.name}`, device.id)
    const request = {
      deviceId: device.id,
      cmdId: ctx.newId(),
      cmd: body.cmd,
      params: body.params,
      expireAt: ctx.clock.now() + body.expireSeconds * 1000,
      by: ctx.user.name,
    }
    return new AfterCommit(() => askIngest(deps.config, '/command', request))
  }

/** Requires the general command permission, or the specific permission of this command and family. */
function checkCode(ctx: Context, cmd: DeviceCommand, family: string): void {
  const own = commandCodes[cmd]?.[family]
  if (own === undefined || !ctx.codes.has(own)) requireCode(ctx, 'device-admin.command')
}

function checkWarning(device: WireDevice, text: unknown): void {
  if (!commandCodes['crane.warn']?.[device.family]) throw new AppError('refused', '只有塔机和升降机可以向司机喊话')
  const said = typeof text === 'string' ? text.trim() : ''
  if (said === '' || said.length > warnTextMax)
    throw new AppError('invalidInput', said === '' ? '请填写喊话内容' : `喊话内容最多 ${warnTextMax} 个字`, { field: 'params.text' })
}

const listCommands: HandlerOf<typeof calls.listCommands> = async ({ params, query }, ctx) => {
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
}

const createGatePush: HandlerOf<typeof calls.createGatePush> = async ({ params, body }, ctx) => {
  const device = await getDevice(ctx, params.id)
  if (device.family !== 'faceGate') throw new AppError('refused', '只有人脸闸机可以生成推送地址')
  const key = randomBytes(24).toString('base64url')
  await sql`insert into gate_push (id, adapter, key_hash, created_at) values (${device.id}, ${body.adapter}, ${keyHash(key)}, ${new Date(ctx.clock.now())})
      on conflict (id) do update set adapter = excluded.adapter, key_hash = excluded.key_hash, created_at = excluded.created_at`.execute(
    ctx.db,
  )
  ctx.note(`生成闸机推送地址 ${device.name}`, device.id)
  return { path: `/api/v1/open/gate/${body.adapter}/${key}` }
}
