/**
 * Steps one evaluation of one rule may take: a step is a condition evaluated, or a past reading or fence edge examined. The longest window
 * a saved rule may have uses a fifth of it, so a device may report five times as often as usual. About a millisecond.
 */
export const mostSteps = 50_000

/** A rule needs more steps than one evaluation may take. */
export class OverBudget extends Error {}

/** Counts the steps of one evaluation at a time, so that an expensive rule cannot delay the others. */
export class Budget {
  private left = mostSteps

  begin(): void {
    this.left = mostSteps
  }
  /** Steps of the current evaluation so far. */
  get spent(): number {
    return mostSteps - this.left
  }
  /**
   * Call before the work is done.
   * @throws OverBudget when the steps are used up.
   */
  spend(steps: number): void {
    this.left -= steps
    if (this.left < 0) throw new OverBudget(`more than ${mostSteps} steps`)
  }
}
