import type { Memory, Sample } from './history.ts'

/** How far a device's clock may be ahead, and how old a reading may be before it is history. */
const aheadMs = 5 * 60_000
const oldMs = 10 * 60_000
const rebaseAfter = { readings: 5, ms: 40_000 }

/**
 * live: judged now, as is what else is told of the newest moment. late: older than the last one, it only joins the windows. backlog: what a device sends after it was away, judged
 * for the record only. future: its clock is ahead. duplicate: heard before.
 */
export type Place = 'live' | 'late' | 'backlog' | 'future' | 'duplicate'

/** `rebased`: the reading put the clock right. `last`: the newest one before it. */
export interface Placing {
  place: Place
  rebased: boolean
  last: number | undefined
}

interface Run {
  first: number
  last: number
  count: number
  firstHeard: number
  lastHeard: number
}

/** What must survive a restart: the readings themselves are stored elsewhere. */
export interface Clock {
  lastTime?: number
  /** Receive time less device time, for a device whose clock is known to be wrong. */
  offsetMs?: number
  /** When the clock was found set back: nothing heard before that counts for the order. */
  rebasedAt?: number
}

/**
 * The order of one point's readings: event time rules, and a device whose clock was set back is believed again after a while.
 */
export class Timeline {
  readonly memory: Memory
  clock: Clock
  private behind: Run | undefined

  constructor(memory: Memory, clock: Clock = {}) {
    this.memory = memory
    this.clock = clock
  }

  get lastTime(): number | undefined {
    return this.clock.lastTime
  }

  /** Where a reading belongs; it is remembered unless it is a duplicate or from the future. */
  place(sample: Sample, receivedAt: number | undefined): Placing {
    const last = this.clock.lastTime
    if (this.memory.has(sample)) return { place: 'duplicate', rebased: false, last }
    const age = receivedAt === undefined ? 0 : this.ageOf(sample.time, receivedAt)
    if (age < -aheadMs) return { place: 'future', rebased: false, last }
    if (last !== undefined && sample.time < last) {
      if (!this.isSetBack(sample, receivedAt, last)) {
        this.memory.add(sample)
        return { place: age > oldMs ? 'backlog' : 'late', rebased: false, last }
      }
      // What is known of "later" was said by a wrong clock.
      this.memory.dropAfter(sample.time)
      this.memory.add(sample)
      this.clock = { lastTime: sample.time }
      if (receivedAt !== undefined) {
        this.clock.rebasedAt = receivedAt
        if (receivedAt - sample.time > oldMs) this.clock.offsetMs = receivedAt - sample.time
      }
      this.behind = undefined
      return { place: 'live', rebased: true, last: sample.time }
    }
    this.memory.add(sample)
    if (age > oldMs) return { place: 'backlog', rebased: false, last }
    this.behind = undefined
    this.clock.lastTime = sample.time
    return { place: 'live', rebased: false, last }
  }

  /** How old a reading is by its own clock; a clock known to be wrong is forgotten when it turns out right again. */
  private ageOf(time: number, receivedAt: number): number {
    const plain = receivedAt - time
    const { offsetMs } = this.clock
    if (offsetMs === undefined) return plain
    if (plain >= -aheadMs && plain <= oldMs) {
      delete this.clock.offsetMs
      return plain
    }
    return plain - offsetMs
  }

  /** Several readings in order, all far behind, and as far apart as they were heard: a clock set back, not a backlog. */
  private isSetBack(sample: Sample, receivedAt: number | undefined, last: number): boolean {
    if (last - sample.time <= oldMs) return false
    const heard = receivedAt ?? sample.time
    const run = this.behind
    this.behind =
      run && sample.time > run.last
        ? { ...run, last: sample.time, lastHeard: heard, count: run.count + 1 }
        : { first: sample.time, last: sample.time, firstHeard: heard, lastHeard: heard, count: 1 }
    const { first, firstHeard, count } = this.behind
    const [told, listened] = [sample.time - first, heard - firstHeard]
    return count >= rebaseAfter.readings && told >= rebaseAfter.ms && listened >= rebaseAfter.ms && told <= 2 * listened
  }
}
