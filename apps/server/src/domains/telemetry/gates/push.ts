import { createHash } from 'node:crypto'
import type pg from 'pg'
import type { Fleet, FleetDevice } from '../../equipment/public.ts'
import { type RecordItem, type Rejection, readRecord } from '../../readings/public.ts'
import { TokenBucket } from '../bucket.ts'
import type { Counters } from '../counters.ts'
import { blanked, type FrameLog } from '../frame-log.ts'
import type { OpenRequest } from '../open-api/refusal.ts'
import type { Pipeline } from '../pipeline.ts'
import { seekDevice } from '../seek-device.ts'
import type { StoredFiles } from '../stored-files.ts'
import { type Adapter, isAdapter, readPush } from './adapters.ts'

export interface GatePushDependencies {
  pool: pg.Pool
  fleet: Fleet
  pipeline: Pipeline
  counters: Counters
  frames: FrameLog
  files: StoredFiles
  now(): number
}
export interface PushAnswer {
  http: number
  body: unknown
  retryAfter?: number
}

const perSecond = 50
const burst = 500
/** Minimum time between two reloads caused by an unknown key. */
const missMs = 2_000

export const keyHash = (key: string): Buffer => createHash('sha256').update(key).digest()

/** Receives pushes of gates, identified by the key in the path. Their passages enter the same pipeline as all others. */
export class GatePush {
  private readonly deps: GatePushDependencies
  private readonly byHash = new Map<string, { deviceId: string; adapter: Adapter }>()
  private readonly buckets = new Map<string, TokenBucket>()
  private missedAt = 0

  constructor(deps: GatePushDependencies) {
    this.deps = deps
  }

  async load(): Promise<void> {
    const { rows } = await this.deps.pool.query<{ id: string; adapter: string; key_hash: Buffer }>(
      'select id, adapter, key_hash from gate_push',
    )
    this.byHash.clear()
    for (const row of rows)
      if (isAdapter(row.adapter)) this.byHash.set(row.key_hash.toString('hex'), { deviceId: row.id, adapter: row.adapter })
  }

  private async gateOf(adapter: string, key: string): Promise<{ device: FleetDevice; adapter: Adapter } | undefined> {
    const hash = keyHash(key).toString('hex')
    const now = this.deps.now()
    if (!this.byHash.has(hash) && now - this.missedAt > missMs) {
      this.missedAt = now
      await this.load()
    }
    const known = this.byHash.get(hash)
    const device = known?.adapter === adapter ? await seekDevice(this.deps.fleet, this.deps.pool, known.deviceId) : undefined
    return known && device ? { device, adapter: known.adapter } : undefined
  }

  async answer(request: OpenRequest, adapterName: string, key: string): Promise<PushAnswer> {
    const { pipeline, counters, now, frames, files } = this.deps
    const receivedAt = now()
    const gate = await this.gateOf(adapterName, key)
    const refused = (http: number, message: string, retryAfter?: number): PushAnswer => ({
      http,
      body: { status: http === 401 ? 401 : http === 503 || http === 429 ? 4 : 2, message, data: null },
      retryAfter: retryAfter || undefined,
    })
    if (!gate) {
      counters.refused('gateKey')
      return refused(401, '推送地址无效')
    }
    const { device, adapter } = gate
    const note = (result: string, decoded?: Record<string, unknown>, answer?: string, hint?: string) => {
      const type = String(request.headers['content-type'] ?? '')
      const isText = !type.startsWith('multipart/')
      frames.note({
        time: receivedAt,
        device,
        identifier: device.sn,
        protocol: 'http',
        address: request.address,
        direction: 'up',
        kind: `gate.${adapter}`,
        result,
        length: request.body.length,
        body: isText ? Buffer.from(blanked(request.body.toString('utf8', 0, 1024))) : request.body.subarray(0, 1024),
        isText,
        decoded,
        answer,
        hint,
        delayMs: now() - receivedAt,
      })
    }
    if (!device.inService) {
      note('notInService')
      return refused(403, '设备尚未投入使用')
    }
    const bucket = this.buckets.get(device.id) ?? new TokenBucket(perSecond, burst, receivedAt)
    this.buckets.set(device.id, bucket)
    if (!bucket.tryTake(receivedAt)) return refused(429, '请求过于频繁', 1)
    if (!pipeline.isFlowing) return refused(503, '暂时无法存储，请稍后重试', 5)
    const pushed = readPush(adapter, String(request.headers['content-type'] ?? ''), request.body)
    if (!pushed) {
      counters.badFrame('gate', adapter)
      note('format')
      return refused(400, '推送内容格式不正确')
    }
    const records: RecordItem[] = []
    const refusals: Rejection[] = []
    for (const [index, passage] of pushed.passages.entries()) {
      const data: Record<string, unknown> = { ...passage.data }
      // The direction configured for the gate; a direction sent by the gate takes precedence.
      data.direction ??= device.params.direction
      if (passage.picture) {
        const file = await files.store(device.projectCode, `抓拍-${device.sn}`, passage.picture, device.name, 'attendance')
        data.pictureHash = file.sha256
        if (file.id) data.photoUrl ??= file.id
      }
      const read = readRecord(device.family, { time: passage.time, data, record: 'attendance' }, index, receivedAt)
      if (read.accepted) records.push(read.accepted)
      else refusals.push(...read.rejected)
    }
    if (pushed.timeless) refusals.push({ index: 0, key: 'time', reason: 'time' })
    if (refusals.length) counters.rejected('gate', refusals.length)
    if (records.length) counters.received('gate', records.length)
    await new Promise<void>((resolve, reject) => {
      pipeline.submit({
        device,
        receivedAt,
        readings: [],
        records,
        events: [],
        done: (error) => (error ? reject(error) : resolve()),
      })
    })
    // Replied with success although nothing is stored, since a retry would fail again. The log is the only place that shows it.
    const hint = pushed.timeless
      ? `通行时间无法识别，没有记录考勤：收到 ${JSON.stringify(pushed.timeless[0]) ?? '空'}，请核对闸机的时间格式`
      : pushed.passedOver
        ? `不是通行事件，没有记录考勤：类型 ${pushed.passedOver}`
        : undefined
    const result = pushed.timeless
      ? 'time'
      : pushed.passedOver
        ? 'ignored'
        : refusals.length
          ? (refusals[0]?.reason ?? 'oneRejected')
          : records.length
            ? 'stored'
            : 'accepted'
    note(result, { ...records[0]?.data, rejected: refusals.length ? refusals : undefined }, '200', hint)
    return { http: 200, body: successOf(adapter, records.length, pushed.ignored) }
  }
}

/** Success reply in the form the vendor's gate expects; with any other reply the gate resends the record for days. */
function successOf(adapter: Adapter, accepted: number, ignored: number): unknown {
  if (adapter === 'callback') return { result: 1, success: true, msg: 'ok' }
  return { status: 0, message: 'ok', data: { accepted, duplicated: 0, rejected: [], ignored } }
}
