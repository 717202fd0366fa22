import { createHash } from 'node:crypto'
import * as calls from '@zhugong/contract/telemetry/open-endpoints'
import type { FleetApp, FleetDevice } from '../../equipment/public.ts'

export interface OpenRequest {
  method: string
  /** Path and query as sent. */
  url: string
  headers: Record<string, string | string[] | undefined>
  body: Buffer
  address: string
}

export interface OpenAnswer {
  http: number
  status: number
  message: string
  data: unknown
  retryAfter?: number
}

export class Refusal extends Error {
  readonly answer: OpenAnswer
  /** Reason in the counters and in the frame log. */
  readonly reason: string
  constructor(http: number, message: string, more: { reason?: string; retryAfter?: number; data?: unknown } = {}) {
    super(message)
    this.reason = more.reason ?? (http === 401 ? 'signature' : http === 403 ? 'forbidden' : http === 429 ? 'rate' : 'http')
    const status = http === 401 || http === 403 ? http : http === 429 || http === 503 ? 4 : 2
    this.answer = { http, status, message, data: more.data ?? null, retryAfter: more.retryAfter || undefined }
  }
}

/** Serial number named in a refused request. It is not authenticated and only used in the log. */
export function claimedSn(request: OpenRequest): string | undefined {
  if (request.method === 'GET' || request.url.startsWith(calls.openFile.path)) return undefined
  return /"deviceSn"\s*:\s*"([\w.:-]{1,64})"/.exec(request.body.toString('utf8', 0, 4096))?.[1]
}

export const ok = (data: unknown): OpenAnswer => ({ http: 200, status: 0, message: 'ok', data })

/** METHOD \n path?sorted-query \n timestamp \n nonce \n hex SHA-256(body) */
export function signedText(request: Pick<OpenRequest, 'method' | 'url' | 'body'>, timestamp: string, nonce: string): string {
  const [path = '', query] = request.url.split('?')
  const sorted = query ? `${path}?${query.split('&').sort().join('&')}` : path
  return [request.method, sorted, timestamp, nonce, createHash('sha256').update(request.body).digest('hex')].join('\n')
}

export function headerFault(appId: string, timestamp: string, nonce: string, sign: string): string {
  if (!appId) return '缺少请求头 X-App-Id'
  if (!sign) return '缺少请求头 X-Sign'
  if (!/^\d{12,14}$/.test(timestamp)) return 'X-Timestamp 应为毫秒时间戳（13 位数字）'
  return `X-Nonce 应为 16～64 个字符，收到 ${nonce.length} 个`
}

/** Decodes a path segment; a malformed one is refused like an unknown device. */
export function decodedOf(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    throw new Refusal(404, '设备未登记，或应用无权访问该设备所属项目或类别', { reason: 'unregistered' })
  }
}

/** An application may use devices of its own project and families that are connected over HTTP. */
export function mayUse(app: FleetApp, device: FleetDevice): boolean {
  if (device.projectCode !== app.projectCode || device.protocol !== 'http') return false
  if (device.access.appId && device.access.appId !== app.id) return false
  return app.families.length === 0 || app.families.includes(device.family.key)
}

export function bodyOf(body: Buffer): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(body.toString('utf8'))
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Record<string, unknown>
  } catch {
    // Falls through to the refusal.
  }
  throw new Refusal(400, '请求内容不是有效的 JSON', { reason: 'json' })
}
