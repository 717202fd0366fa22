import type { Rule } from './device-state.ts'

export interface ProjectLimits {
  /** Steps a second that the rules of one project may take, on all its devices together. */
  stepsPerSecond: number
  /** Over which the steps are counted: a burst within it is nobody's fault. */
  windowMs: number
}

/**
 * About a tenth of a core, at twenty nanoseconds a step (`budget.ts`). A city's own rules take a thousandth of it: thirty cranes at five
 * readings a second, a score of rules each that look at ten values, are 30,000 steps a second.
 */
export const projectLimits: ProjectLimits = { stepsPerSecond: 5_000_000, windowMs: 30_000 }

interface Spent {
  since: number
  steps: number
  byRule: Map<Rule, number>
}

/** Counts what the rules of each project take together: many that are dear, each within what one judgement may take, are as bad as one that is not. */
export class ProjectBudget {
  private readonly limits: ProjectLimits
  private readonly projects = new Map<string, Spent>()

  constructor(limits: ProjectLimits = projectLimits) {
    this.limits = limits
  }

  /**
   * Notes what a judgement took. When the project has used up what it may take in a window: the rules to be set aside there, the dearest
   * first, its own before those that hold everywhere, as many as bring the others under the limit.
   */
  spend(projectCode: string, rule: Rule, steps: number, now: number): Rule[] {
    const spent = this.spentOf(projectCode, now)
    spent.steps += steps
    spent.byRule.set(rule, (spent.byRule.get(rule) ?? 0) + steps)
    if (spent.steps <= this.mostInWindow) return []
    this.projects.delete(projectCode)
    return this.dearest(spent)
  }

  private get mostInWindow(): number {
    return (this.limits.stepsPerSecond * this.limits.windowMs) / 1000
  }

  private spentOf(projectCode: string, now: number): Spent {
    const known = this.projects.get(projectCode)
    // A clock that goes back begins anew as well.
    if (known && now >= known.since && now - known.since < this.limits.windowMs) return known
    const fresh = { since: now, steps: 0, byRule: new Map<Rule, number>() }
    this.projects.set(projectCode, fresh)
    return fresh
  }

  private dearest({ steps, byRule }: Spent): Rule[] {
    const isOwn = (rule: Rule) => (rule.scope.kind === 'global' ? 0 : 1)
    const ordered = [...byRule].sort(([a, x], [b, y]) => isOwn(b) - isOwn(a) || y - x)
    const chosen: Rule[] = []
    let left = steps
    for (const [rule, cost] of ordered) {
      // Half of it for those that stay, so that they are not at the limit again at once.
      if (left <= this.mostInWindow / 2) break
      chosen.push(rule)
      left -= cost
    }
    return chosen
  }
}
