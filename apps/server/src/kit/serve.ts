import { createHash } from 'node:crypto'
import type {} from '@fastify/multipart'
import type {} from '@fastify/rate-limit'
import type { Endpoint } from '@zhugong/contract/kit/endpoint'
import { codesOf } from '@zhugong/contract/kit/endpoint'
import { AppError, errorKinds } from '@zhugong/contract/kit/errors'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { z } from 'zod'
import type { Clock } from './clock.ts'
import { type Context, FileAnswer, type Group, type Principal, type Shared } from './context.ts'
import { type Db, inScope, isConnectionLoss, type Tx, widenScope } from './db.ts'
import { newId } from './ids.ts'
import type { Log } from './log.ts'
import type { Secrets } from './secret.ts'

export interface AuditEntry {
  principal: Principal
  action: string
  summary: string
  objectId: string | null
  projectCode: string | null
  ip: string
}

export interface ServeDependencies {
  db: Db
  /** A pool of its own: a request holding its transaction's connection must never wait for a second one of the same pool. */
  system: Db
  clock: Clock
  secrets: Secrets
  log: Log
  /** Finds who a token belongs to. Throws AppError `sessionExpired` or `forbidden`. */
  authenticate(token: string | undefined, groupHeader: string | undefined, ip: string): Promise<Principal>
  recordAudit(tx: Tx, entry: AuditEntry): Promise<void>
  checkAnswers: boolean
  scopeChecks: boolean
}

export type Handler<P, O> = (input: P, ctx: Context) => Promise<O | FileAnswer> | O | FileAnswer
export type PublicHandler<P, O> = (
  input: P,
  ctx: Shared & { headers: FastifyRequest['headers'] },
) => Promise<O | FileAnswer> | O | FileAnswer

export interface Serve {
  <In, P, O>(endpoint: Endpoint<In, P, O>, handler: Handler<P, O>): void
  /** For calls without a session: no transaction is opened for them. */
  open<In, P, O>(endpoint: Endpoint<In, P, O>, handler: PublicHandler<P, O>): void
  readonly endpoints: readonly Endpoint[]
}

const maxUploadBytes = 10 * 1024 * 1024
/** What a form sends beside its file: a few short words. */
const [maxUploadFields, maxUploadFieldBytes] = [20, 10_000]
const noGroup: Group = { id: '', type: 3, code: '', name: '', areaCode: null }

