import { withRightsOf } from '#kit/background'
import type { Context } from '#kit/context'
import type { Database } from '#kit/db'
import { createLog } from '#kit/log'
import { createSecrets } from '#kit/secret'
import { testSecretKey } from '../../../test/world.ts'
import { principalLater } from '../access/public.ts'

/** Runs a function as a given user in one transaction under row-level security, without an HTTP request. */
export async function inTheNameOf<T>(
  databases: { requests: Database; system: Database },
  clock: { now(): number },
  who: { userId: string; groupId: string },
  work: (ctx: Context) => Promise<T>,
): Promise<T> {
  const principal = await principalLater({ database: databases.system, clock }, { ...who, projectCode: '*' }, [])
  const deps = {
    db: databases.requests.kysely,
    system: databases.system.kysely,
    clock,
    secrets: createSecrets(testSecretKey),
    log: createLog('test', 'warn'),
  }
  return withRightsOf(deps, principal, work)
}
