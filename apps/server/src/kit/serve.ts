import { createHash } from 'node:crypto'
import type {} from '@fastify/multipart'
import type {} from '@fastify/rate-limit'
import type { Endpoint } from '@zhugong/contract/kit/endpoint'
import { codesOf } from '@zhugong/contract/kit/endpoint'
import { AppError, errorKinds } from '@zhugong/contract/kit/errors'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { z } from 'zod'
import { actingScope } from './acts.ts'
import type { Clock } from './clock.ts'
import { type Context, FileAnswer, type Group, type Principal, type Shared } from './context.ts'
import { type Db, inScope, isConnectionLoss, type Tx, uniqueViolation, widenScope } from './db.ts'
import { newId } from './ids.ts'
import type { Log } from './log.ts'
import { queryOf } from './private-query.ts'
import type { RequestTurns } from './request-turns.ts'
import type { Secrets } from './secret.ts'

export interface AuditEntry {
  principal: Principal
  action: string
  summary: string
  objectId: string | null
  projectCode: string | null
  ip: string
  /** `ok` where nothing is given. */
  result?: 'refused'
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
  /** A call that was refused for want of a right, outside the transaction that it rolled back. Never throws. */
  recordRefusal(entry: AuditEntry): Promise<void>
  /** Whose request is worked on next. */
  turns: RequestTurns
  /** Whose body is read next. */
  bodies: RequestTurns
  checkAnswers: boolean
  scopeChecks: boolean
}

export type Handler<P, O> = (input: P, ctx: Context) => Promise<O | FileAnswer> | O | FileAnswer
/** What answers a call: `const listTeams: HandlerFor<typeof calls.listTeams> = ({ query }, ctx) => ...`. */
export type HandlerFor<E> = E extends Endpoint<infer _In, infer P, infer O> ? Handler<P, O> : never
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

/** What forms and choices take; read and checked in the thread that answers everybody, so no more than a few milliseconds of it. */
const smallBodyBytes = 64 * 1024
/** Bodies that may be larger, each up to some tens of milliseconds. */
const largeBodiesPerMinute = 60
/** Fields that an answer names as wrong: more than a form has. */
const mostFields = 50
const maxUploadBytes = 10 * 1024 * 1024
/** What a form sends beside its file: a few short words. */
const [maxUploadFields, maxUploadFieldBytes] = [20, 10_000]
/**
 * One statement of a request may take so long. Pages are read within a fraction of a second; what asks for more has an export, a thread or
 * a narrower filter, and whoever has to wait longer has left.
 */
const longestStatementMs = 10_000
const noGroup: Group = { id: '', type: 3, code: '', name: '', areaCode: null }