export function createServe(app: FastifyInstance, deps: ServeDependencies): Serve {
  const endpoints: Endpoint[] = []
  const taken = new Set<string>()

  function register(endpoint: Endpoint, answer: (request: FastifyRequest, reply: FastifyReply) => Promise<unknown>) {
    const key = `${endpoint.method} ${endpoint.path.replace(/\/$/, '')}`
    if (taken.has(key)) throw new Error(`${key} is served twice`)
    taken.add(key)
    endpoints.push(endpoint)
    app.route({
      method: endpoint.method,
      url: endpoint.path,
      handler: answer,
      config: endpoint.perMinute ? { rateLimit: { max: endpoint.perMinute, timeWindow: 60_000 } } : {},
    })
  }

  const shared = (request: FastifyRequest): Shared => ({
    clock: deps.clock,
    newId: () => newId(deps.clock.now()),
    secrets: deps.secrets,
    log: deps.log,
    system: deps.system,
    ip: request.ip,
  })

  const serve = ((endpoint: Endpoint, handler: Handler<unknown, unknown>) => {
    register(endpoint, async (request, reply) => {
      const principal = await deps.authenticate(single(request.headers.token), single(request.headers.group), request.ip)
      admit(endpoint, principal)
      const input = parseInput(endpoint, request)
      const after: (() => void | Promise<void>)[] = []
      const isChange = endpoint.method !== 'GET' && !endpoint.unaudited
      const data = await inScope(deps.db, principal.scope, async (db) => {
        let noted: { summary: string; objectId: string | undefined } | undefined
        const ctx: Context = {
          ...shared(request),
          db,
          principal,
          user: principal.user,
          group: principal.group ?? noGroup,
          scope: principal.scope,
          codes: principal.codes,
          projectCode: principal.projectCode,
          scopeChecks: deps.scopeChecks,
          afterCommit: (fn) => after.push(fn),
          widenTo: (projectCode) => widenScope(db, [...principal.scope.projects, projectCode]),
          note: (summary, objectId) => {
            noted = { summary, objectId }
          },
          gone: goneSignal(reply),
          upload: () => readUpload(request),
        }
        const out = await handler(input, ctx)
        if (isChange) {
          await deps.recordAudit(db, {
            principal,
            action: `${endpoint.method} ${endpoint.path}`,
            summary: noted?.summary ?? endpoint.summary,
            objectId: noted?.objectId ?? objectIdOf(input, out),
            projectCode: projectOf(input) ?? (principal.projectCode === '*' ? null : principal.projectCode),
            ip: request.ip,
          })
        }
        return out
      })
      for (const fn of after) await Promise.resolve(fn()).catch((error: unknown) => deps.log.error({ err: error }, 'after commit'))
      return send(reply, endpoint, data)
    })
  }) as Serve

  serve.open = (endpoint, handler) => {
    register(endpoint as Endpoint, async (request, reply) => {
      const input = parseInput(endpoint as Endpoint, request)
      const data = await (handler as PublicHandler<unknown, unknown>)(input, { ...shared(request), headers: request.headers })
      return send(reply, endpoint as Endpoint, data)
    })
  }
  Object.defineProperty(serve, 'endpoints', { get: () => endpoints })

  function send(reply: FastifyReply, endpoint: Endpoint, data: unknown) {
    if (data instanceof FileAnswer) {
      const disposition = data.inline ? 'inline' : 'attachment'
      return reply
        .header('content-type', data.contentType)
        .header('content-disposition', `${disposition}; filename*=UTF-8''${encodeURIComponent(data.fileName)}`)
        .header('cache-control', 'private, max-age=300')
        .send(data.body)
    }
    const schema = endpoint.schemas.response
    if (deps.checkAnswers && schema) {
      const checked = schema.safeParse(JSON.parse(JSON.stringify(data ?? null)))
      if (!checked.success) {
        throw new Error(
          `answer of ${endpoint.method} ${endpoint.path} breaks its contract: ${JSON.stringify(checked.error.issues).slice(0, 800)}`,
        )
      }
    }
    return reply.header('cache-control', 'no-store').send({ status: 0, message: 'ok', data: data ?? null })
  }
  return serve
}

/** Refuses by group type, missing code or an unchanged first password. */
function admit(endpoint: Endpoint, principal: Principal): void {
  if (endpoint.needs === 'self') return
  if (principal.user.mustChangePassword) throw new AppError('forbidden', '请先修改密码', { mustChangePassword: true })
  if (!principal.group) throw new AppError('forbidden', '请先选择要进入的机构或项目')
  const codes = codesOf(endpoint)
  const wrongType = endpoint.groupTypes && !endpoint.groupTypes.includes(principal.group.type)
  if (wrongType || (codes.length && !codes.some((code) => principal.codes.has(code)))) {
    throw new AppError('forbidden', `您没有此项权限（${codes.join('、')}）`, { code: codes[0] })
  }
}

function parseInput(endpoint: Endpoint, request: FastifyRequest): Record<string, unknown> {
  const input: Record<string, unknown> = {}
  for (const part of ['params', 'query', 'body'] as const) {
    const schema = endpoint.schemas[part]
    if (!schema || (part === 'body' && endpoint.multipart)) continue
    const parsed = schema.safeParse(part === 'body' ? (request.body ?? {}) : request[part])
    if (!parsed.success) throw refusalOf(parsed.error)
    input[part] = parsed.data
  }
  return input
}

/** The first problem as the message, all of them by field, so that a form can show each where it belongs. */
export function refusalOf(error: z.ZodError): AppError {
  const fields = error.issues.map((issue) => ({ field: issue.path.join('.'), message: issue.message }))
  const first = fields[0]
  return new AppError('invalidInput', first?.message ?? '输入不正确', { field: first?.field, fields })
}

function goneSignal(reply: FastifyReply): AbortSignal {
  const gone = new AbortController()
  reply.raw.once('close', () => gone.abort())
  return gone.signal
}

