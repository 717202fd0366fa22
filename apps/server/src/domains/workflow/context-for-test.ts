import type { Context } from '#kit/context'
import { type Database, inScope } from '#kit/db'
import { newId } from '#kit/ids'
import { createLog } from '#kit/log'
import { createSecrets } from '#kit/secret'
import { testSecretKey } from '../../../test/world.ts'
import { principalLater } from '../access/public.ts'

/** Does what a call of somebody's would, in one transaction under row-level security, without a call. */
export async function inTheNameOf<T>(
  databases: { requests: Database; system: Database },
  clock: { now(): number },
  who: { userId: string; groupId: string },
  work: (ctx: Context) => Promise<T>,
): Promise<T> {
  const principal = await principalLater({ database: databases.system, clock }, { ...who, projectCode: '*' }, [])
  const after: (() => void | Promise<void>)[] = []
  const out = await inScope(databases.requests.kysely, principal.scope, (db) =>
    work({
      db,
      principal,
      user: principal.user,
      group: principal.group,
      scope: principal.scope,
      codes: principal.codes,
      projectCode: '*',
      scopeChecks: true,
      clock,
      newId: () => newId(clock.now()),
      secrets: createSecrets(testSecretKey),
      log: createLog('test', 'warn'),
      system: databases.system.kysely,
      ip: '127.0.0.1',
      afterCommit: (fn) => void after.push(fn),
      widenTo: async () => undefined,
      note: () => undefined,
      later: () => Promise.reject(new Error('one transaction')),
      gone: new AbortController().signal,
      upload: () => Promise.reject(new Error('no file')),
    }),
  )
  for (const fn of after) await fn()
  return out
}