export function createServe(app: FastifyInstance, deps: ServeDependencies): Serve {
  const endpoints: Endpoint[] = []
  const taken = new Set<string>()

  function register(
    endpoint: Endpoint,
    answer: (request: FastifyRequest, reply: FastifyReply) => Promise<unknown>,
    beforeBody?: (request: FastifyRequest, reply: FastifyReply) => Promise<void>,
  ) {
    const key = `${endpoint.method} ${endpoint.path.replace(/\/$/, '')}`
    if (taken.has(key)) throw new Error(`${key} is served twice`)
    taken.add(key)
    endpoints.push(endpoint)
    const perMinute = endpoint.perMinute ?? (endpoint.largeBody ? largeBodiesPerMinute : undefined)
    app.route({
      method: endpoint.method,
      url: endpoint.path,
      handler: answer,
      ...(endpoint.largeBody || endpoint.multipart ? {} : { bodyLimit: smallBodyBytes }),
      ...(beforeBody ? { preParsing: beforeBody } : {}),
      config: perMinute ? { rateLimit: { max: perMinute, timeWindow: 60_000 } } : {},
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

  const authenticate = (request: FastifyRequest) =>
    deps.authenticate(single(request.headers.token), single(request.headers.group), request.ip)

  const serve = ((endpoint: Endpoint, handler: Handler<unknown, unknown>) => {
    const toldWhenRefused = async <T>(request: FastifyRequest, principal: Principal, input: () => Record<string, unknown>, fn: () => T) => {
      try {
        return await fn()
      } catch (error) {
        const why = refusedBecause(error)
        if (why)
          await deps.recordRefusal({
            ...entryOf(endpoint, principal, input(), request),
            summary: `${endpoint.summary}：${why}`,
            result: 'refused',
          })
        throw error
      }
    }
    const answer = async (request: FastifyRequest, reply: FastifyReply) => {
      const principal = await authenticate(request)
      const gone = goneSignal(reply)
      let input: Record<string, unknown> = {}
      const work = async () => {
        admit(endpoint, principal)
        input = parseInput(endpoint, request)
        return send(reply, endpoint, await inOneTransaction(endpoint, handler, principal, input, request, gone))
      }
      return toldWhenRefused(
        request,
        principal,
        () => input,
        () => deps.turns.run(principal.user.id, work, gone),
      )
    }
    // The body of a stranger, or of who may not, is not even read. Asked again for the answer: something may have changed meanwhile.
    const beforeBody = async (request: FastifyRequest, reply: FastifyReply) => {
      const principal = await authenticate(request)
      await toldWhenRefused(
        request,
        principal,
        () => ({}),
        () => admit(endpoint, principal),
      )
      const leave = await deps.bodies.enter(principal.user.id, goneSignal(reply))
      if (reply.raw.closed) leave()
      else reply.raw.once('close', leave)
    }
    register(endpoint, answer, endpoint.method === 'GET' ? undefined : beforeBody)
  }) as Serve

  async function inOneTransaction(
    endpoint: Endpoint,
    handler: Handler<unknown, unknown>,
    principal: Principal,
    input: Record<string, unknown>,
    request: FastifyRequest,
    gone: AbortSignal,
  ): Promise<unknown> {
    const after: (() => void | Promise<void>)[] = []
    const isChange = endpoint.method !== 'GET' && !endpoint.unaudited
    const scope = isChange ? actingScope(principal.scope, endpoint.acts) : principal.scope
    const work = async (db: Tx) => {
      let noted: { summary: string; objectId: string | undefined } | undefined
      const ctx: Context = {
        ...shared(request),
        db,
        principal,
        user: principal.user,
        group: principal.group ?? noGroup,
        scope,
        codes: principal.codes,
        projectCode: principal.projectCode,
        scopeChecks: deps.scopeChecks,
        afterCommit: (fn) => after.push(fn),
        widenTo: (projectCode) => widenScope(db, [...scope.projects, projectCode]),
        note: (summary, objectId) => {
          noted = { summary, objectId }
        },
        gone,
        upload: () => readUpload(request),
      }
      const out = await answered(handler, input, ctx)
      if (isChange) {
        const entry = entryOf(endpoint, principal, input, request, out)
        await deps.recordAudit(db, { ...entry, summary: noted?.summary ?? entry.summary, objectId: noted?.objectId ?? entry.objectId })
      }
      return out
    }
    const data = await inScope(deps.db, scope, work, longestStatementMs)
    for (const fn of after) await Promise.resolve(fn()).catch((error: unknown) => deps.log.error({ err: error }, 'after commit'))
    return data
  }

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

const entryOf = (
  endpoint: Endpoint,
  principal: Principal,
  input: Record<string, unknown>,
  request: FastifyRequest,
  out?: unknown,
): AuditEntry => ({
  principal,
  action: `${endpoint.method} ${endpoint.path}`,
  summary: endpoint.summary,
  objectId: objectIdOf(input, out),
  projectCode: projectOf(input) ?? (principal.projectCode === '*' ? null : principal.projectCode),
  ip: request.ip,
})

/** Why a right was wanting, in the words of the answer; undefined where something else went wrong. */
function refusedBecause(error: unknown): string | undefined {
  if (error instanceof AppError) return error.kind === 'forbidden' ? error.message : undefined
  return (error as { code?: string } | null)?.code === rowSecurityViolation ? '不在管辖范围内' : undefined
}

/** Where a part in a project hides from a change what its owner may well see, the refusal says so instead of denying that it exists. */
async function answered(handler: Handler<unknown, unknown>, input: unknown, ctx: Context): Promise<unknown> {
  try {
    return await handler(input, ctx)
  } catch (error) {
    const narrowed =
      ctx.scope.projects.length < ctx.principal.scope.projects.length || ctx.scope.limited.length > ctx.principal.scope.limited.length
    if (!(error instanceof AppError && error.kind === 'notFound' && narrowed)) throw error
    throw new AppError('forbidden', '数据不存在，或您的单位在该项目的身份不能办理此事')
  }
}

/** Refuses by group type, missing code or an unchanged first password. */
function admit(endpoint: Endpoint, principal: Principal): void {
  if (!endpoint.initialPassword) requireOwnPassword(principal)
  if (endpoint.needs === 'self') return
  if (!principal.group) throw new AppError('forbidden', '请先选择要进入的机构或项目')
  const codes = codesOf(endpoint)
  const wrongType = endpoint.groupTypes && !endpoint.groupTypes.includes(principal.group.type)
  if (wrongType || (codes.length && !codes.some((code) => principal.codes.has(code)))) {
    throw new AppError('forbidden', `您没有此项权限（${codes.join('、')}）`, { code: codes[0] })
  }
}

/** A password somebody else has made and may know opens nothing but the way to another one. */
export function requireOwnPassword(principal: Principal): void {
  if (principal.user.mustChangePassword) throw new AppError('forbidden', '请先修改密码', { mustChangePassword: true })
}

function parseInput(endpoint: Endpoint, request: FastifyRequest): Record<string, unknown> {
  const input: Record<string, unknown> = {}
  for (const part of ['params', 'query', 'body'] as const) {
    const schema = endpoint.schemas[part]
    if (!schema || (part === 'body' && endpoint.multipart)) continue
    const given = part === 'body' ? (request.body ?? {}) : part === 'query' ? queryOf(schema, request) : request[part]
    const parsed = schema.safeParse(given)
    if (!parsed.success) throw refusalOf(parsed.error)
    input[part] = parsed.data
  }
  return input
}

/** The first problem as the message, all of them by field, so that a form can show each where it belongs. */
export function refusalOf(error: z.ZodError): AppError {
  const fields = error.issues.slice(0, mostFields).map((issue) => ({ field: issue.path.join('.'), message: issue.message }))
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
/** query_canceled: more time than a statement may take. */
const statementTimeout = '57014'

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
  // A form that ends in the middle, as one cut off on its way does.
  if (known.message === 'Unexpected end of multipart data')
    return reply.code(400).send({ status: 2, message: '上传内容不完整，请重新上传', data: null })
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
  if (known.code === statementTimeout) {
    log.warn({ err: error }, 'a statement took too long')
    return reply.code(200).send({ status: 4, message: '数据量过大，请缩小时间范围或增加筛选条件后重试', data: null })
  }
  if (isConnectionLoss(error)) {
    log.warn({ err: error }, 'database away')
    return reply.code(503).header('retry-after', '3').send({ status: 4, message: '数据库暂时不可用，请稍后再试', data: null })
  }
  const unstorable = unstorableBecause(error)
  if (unstorable) {
    // Refused by the database where the contract should have: worth a look, and no failure of ours.
    log.warn({ err: error }, 'the database refused a value')
    return reply.code(400).send({ status: 2, message: unstorable, data: null })
  }
  log.error({ err: error }, 'unexpected error')
  return reply.code(500).send({ status: 500, message: '500，服务器链接失败！', data: null })
}

/** What people call the things that others point to. */
const things: Readonly<Record<string, string>> = {
  project: '项目',
  corporation: '企业',
  government: '监管机构',
  device: '设备',
  gateway: '网关',
  worker: '人员',
  team: '班组',
  app_user: '账号',
  tenant: '机构',
}

/** PostgreSQL's words for a value it cannot keep (class 22) or that breaks what tables promise each other (class 23), in ours. */
function unstorableBecause(error: unknown): string | undefined {
  const { code = '', detail = '' } = (error ?? {}) as { code?: string; detail?: string }
  if (code === '23503') {
    const thing = things[/is not present in table "(\w+)"/.exec(detail)?.[1] ?? '']
    return thing ? `${thing}不存在或已删除` : '引用的数据不存在，或仍被其他数据引用'
  }
  if (code === uniqueViolation) return '相同的数据已存在'
  if (code === '22003') return '数值超出允许的范围'
  if (code.startsWith('2200') || code === '22P02') return '日期、编码或格式不正确'
  if (code === '23514' || code === '23502' || code.startsWith('22')) return '提交的数据不符合要求，请检查后重试'
  return undefined
}

/** Tokens are kept as their hash, so that a stolen table opens no session. */
export const hashToken = (token: string): string => createHash('sha256').update(token).digest('hex')