async function readUpload(request: FastifyRequest) {
  if (!request.isMultipart()) throw new AppError('invalidInput', '请选择要上传的文件', { field: 'file' })
  const part = await request.file({
    limits: { fileSize: maxUploadBytes, files: 1, fields: maxUploadFields, fieldSize: maxUploadFieldBytes },
  })
  if (!part) throw new AppError('invalidInput', '请选择要上传的文件', { field: 'file' })
  const body = await part.toBuffer()
  const fields: Record<string, string> = {}
  for (const [name, field] of Object.entries(part.fields)) {
    if (field && !Array.isArray(field) && field.type === 'field' && typeof field.value === 'string') fields[name] = field.value
  }
  return { fileName: part.filename, body, fields }
}

const single = (value: string | string[] | undefined) => (Array.isArray(value) ? value[0] : value)

function objectIdOf(input: Record<string, unknown>, out: unknown): string | null {
  const keys = ['id', 'projectCode', 'corpCode', 'govCode', 'workerId', 'deviceId', 'taskId']
  for (const part of [input.params, out, input.body]) {
    if (!part || typeof part !== 'object') continue
    for (const key of keys) {
      const value = (part as Record<string, unknown>)[key]
      if (typeof value === 'string') return value.slice(0, 64)
    }
  }
  return null
}

function projectOf(input: Record<string, unknown>): string | null {
  for (const part of [input.body, input.query, input.params]) {
    const value = (part as Record<string, unknown> | undefined)?.projectCode
    if (typeof value === 'string' && value !== '*') return value.slice(0, 64)
  }
  return null
}

/** insufficient_privilege: what a write outside a policy raises. */
const rowSecurityViolation = '42501'

/** The one place that turns an error into an answer. */
export function answerError(error: unknown, reply: FastifyReply, log: Log): FastifyReply {
  if (error instanceof AppError) {
    const kind = errorKinds[error.kind]
    return reply.code(kind.http).send({ status: kind.status, message: error.message, data: error.detail ?? null })
  }
  const known = error as { code?: string; statusCode?: number; message?: string }
  const framework: Record<string, [number, number, string]> = {
    FST_ERR_CTP_INVALID_JSON_BODY: [400, 2, '请求内容不是有效的 JSON'],
    FST_ERR_CTP_EMPTY_JSON_BODY: [400, 2, '请求内容为空'],
    FST_ERR_CTP_INVALID_MEDIA_TYPE: [400, 2, '不支持的内容类型'],
    FST_ERR_CTP_BODY_TOO_LARGE: [413, 2, '请求内容过大'],
    FST_REQ_FILE_TOO_LARGE: [413, 2, `文件过大，最多 ${maxUploadBytes / 1024 / 1024} MB`],
    FST_ERR_CTP_INVALID_CONTENT_LENGTH: [400, 2, '请求长度不正确'],
  }
  const hit = known.code ? framework[known.code] : undefined
  if (hit) return reply.code(hit[0]).send({ status: hit[1], message: hit[2], data: null })
  if (error instanceof SyntaxError && known.statusCode === 400)
    return reply.code(400).send({ status: 2, message: '请求内容不是有效的 JSON', data: null })
  if (known.statusCode === 429) return reply.code(429).send({ status: 4, message: known.message ?? '请求过于频繁，请稍后再试', data: null })
  if (known.statusCode && known.statusCode >= 400 && known.statusCode < 500) {
    return reply.code(known.statusCode).send({ status: 2, message: '请求不正确', data: null })
  }
  if (known.code === rowSecurityViolation) {
    // The second lock held where the first should have: refused all the same, and worth a look.
    log.warn({ err: error }, 'row-level security refused a write')
    return reply.code(403).send({ status: 403, message: '数据不存在或不在您的管辖范围内', data: null })
  }
  if (isConnectionLoss(error)) {
    log.warn({ err: error }, 'database away')
    return reply.code(503).header('retry-after', '3').send({ status: 4, message: '数据库暂时不可用，请稍后再试', data: null })
  }
  log.error({ err: error }, 'unexpected error')
  return reply.code(500).send({ status: 500, message: '500，服务器链接失败！', data: null })
}

/** Tokens are kept as their hash, so that a stolen table opens no session. */
export const hashToken = (token: string): string => createHash('sha256').update(token).digest('hex')
