/** Token bucket: refills at `perSecond` and holds at most `burst` tokens. */
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

  /** Takes a token, if necessary one that is still to come. Returns the milliseconds to wait for it; 0 = now. */
  take(now: number): number {
    this.tokens = Math.min(this.burst, this.tokens + ((now - this.at) / 1000) * this.perSecond)
    this.at = now
    this.tokens -= 1
    return this.tokens >= 0 ? 0 : (-this.tokens / this.perSecond) * 1000
  }

  /** Takes a token if one is available. Returns false otherwise. */
  tryTake(now: number): boolean {
    this.tokens = Math.min(this.burst, this.tokens + ((now - this.at) / 1000) * this.perSecond)
    this.at = now
    if (this.tokens < 1) return false
    this.tokens -= 1
    return true
  }
}
