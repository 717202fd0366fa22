import { createHash } from 'node:crypto'
import type { GateDialectKey } from '@zhugong/contract/telemetry/gate-dialects'
import type pg from 'pg'
import type { Fleet, FleetDevice } from '../../equipment/public.ts'
import { TokenBucket } from '../bucket.ts'
import type { Counters } from '../counters.ts'
import { blanked, type FrameLog } from '../frame-log.ts'
import type { OpenRequest } from '../open-api/refusal.ts'
import type { Pipeline } from '../pipeline.ts'
import { seekDevice } from '../seek-device.ts'
import type { StoredFiles } from '../stored-files.ts'
import { gateReaders, isDialect, readPush } from './adapters.ts'
import type { GateRequest } from './passage.ts'
import { takePassages } from './take.ts'

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
  contentType?: string | undefined
}

const perSecond = 50
const burst = 500
/** Minimum time between two reloads caused by an unknown key. */
const missMs = 2_000

export const keyHash = (key: string): Buffer => createHash('sha256').update(key).digest()

/** Receives pushes of gates, identified by the key in the path. Their passages enter the same pipeline as all others. */
export class GatePush {
  private readonly deps: GatePushDependencies
  private readonly byHash = new Map<string, { deviceId: string; adapter: GateDialectKey }>()
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
      if (isDialect(row.adapter)) this.byHash.set(row.key_hash.toString('hex'), { deviceId: row.id, adapter: row.adapter })
  }

  private async gateOf(adapter: string, key: string): Promise<{ device: FleetDevice; adapter: GateDialectKey } | undefined> {
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

  /** `rest` is what follows the key in the path. */
  async answer(request: OpenRequest, adapterName: string, key: string, rest: string): Promise<PushAnswer> {
    const { pipeline, counters, now, frames } = this.deps
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
    const given: GateRequest = {
      method: request.method,
      rest,
      query: new URLSearchParams(request.url.split('?')[1] ?? ''),
      contentType: String(request.headers['content-type'] ?? ''),
      body: request.body,
    }
    // Some gates try the address with an empty GET before they use it.
    const pushed = readPush(adapter, given) ?? (request.method === 'GET' ? { passages: [], ignored: 1 } : undefined)
    if (!pushed) {
      counters.badFrame('gate', adapter)
      note('format')
      return refused(400, '推送内容格式不正确')
    }
    const taken = await takePassages(this.deps, device, pushed, receivedAt)
    note(taken.result, taken.decoded, '200', taken.hint)
    const outcome = { accepted: taken.accepted, ignored: pushed.ignored, deviceSn: device.sn, now: now() }
    return { http: 200, ...gateReaders[adapter].reply(given, outcome) }
  }
}
