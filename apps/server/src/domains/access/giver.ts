import { AppError } from '@zhugong/contract/kit/errors'
import type { Context, Group, Shared } from '#kit/context'
import type { Tx } from '#kit/db'
import { standingLater } from './later.ts'

/** Somebody as a judgement of what he may give takes him. */
export type Giver = Pick<Context, 'system' | 'newId' | 'clock' | 'codes' | 'principal' | 'scope' | 'user'> & { db: Tx; group: Group }

/** Whoever gave something out, with the rights he has now and not with those he had then. Undefined once he is not at work there any more. */
export async function giverNow(
  ctx: Pick<Shared, 'system' | 'newId' | 'clock'>,
  tx: Tx,
  { giverId, byGroup }: { giverId: string | null; byGroup: string },
): Promise<Giver | undefined> {
  if (!giverId) return undefined
  const principal = await standingLater(
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

/** Whether a judgement lets something through. */
export async function holds(judge: () => Promise<unknown>): Promise<boolean> {
  try {
    await judge()
    return true
  } catch (error) {
    if (error instanceof AppError) return false
    throw error
  }
}
