import { type GroupType, groupTypes } from '@zhugong/contract/access/group-types'
import type { Endpoint } from '@zhugong/contract/kit/endpoint'
import { AppError } from '@zhugong/contract/kit/errors'
import type { Clock } from './clock.ts'
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

/** How far a code goes that does not hold everywhere for good. */
export interface Bound {
  /** Null: as far as the group reaches. */
  projects: ReadonlySet<string> | null
  /** Of all the group reaches, what was taken away by hand. */
  except?: ReadonlySet<string>
  /** The last whole day, yyyy-MM-dd in Asia/Shanghai; null for good. */
  until: string | null
}
/** What somebody may do in a group. */
export interface Rights {
  codes: ReadonlySet<string>
  /** Of the codes that end somewhere or some day. */
  bounds: ReadonlyMap<string, Bound>
}

/** A user in one active group. */
export interface Principal extends Rights {
  sessionHash: string
  user: { id: string; account: string; name: string; mustChangePassword: boolean; mustSetSecondFactor?: boolean }
  /** Null before a group is chosen: then only calls that need no more than a session answer. */
  group: Group | null
  scope: Scope
  /** The project the `group` header narrows to, or `*`. */
  projectCode: string
  /** Nobody: a wall that shows one template, and is answered by these calls alone, each with no more than its views have. */
  display?: Display
}

export interface Display {
  id: string
  templateId: string
  /** Epoch milliseconds. */
  expiresAt: number
  /** By method and path. */
  views: ReadonlyMap<string, readonly Endpoint[]>
}

export interface Shared {
  clock: Clock
  newId(): string
  secrets: Secrets
  log: Log
  /** The database without row-level security: for sessions, accounts and background work only, never for a tenant's rows. */
  system: Db
  ip: string
}

export interface Context extends Shared {
  /** The request's one transaction, under row-level security. */
  db: Tx
  principal: Principal
  user: Principal['user']
  group: Group
  /** What this call may read or, when it changes something, what it may change: `principal.scope` narrowed by `actingScope`. */
  scope: Scope
  /** The caller's codes that hold in all of `scope`; `principal.codes` are those that hold anywhere. */
  codes: ReadonlySet<string>
  projectCode: string
  /** False only in the isolation tests that hold row-level security to account alone. */
  scopeChecks: boolean
  /** Runs when the transaction has been committed; errors are logged, not answered. */
  afterCommit(fn: () => void | Promise<void>): void
  /** Adds a project this request has just created to the scope of its own transaction; later requests find it by themselves. */
  widenTo(projectCode: string): Promise<void>
  /** Adds to the audit row: what was done to what, in a few words. Never personal data. Several things have a row each. */
  note(summary: string, objectId?: string | readonly string[]): void
  /** Of work that does the same for many in one transaction: what was asked of the database for all of them (`askedOnce`). */
  asked?: Map<string, Promise<unknown>>
  /** Another transaction in the same scope and in the account's turn, for what an `Afterwards` writes of what it was told. */
  later<T>(work: (db: Tx) => Promise<T>): Promise<T>
  /** Aborted when whoever asked has gone. */
  gone: AbortSignal
  /** The uploaded file of a multipart call, which has come whole before the transaction began. Throws AppError when there is none. */
  upload(): Promise<Upload>
}

export interface Upload {
  fileName: string
  body: Buffer
  fields: Record<string, string>
}

/**
 * An answer that is finished when the transaction has been committed: for what is asked of others over the network, which may take its
 * time. What is thrown there is answered as ever, but takes nothing back.
 */
export class Afterwards<O> {
  readonly finish: () => Promise<O>
  constructor(finish: () => Promise<O>) {
    this.finish = finish
  }
}

/** A file to be sent instead of an envelope. */
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

/** The projects a list shall name in its query: the one asked for, the one of the header, or the whole scope; undefined means all. */
export function projectsFor(ctx: Pick<Context, 'scope' | 'scopeChecks'>, asked?: string): readonly string[] | undefined {
  const one = asked && asked !== '*' ? asked : undefined
  if (one) {
    requireProject(ctx, one)
    return [one]
  }
  return ctx.scope.all || !ctx.scopeChecks ? undefined : ctx.scope.projects
}

/** Refuses a project outside the scope with the same words as one that does not exist. */
export function requireProject(ctx: Pick<Context, 'scope' | 'scopeChecks'>, projectCode: string): void {
  if (!ctx.scopeChecks || ctx.scope.all || ctx.scope.projects.includes(projectCode)) return
  throw new AppError('notFound', '项目不存在或不在您的管辖范围内', { field: 'projectCode' })
}

/** The one project an act works on: asked for, or chosen in the header, or the project group's own. */
export function oneProject(ctx: Pick<Context, 'scope' | 'scopeChecks' | 'projectCode' | 'group'>, asked?: string): string {
  const code =
    asked && asked !== '*' ? asked : ctx.projectCode !== '*' ? ctx.projectCode : ctx.group.type === groupTypes.project ? ctx.group.code : ''
  if (!code) throw new AppError('invalidInput', '请先选择一个项目', { field: 'projectCode' })
  requireProject(ctx, code)
  return code
}

/** Whoever asks must hold the code; the message names it, so that the right administrator can be asked. */
export function requireCode(ctx: Pick<Context, 'codes'>, code: string): void {
  if (!ctx.codes.has(code)) throw new AppError('forbidden', `您没有此项权限（${code}）`, { code })
}

/** What `ask` answers; of work for many in one transaction asked once for all of them. */
export function askedOnce<T>(ctx: Pick<Context, 'asked'>, key: string, ask: () => Promise<T>): Promise<T> {
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
