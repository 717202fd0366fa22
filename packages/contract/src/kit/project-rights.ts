import { z } from 'zod'
import type { Acts } from './endpoint.ts'

/**
 * Projects in which a company's rights are restricted. In `supervised` it only reviews; in `limited` it manages only its own people and
 * machines. In all other visible projects it may change everything. Empty for governments, project groups and the platform.
 */
export const siteRights = z.object({
  supervised: z.array(z.string()),
  limited: z.array(z.string()),
  /** The company and its subcontractors: their people and machines count as its own. */
  corps: z.array(z.string()),
  /** Whether there is any project without restriction. */
  runsAny: z.boolean(),
})
export type ProjectRights = z.infer<typeof siteRights>

/** What a changing call may affect: everything in the project, only the company's own, nothing. */
type Reach = 'all' | 'own' | 'none'

/**
 * What a company may change in a project, by its part: as owner or general contractor (`run`), as supervisor, or as another company. Only
 * here does a part in a project become a right to write. The server restricts every changing call by it, and the web hides buttons by it.
 */
export const reach: Record<Exclude<Acts, 'aside'>, Record<'run' | 'supervised' | 'limited', Reach>> = {
  site: { run: 'all', supervised: 'none', limited: 'none' },
  parties: { run: 'all', supervised: 'none', limited: 'none' },
  review: { run: 'all', supervised: 'all', limited: 'none' },
  supervisor: { run: 'none', supervised: 'all', limited: 'none' },
  answer: { run: 'all', supervised: 'all', limited: 'own' },
  own: { run: 'all', supervised: 'own', limited: 'own' },
  machine: { run: 'all', supervised: 'own', limited: 'own' },
}

/** What a change affects: a project (undefined: any project) and the company it belongs to (undefined: no particular one). */
export interface Place {
  projectCode?: string | undefined
  /** Null: belongs to the site and to no company. */
  corpCode?: string | null | undefined
}

/** Whether the company may make calls of this kind anywhere, or at the given place. */
export function isOpen(at: ProjectRights, acts: Acts, { projectCode, corpCode }: Place = {}): boolean {
  if (acts === 'aside') return true
  const isOwn = corpCode === undefined || (corpCode !== null && at.corps.includes(corpCode))
  const opens = (far: Reach) => far === 'all' || (far === 'own' && isOwn)
  const { run, supervised, limited } = reach[acts]
  // Groups that are no companies have no part in a project: their codes alone decide.
  const runs = at.corps.length === 0 || opens(run)
  if (projectCode === undefined) {
    const nowhere = !at.supervised.length && !at.limited.length
    return ((nowhere || at.runsAny) && runs) || (at.supervised.length > 0 && opens(supervised)) || (at.limited.length > 0 && opens(limited))
  }
  if (at.limited.includes(projectCode)) return opens(limited)
  return at.supervised.includes(projectCode) ? opens(supervised) : runs
}

/** Whether the company may change everything in a visible project. */
export const runs = (at: ProjectRights, projectCode: string): boolean =>
  !at.limited.includes(projectCode) && !at.supervised.includes(projectCode)
