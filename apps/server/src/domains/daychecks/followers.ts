import type { changeDayCheck } from '@zhugong/contract/daychecks/calls'
import type { ParsedFor } from '@zhugong/contract/kit/endpoint'
import type { Context } from '#kit/context'
import type { DayCheck } from './day-check.ts'

type Body = ParsedFor<typeof changeDayCheck>['body']

/** What another domain does when a check of its own moves, in the same transaction: a plan, a campaign. Registered by that domain. */
export interface CheckFollower {
  /** Refuses an action before it is taken. @throws AppError */
  allows?(ctx: Context, check: DayCheck, body: Body): Promise<void>
  /** Codes of the sheets that the caller may write; undefined: all of them. */
  ownSheets?(ctx: Context, check: DayCheck): Promise<ReadonlySet<string> | undefined>
  created?(ctx: Context, check: DayCheck): Promise<void>
  checkedIn?(ctx: Context, check: DayCheck): Promise<void>
  submitted?(ctx: Context, check: DayCheck): Promise<void>
  cancelled?(ctx: Context, check: DayCheck): Promise<void>
}

const followers: CheckFollower[] = []
export function registerCheckFollower(follower: CheckFollower): void {
  if (!followers.includes(follower)) followers.push(follower)
}

/** @throws AppError when a follower refuses the action */
export async function askFollowers(ctx: Context, check: DayCheck, body: Body): Promise<void> {
  for (const follower of followers) await follower.allows?.(ctx, check, body)
}

/** The sheets that a follower leaves to the caller; undefined: all. Others of the same unit are written by others, perhaps at this moment. */
export async function ownSheets(ctx: Context, check: DayCheck): Promise<ReadonlySet<string> | undefined> {
  for (const follower of followers) {
    const own = await follower.ownSheets?.(ctx, check)
    if (own) return own
  }
  return undefined
}

export async function tellFollowers(
  ctx: Context,
  event: Exclude<keyof CheckFollower, 'allows' | 'ownSheets'>,
  check: DayCheck,
): Promise<void> {
  for (const follower of followers) await follower[event]?.(ctx, check)
}
