import { createHash } from 'node:crypto'
import type {} from '@fastify/multipart'
import type {} from '@fastify/rate-limit'
import type { Endpoint } from '@zhugong/contract/kit/endpoint'
import { AppError } from '@zhugong/contract/kit/errors'
import type { FastifyInstance, FastifyReply, FastifyRequest, RouteOptions } from 'fastify'
import { allow, keyOf, viewFor } from './admit.ts'
import { rowSecurityViolation } from './answer-error.ts'
import { type AuditEntry, entryOf } from './audit-entry.ts'
import type { Clock } from './clock.ts'
import { type Afterwards, type Context, FileAnswer, type Principal, type Shared } from './context.ts'
import type { Db, Tx } from './db.ts'
import { pruneOf, undeclaredKeys } from './declared-keys.ts'
import { type Form, readForm } from './form.ts'
import { finish, inOneTransaction, sharedOf } from './in-transaction.ts'
import type { Log } from './log.ts'
import { pacedBody } from './pace.ts'
import { parseInput } from './request-input.ts'
import type { RequestTurns } from './request-turns.ts'
import type { Secrets } from './secret.ts'

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
  /** Whose other servers are waited for next. */
  away: RequestTurns
  uploads: Uploads
  checkAnswers: boolean
  scopeChecks: boolean
}

/** Where files that come with requests are put until their calls have been answered, and who may send more of them. */
export interface Uploads {
  folder: string
  /** Throws AppError `tooMany`; asked before anything is read. */
  admit(principal: Principal): Promise<void>
  /** Told of every file that has come whole, whatever becomes of it. */
  count(principal: Principal, bytes: number): Promise<void>
}

type Answer<O> = O | FileAnswer | Afterwards<O>
export type Handler<P, O> = (input: P, ctx: Context) => Promise<Answer<O>> | Answer<O>
/** The handler of a call, for one that stands apart from its route: `export const act: HandlerOf<typeof actOnAlarm> = async ({ body }, ctx) => ...`. */
export type HandlerOf<E> = E extends Endpoint<infer _In, infer P, infer O> ? Handler<P, O> : never
export type PublicHandler<P, O> = (
  input: P,
  ctx: Shared & { headers: FastifyRequest['headers'] },
) => Promise<O | FileAnswer> | O | FileAnswer

export interface ServeOptions<P> {
  /** Asked before the call has a turn and a transaction, for what others have to be asked for: names of servers. Refuses by AppError. */
  before?(input: P): Promise<void>
}

export interface Serve {
  <In, P, O>(endpoint: Endpoint<In, P, O>, handler: Handler<P, O>, options?: ServeOptions<P>): void
  /** For calls without a session: no transaction is opened for them. */
  open<In, P, O>(endpoint: Endpoint<In, P, O>, handler: PublicHandler<P, O>): void
  readonly endpoints: readonly Endpoint[]
}

/** What forms and choices take; read and checked in the thread that answers everybody, so no more than a few milliseconds of it. */
const smallBodyBytes = 64 * 1024
/** Bodies that may be larger, each up to some tens of milliseconds. */
const largeBodiesPerMinute = 60

type Step = (request: FastifyRequest, reply: FastifyReply) => Promise<unknown>
type BodyStep = (request: FastifyRequest, reply: FastifyReply, body: NodeJS.ReadableStream) => Promise<NodeJS.ReadableStream>

interface Served {
  endpoint: Endpoint
  handler: Handler<unknown, unknown>
  before: ServeOptions<unknown>['before']
}

export function createServe(app: FastifyInstance, deps: ServeDependencies): Serve {
  const endpoints: Endpoint[] = []
  const taken = new Set<string>()
  const register = (endpoint: Endpoint, answer: Step, beforeBody?: BodyStep) => {
    const key = keyOf(endpoint)
    if (taken.has(key)) throw new Error(`${key} is served twice`)
    taken.add(key)
    endpoints.push(endpoint)
    app.route(routeOf(endpoint, answer, beforeBody))
  }
  const serve = ((endpoint: Endpoint, handler: Handler<unknown, unknown>, { before }: ServeOptions<unknown> = {}) => {
    const answer: Step = (request, reply) => answerCall(deps, { endpoint, handler, before }, request, reply)
    const beforeBody: BodyStep = (request, reply, body) => waitForBody(deps, endpoint, request, reply, body)
    register(endpoint, answer, endpoint.method === 'GET' ? undefined : beforeBody)
  }) as Serve
  serve.open = (endpoint, handler) => {
    register(endpoint as Endpoint, (request, reply) =>
      answerAnybody(deps, endpoint as Endpoint, handler as PublicHandler<unknown, unknown>, request, reply),
    )
  }
  Object.defineProperty(serve, 'endpoints', { get: () => endpoints })
  return serve
}

function routeOf(endpoint: Endpoint, answer: Step, beforeBody: BodyStep | undefined): RouteOptions {
  const perMinute = endpoint.perMinute ?? (endpoint.largeBody ? largeBodiesPerMinute : undefined)
  return {
    method: endpoint.method,
    url: endpoint.path,
    handler: answer,
    ...(endpoint.largeBody || endpoint.multipart ? {} : { bodyLimit: smallBodyBytes }),
    ...(beforeBody ? { preParsing: beforeBody } : {}),
    config: perMinute ? { rateLimit: { max: perMinute, timeWindow: 60_000 } } : {},
  }
}

