import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { OpenDoor, strangerBytes } from '#kit/open-door'
import { type DockingDependencies, type DockingTable, runPush } from './docking-run.ts'

const windowMs = 5 * 60_000
const maxBytes = 1024 * 1024

/**
 * Endpoint for pushes of other platforms: POST /api/v1/open/dock/{id}, signed with X-Timestamp (ms) and X-Sign = hex HMAC-SHA256(push key,
 * timestamp
 * hex SHA-256(body)). Idempotent: repeated readings are stored once.
 */
export function dockingPush(app: FastifyInstance, deps: DockingDependencies): void {
  const door = new OpenDoor(deps.now)
  void app.register(async (scope) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: maxBytes }, (_request, body, done) => done(null, body))
    scope.setErrorHandler((error: { code?: string }, _request, reply) =>
      error.code === 'FST_ERR_CTP_BODY_TOO_LARGE' ? answer(reply, 413, 2, '请求内容超过 1 MiB') : answer(reply, 400, 2, '请求内容无法读取'),
    )
    scope.addHook('onRequest', (request: Pushed, reply) => refuseUnread(deps, door, request, reply))
    scope.addHook('onResponse', async (request: Pushed, reply) => door.note(request.ip, idOf(request), reply.statusCode))
    scope.post<{ Params: { id: string } }>('/api/v1/open/dock/:id', async (request, reply) => {
      const body = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0)
      const { timestamp, sign } = signatureOf(request)
      const { rows } = await deps.pool.query<DockingTable & { push_secret: Buffer | null }>(
        `select * from gateway3rd where id = $1 and conn_type = '2'`,
        [idOf(request)],
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

type Pushed = FastifyRequest<{ Params: { id: string } }>
const idOf = (request: Pushed): string => request.params.id.slice(0, 64)
const signatureOf = ({ headers }: Pick<FastifyRequest, 'headers'>) => ({
  timestamp: String(headers['x-timestamp'] ?? ''),
  sign: String(headers['x-sign'] ?? ''),
})

/** Checks that do not need the body run before it is read; a refusal closes the connection. */
async function refuseUnread(deps: DockingDependencies, door: OpenDoor, request: Pushed, reply: FastifyReply): Promise<unknown> {
  const id = idOf(request)
  const refuse = (http: number, message: string) => answer(reply.header('connection', 'close'), http, http === 401 ? 401 : 4, message)
  const wait = door.waitSeconds(request.ip, id)
  if (wait) return refuse(429, `该地址被拒绝的请求过多，请 ${wait} 秒后再试，并核对对接编号与签名`)
  const { timestamp, sign } = signatureOf(request)
  if (!/^\d{12,14}$/.test(timestamp) || !/^[0-9a-f]{64}$/i.test(sign)) return refuse(401, '签名头不完整')
  if (Math.abs(deps.now() - Number(timestamp)) > windowMs) return refuse(401, '时间戳超出允许范围，请校准时钟')
  if (Number(request.headers['content-length'] ?? Number.NaN) <= strangerBytes || door.isTrusted(request.ip, id)) return undefined
  const { rows } = await deps.pool.query(`select 1 from gateway3rd where id = $1 and conn_type = '2'`, [id])
  // The same error as for a wrong signature, so that ids cannot be probed.
  return rows.length > 0 ? undefined : refuse(401, '签名不正确')
}

/** The text that the signature of a push covers. */
export const pushText = (timestamp: string, body: Buffer | string) => `${timestamp}\n${createHash('sha256').update(body).digest('hex')}`

const answer = (reply: FastifyReply, http: number, status: number, message: string, data: unknown = null) =>
  reply.code(http).header('cache-control', 'no-store').send({ status, message, data })
