import { createHmac, timingSafeEqual } from 'node:crypto'
import { withPlainPlate } from '@zhugong/contract/kit/plate'
import { familyNamed } from '@zhugong/contract/telemetry/families'
import * as calls from '@zhugong/contract/telemetry/open-endpoints'
import type pg from 'pg'
import { pick } from '#kit/pick'
import type { Secrets } from '#kit/secret'
import {
  type Fleet,
  type FleetApp,
  type FleetDevice,
  paramErrors,
  proposeParams,
  registerByMachine,
  type Strangers,
  type WaitingMachine,
  waitingOf,
} from '../../equipment/public.ts'
import { fileLink, withoutMetadata } from '../../files/public.ts'
import type { Rejection } from '../../readings/public.ts'
import { TokenBucket } from '../bucket.ts'
import type { Counters } from '../counters.ts'
import { type Decoded, decodeItems } from '../envelope.ts'
import { blanked, type FrameLog, harmlessResults } from '../frame-log.ts'
import { type FrameVerdict, verdictOf } from '../frame-verdict.ts'
import { partsOf } from '../multipart.ts'
import type { Pipeline } from '../pipeline.ts'
import type { Presence } from '../presence.ts'
import type { StoredFiles } from '../stored-files.ts'
import { DailyBytes } from './daily-bytes.ts'
import { bodyOf, claimedSn, decodedOf, headerFault, mayUse, type OpenAnswer, type OpenRequest, ok, Refusal, signedText } from './refusal.ts'

export interface OpenDependencies {
  fleet: Fleet
  strangers: Strangers
  secrets: Secrets
  pipeline: Pipeline
  presence: Presence
  counters: Counters
  frames: FrameLog
  files: StoredFiles
  pool: pg.Pool
  now(): number
}

const windowMs = 5 * 60_000
const perSecond = 100
const maxItems = 1_000
const maxFileBytes = 10 * 1024 * 1024

/** Bytes of pictures one application may upload per day; enough for every face at every gate of a large site. */
const dailyFileBytes = 1024 * 1024 * 1024

const speaker = (app: FleetApp, { address }: OpenRequest) => ({
  ...pick(app, 'id', 'name', 'projectCode', 'families'),
  address,
})

/** The signed open API for other platforms. Items pass the same pipeline as those of devices. */
export class OpenApi {
  private readonly deps: OpenDependencies
  private readonly buckets = new Map<string, TokenBucket>()
  private readonly files = new DailyBytes(dailyFileBytes)

  constructor(deps: OpenDependencies) {
    this.deps = deps
  }

  async answer(request: OpenRequest): Promise<OpenAnswer> {
    try {
      const path = request.url.split('?')[0] ?? ''
      if (request.method === 'GET' && path === calls.openTime.path) return ok({ time: this.deps.now() })
      const app = await this.applicationOf(request)
      if (request.method === 'GET') return ok(await this.deviceState(app, decodedOf(path.slice('/api/v1/open/device/'.length))))
      if (path === calls.openFile.path) return ok(await this.file(app, request))
      const body = bodyOf(request.body)
      switch (path) {
        case calls.openData.path:
          return ok(await this.items(app, request, body, 'telemetry'))
        case calls.openRecord.path:
          return ok(await this.items(app, request, body, 'record'))
        case calls.openEvent.path:
          return ok(await this.items(app, request, { ...body, items: [body] }, 'event'))
        case calls.openHeartbeat.path:
          return ok(await this.heartbeat(app, body))
        case calls.openParams.path:
          return ok(await this.params(app, request, body))
        case calls.openRegister.path:
          return ok(await this.register(app, request, body))
        default:
          throw new Refusal(404, '没有这个接口')
      }
    } catch (error) {
      if (error instanceof Refusal) {
        this.deps.counters.refused(error.reason)
        this.noteRefusal(request, error)
        return error.answer
      }
      throw error
    }
  }

