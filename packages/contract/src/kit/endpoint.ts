import { z } from 'zod'

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'

/** Shape of the response's `data`: `ok` has none, `blob` is a file stream without an envelope. */
export type Answers = 'object' | 'list' | 'tree' | 'blob' | 'ok'

/**
 * What a changing call changes in a project, and so which companies may make it, by their part in the project:
 * - `site`: the project as a whole. Allowed to the project itself and to its owner and general contractor. Government and platform need
 *   only the code.
 * - `own`: people and teams of a company. As `site`, and every company of the project for itself and its subcontractors.
 * - `machine`: a machine, its documents, its alarms. As `site`, and the company that the machine belongs to.
 * - `review`: reviewing the work of others. As `site`, and the supervisor.
 * - `supervisor`: what only the supervisor (监理) decides: no other company, not even the owner or the general contractor.
 * - `answer`: deciding what the company is asked for. As `review`, and every company of the project for what concerns itself.
 * - `parties`: which companies take part. As `site`; only owner, general contractor or platform write owner, general contractor and
 *   supervisor.
 * - `aside`: nothing of a project, but the caller's own account, group or files, or data that only the platform maintains.
 */
export type Acts = 'site' | 'own' | 'machine' | 'review' | 'supervisor' | 'answer' | 'parties' | 'aside'

/** Who may take one action of a call that carries several. */
export interface ActionRights {
  needs: string | readonly string[]
  acts: Acts
}

/** The core type of zod: comparing hundreds of objects with all methods of `z.ZodType` takes most of the contract's type checking time. */
export type Schema = z.core.$ZodType

interface Definition {
  method: Method
  /** Full path, with parameters as `:id`. */
  path: string
  summary: string
  /** For the OpenAPI document: what the author of a client must know beyond the summary. */
  description?: string
  /** `public`: no session needed; `self`: any session; otherwise permission codes, of which the caller must have one. */
  needs: 'public' | 'self' | (string & {}) | readonly string[]
  /** For changing calls; default `site`, the strictest. */
  acts?: Acts
  /** For a call that carries several actions: the rights of each, by the `action` of its body. They replace `needs` and `acts`. */
  actions?: Readonly<Record<string, ActionRights>>
  params?: Schema
  query?: Schema
  body?: Schema
  response?: Schema
  answers?: Answers
  /** Multipart upload: the server reads it completely before the handler runs. */
  multipart?: true
  /** For a state-changing method that needs no audit row (a search by POST): the reason. */
  unaudited?: string
  /** Group types that may call it; default: all. */
  groupTypes?: readonly number[]
  /** Accepts a body of up to 1 MB, sixteen times the usual limit; the text says what is so large. */
  largeBody?: string
  /** Authenticated by the signature of an application (X-Sign) instead of a session. */
  signed?: true
  /** Calls per minute from one IP address; default: the general limit. */
  perMinute?: number
  /** Allowed for an account that still has its initial password; all other calls are refused. */
  initialPassword?: true
  /** Allowed for an account that must still set up a second factor. All other calls are refused, except those with `initialPassword`. */
  factorSetup?: true
}

type Parts = 'params' | 'query' | 'body'
type InputOf<D> = { [K in Parts & keyof D]: z.input<D[K]> }
type ParsedOf<D> = { [K in Parts & keyof D]: z.output<D[K]> }
type OutputOf<D> = D extends { response: infer R } ? z.output<R> : undefined

/** The run-time type of the declared schemas, for code that parses with them. */
type Schemas = Partial<Record<Parts | 'response', z.ZodType>>

/**
 * One call of the API, the same value for server and web. The type contains plain objects only, so that hundreds of endpoints type-check
 * fast.
 */
export interface Endpoint<In = unknown, Parsed = unknown, Out = unknown> {
  readonly method: Method
  readonly path: string
  readonly summary: string
  readonly description: string | undefined
  readonly needs: 'public' | 'self' | string | readonly string[]
  readonly acts: Acts
  readonly actions: Readonly<Record<string, ActionRights>> | undefined
  readonly answers: Answers
  readonly multipart: boolean
  readonly signed: boolean
  readonly perMinute: number | undefined
  readonly unaudited: string | undefined
  readonly largeBody: string | undefined
  readonly groupTypes: readonly number[] | undefined
  readonly initialPassword: boolean
  readonly factorSetup: boolean
  readonly schemas: Schemas
  /** Types only, never set. */
  readonly types?: { in: In; parsed: Parsed; out: Out }
}

export type InputFor<E> = E extends Endpoint<infer In, infer _P, infer _O> ? In : never
export type ParsedFor<E> = E extends Endpoint<infer _In, infer Parsed, infer _O> ? Parsed : never
export type OutputFor<E> = E extends Endpoint<infer _I, infer _P, infer Out> ? Out : never

/**
 * Declares a call.
 * @throws at start-up if the path's parameters and `params` differ
 */
export function endpoint<const D extends Definition>(definition: D): Endpoint<InputOf<D>, ParsedOf<D>, OutputOf<D>> {
  const named = [...definition.path.matchAll(/:(\w+)/g)].map((m) => m[1])
  const shape = definition.params instanceof z.ZodObject ? Object.keys(definition.params.shape) : []
  if (named.some((n) => !shape.includes(n ?? '')) || shape.length !== named.length) {
    throw new Error(`${definition.method} ${definition.path}: params do not match the path`)
  }
  return {
    method: definition.method,
    path: definition.path,
    summary: definition.summary,
    description: definition.description,
    needs: definition.needs,
    acts: definition.acts ?? 'site',
    actions: definition.actions,
    answers: definition.answers ?? (definition.response ? 'object' : 'ok'),
    multipart: definition.multipart ?? false,
    signed: definition.signed ?? false,
    perMinute: definition.perMinute,
    unaudited: definition.unaudited,
    largeBody: definition.largeBody,
    groupTypes: definition.groupTypes,
    initialPassword: definition.initialPassword ?? false,
    factorSetup: definition.factorSetup ?? false,
    schemas: {
      params: definition.params,
      query: definition.query,
      body: definition.body,
      response: definition.response,
    } as Schemas,
  }
}

/**
 * Narrows a call with several kinds of response to one of them: path and permission are the same, input and output are narrower. For
 * clients only; the server serves the original call.
 */
export function viewOf<const D extends Required<Pick<Definition, 'query' | 'response'>>>(
  { types: _, ...call }: Endpoint,
  { query, response }: D,
): Endpoint<InputOf<D>, ParsedOf<D>, OutputOf<D>> {
  return { ...call, schemas: { ...call.schemas, query, response } as Schemas }
}

/** The call with the rights of the action that its body names; unchanged for a call without actions. */
export function forAction<E extends Pick<Endpoint, 'needs' | 'acts' | 'actions'>>(call: E, input: Record<string, unknown>): E {
  const action = (input.body as { action?: unknown } | undefined)?.action
  const rights = call.actions && typeof action === 'string' && Object.hasOwn(call.actions, action) ? call.actions[action] : undefined
  return rights ? { ...call, ...rights } : call
}

/** The permission codes that an endpoint accepts; none for public and self calls. */
export function codesOf(e: Pick<Endpoint, 'needs'>): readonly string[] {
  if (e.needs === 'public' || e.needs === 'self') return []
  return typeof e.needs === 'string' ? [e.needs] : e.needs
}
