import { createHash } from 'node:crypto'
import type {} from '@fastify/multipart'
import type {} from '@fastify/rate-limit'
import type { Endpoint } from '@zhugong/contract/kit/endpoint'
import { codesOf } from '@zhugong/contract/kit/endpoint'
import { AppError } from '@zhugong/contract/kit/errors'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { z } from 'zod'
import { actingScope } from './acts.ts'
import { rowSecurityViolation } from './answer-error.ts'
import type { Clock } from './clock.ts'
import { Afterwards, type Context, FileAnswer, type Group, type Principal, type Shared } from './context.ts'
import { againAfterDeadlock, type Db, inScope, type Tx, widenScope } from './db.ts'
import { newId } from './ids.ts'
import type { Log } from './log.ts'
import { queryOf } from './private-query.ts'
import { within } from './reach.ts'
import type { RequestTurns } from './request-turns.ts'
import type { Secrets } from './secret.ts'
import { readUpload } from './upload.ts'

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
  recordAudit(tx: Tx, ...entries: AuditEntry[]): Promise<void>
  /** A call that was refused for want of a right, outside the transaction that it rolled back. Never throws. */
  recordRefusal(entry: AuditEntry): Promise<void>
  /** Why somebody is refused codes that his roles do hold; undefined where he holds none of them. */
  whyClosed?(principal: Principal, codes: readonly string[]): Promise<string | undefined>
  /** Whose request is worked on next. */
  turns: RequestTurns
  /** Whose body is read next. */
  bodies: RequestTurns
  checkAnswers: boolean
  scopeChecks: boolean
}

type Answer<O> = O | FileAnswer | Afterwards<O>
export type Handler<P, O> = (input: P, ctx: Context) => Promise<Answer<O>> | Answer<O>
/** The handler of a call, for one that stands apart from its route: `export const act: HandlerOf<typeof actOnAlarm> = async ({ body }, ctx) => ...`. */
export type HandlerOf<E> = E extends Endpoint<infer _In, infer P, infer O> ? Handler<P, O> : never
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
    const key = keyOf(endpoint)
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

  /** Admits, or says in words why a right that roles do give is closed. */
  const allow = async (endpoint: Endpoint, principal: Principal) => {
    try {
      admit(endpoint, principal)
    } catch (error) {
      const wanting = error instanceof AppError && error.detail?.code !== undefined
      const why = wanting ? await deps.whyClosed?.(principal, codesOf(endpoint)) : undefined
      throw why ? new AppError('forbidden', why, { code: codesOf(endpoint)[0] }) : error
    }
  }

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
        await allow(endpoint, principal)
        const view = viewFor(endpoint, principal, request)
        input = parseInput(endpoint, view ? { ...plain(request), query: view.query } : request)
        const out = await inOneTransaction(endpoint, handler, principal, input, request, gone)
        return send(reply, endpoint, out, view?.endpoint)
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
        () => allow(endpoint, principal),
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
    let after: (() => void | Promise<void>)[] = []
    let hasRead = false
    const isChange = endpoint.method !== 'GET' && !endpoint.unaudited
    const here = within(principal, codesOf(endpoint))
    const scope = isChange ? actingScope(here.scope, endpoint.acts) : here.scope
    const work = async (db: Tx) => {
      after = []
      let noted: { summary: string; objectId: string | readonly string[] | undefined } | undefined
      const ctx: Context = {
        ...shared(request),
        db,
        principal: { ...principal, scope: here.scope },
        user: principal.user,
        group: principal.group ?? noGroup,
        scope,
        codes: here.codes,
        projectCode: principal.projectCode,
        scopeChecks: deps.scopeChecks,
        afterCommit: (fn) => after.push(fn),
        widenTo: (projectCode) => widenScope(db, [...scope.projects, projectCode]),
        note: (summary, objectId) => {
          noted = { summary, objectId }
        },
        gone,
        upload: () => {
          hasRead = true
          return readUpload(request)
        },
      }
      const out = await answered(handler, input, ctx)
      if (isChange) {
        const entry = entryOf(endpoint, principal, input, request, out)
        const summary = noted?.summary ?? entry.summary
        const objects = typeof noted?.objectId === 'object' ? noted.objectId : [noted?.objectId ?? entry.objectId]
        await deps.recordAudit(db, ...objects.map((objectId) => ({ ...entry, summary, objectId })))
      }
      return out
    }
    // What came with the request as a file can be read once.
    const mayTryAgain = () => !hasRead && !gone.aborted
    const data = await againAfterDeadlock(() => inScope(deps.db, scope, work, longestStatementMs), mayTryAgain)
    for (const fn of after) await Promise.resolve(fn()).catch((error: unknown) => deps.log.error({ err: error }, 'after commit'))
    return data instanceof Afterwards ? data.finish() : data
  }

  serve.open = (endpoint, handler) => {
    register(endpoint as Endpoint, async (request, reply) => {
      const input = parseInput(endpoint as Endpoint, request)
      const data = await (handler as PublicHandler<unknown, unknown>)(input, { ...shared(request), headers: request.headers })
      return send(reply, endpoint as Endpoint, data)
    })
  }
  Object.defineProperty(serve, 'endpoints', { get: () => endpoints })

  function send(reply: FastifyReply, endpoint: Endpoint, data: unknown, view?: Endpoint) {
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
    const told = view?.schemas.response ? view.schemas.response.parse(JSON.parse(JSON.stringify(data ?? null))) : data
    return reply.header('cache-control', 'no-store').send({ status: 0, message: 'ok', data: told ?? null })
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

const keyOf = ({ method, path }: Pick<Endpoint, 'method' | 'path'>) => `${method} ${path.replace(/\/$/, '')}`

const plain = ({ params, query, body, headers }: FastifyRequest) => ({ params, query, body, headers })

/** As which of its views a wall is answered: the one whose question was asked, to the letter. Undefined for people. */
function viewFor(endpoint: Endpoint, { display }: Principal, request: FastifyRequest): { endpoint: Endpoint; query: unknown } | undefined {
  if (!display) return undefined
  for (const view of display.views.get(keyOf(endpoint)) ?? []) {
    const schema = view.schemas.query
    const asked = schema ? schema.safeParse(queryOf(schema, request)) : { success: true, data: request.query }
    if (asked.success) return { endpoint: view, query: asked.data }
  }
  throw new AppError('forbidden', '墙屏令牌只能按大屏面板读取数据')
}

/** Refuses by group type, missing code or an unchanged first password. */
function admit(endpoint: Endpoint, principal: Principal): void {
  if (principal.display && !principal.display.views.has(keyOf(endpoint)))
    throw new AppError('forbidden', '墙屏令牌只能查看大屏，不能办理其他事项')
  if (!endpoint.initialPassword) requireOwnPassword(principal)
  if (!endpoint.initialPassword && !endpoint.factorSetup) requireSecondFactor(principal)
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

/** Whose group asks for a second factor has one before anything else. */
export function requireSecondFactor(principal: Principal): void {
  if (principal.user.mustSetSecondFactor) throw new AppError('forbidden', '本单位要求动态口令，请先启用', { mustSetSecondFactor: true })
}

/** What a call takes of a request, by its contract; refused as `invalidInput` with the fields that are wrong. */
export function parseInput(
  endpoint: Endpoint,
  request: Pick<FastifyRequest, 'params' | 'query' | 'body' | 'headers'>,
): Record<string, unknown> {
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

/** Tokens are kept as their hash, so that a stolen table opens no session. */
export const hashToken = (token: string): string => createHash('sha256').update(token).digest('hex')