  /** Logs a refused request, because the client's users often do not see the response. */
  private noteRefusal(request: OpenRequest, { reason, answer }: Refusal): void {
    const appId = request.headers['x-app-id']
    const identifier = claimedSn(request) ?? (typeof appId === 'string' && appId ? appId.slice(0, 64) : request.address)
    // Overload and an unavailable database are not caused by the client.
    if (answer.http === 503 || !this.deps.frames.wants(identifier, reason)) return
    const path = (request.url.split('?')[0] ?? '').slice('/api/v1/open/'.length)
    this.deps.frames.note({
      time: this.deps.now(),
      identifier,
      protocol: 'http',
      address: request.address,
      direction: 'up',
      kind: path || 'http',
      result: reason,
      length: request.body.length,
      body: Buffer.from(blanked(request.body.toString('utf8', 0, 1024))),
      isText: true,
      answer: `HTTP ${answer.http}`,
      hint: answer.message,
    })
  }

  /**
   * Authenticates the application that signed the request.
   * @throws Refusal for a wrong signature, clock or nonce, or too many requests.
   */
  private async applicationOf(request: OpenRequest): Promise<FleetApp> {
    const header = (name: string) => {
      const value = request.headers[name]
      return typeof value === 'string' ? value : ''
    }
    const [appId, timestamp, nonce, sign] = [header('x-app-id'), header('x-timestamp'), header('x-nonce'), header('x-sign')]
    if (!appId || !sign || !/^\d{12,14}$/.test(timestamp) || !/^[\x21-\x7e]{16,64}$/.test(nonce))
      throw new Refusal(401, headerFault(appId, timestamp, nonce, sign))
    const now = this.deps.now()
    const ahead = Math.round((Number(timestamp) - now) / 1000)
    if (Math.abs(ahead) * 1000 > windowMs) {
      const message = `时间戳比平台${ahead > 0 ? '快' : '慢'} ${Math.abs(ahead)} 秒，超出 5 分钟的允许范围，请校准时钟（X-Timestamp 为毫秒）`
      throw new Refusal(401, message, { reason: 'clock', data: { serverTime: now } })
    }
    const app = /^[\w-]{1,64}$/.test(appId) ? await this.deps.fleet.seekApp(appId) : undefined
    const secret = app ? (this.deps.secrets.open(app.sealedSecret) ?? '') : 'unknown'
    const expected = createHmac('sha256', secret)
      .update(signedText(request, timestamp, nonce))
      .digest()
    const given = /^[0-9a-f]{64}$/i.test(sign) ? Buffer.from(sign, 'hex') : Buffer.alloc(32)
    if (!timingSafeEqual(expected, given) || !app) {
      // The signed text contains nothing but the request itself, so it may be returned for comparison.
      const stringToSign = signedText(request, timestamp, nonce)
      throw new Refusal(401, '签名不正确：核对应用密钥，并与 data.stringToSign 逐行比较签名串', { data: { stringToSign } })
    }
    if (!app.enabled) throw new Refusal(403, '应用已停用', { reason: 'disabled' })
    const bucket = this.buckets.get(app.id) ?? new TokenBucket(perSecond, perSecond, now)
    this.buckets.set(app.id, bucket)
    if (!bucket.tryTake(now)) throw new Refusal(429, '请求过于频繁', { retryAfter: 1 })
    if (!this.deps.pipeline.isFlowing) throw new Refusal(503, '暂时无法存储，请稍后重试', { retryAfter: 5 })
    const fresh = await this.deps.pool.query('insert into open_nonce (app_id, nonce, at) values ($1, $2, $3) on conflict do nothing', [
      app.id,
      nonce,
      new Date(now),
    ])
    if (fresh.rowCount === 0)
      throw new Refusal(401, '请求已使用过（随机数重复）：每次请求换一个 X-Nonce，重发也要重新签名', { reason: 'nonce' })
    return app
  }

  /**
   * The device with a serial number, if the application may use it.
   * @throws Refusal otherwise.
   */
  private async deviceOf(app: FleetApp, sn: unknown, address: string | undefined, sample?: Buffer): Promise<FleetDevice> {
    if (typeof sn !== 'string' || !sn) throw new Refusal(400, '请填写设备序列号 deviceSn')
    const device = await this.deps.fleet.seekBySn(sn)
    const refused = !device ? 'unregistered' : !device.inService ? 'notInService' : undefined
    if (refused && address !== undefined && (!device || mayUse(app, device))) {
      this.deps.strangers.note(
        { identifier: sn, protocol: 'http', address, reason: refused, sample: sample?.toString('utf8', 0, 512) },
        this.deps.now(),
      )
    }
    if ((!device || !mayUse(app, device)) && address !== undefined && (await this.waiting(app, sn)))
      throw new Refusal(404, '设备尚未投入使用', { reason: 'notInService' })
    // The same message for both cases, so that an application cannot find out the serial numbers of others. The log distinguishes them.
    if (!device || !mayUse(app, device))
      throw new Refusal(404, '设备未登记，或应用无权访问该设备所属项目或类别', { reason: device ? 'forbidden' : 'unregistered' })
    if (refused && address !== undefined) throw new Refusal(404, '设备尚未投入使用', { reason: 'notInService' })
    return device
  }

