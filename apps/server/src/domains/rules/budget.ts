/**
 * Steps one judgement of one rule may take: a step is a condition asked, a past reading or a fence's edge looked at. The longest window a
 * rule may be saved with is a fifth of it; a machine that sends faster than its kind does gets that much further. About a millisecond.
 */
export const mostSteps = 50_000

/** A rule asks for more than one judgement may take. */
export class OverBudget extends Error {}

/** Counts the steps of one judgement after another, so that no rule can stand in the way of the others. */
export class Budget {
  private left = mostSteps

  begin(): void {
    this.left = mostSteps
  }
  /** Steps of the judgement so far. */
  get spent(): number {
    return mostSteps - this.left
  }
  /** Throws OverBudget, before the work is done. */
  spend(steps: number): void {
    this.left -= steps
    if (this.left < 0) throw new OverBudget(`more than ${mostSteps} steps`)
  }
}
