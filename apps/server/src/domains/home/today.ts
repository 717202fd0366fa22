import type { Context } from '#kit/context'
import { type Awaiting, awaitingByProject } from '../alarms/public.ts'
import { type Presence, presenceByProject, runningDay } from '../attendance/public.ts'
import { absentPostsByProject } from './key-posts.ts'

/** Figures of the current work day by project, each from its one shared query. */
export interface Today {
  day: string
  presence: ReadonlyMap<string, Presence>
  awaiting: ReadonlyMap<string, Awaiting>
  absentPosts: ReadonlyMap<string, number>
}

export async function findToday(ctx: Context, projects: readonly string[] | undefined): Promise<Today> {
  const day = await runningDay(ctx, projects?.length === 1 ? projects[0] : undefined)
  const [presence, awaiting, absentPosts] = await Promise.all([
    presenceByProject(ctx.db, projects, day),
    awaitingByProject(ctx.db, projects),
    absentPostsByProject(ctx, projects, day),
  ])
  return { day, presence, awaiting, absentPosts }
}

export const sumOf = <T>(all: Iterable<T>, pick: (one: T) => number): number => {
  let sum = 0
  for (const one of all) sum += pick(one)
  return sum
}
