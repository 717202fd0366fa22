import { z } from 'zod'
import type { Acts } from './endpoint.ts'

/**
 * Where a company does not run its projects: `supervised` are those it only reviews, `limited` those in which it has its own people and
 * machines and nothing else; every other project in sight is wholly open. Empty for bodies, sites and the platform.
 */
export const standing = z.object({
  supervised: z.array(z.string()),
  limited: z.array(z.string()),
  /** One's own company and its subcontractors: whose people and machines are one's own. */
  corps: z.array(z.string()),
  /** Whether any project is wholly open. */
  runsAny: z.boolean(),
})
export type Standing = z.infer<typeof standing>

/** How far a changing call reaches: everything in the project, what is one's own there, nothing. */
type Reach = 'all' | 'own' | 'none'

/**
 * What a company that does not run a project may change there. The one place in which a part in a project becomes a right to write:
 * the server narrows every changing call by it and the web offers by it.
 */
export const reach: Record<Exclude<Acts, 'aside'>, Record<'supervised' | 'limited', Reach>> = {
  site: { supervised: 'none', limited: 'none' },
  parties: { supervised: 'none', limited: 'none' },
  review: { supervised: 'all', limited: 'none' },
  own: { supervised: 'own', limited: 'own' },
  machine: { supervised: 'own', limited: 'own' },
}

/** What a change is about: a project (none: any of them) and the company it belongs to (none told: nobody's in particular). */
export interface Place {
  projectCode?: string | undefined
  /** Null is a thing of the site, which no company calls its own. */
  corpCode?: string | null | undefined
}

/** Whether a call of a kind is open somewhere, or at the very place. */
export function isOpen(at: Standing, acts: Acts, { projectCode, corpCode }: Place = {}): boolean {
  if (acts === 'aside') return true
  const isOwn = corpCode === undefined || (corpCode !== null && at.corps.includes(corpCode))
  const opens = (far: Reach) => far === 'all' || (far === 'own' && isOwn)
  const { supervised, limited } = reach[acts]
  if (projectCode === undefined) {
    const nowhere = !at.supervised.length && !at.limited.length
    return nowhere || at.runsAny || (at.supervised.length > 0 && opens(supervised)) || (at.limited.length > 0 && opens(limited))
  }
  if (at.limited.includes(projectCode)) return opens(limited)
  return at.supervised.includes(projectCode) ? opens(supervised) : true
}

/** Whether a project in sight is wholly one's own to run. */
export const runs = (at: Standing, projectCode: string): boolean =>
  !at.limited.includes(projectCode) && !at.supervised.includes(projectCode)
