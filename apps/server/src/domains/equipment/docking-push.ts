import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { type DockingDependencies, type DockingTable, runPush } from './docking-run.ts'

const windowMs = 5 * 60_000
const maxBytes = 1024 * 1024

/**
 * Where other platforms push to: POST /api/v1/open/dock/{id}, signed with X-Timestamp (ms) and
 * X-Sign = hex HMAC-SHA256(push key, timestamp \n hex SHA-256(body)). The same readings twice are stored once.
 */
export function dockingPush(app: FastifyInstance, deps: DockingDependencies): void {
  void app.register(async (scope) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: maxBytes }, (_request, body, done) => done(null, body))
    scope.setErrorHandler((error: { code?: string }, _request, reply) =>
      error.code === 'FST_ERR_CTP_BODY_TOO_LARGE' ? answer(reply, 413, 2, '请求内容超过 1 MiB') : answer(reply, 400, 2, '请求内容无法读取'),
    )
    scope.post<{ Params: { id: string } }>('/api/v1/open/dock/:id', async (request, reply) => {
      const body = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0)
      const { id } = request.params
      const timestamp = String(request.headers['x-timestamp'] ?? '')
      const sign = String(request.headers['x-sign'] ?? '')
      if (!/^\d{12,14}$/.test(timestamp) || !/^[0-9a-f]{64}$/i.test(sign)) return answer(reply, 401, 401, '签名头不完整')
      if (Math.abs(deps.now() - Number(timestamp)) > windowMs) return answer(reply, 401, 401, '时间戳超出允许范围，请校准时钟')
      const { rows } = await deps.pool.query<DockingTable & { push_secret: Buffer | null }>(
        `select * from gateway3rd where id = $1 and conn_type = '2'`,
        [id.slice(0, 64)],
      )
      const docking = rows[0]
      const key = docking ? deps.secrets.open(docking.push_secret) : null
      const expected = createHmac('sha256', key ?? 'unknown')
        .update(pushText(timestamp, body))
        .digest()
      if (!timingSafeEqual(expected, Buffer.from(sign, 'hex')) || !docking || !key) return answer(reply, 401, 401, '签名不正确')
      if (docking.enable !== '1') return answer(reply, 403, 403, '对接已停用')
      const result = await runPush(deps, docking, body.toString('utf8'))
      return answer(reply, 200, result.result === 'failed' && result.rows === 0 ? 2 : 0, result.message ?? 'ok', {
        accepted: result.accepted,
        duplicated: result.duplicated,
        rejected: result.refused.map(({ externalId, reason }) => ({ externalId, reason })),
      })
    })
  })
}

/** What a push is signed over. */
export const pushText = (timestamp: string, body: Buffer | string) => `${timestamp}\n${createHash('sha256').update(body).digest('hex')}`

const answer = (reply: FastifyReply, http: number, status: number, message: string, data: unknown = null) =>
  reply.code(http).header('cache-control', 'no-store').send({ status, message, data })