/** Who asks, whether he may, what he asks, and what the handler answers: in his turn. Whatever waits for an end that may be slow does so outside of it. */
async function answerCall(
  deps: ServeDependencies,
  { endpoint, handler, before }: Served,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<unknown> {
  const principal = await askedBy(deps, request)
  const gone = goneSignal(reply)
  let input: Record<string, unknown> = {}
  let form: Form | undefined
  const read = async () => {
    await allow(deps, endpoint, principal)
    const view = viewFor(endpoint, principal, request)
    input = parseInput(endpoint, view ? { ...plain(request), query: view.query } : request)
    return view
  }
  const work = async () => {
    const view = await read()
    const done = await inOneTransaction(deps, { endpoint, handler, principal, input, request, form, gone })
    return { done, view }
  }
  try {
    if (endpoint.multipart) form = await takeForm(deps, principal, request)
    if (before) {
      await read()
      await deps.away.run(principal.user.id, () => before(input), gone)
    }
    const { done, view } = await deps.turns.run(principal.user.id, work, gone)
    return send(deps, reply, endpoint, await finish(deps, { principal, gone }, done), view?.endpoint)
  } catch (error) {
    await tellRefusal(deps, error, entryOf(endpoint, principal, input, request))
    throw error
  } finally {
    await form?.close()
  }
}

async function takeForm({ uploads }: ServeDependencies, principal: Principal, request: FastifyRequest): Promise<Form> {
  await uploads.admit(principal)
  const form = await readForm(request, uploads.folder)
  try {
    if (form.bytes !== undefined) await uploads.count(principal, form.bytes)
    return form
  } catch (error) {
    await form.close()
    throw error
  }
}

/** The body of a stranger, or of who may not, is not even read. Asked again for the answer: something may have changed meanwhile. */
async function waitForBody(
  deps: ServeDependencies,
  endpoint: Endpoint,
  request: FastifyRequest,
  reply: FastifyReply,
  body: NodeJS.ReadableStream,
): Promise<NodeJS.ReadableStream> {
  const principal = await askedBy(deps, request)
  try {
    await allow(deps, endpoint, principal)
  } catch (error) {
    await tellRefusal(deps, error, entryOf(endpoint, principal, {}, request))
    throw error
  }
  const leave = await deps.bodies.enter(principal.user.id, goneSignal(reply))
  if (reply.raw.closed) leave()
  else reply.raw.once('close', leave)
  // A form is read when its call is answered, at its own pace.
  return endpoint.multipart ? body : pacedBody(request, body)
}

/** For calls without a session: no transaction is opened for them. */
async function answerAnybody(
  deps: ServeDependencies,
  endpoint: Endpoint,
  handler: PublicHandler<unknown, unknown>,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<unknown> {
  const input = parseInput(endpoint, request)
  const data = await handler(input, { ...sharedOf(deps, request), headers: request.headers })
  return send(deps, reply, endpoint, data)
}

const askedBy = (deps: ServeDependencies, { headers, ip }: FastifyRequest) =>
  deps.authenticate(single(headers.token), single(headers.group), ip)

async function tellRefusal(deps: ServeDependencies, error: unknown, entry: AuditEntry): Promise<void> {
  const why = refusedBecause(error)
  if (why) await deps.recordRefusal({ ...entry, summary: `${entry.summary}：${why}`, result: 'refused' })
}

function send(deps: ServeDependencies, reply: FastifyReply, endpoint: Endpoint, data: unknown, view?: Endpoint): FastifyReply {
  if (data instanceof FileAnswer) return sendFile(reply, data)
  if (deps.checkAnswers) holdToContract(endpoint, data)
  const { response } = (view ?? endpoint).schemas
  const declared = response ? (pruneOf(response)?.(data) ?? data) : undefined
  return reply.header('cache-control', 'no-store').send({ status: 0, message: 'ok', data: declared ?? null })
}

function sendFile(reply: FastifyReply, { inline, fileName, contentType, body }: FileAnswer): FastifyReply {
  const disposition = inline ? 'inline' : 'attachment'
  return reply
    .header('content-type', contentType)
    .header('content-disposition', `${disposition}; filename*=UTF-8''${encodeURIComponent(fileName)}`)
    .header('cache-control', 'private, max-age=300')
    .send(body)
}

/** Throws where an answer lacks what its contract declares, or carries keys beyond it. */
function holdToContract(endpoint: Endpoint, data: unknown): void {
  const { response } = endpoint.schemas
  const call = `${endpoint.method} ${endpoint.path}`
  if (!response) {
    if (data !== undefined && data !== null) throw new Error(`${call} answers data, but its contract declares no response`)
    return
  }
  const checked = response.safeParse(JSON.parse(JSON.stringify(data ?? null)))
  if (!checked.success) throw new Error(`answer of ${call} breaks its contract: ${JSON.stringify(checked.error.issues).slice(0, 800)}`)
  const beyond = undeclaredKeys(response, data)
  if (beyond.length === 0) return
  const advice = 'declare them in the response schema, or cut the answer to its contract with `declared()`'
  throw new Error(`answer of ${call} carries keys its contract does not declare: ${beyond.join(', ')}; ${advice}`)
}

/** Why a right was wanting, in the words of the answer; undefined where something else went wrong. */
function refusedBecause(error: unknown): string | undefined {
  if (error instanceof AppError) return error.kind === 'forbidden' ? error.message : undefined
  return (error as { code?: string } | null)?.code === rowSecurityViolation ? '不在管辖范围内' : undefined
}

const plain = ({ params, query, body, headers }: FastifyRequest) => ({ params, query, body, headers })

function goneSignal(reply: FastifyReply): AbortSignal {
  const gone = new AbortController()
  // Whoever has the whole answer leaves nothing behind that would have to be given up.
  reply.raw.once('close', () => reply.raw.writableFinished || gone.abort())
  return gone.signal
}

const single = (value: string | string[] | undefined) => (Array.isArray(value) ? value[0] : value)

/** Tokens are kept as their hash, so that a stolen table opens no session. */
export const hashToken = (token: string): string => createHash('sha256').update(token).digest('hex')
