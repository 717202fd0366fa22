import type { AuditEntry } from './audit-entry.ts'
import type { Clock } from './clock.ts'
import type { AfterCommit, Context, FileAnswer, Principal } from './context.ts'
import type { Db, Tx } from './db.ts'
import type { Log } from './log.ts'
import type { RequestTurns } from './request-turns.ts'
import type { Secrets } from './secret.ts'

export interface ServeDependencies {
  db: Db
  /** Uses a separate pool: a request that holds a connection for its transaction must never wait for a second one of the same pool. */
  system: Db
  clock: Clock
  secrets: Secrets
  log: Log
  /**
   * Returns the principal of a session token.
   * @throws AppError `sessionExpired` or `forbidden`
   */
  authenticate(token: string | undefined, groupHeader: string | undefined, ip: string): Promise<Principal>
  recordAudit(tx: Tx, ...entries: AuditEntry[]): Promise<void>
  /** Records a call that was refused for lack of a permission, outside its rolled-back transaction. Never throws. */
  recordRefusal(entry: AuditEntry): Promise<void>
  /** Explains why codes that a role of the principal grants do not apply; undefined when no role grants them. */
  whyClosed?(principal: Principal, codes: readonly string[]): Promise<string | undefined>
  /** Schedules requests. */
  turns: RequestTurns
  /** Schedules the reading of request bodies. */
  bodies: RequestTurns
  /** Schedules calls to other servers. */
  away: RequestTurns
  uploads: Uploads
  checkAnswers: boolean
  scopeChecks: boolean
}

/** Temporary storage of uploaded files, and the limits per account. */
export interface Uploads {
  folder: string
  /**
   * Called before the form is read.
   * @throws AppError `tooMany`
   */
  admit(principal: Principal): Promise<void>
  /** Called for every completely received file, even if its call fails later. */
  count(principal: Principal, bytes: number): Promise<void>
}

export type Answer<O> = O | FileAnswer | AfterCommit<O>

export type Handler<P, O> = (input: P, ctx: Context) => Promise<Answer<O>> | Answer<O>
