import { request as httpRequest } from 'node:http'
import { openBodyBytes, openCalls } from '@zhugong/contract/telemetry/open-endpoints'
import type { FastifyInstance, FastifyReply } from 'fastify'
import type { Config } from '#kit/config'

const maxOpenBytes = 1024 * 1024
const timeoutMs = 15_000
const passedOn = ['x-app-id', 'x-timestamp', 'x-nonce', 'x-sign', 'content-type']

/**
 * The api's side of the open calls: body and signature headers go to the ingest byte by byte, since the signature is over the bytes.
 * They enter the same pipeline there as everything devices send.
 */
export function forwardOpenCalls(app: FastifyInstance, config: Pick<Config, 'ingestSocket'>): void {
  void app.register(async (scope) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body))
    scope.setErrorHandler((error: { code?: string; statusCode?: number; message: string }, _request, reply) => {
      if (error.statusCode === 429) return refuse(reply, 429, 4, error.message)
      if (error.code === 'FST_ERR_CTP_BODY_TOO_LARGE') return refuse(reply, 413, 2, '请求内容过大')
      return refuse(reply, 400, 2, '请求内容无法读取')
    })
    for (const call of openCalls) {
      scope.route({
        method: call.method,
        url: call.path,
        bodyLimit: openBodyBytes.get(call) ?? maxOpenBytes,
        // Applications have limits of their own; who has signed nothing has one by address.
        config: { rateLimit: call.perMinute ? { max: call.perMinute, timeWindow: '1 minute' } : false },
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
                  const retry = answer.headers['retry-after']
                  if (retry) void reply.header('retry-after', retry)
                  void reply
                    .code(answer.statusCode ?? 502)
                    .header('content-type', 'application/json; charset=utf-8')
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

const refuse = (reply: FastifyReply, http: number, status: number, message: string) =>
  reply.code(http).send({ status, message, data: null })
