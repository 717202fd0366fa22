import { z } from 'zod'

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'

/** How the answer's `data` looks: `ok` needs none, `blob` is a file stream without an envelope. */
export type Answers = 'object' | 'list' | 'tree' | 'blob' | 'ok'

/**
 * What of a project a changing call touches, and with it which part in the project may make it:
 * - `site`: the project as a whole. The project itself, the companies that own or lead it; bodies and the platform by their codes.
 * - `own`: people and teams of a company. As `site`, and every company of the project for its own and its subcontractors'.
 * - `machine`: a machine, its papers, its alarms. As `site`, and the company that the machine belongs to.
 * - `review`: judging what others did. As `site`, and the supervisor.
 * - `parties`: who takes part in the project. As `site`; owner, leader and supervisor are written by owner, leader or platform only.
 * - `aside`: nothing of a project, but the caller's own account, group or files, or what only the platform keeps.
 */
export type Acts = 'site' | 'own' | 'machine' | 'review' | 'parties' | 'aside'

/** A schema by its inner half alone: to hold one of hundreds of objects against all methods of `z.ZodType` is most of what checking the contract takes. */
export type Schema = z.core.$ZodType

interface Definition {
  method: Method
  /** Full path, parameters as `:id`. */
  path: string
  summary: string
  /** For the OpenAPI document: what the summary leaves unsaid to whoever writes a client. */
  description?: string
  /** `public` needs no session, `self` any session; otherwise the permission code(s), one of which the caller must hold. */
  needs: 'public' | 'self' | (string & {}) | readonly string[]
  /** Of changing calls; `site`, the strictest, where none is given. */
  acts?: Acts
  params?: Schema
  query?: Schema
  body?: Schema
  response?: Schema
  answers?: Answers
  /** Multipart upload: read to its end before the handler runs. */
  multipart?: true
  /** A state-changing method that changes nothing worth an audit row (a search by POST), and the reason for it. */
  unaudited?: string
  /** Group types that may call it at all; none given = every type. */
  groupTypes?: readonly number[]
  /** Takes a body of up to a megabyte, sixteen times what others take; and what is so large in it. */
  largeBody?: string
  /** Signed by an application (X-Sign) instead of a session. */
  signed?: true
  /** Calls one address may make a minute; none given = the general limit. */
  perMinute?: number
  /** Answered to an account that still has the password it was given; nothing else is. */
  initialPassword?: true
  /** Answered to an account that still has to set up the second factor its group asks for; nothing else is, but what `initialPassword` lets through. */
  factorSetup?: true
}

type Parts = 'params' | 'query' | 'body'
type InputOf<D> = { [K in Parts & keyof D]: z.input<D[K]> }
type ParsedOf<D> = { [K in Parts & keyof D]: z.output<D[K]> }
type OutputOf<D> = D extends { response: infer R } ? z.output<R> : undefined

/** What the declared schemas are at run time, for whoever reads with them. */
type Schemas = Partial<Record<Parts | 'response', z.ZodType>>

/** One call of the API, the same value for server and web. The type carries plain objects, so that hundreds stay quick to check. */
export interface Endpoint<In = unknown, Parsed = unknown, Out = unknown> {
  readonly method: Method
  readonly path: string
  readonly summary: string
  readonly description: string | undefined
  readonly needs: 'public' | 'self' | string | readonly string[]
  readonly acts: Acts
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

/** Declares a call. Throws at start-up when the path's parameters and `params` disagree. */
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
 * A call with several answers, as it is asked for one of them: path and rights are the call's, what goes in and comes out is narrower. For
 * whoever asks; the call itself is what is served.
 */
export function viewOf<const D extends Required<Pick<Definition, 'query' | 'response'>>>(
  { types: _, ...call }: Endpoint,
  { query, response }: D,
): Endpoint<InputOf<D>, ParsedOf<D>, OutputOf<D>> {
  return { ...call, schemas: { ...call.schemas, query, response } as Schemas }
}

/** The permission codes an endpoint accepts; none for public and self calls. */
export function codesOf(e: Pick<Endpoint, 'needs'>): readonly string[] {
  if (e.needs === 'public' || e.needs === 'self') return []
  return typeof e.needs === 'string' ? [e.needs] : e.needs
}
