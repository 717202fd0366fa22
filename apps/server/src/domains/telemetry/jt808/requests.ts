/** Requests to a terminal that wait for their response. Pure: the caller passes the clock and sends the frames. */
export interface Answered {
  /** 0 done; 1 and above as the terminal reports; -1 connection closed, -2 no response. */
  result: number
  data?: Record<string, unknown>
}

interface Waiting {
  serial: number
  id: number
  /** Messages that answer it, besides the terminal's general response. */
  answers: readonly number[]
  frames: readonly Buffer[]
  /** Epoch milliseconds after which it must not be executed: it is not sent again. */
  expireAt?: number | undefined
  /** Number of times it was sent. */
  sent: number
  waitMs: number
  at: number
  resolve(answer: Answered): void
}

const firstWaitMs = 10_000
const repeats = 3

export class Requests {
  private readonly waiting = new Set<Waiting>()

  add(request: Pick<Waiting, 'serial' | 'id' | 'answers' | 'frames' | 'expireAt'>, now: number): Promise<Answered> {
    return new Promise((resolve) => this.waiting.add({ ...request, sent: 1, waitMs: firstWaitMs, at: now, resolve }))
  }

  /** Applies the terminal's general response. It completes a request without a specific response, and any request that was refused. */
  answered(serial: number, id: number, result: number): boolean {
    for (const one of this.waiting) {
      if (one.serial !== serial || one.id !== id) continue
      if (result === 0 && one.answers.length > 0) {
        // Accepted; the specific response follows.
        one.at += firstWaitMs
        return true
      }
      this.end(one, { result })
      return true
    }
    return false
  }

  /** Applies a specific response. If it carries no serial number, it belongs to the oldest request of its kind. */
  answeredBy(messageId: number, serial: number | undefined, data: Record<string, unknown>): boolean {
    for (const one of this.waiting) {
      if (!one.answers.includes(messageId) || (serial !== undefined && one.serial !== serial)) continue
      this.end(one, { result: 0, data })
      return true
    }
    return false
  }

  /** Frames to retransmit now: T(n+1) = T(n) x (n+1). After three retransmissions a request ends without a response. */
  due(now: number): Buffer[] {
    const again: Buffer[] = []
    for (const one of [...this.waiting]) {
      if (now - one.at < one.waitMs) continue
      if (one.sent > repeats || (one.expireAt !== undefined && now >= one.expireAt)) {
        this.end(one, { result: -2 })
        continue
      }
      one.sent++
      one.waitMs *= one.sent
      one.at = now
      again.push(...one.frames)
    }
    return again
  }

  /** The connection is gone. */
  close(): void {
    for (const one of [...this.waiting]) this.end(one, { result: -1 })
  }

  private end(one: Waiting, answer: Answered): void {
    this.waiting.delete(one)
    one.resolve(answer)
  }
}