  /** A device the application registered that still waits for approval. */
  private async waiting(app: FleetApp, sn: string): Promise<WaitingMachine | undefined> {
    const device = await this.deps.fleet.seekBySn(sn)
    return device && mayUse(app, device) ? undefined : waitingOf(this.deps.pool, app.id, sn)
  }

  private async items(app: FleetApp, request: OpenRequest, body: Record<string, unknown>, kind: 'telemetry' | 'record' | 'event') {
    const device = await this.deviceOf(app, body.deviceSn, request.address, request.body)
    if (!Array.isArray(body.items)) throw new Refusal(400, '缺少 items')
    if (body.items.length > maxItems) throw new Refusal(413, `一次最多 ${maxItems} 条`)
    const decoded = decodeItems(device, kind, { items: body.items, record: body.record }, this.deps.now())
    if (decoded.rejected.length) this.deps.counters.rejected('http', decoded.rejected.length)
    // An item with some rejected keys counts as accepted; the rejected keys are listed.
    const receivedAt = decoded.work.receivedAt
    const note = ({ result, hint }: FrameVerdict) =>
      this.deps.frames.note({
        hint,
        time: receivedAt,
        device,
        identifier: device.sn,
        protocol: 'http',
        address: request.address,
        direction: 'up',
        kind,
        result,
        length: request.body.length,
        body: Buffer.from(blanked(request.body.toString('utf8', 0, 1024))),
        isText: true,
        decoded: {
          ...(decoded.work.readings[0]?.values ?? decoded.work.records[0]?.data),
          ...decoded.work.readings[0]?.unknown,
          rejected: decoded.rejected.length ? decoded.rejected.slice(0, 20) : undefined,
        },
        answer: `accepted ${decoded.accepted}, rejected ${decoded.rejected.length}`,
        delayMs: this.deps.now() - receivedAt,
      })
    if (decoded.accepted === 0) {
      note({ result: decoded.rejected[0]?.reason ?? 'empty' })
      return { accepted: 0, duplicated: 0, rejected: decoded.rejected }
    }
    this.deps.counters.received('http', decoded.accepted)
    const duplicated = await this.store(decoded)
    note(verdictOf(device.family, decoded.work, decoded.rejected, duplicated === decoded.accepted))
    return { accepted: decoded.accepted - duplicated, duplicated, rejected: decoded.rejected }
  }

  private store(decoded: Decoded): Promise<number> {
    return new Promise((resolve, reject) => {
      this.deps.pipeline.submit({ ...decoded.work, done: (error, outcome) => (error ? reject(error) : resolve(outcome.duplicated)) })
    })
  }

  /** Stores a picture for the application's project. */
  private async file(app: FleetApp, request: OpenRequest) {
    const parts = partsOf(String(request.headers['content-type'] ?? ''), request.body)
    const file = parts?.find((p) => p.name === 'file' || p.fileName !== undefined)
    if (!file) throw new Refusal(400, '缺少文件（表单字段 file）')
    if (file.body.length > maxFileBytes) throw new Refusal(413, '文件最多 10 MiB')
    if (!this.files.tryTake(app.id, file.body.length, this.deps.now()))
      throw new Refusal(429, '每个应用一天最多上传 1 GB 图片', { retryAfter: 3_600 })
    const picture = withoutMetadata(file.body)
    const stored = await this.deps.files.store(app.projectCode, file.fileName ?? '照片', picture, `应用 ${app.name}`)
    if (!stored.id || !stored.mime) throw new Refusal(400, '文件内容不受支持，请上传 JPG、PNG 或 WebP 图片')
    return {
      ...pick(stored, 'id', 'mime', 'sha256'),
      url: fileLink(this.deps.secrets, stored.id, this.deps.now()),
      size: picture.length,
    }
  }

