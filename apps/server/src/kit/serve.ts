import { createHash } from 'node:crypto'
import type {} from '@fastify/multipart'
import type {} from '@fastify/rate-limit'
import { type Endpoint, forAction } from '@zhugong/contract/kit/endpoint'
import { AppError } from '@zhugong/contract/kit/errors'
import type { FastifyInstance, FastifyReply, FastifyRequest, RouteOptions } from 'fastify'
import { allow, keyOf, viewFor } from './admit.ts'
import { rowSecurityViolation } from './answer-error.ts'
import { type AuditEntry, entryOf } from './audit-entry.ts'
import { FileAnswer, type Principal, type Shared, type Upload } from './context.ts'
import { pruneOf, undeclaredKeys } from './declared-keys.ts'
import { type Form, readForm } from './form.ts'
import { finish, inOneTransaction, sharedOf } from './in-transaction.ts'
import { pacedBody } from './pace.ts'
import { parseInput } from './request-input.ts'
import type { Handler, ServeDependencies } from './serve-dependencies.ts'

/**
 * Type of a call's handler, for a handler defined apart from its route: `export const act: HandlerOf<typeof actOnAlarm> = async ({ body },
 * ctx) => ...`.
 */
export type HandlerOf<E> = E extends Endpoint<infer _In, infer P, infer O> ? Handler<P, O> : never
export type PublicHandler<P, O> = (
  input: P,
  ctx: Shared & {
    headers: FastifyRequest['headers']
    /** Reads the form of a multipart call, which is left unread until then. @throws AppError when there is no file */
    upload(): Promise<Upload>
  },
) => Promise<O | FileAnswer> | O | FileAnswer

export interface ServeOptions<P> {
  /**
   * Runs before the call's turn and transaction, for lookups over the network such as DNS.
   * @throws AppError to refuse the call
   */
  before?(input: P): Promise<void>
}

export interface Serve {
  <In, P, O>(endpoint: Endpoint<In, P, O>, handler: Handler<P, O>, options?: ServeOptions<P>): void
  /** For calls without a session: no transaction is opened for them. */
  open<In, P, O>(endpoint: Endpoint<In, P, O>, handler: PublicHandler<P, O>): void
  readonly endpoints: readonly Endpoint[]
}

/** Body limit in bytes of ordinary calls. Bodies are parsed in the main thread, so parsing must take only a few milliseconds. */
const smallBodyBytes = 64 * 1024
/** Requests per minute for endpoints with large bodies, whose parsing takes up to some tens of milliseconds each. */
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

/**
 * Authenticates the caller, checks the permission, parses the input and runs the handler in the account's turn. Waits for forms and other
 * servers outside the turn.
 */
async function answerCall(
  deps: ServeDependencies,
  { endpoint, handler, before }: Served,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<unknown> {
  const principal = await requestedBy(deps, request)
  const gone = goneSignal(reply)
  let input: Record<string, unknown> = {}
  let form: Form | undefined
  // The call with the rights of the requested action.
  let call = endpoint
  const read = async () => {
    await allow(deps, endpoint, principal)
    const view = viewFor(endpoint, principal, request)
    input = parseInput(endpoint, view ? { ...plain(request), query: view.query } : request)
    call = forAction(endpoint, input)
    if (call !== endpoint) await allow(deps, call, principal)
    return view
  }
  const work = async () => {
    const view = await read()
    const done = await inOneTransaction(deps, { endpoint: call, handler, principal, input, request, form, gone })
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

/** Checks session and permission before the body is read. `answerCall` checks them again, because they may have changed meanwhile. */
async function waitForBody(
  deps: ServeDependencies,
  endpoint: Endpoint,
  request: FastifyRequest,
  reply: FastifyReply,
  body: NodeJS.ReadableStream,
): Promise<NodeJS.ReadableStream> {
  const principal = await requestedBy(deps, request)
  try {
    await allow(deps, endpoint, principal)
  } catch (error) {
    await tellRefusal(deps, error, entryOf(endpoint, principal, {}, request))
    throw error
  }
  const leave = await deps.bodies.enter(principal.user.id, goneSignal(reply))
  if (reply.raw.closed) leave()
  else reply.raw.once('close', leave)
  // A form is read later by `takeForm`, at its own pace.
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
  let form: Form | undefined
  const upload = async () => {
    if (!endpoint.multipart) throw new Error('only a multipart call has a file')
    const leave = await deps.bodies.enter(`open ${request.ip}`, goneSignal(reply))
    try {
      form = await readForm(request, deps.uploads.folder)
    } finally {
      leave()
    }
    return form.upload()
  }
  try {
    const data = await handler(input, { ...sharedOf(deps, request), headers: request.headers, upload })
    return send(deps, reply, endpoint, data)
  } finally {
    await form?.close()
  }
}

const requestedBy = (deps: ServeDependencies, { headers, ip }: FastifyRequest) =>
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
  // Whatever a file holds, opened by its address it runs nothing. The browser's own viewer of PDF does not work in a sandbox.
  if (contentType !== 'application/pdf') void reply.header('content-security-policy', "default-src 'none'; sandbox")
  return reply
    .header('content-type', contentType)
    .header('content-disposition', `${disposition}; filename*=UTF-8''${encodeURIComponent(fileName)}`)
    .header('cache-control', 'private, max-age=300')
    .send(body)
}

/** @throws Error when a response breaks its schema or carries undeclared keys */
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

/** The message of a permission error; undefined for other errors. */
function refusedBecause(error: unknown): string | undefined {
  if (error instanceof AppError) return error.kind === 'forbidden' ? error.message : undefined
  return (error as { code?: string } | null)?.code === rowSecurityViolation ? '不在管辖范围内' : undefined
}

const plain = ({ params, query, body, headers }: FastifyRequest) => ({ params, query, body, headers })

function goneSignal(reply: FastifyReply): AbortSignal {
  const gone = new AbortController()
  // After a complete response there is nothing left to abort.
  reply.raw.once('close', () => reply.raw.writableFinished || gone.abort())
  return gone.signal
}

const single = (value: string | string[] | undefined) => (Array.isArray(value) ? value[0] : value)

/** Tokens are stored as SHA-256, so that a stolen table gives no access to sessions. */
export const hashToken = (token: string): string => createHash('sha256').update(token).digest('hex')
