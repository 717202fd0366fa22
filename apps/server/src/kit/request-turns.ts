import { AppError } from '@zhugong/contract/kit/errors'

export interface TurnLimits {
  /** Requests of one account that are worked on at the same time. */
  perAccount: number
  /** The same for an account that has kept the product busy lately. */
  perBusyAccount: number
  /** An account is busy above this much working time, weighed down by half every `halvedMs`. */
  busyMs: number
  halvedMs: number
  /** Requests of one account that wait for the ones before them; more are refused. */
  waitingPerAccount: number
  /** Of all accounts together: as many as there are connections for. */
  inAll: number
}

/**
 * A page asks for a dozen things at once and has them within a second; six at a time are what a browser sends to one address. Who asks for
 * what takes seconds, over and over, gets two at a time until it is quieter: the others always find a connection and a share of the machine.
 */
export const turnLimits: TurnLimits = {
  perAccount: 6,
  perBusyAccount: 2,
  busyMs: 6_000,
  halvedMs: 10_000,
  waitingPerAccount: 60,
  inAll: 18,
}

/** For tests that ask for hundreds of things as one and the same. */
export const unlimitedTurns: TurnLimits = {
  ...turnLimits,
  perAccount: Number.POSITIVE_INFINITY,
  perBusyAccount: Number.POSITIVE_INFINITY,
  inAll: Number.POSITIVE_INFINITY,
}

interface Account {
  running: number
  waiting: Waiting[]
  /** Working time, and when it was last weighed. */
  usedMs: number
  weighedAt: number
  /** Which of all turns its last one was. */
  lastTurn: number
}

interface Waiting {
  begin(): void
}

const crowded = '同时进行的请求过多，请等前面的完成后再试'
/** Above so many the accounts that have nothing under way and nothing to be remembered for are dropped. */
const remembered = 2_000

/** Who is worked for next: accounts in turn, each with a few requests at a time, so that no account stands in the way of the others. */
export class RequestTurns {
  private readonly limits: TurnLimits
  private readonly now: () => number
  private readonly accounts = new Map<string, Account>()
  /** Those of which something waits. */
  private readonly line = new Set<Account>()
  private turns = 0
  private running = 0

  constructor(limits: TurnLimits, now: () => number = () => performance.now()) {
    this.limits = limits
    this.now = now
  }

  /**
   * Waits for the account's turn and runs `fn`. Refused as `tooMany` when too many of the account wait already, and given up when
   * `signal` says that nobody waits for the answer any more.
   */
  async run<T>(name: string, fn: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    await this.turn(name, signal)
    const begun = this.now()
    try {
      return await fn()
    } finally {
      this.over(name, this.now() - begun)
    }
  }

  private async turn(name: string, signal?: AbortSignal): Promise<void> {
    const account = this.accountOf(name)
    if (account.waiting.length === 0 && this.mayBegin(account)) return this.begin(account)
    if (account.waiting.length >= this.limits.waitingPerAccount) throw new AppError('tooMany', crowded)
    await new Promise<void>((resolve, reject) => {
      const one: Waiting = {
        begin: () => {
          signal?.removeEventListener('abort', leave)
          this.begin(account)
          resolve()
        },
      }
      const leave = () => {
        this.drop(account, one)
        reject(new AppError('refused', '请求已取消'))
      }
      account.waiting.push(one)
      this.line.add(account)
      signal?.addEventListener('abort', leave, { once: true })
      if (signal?.aborted) leave()
    })
  }

  private begin(account: Account): void {
    account.running++
    this.running++
    account.lastTurn = ++this.turns
  }

  private over(name: string, tookMs: number): void {
    const account = this.accountOf(name)
    this.weigh(account)
    account.usedMs += tookMs
    account.running--
    this.running--
    this.next()
  }

  private next(): void {
    while (this.running < this.limits.inAll) {
      const ready = [...this.line].filter((account) => this.mayBegin(account))
      if (ready.length === 0) return
      // Who has not been served for longest comes first.
      const account = ready.reduce((a, b) => (b.lastTurn < a.lastTurn ? b : a))
      const [first] = account.waiting
      this.drop(account, first)
      first?.begin()
    }
  }

  private drop(account: Account, one: Waiting | undefined): void {
    account.waiting = account.waiting.filter((w) => w !== one)
    if (account.waiting.length === 0) this.line.delete(account)
  }

  private mayBegin(account: Account): boolean {
    this.weigh(account)
    const most = account.usedMs > this.limits.busyMs ? this.limits.perBusyAccount : this.limits.perAccount
    return account.running < most && this.running < this.limits.inAll
  }

  private weigh(account: Account): void {
    const now = this.now()
    account.usedMs *= 0.5 ** ((now - account.weighedAt) / this.limits.halvedMs)
    account.weighedAt = now
  }

  private accountOf(name: string): Account {
    let account = this.accounts.get(name)
    if (account) return account
    if (this.accounts.size > remembered)
      for (const [other, known] of this.accounts)
        if (known.running === 0 && known.waiting.length === 0 && known.usedMs < this.limits.busyMs) this.accounts.delete(other)
    account = { running: 0, waiting: [], usedMs: 0, weighedAt: this.now(), lastTurn: 0 }
    this.accounts.set(name, account)
    return account
  }
}
