/** Requests to a terminal that wait for their answer. Pure: the clock is handed in, sending is the caller's. */
export interface Answered {
  /** 0 done, 1 and above as the terminal says; -2 no answer. */
  result: number
  data?: Record<string, unknown>
}

interface Waiting {
  serial: number
  id: number
  /** Messages that answer it, beside the terminal's general answer. */
  answers: readonly number[]
  frames: readonly Buffer[]
  /** After that it must not be carried out: it is not sent again. */
  expireAt?: number | undefined
  /** How often it has been sent. */
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

  /** The terminal's general answer: it ends a request that asks for no more, and any request when it refuses. */
  answered(serial: number, id: number, result: number): boolean {
    for (const one of this.waiting) {
      if (one.serial !== serial || one.id !== id) continue
      if (result === 0 && one.answers.length > 0) {
        // Accepted; what was asked for is on its way.
        one.at += firstWaitMs
        return true
      }
      this.end(one, { result })
      return true
    }
    return false
  }

  /** An answer of its own kind. Some name the serial they answer, some do not: then the oldest request of that kind is meant. */
  answeredBy(messageId: number, serial: number | undefined, data: Record<string, unknown>): boolean {
    for (const one of this.waiting) {
      if (!one.answers.includes(messageId) || (serial !== undefined && one.serial !== serial)) continue
      this.end(one, { result: 0, data })
      return true
    }
    return false
  }

  /** What is to be sent again now: T(n+1) = T(n) x (n+1). After three repetitions a request ends unanswered. */
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
