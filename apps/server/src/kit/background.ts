import type { Clock } from './clock.ts'
import { type Context, type Group, groupTypes, type Principal } from './context.ts'
import { made } from './context-mark.ts'
import { type Db, inScope, type Scope, seesNothing, type Tx, widenScope } from './db.ts'
import { newId } from './ids.ts'
import type { Log } from './log.ts'
import type { Secrets } from './secret.ts'

export interface BackgroundDependencies {
  db: Db
  /** A connection without row-level security; defaults to `db`. */
  system?: Db
  clock: Clock
  secrets: Secrets
  log: Log
}

type GroupPrincipal = Principal & { group: Group }
type After = Parameters<Context['afterCommit']>[0][]

const everything: Scope = { ...seesNothing({ id: '', type: groupTypes.platform }, ''), all: true }

/** Runs `work` in one transaction with the rights of a principal, under row-level security. */
export function withRightsOf<T>(
  deps: BackgroundDependencies,
  principal: GroupPrincipal,
  work: (ctx: Context) => Promise<T>,
  scope: Scope = principal.scope,
): Promise<T> {
  return committed(deps.log, (after) => inScope(deps.db, scope, (db) => work(contextOf(deps, principal, scope, db, after))))
}

/**
 * Runs `work` in one transaction on behalf of the product itself: no permission codes, no row-level security. `group`: in whose name, if
 * what is written belongs to a group.
 */
export function asProduct<T>(
  deps: BackgroundDependencies,
  who: { userId: string; name: string; groupId: string; group?: Group },
  work: (ctx: Context) => Promise<T>,
): Promise<T> {
  const user = { id: who.userId, account: '', name: who.name, mustChangePassword: false }
  const group = who.group ?? { id: who.groupId, type: groupTypes.platform, code: '', name: '', areaCode: null }
  const principal = { sessionHash: '', user, group, codes: new Set<string>(), bounds: new Map(), scope: everything, projectCode: '*' }
  return committed(deps.log, (after) => deps.db.transaction().execute((db) => work(contextOf(deps, principal, everything, db, after))))
}

/** Runs the `afterCommit` callbacks when the transaction has been committed; their errors are logged. */
async function committed<T>(log: Log, run: (after: After) => Promise<T>): Promise<T> {
  const after: After = []
  const out = await run(after)
  for (const fn of after) {
    try {
      await fn()
    } catch (error) {
      log.error({ err: error }, 'after commit')
    }
  }
  return out
}

const contextOf = (
  { db, system = db, clock, secrets, log }: BackgroundDependencies,
  principal: GroupPrincipal,
  scope: Scope,
  tx: Tx,
  after: After,
): Context => ({
  [made]: true,
  db: tx,
  system,
  clock,
  secrets,
  log,
  ip: '',
  newId: () => newId(clock.now()),
  principal,
  user: principal.user,
  group: principal.group,
  scope,
  codes: principal.codes,
  projectCode: principal.projectCode,
  scopeChecks: true,
  afterCommit: (fn) => after.push(fn),
  widenTo: async (projectCode) => {
    if (!scope.all) await widenScope(tx, [...scope.projects, projectCode])
  },
  note: () => undefined,
  conceal: () => undefined,
  later: () => Promise.reject(new Error('background work is one transaction')),
  gone: new AbortController().signal,
  upload: () => Promise.reject(new Error('background work has no upload')),
})
