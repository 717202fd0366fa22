import { type GroupType, groupTypes } from '@zhugong/contract/access/group-types'
import type { Endpoint } from '@zhugong/contract/kit/endpoint'
import { AppError } from '@zhugong/contract/kit/errors'
import type { Clock } from './clock.ts'
import type { made } from './context-mark.ts'
import type { Db, Scope, Tx } from './db.ts'
import type { Log } from './log.ts'
import type { Secrets } from './secret.ts'

export { type GroupType, groupTypes }

export interface Group {
  id: string
  type: GroupType
  /** govCode, corpCode or projectCode by type; `platform` for the platform itself. */
  code: string
  name: string
  areaCode: string | null
}

/** Limits of a permission code that is not valid in all projects or not for an unlimited time. */
export interface Bound {
  /** Null: all projects of the group. */
  projects: ReadonlySet<string> | null
  /** Projects excluded by hand from those of the group. */
  except?: ReadonlySet<string>
  /** The last valid day, yyyy-MM-dd in Asia/Shanghai; null: unlimited. */
  until: string | null
}
/** The rights of a user in a group. */
export interface Rights {
  codes: ReadonlySet<string>
  /** Limits of the codes that are restricted to projects or to a time. */
  bounds: ReadonlyMap<string, Bound>
}

/** A user in one active group. */
export interface Principal extends Rights {
  sessionHash: string
  user: { id: string; account: string; name: string; mustChangePassword: boolean; mustSetSecondFactor?: boolean }
  /** Null before a group is chosen: then only calls that need nothing but a session are allowed. */
  group: Group | null
  scope: Scope
  /** The project the `group` header narrows to, or `*`. */
  projectCode: string
  /** Set when the principal is a wall, not a person. It shows one template and may only make these calls, with the fields of its views. */
  display?: Display
}

export interface Display {
  id: string
  templateId: string
  /** Epoch milliseconds. */
  expiresAt: number
  /** Keyed by method and path. */
  views: ReadonlyMap<string, readonly Endpoint[]>
}

export interface Shared {
  clock: Clock
  newId(): string
  secrets: Secrets
  log: Log
  /** The database without row-level security: for sessions, accounts and background work only, never for the rows of a tenant. */
  system: Db
  ip: string
}

/** Created only by `kit/in-transaction.ts` for requests and by `kit/background.ts` for other work. */
export interface Context extends Shared {
  readonly [made]: true
  /** The request's one transaction, under row-level security. */
  db: Tx
  principal: Principal
  user: Principal['user']
  group: Group
  /** What this call may read. For a call that changes data, what it may change: `principal.scope` narrowed by `actingScope`. */
  scope: Scope
  /** The caller's codes that are valid in all projects of `scope`; `principal.codes` are those valid in at least one project. */
  codes: ReadonlySet<string>
  projectCode: string
  /** False only in the isolation tests that check row-level security alone. */
  scopeChecks: boolean
  /** Registers a callback that runs after the commit; its errors are logged and do not reach the response. */
  afterCommit(fn: () => void | Promise<void>): void
  /** Adds a project that this request has just created to the scope of its transaction. Later requests include it without this. */
  widenTo(projectCode: string): Promise<void>
  /** Describes the action for the audit row in a few words, without personal data. With several object ids, one row is written per id. */
  note(summary: string, objectId?: string | readonly string[]): void
  /** Cache of query results for work that repeats the same steps for many records in one transaction (`cached`). */
  asked?: Map<string, Promise<unknown>>
  /**
   * Keeps the audit row of this request in the log of another group, and without who made it: in the own group's log it would betray a
   * complaint to those whom it concerns.
   */
  conceal(group: Pick<Group, 'id' | 'name'>): void
  /** Runs another transaction with the same scope, in the account's turn. An `AfterCommit` uses it to store what it received. */
  later<T>(work: (db: Tx) => Promise<T>): Promise<T>
  /** Aborted when the client has disconnected. */
  gone: AbortSignal
  /**
   * The uploaded file of a multipart call, received completely before the transaction began.
   * @throws AppError when there is none
   */
  upload(): Promise<Upload>
}

export interface Upload {
  fileName: string
  body: Buffer
  fields: Record<string, string>
  /** The small picture that came with a photograph. */
  small?: Buffer | undefined
}

/**
 * A response that is completed after the commit: for calls over the network, which may be slow. An error thrown there is answered as usual,
 * but the transaction stays committed.
 */
export class AfterCommit<O> {
  readonly finish: () => Promise<O>
  constructor(finish: () => Promise<O>) {
    this.finish = finish
  }
}

/** A file that is sent instead of a JSON envelope. */
export class FileAnswer {
  readonly fileName: string
  readonly contentType: string
  readonly body: Buffer | NodeJS.ReadableStream
  /** Shown in the page (pictures) rather than saved; only for types that cannot run anything. */
  readonly inline: boolean
  constructor(fileName: string, contentType: string, body: Buffer | NodeJS.ReadableStream, inline = false) {
    this.fileName = fileName
    this.contentType = contentType
    this.body = body
    this.inline = inline
  }
}

/**
 * The projects by which a list query filters: the requested one, the one of the `group` header, or the whole scope. Undefined means all.
 * @throws AppError `notFound` when the requested project is outside the scope
 */
export function projectsFor(ctx: Pick<Context, 'scope' | 'scopeChecks'>, requested?: string): readonly string[] | undefined {
  const one = requested && requested !== '*' ? requested : undefined
  if (one) {
    requireProject(ctx, one)
    return [one]
  }
  return ctx.scope.all || !ctx.scopeChecks ? undefined : ctx.scope.projects
}

/**
 * Refuses a project outside the scope with the same message as one that does not exist.
 * @throws AppError `notFound`
 */
export function requireProject(ctx: Pick<Context, 'scope' | 'scopeChecks'>, projectCode: string): void {
  if (!ctx.scopeChecks || ctx.scope.all || ctx.scope.projects.includes(projectCode)) return
  throw new AppError('notFound', '项目不存在或不在您的管辖范围内', { field: 'projectCode' })
}

/**
 * The one project that a call works on: the requested one, the one of the header, or the project group's own.
 * @throws AppError `invalidInput` when there is none; `notFound` when it is outside the scope
 */
export function oneProject(ctx: Pick<Context, 'scope' | 'scopeChecks' | 'projectCode' | 'group'>, requested?: string): string {
  const code =
    requested && requested !== '*'
      ? requested
      : ctx.projectCode !== '*'
        ? ctx.projectCode
        : ctx.group.type === groupTypes.project
          ? ctx.group.code
          : ''
  if (!code) throw new AppError('invalidInput', '请先选择一个项目', { field: 'projectCode' })
  requireProject(ctx, code)
  return code
}

/**
 * Refuses a caller without the permission code. The message names the code, so that the user knows what to request.
 * @throws AppError `forbidden`
 */
export function requireCode(ctx: Pick<Context, 'codes'>, code: string): void {
  if (!ctx.codes.has(code)) throw new AppError('forbidden', `您没有此项权限（${code}）`, { code })
}

/** Returns the result of `ask`. When the context has a cache, `ask` runs once per key and its result is shared. */
export function cached<T>(ctx: Pick<Context, 'asked'>, key: string, ask: () => Promise<T>): Promise<T> {
  const known = ctx.asked?.get(key) as Promise<T> | undefined
  if (known) return known
  const answer = ask()
  ctx.asked?.set(key, answer)
  return answer
}

export function found<T>(row: T | undefined, thing: string): T {
  if (row === undefined) throw new AppError('notFound', `${thing}不存在或已删除`)
  return row
}
