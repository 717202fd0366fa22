import type { Clock } from '#kit/clock'
import { type Context, groupTypes } from '#kit/context'
import { type Db, type Scope, seesNothing } from '#kit/db'
import { newId } from '#kit/ids'
import type { Log } from '#kit/log'
import type { Secrets } from '#kit/secret'

export interface BackgroundDeps {
  db: Db
  clock: Clock
  secrets: Secrets
  log: Log
}

const everything: Scope = { ...seesNothing({ id: '', type: groupTypes.platform }, ''), all: true }

/** What the product does by itself, in one transaction: no request, nobody's rights, and what shall follow follows its commit. */
export async function inBackground<T>(
  { db, clock, secrets, log }: BackgroundDeps,
  who: { userId: string; name: string; groupId: string },
  work: (ctx: Context) => Promise<T>,
): Promise<T> {
  const after: Parameters<Context['afterCommit']>[0][] = []
  const user = { id: who.userId, account: '', name: who.name, mustChangePassword: false }
  const group = { id: who.groupId, type: groupTypes.platform, code: '', name: '', areaCode: null }
  const codes = new Set<string>()
  const out = await db.transaction().execute((tx) =>
    work({
      db: tx,
      system: db,
      clock,
      secrets,
      log,
      ip: '',
      newId: () => newId(clock.now()),
      principal: { sessionHash: '', user, group, codes, bounds: new Map(), scope: everything, projectCode: '*' },
      user,
      group,
      codes,
      scope: everything,
      projectCode: '*',
      scopeChecks: true,
      afterCommit: (fn) => void after.push(fn),
      widenTo: async () => undefined,
      note: () => undefined,
      later: () => Promise.reject(new Error('nothing is asked of others in the background')),
      gone: new AbortController().signal,
      upload: () => Promise.reject(new Error('nothing is uploaded in the background')),
    }),
  )
  for (const fn of after) await fn()
  return out
}
