import type { Rule } from './device-state.ts'

export interface ProjectLimits {
  /** Steps per second that the rules of one project may take, on all its devices together. */
  stepsPerSecond: number
  /** Time over which the steps are counted; bursts within it are allowed. */
  windowMs: number
}

/**
 * About a tenth of a core, at twenty nanoseconds per step (`budget.ts`). Typical rules need less than a hundredth of it. Thirty cranes at
 * five readings a second, with twenty rules that examine ten values each, take 30,000 steps a second.
 */
export const projectLimits: ProjectLimits = { stepsPerSecond: 5_000_000, windowMs: 30_000 }

interface Spent {
  since: number
  steps: number
  byRule: Map<Rule, number>
}

/**
 * Counts the steps of all rules of a project. Many expensive rules, each within the budget of one evaluation, are as harmful as one over
 * it.
 */
export class ProjectBudget {
  private readonly limits: ProjectLimits
  private readonly projects = new Map<string, Spent>()

  constructor(limits: ProjectLimits = projectLimits) {
    this.limits = limits
  }

  /**
   * Adds the steps of an evaluation. If the project exceeds its limit in a window, returns the rules to suspend there. The project's own
   * rules come first, then global ones, the most expensive first, until the rest is well under the limit.
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
    // Also restarts if the clock goes back.
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
      // Continues to half of the limit, so that the remaining rules do not reach it again at once.
      if (left <= this.mostInWindow / 2) break
      chosen.push(rule)
      left -= cost
    }
    return chosen
  }
}
