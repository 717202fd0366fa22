import { AppError } from '@zhugong/contract/kit/errors'

export interface TurnLimits {
  /** Requests of one account that are worked on at the same time. */
  perAccount: number
  /** The same while others were worked for in the last `companyMs`: what is heavy for the database is then at most this many times there. */
  perAccountInCompany: number
  companyMs: number
  /**
   * What an account may use up before it asks for one thing at a time and rests in between, in milliseconds of work that fade by half
   * every `halfMs`; and how long it rests for each millisecond its last request took. Both only while others are worked for, and only for
   * who used several times what they did: on a slow day everybody's work takes long, and nobody is to blame.
   */
  spentMs: number
  restPerMs: number
  /** Requests of one account that wait for the ones before them; more are refused. */
  waitingPerAccount: number
  /** Of all accounts together: as many as there are connections for. */
  inAll: number
}

/**
 * A page asks for a dozen things at once and has them within a second; six at a time are what a browser sends to one address. Who looks at
 * pages uses a tenth of a second of work each second; who has used more than a second of it lately has a client that asks by itself: one
 * thing at a time, and six times as long a rest as it worked, while anybody else is there.
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
 * Bodies of one account that are read and held at the same time, whatever waits: what was read stands in memory, many times its size on
 * the line, until its request has been worked for. Sixty that waited with theirs cost everybody more than the work itself.
 */
export const bodyLimits: TurnLimits = {
  ...turnLimits,
  perAccount: 3,
  perAccountInCompany: 2,
  spentMs: Number.POSITIVE_INFINITY,
  inAll: Number.POSITIVE_INFINITY,
}

/** Other servers that are waited for on behalf of one account at the same time: what waits so costs little but the wait. */
export const awayLimits: TurnLimits = { ...bodyLimits, perAccount: 6, perAccountInCompany: 6 }

/** For tests that ask for hundreds of things as one and the same. */
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
  /** Which of all turns its last one was. */
  lastTurn: number
  /** Milliseconds of work used lately, as of `spentAt`. */
  spent: number
  spentAt: number
  /** Nothing of it is begun before, while others are there. */
  restsUntil: number
}

interface Waiting {
  begin(): void
}

const crowded = '同时进行的请求过多，请等前面的完成后再试'
/** Of what the others used in the mean: who stays below asks no more than they do. */
const manyTimes = 3
/** Half of what was used is forgotten in this time. */
const halfMs = 5_000
/** Nobody rests longer: a client that went quiet for so long is not in the way. */
const longestRestMs = 10_000
/** Above so many the accounts that have nothing under way are dropped. */
const remembered = 2_000

/** Who is worked for next: accounts in turn, each with a few requests at a time, so that no account stands in the way of the others. */
export class RequestTurns {
  private readonly limits: TurnLimits
  private readonly accounts = new Map<string, Account>()
  /** Those of which something waits. */
  private readonly line = new Set<Account>()
  private turns = 0
  private running = 0
  /** The account that was begun for last, and when another than it was. */
  private last: Account | undefined
  private lastOther = Number.NEGATIVE_INFINITY

  constructor(limits: TurnLimits) {
    this.limits = limits
  }

  /** Runs `fn` in the account's turn; errors as of `enter`. */
  async run<T>(name: string, fn: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    const leave = await this.enter(name, signal)
    try {
      return await fn()
    } finally {
      leave()
    }
  }

  /**
   * Waits for the account's turn; what it answers ends it. Refused as `tooMany` when too many of the account wait already, and given up
   * when `signal` says that nobody waits for the answer any more.
   */
  async enter(name: string, signal?: AbortSignal): Promise<() => void> {
    await this.turn(name, signal)
    const begun = performance.now()
    return () => this.over(name, performance.now() - begun)
  }

  /** Whether another request could be begun now. */
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

  /** Its waiting requests go on then, though nothing else may happen that would look for the next one. */
  private wake(account: Account): void {
    const left = account.restsUntil - performance.now()
    // Timers count whole milliseconds and may ring within one before: asked then, nobody would ask again.
    if (left > 0) setTimeout(() => this.wake(account), left + 1).unref()
    else this.next()
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
    const now = performance.now()
    const inCompany = now - this.lastOther < this.limits.companyMs
    if (inCompany && now < account.restsUntil && this.usesTooMuch(account, now)) return false
    return account.running < this.mostOf(account, inCompany, now) && this.running < this.limits.inAll
  }

  private mostOf(account: Account, inCompany: boolean, now: number): number {
    if (!inCompany) return this.limits.perAccount
    return this.usesTooMuch(account, now) ? 1 : this.limits.perAccountInCompany
  }

  /** More than is anybody's, and several times what the others used who were there lately. */
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