  private async heartbeat(app: FleetApp, body: Record<string, unknown>) {
    const list = Array.isArray(body.deviceSn) ? body.deviceSn : [body.deviceSn]
    if (list.length > maxItems) throw new Refusal(413, `一次最多 ${maxItems} 台`)
    const rejected: Rejection[] = []
    const waiting: Promise<number>[] = []
    for (const [index, sn] of list.entries()) {
      const device = typeof sn === 'string' ? await this.deps.fleet.seekBySn(sn) : undefined
      if (!device?.inService || !mayUse(app, device)) {
        rejected.push({ index, reason: 'unknownDevice' })
        continue
      }
      waiting.push(
        this.store({ work: { device, receivedAt: this.deps.now(), readings: [], records: [], events: [] }, accepted: 1, rejected: [] }),
      )
    }
    await Promise.all(waiting)
    return { accepted: waiting.length, duplicated: 0, rejected }
  }

  private async params(app: FleetApp, request: OpenRequest, body: Record<string, unknown>) {
    const device = await this.deviceOf(app, body.deviceSn, request.address, request.body)
    const params = body.params
    if (typeof params !== 'object' || params === null || Array.isArray(params)) throw new Refusal(400, '缺少 params')
    const [first] = paramErrors(device.family, params as Record<string, unknown>)
    if (first) throw new Refusal(400, first.text)
    const result = await proposeParams(
      this.deps.pool,
      speaker(app, request),
      device,
      withPlainPlate(params as Record<string, unknown>),
      this.deps.now(),
    )
    if ('refused' in result) throw new Refusal(400, result.refused)
    return { id: device.id, pending: result.pending }
  }

  private async register(app: FleetApp, request: OpenRequest, body: Record<string, unknown>) {
    const parsed = calls.openRegister.schemas.body?.safeParse(body)
    if (!parsed?.success) throw new Refusal(400, wordsOf(parsed?.error.issues[0]))
    const requested = parsed.data as {
      deviceSn: string
      family: string
      model?: string
      name: string
      projectCode: string
      params: Record<string, unknown>
    }
    const family = familyNamed(requested.family)
    if (!family) throw new Refusal(400, '设备类别不存在')
    if (requested.projectCode !== app.projectCode || (app.families.length > 0 && !app.families.includes(family.key)))
      throw new Refusal(403, '应用无权在该项目登记此类设备')
    const known = await this.deps.fleet.seekBySn(requested.deviceSn)
    if (known && mayUse(app, known)) return { id: known.id, status: known.inService ? '1' : '0' }
    const [first] = paramErrors(family, requested.params)
    if (first) throw new Refusal(400, first.text)
    const { deviceSn, model, name } = requested
    const params = withPlainPlate(requested.params)
    const made = await registerByMachine(this.deps.pool, speaker(app, request), { deviceSn, family, model, name, params }, this.deps.now())
    if ('refused' in made) throw new Refusal(400, made.refused)
    return made
  }

  private async deviceState(app: FleetApp, sn: string) {
    const claim = await this.waiting(app, sn)
    if (claim) {
      const { id, name, family } = claim
      return { id, deviceSn: sn, name, family, status: '0', online: false, lastTime: null, lastReceived: null, lastError: null }
    }
    const device = await this.deviceOf(app, sn, undefined)
    const { rows } = await this.deps.pool.query<{ ts: Date; received_at: Date }>(
      'select ts, received_at from device_latest where device_id = $1',
      [device.id],
    )
    const { rows: errors } = await this.deps.pool.query<{ time: Date; result: string }>(
      `select time, result from device_frame where device_id = $1 and direction = 'up'
         and result <> all ($2) order by time desc limit 1`,
      [device.id, harmlessResults],
    )
    return {
      id: device.id,
      deviceSn: device.sn,
      name: device.name,
      family: device.family.key,
      status: device.inService ? '1' : '0',
      online: this.deps.presence.isOnline(device.id),
      lastTime: rows[0]?.ts.getTime() ?? null,
      lastReceived: rows[0]?.received_at.getTime() ?? null,
      lastError: errors[0] ? { time: errors[0].time.getTime(), reason: errors[0].result } : null,
    }
  }
}

/** The first validation error of a body, with its field. */
const wordsOf = (issue: { path: readonly PropertyKey[]; message: string } | undefined): string => {
  const field = issue?.path.map(String).join('.')
  return issue ? (field ? `${field}：${issue.message}` : issue.message) : '请求内容不正确'
}
