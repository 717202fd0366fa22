import { AppError } from '@zhugong/contract/kit/errors'

export interface TurnLimits {
  /** Concurrent requests of one account. */
  perAccount: number
  /**
   * The same while other accounts were active in the last `companyMs`; limits how many expensive queries of one account run at the same
   * time.
   */
  perAccountInCompany: number
  companyMs: number
  /**
   * Work (ms, decaying by half every `halfMs`) that an account may use before it is slowed to one request at a time with pauses.
   * `restPerMs` is the pause per millisecond of its last request. Both apply only while other accounts are active, and only to an account
   * that used several times their average. When the whole system is slow, all requests take long, and no account is slowed.
   */
  spentMs: number
  restPerMs: number
  /** Waiting requests of one account; further ones are refused. */
  waitingPerAccount: number
  /** Concurrent requests of all accounts: as many as there are database connections. */
  inAll: number
}

/**
 * A page sends a dozen requests and has the responses within a second; a browser sends six at a time to one address. A user who reads pages
 * causes a tenth of a second of work per second. More than one second of recent work means a client that sends requests automatically.
 * While other accounts are active, it gets one request at a time, and a pause of six times the work.
 */
export const turnLimits: TurnLimits = {
  perAccount: 6,
  perAccountInCompany: 2,
  companyMs: 3_000,
  spentMs: 1_000,
  restPerMs: 6,
  waitingPerAccount: 60,
  inAll: 18,
}

/**
 * Request bodies of one account that are in memory at the same time. A parsed body takes many times its transferred size until its request
 * is finished. Sixty requests waiting with their bodies cost all users more than the work itself.
 */
export const bodyLimits: TurnLimits = {
  ...turnLimits,
  perAccount: 3,
  perAccountInCompany: 2,
  spentMs: Number.POSITIVE_INFINITY,
  inAll: Number.POSITIVE_INFINITY,
}

/** Concurrent calls to other servers on behalf of one account; waiting for them costs little else. */
export const awayLimits: TurnLimits = { ...bodyLimits, perAccount: 6, perAccountInCompany: 6 }

/** For tests that send hundreds of requests from one account. */
export const unlimitedTurns: TurnLimits = {
  ...turnLimits,
  perAccount: Number.POSITIVE_INFINITY,
  perAccountInCompany: Number.POSITIVE_INFINITY,
  spentMs: Number.POSITIVE_INFINITY,
  inAll: Number.POSITIVE_INFINITY,
}

interface Account {
  running: number
  waiting: Waiting[]
  /** Number of its last turn, counted over all accounts. */
  lastTurn: number
  /** Recent work in milliseconds, as of `spentAt`. */
  spent: number
  spentAt: number
  /** While other accounts are active, no request of it starts before this time. */
  restsUntil: number
}

interface Waiting {
  begin(): void
}

const crowded = '同时进行的请求过多，请等前面的完成后再试'
/** An account is slowed only above this multiple of the others' average work. */
const manyTimes = 3
/** Half-life of the recorded work. */
const halfMs = 5_000
/** Longest pause: a client that was quiet for so long no longer disturbs others. */
const longestRestMs = 10_000
/** Above this number of accounts, idle ones are removed from memory. */
const remembered = 2_000

/** Schedules requests: accounts take turns, each with a few requests at a time, so that no account blocks the others. */
export class RequestTurns {
  private readonly limits: TurnLimits
  private readonly accounts = new Map<string, Account>()
  /** Accounts with waiting requests. */
  private readonly line = new Set<Account>()
  private turns = 0
  private running = 0
  /** The account of the last started request, and when a request of a different account last started. */
  private last: Account | undefined
  private lastOther = Number.NEGATIVE_INFINITY

  constructor(limits: TurnLimits) {
    this.limits = limits
  }

  /** Runs `fn` in the account's turn; throws the errors of `enter`. */
  async run<T>(name: string, fn: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    const leave = await this.enter(name, signal)
    try {
      return await fn()
    } finally {
      leave()
    }
  }

  /**
   * Waits for the account's turn. Returns a function that ends the turn.
   * @throws AppError `tooMany` when too many requests of the account are waiting; `refused` when `signal` is aborted because the client has
   * gone
   */
  async enter(name: string, signal?: AbortSignal): Promise<() => void> {
    await this.turn(name, signal)
    const begun = performance.now()
    return () => this.over(name, performance.now() - begun)
  }

  /** Whether another request could start now. */
  get hasRoom(): boolean {
    return this.running < this.limits.inAll
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
    if (this.last && this.last !== account) this.lastOther = performance.now()
    this.last = account
  }

  private over(name: string, tookMs: number): void {
    const account = this.accountOf(name)
    account.running--
    this.running--
    const now = performance.now()
    account.spent = this.spentOf(account, now) + tookMs
    account.spentAt = now
    if (this.usesTooMuch(account, now)) this.rest(account, now + Math.min(longestRestMs, tookMs * this.limits.restPerMs))
    this.next()
  }

  private rest(account: Account, until: number): void {
    account.restsUntil = Math.max(account.restsUntil, until)
    this.wake(account)
  }

  /** Starts its waiting requests at the end of the pause, even if no other event triggers `next`. */
  private wake(account: Account): void {
    const left = account.restsUntil - performance.now()
    // Timers may fire up to one millisecond early: without the extra millisecond, no further call would follow.
    if (left > 0) setTimeout(() => this.wake(account), left + 1).unref()
    else this.next()
  }

  private next(): void {
    while (this.running < this.limits.inAll) {
      const ready = [...this.line].filter((account) => this.mayBegin(account))
      if (ready.length === 0) return
      // The account that has waited longest since its last turn comes first.
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
    const now = performance.now()
    const inCompany = now - this.lastOther < this.limits.companyMs
    if (inCompany && now < account.restsUntil && this.usesTooMuch(account, now)) return false
    return account.running < this.mostOf(account, inCompany, now) && this.running < this.limits.inAll
  }

  private mostOf(account: Account, inCompany: boolean, now: number): number {
    if (!inCompany) return this.limits.perAccount
    return this.usesTooMuch(account, now) ? 1 : this.limits.perAccountInCompany
  }

  /** Whether an account used more than `spentMs`, and several times the average of the other active accounts. */
  private usesTooMuch(account: Account, now: number): boolean {
    const spent = this.spentOf(account, now)
    if (spent <= this.limits.spentMs) return false
    let others = 0
    let used = 0
    for (const other of this.accounts.values()) {
      if (other === account || now - other.spentAt > this.limits.companyMs) continue
      others++
      used += this.spentOf(other, now)
    }
    return spent > (manyTimes * used) / Math.max(1, others)
  }

  private spentOf(account: Account, now: number): number {
    return account.spent * 2 ** (-(now - account.spentAt) / halfMs)
  }

  private accountOf(name: string): Account {
    let account = this.accounts.get(name)
    if (account) return account
    if (this.accounts.size > remembered)
      for (const [other, known] of this.accounts) if (known.running === 0 && known.waiting.length === 0) this.accounts.delete(other)
    account = { running: 0, waiting: [], lastTurn: 0, spent: 0, spentAt: 0, restsUntil: 0 }
    this.accounts.set(name, account)
    return account
  }
}
