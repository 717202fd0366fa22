/** Tokens that refill with time: so many a second, so many at once. Callers are told how long to wait and never refused. */
export class TokenBucket {
  private readonly perSecond: number
  private readonly burst: number
  private tokens: number
  private at: number

  constructor(perSecond: number, burst: number, now: number) {
    this.perSecond = perSecond
    this.burst = burst
    this.tokens = burst
    this.at = now
  }

  /** Milliseconds until the caller's turn; taking its token now, even one that is not there yet. */
  take(now: number): number {
    this.tokens = Math.min(this.burst, this.tokens + ((now - this.at) / 1000) * this.perSecond)
    this.at = now
    this.tokens -= 1
    return this.tokens >= 0 ? 0 : (-this.tokens / this.perSecond) * 1000
  }

  /** Whether a token is there; only then it is taken. */
  tryTake(now: number): boolean {
    this.tokens = Math.min(this.burst, this.tokens + ((now - this.at) / 1000) * this.perSecond)
    this.at = now
    if (this.tokens < 1) return false
    this.tokens -= 1
    return true
  }
}
