import { AppError } from '@zhugong/contract/kit/errors'
import type { Context, Group, Shared } from '#kit/context'
import type { Tx } from '#kit/db'
import { rightsLater } from './later.ts'

/** The part of the context that grant checks need. */
export type Giver = Pick<Context, 'system' | 'newId' | 'clock' | 'codes' | 'principal' | 'scope' | 'user'> & { db: Tx; group: Group }

/**
 * The giver of a grant, with current rights rather than those at the time of the grant. Undefined if the giver is no longer active in
 * the group.
 */
export async function giverNow(
  ctx: Pick<Shared, 'system' | 'newId' | 'clock'>,
  tx: Tx,
  { giverId, byGroup }: { giverId: string | null; byGroup: string },
): Promise<Giver | undefined> {
  if (!giverId) return undefined
  const principal = await rightsLater(
    { database: { kysely: ctx.system }, clock: ctx.clock },
    { userId: giverId, groupId: byGroup, projectCode: '*' },
  ).catch((error: unknown) => {
    if (error instanceof AppError) return undefined
    throw error
  })
  if (!principal) return undefined
  const { group, codes, scope, user } = principal
  return { system: ctx.system, newId: ctx.newId, clock: ctx.clock, db: tx, principal, group, codes, scope, user }
}

/** Whether a check passes, that is, does not throw AppError. */
export async function holds(judge: () => Promise<unknown>): Promise<boolean> {
  try {
    await judge()
    return true
  } catch (error) {
    if (error instanceof AppError) return false
    throw error
  }
}
