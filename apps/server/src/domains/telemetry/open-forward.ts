import { request as httpRequest } from 'node:http'
import type { Endpoint } from '@zhugong/contract/kit/endpoint'
import { openBodyBytes, openCalls, pushGate } from '@zhugong/contract/telemetry/open-endpoints'
import type { FastifyInstance, FastifyReply, FastifyRequest, HTTPMethods } from 'fastify'
import type { Config } from '#kit/config'
import { OpenDoor, strangerBytes } from '#kit/open-door'

const maxOpenBytes = 1024 * 1024
const timeoutMs = 15_000
/** Requests per minute and address for calls without a signature, for example the time. */
const unsignedPerMinute = 600
const passedOn = ['x-app-id', 'x-timestamp', 'x-nonce', 'x-sign', 'content-type']

/** Whether the application exists; checked for large bodies only. */
export type IsKnownApp = (appId: string) => Promise<boolean>

/**
 * The api process's side of the open API. It forwards the body and signature headers to the ingest unchanged, since the signature covers
 * the bytes. There the data enters the same pipeline as device messages.
 */
export function forwardOpenCalls(
  app: FastifyInstance,
  config: Pick<Config, 'ingestSocket'>,
  isKnownApp: IsKnownApp,
  now: () => number = Date.now,
): void {
  const door = new OpenDoor(now)
  void app.register(async (scope) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body))
    scope.setErrorHandler((error: { code?: string; statusCode?: number; message: string }, _request, reply) => {
      if (error.statusCode === 429) return refuse(reply, 429, 4, error.message)
      if (error.code === 'FST_ERR_CTP_BODY_TOO_LARGE') return refuse(reply, 413, 2, '请求内容过大')
      return refuse(reply, 400, 2, '请求内容无法读取')
    })
    for (const { call, method, url } of openCalls.flatMap(routesOf)) {
      const perMinute = call.perMinute ?? (call.signed ? undefined : unsignedPerMinute)
      scope.route({
        method,
        url,
        bodyLimit: openBodyBytes.get(call) ?? maxOpenBytes,
        // The ingest limits applications; calls without a signature are limited by address.
        config: { rateLimit: perMinute ? { max: perMinute, timeWindow: '1 minute' } : false },
        // Runs before the body is read.
        onRequest: async (request, reply) => (call.signed ? refuseUnread(door, isKnownApp, request, reply) : undefined),
        handler: (request, reply) => {
          const body = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0)
          const headers: Record<string, string> = { 'x-forwarded-for': request.ip, 'content-length': String(body.length) }
          for (const name of passedOn) {
            const value = request.headers[name]
            if (typeof value === 'string') headers[name] = value
          }
          return new Promise<void>((resolve) => {
            const away = () => {
              if (!reply.sent) void refuse(reply, 503, 4, '设备接入服务暂时不可用，请稍后重试')
              resolve()
            }
            const onward = httpRequest(
              { socketPath: config.ingestSocket, path: request.raw.url ?? '/', method: request.method, headers, timeout: timeoutMs },
              (answer) => {
                const parts: Buffer[] = []
                answer.on('data', (part: Buffer) => parts.push(part))
                answer.on('error', away)
                answer.on('end', () => {
                  if (call.signed) door.note(request.ip, appIdOf(request), answer.statusCode ?? 502)
                  const retry = answer.headers['retry-after']
                  if (retry) void reply.header('retry-after', retry)
                  void reply
                    .code(answer.statusCode ?? 502)
                    .header('content-type', answer.headers['content-type'] ?? 'application/json; charset=utf-8')
                    .header('cache-control', 'no-store')
                    .send(Buffer.concat(parts))
                  resolve()
                })
              },
            )
            onward.on('timeout', () => onward.destroy())
            onward.on('error', away)
            onward.end(body)
          })
        },
      })
    }
  })
}

/** Gates try their address with GET, and some append a path of their own to it (/iclock/cdata, /LAPI/V1.0/...). */
const routesOf = (call: Endpoint): { call: Endpoint; method: HTTPMethods[]; url: string }[] =>
  call === pushGate
    ? [call.path, `${call.path}/*`].map((url) => ({ call, method: ['GET', 'POST'], url }))
    : [{ call, method: [call.method], url: call.path }]

const appIdOf = (request: FastifyRequest): string => {
  const given = request.headers['x-app-id']
  return typeof given === 'string' ? given.slice(0, 64) : ''
}

/**
 * Refuses a request before its body is read, if the address was refused too often or sends a large body for an unknown application. Closes
 * the connection, so that the body is never read.
 */
async function refuseUnread(door: OpenDoor, isKnown: IsKnownApp, request: FastifyRequest, reply: FastifyReply) {
  const appId = appIdOf(request)
  const wait = door.waitSeconds(request.ip, appId)
  if (wait) {
    void reply.header('retry-after', String(wait)).header('connection', 'close')
    return refuse(reply, 429, 4, `该地址被拒绝的请求过多，请 ${wait} 秒后再试，并核对应用编号与签名`)
  }
  const bytes = Number(request.headers['content-length'] ?? (request.method === 'GET' ? 0 : Number.NaN))
  if (bytes <= strangerBytes || door.isTrusted(request.ip, appId) || (await isKnown(appId))) return undefined
  door.note(request.ip, appId, 401)
  void reply.header('connection', 'close')
  return refuse(reply, 413, 2, '请求内容过大，或应用编号 X-App-Id 不存在')
}

const refuse = (reply: FastifyReply, http: number, status: number, message: string) =>
  reply.code(http).send({ status, message, data: null })
