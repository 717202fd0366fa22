import type { Memory, Sample } from './history.ts'

/** How far a device's clock may be ahead, and the age from which a reading counts as backlog. */
const aheadMs = 5 * 60_000
const oldMs = 10 * 60_000
const rebaseAfter = { readings: 5, ms: 40_000 }

/**
 * live: evaluated for the current state. late: older than the last reading, only added to the windows. backlog: sent after a disconnection,
 * evaluated for historical alarms only. future: the device clock is ahead. duplicate: received before.
 */
export type Place = 'live' | 'late' | 'backlog' | 'future' | 'duplicate'

/** `rebased`: the reading reset the clock. `last`: time of the newest reading before it. */
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

/** State that must survive a restart; the readings themselves are stored elsewhere. */
export interface Clock {
  lastTime?: number
  /** Receive time minus device time, for a device whose clock is known to be wrong. */
  offsetMs?: number
  /** When the clock was found to be set back; readings received before do not count for the order. */
  rebasedAt?: number
}

/** Time order of one point's readings. Device time decides; a device whose clock was set back is accepted again after several readings. */
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

  /** Determines the place of a reading and adds it to the memory, unless it is a duplicate or in the future. */
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
      // Later readings came from the wrong clock.
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

  /** Age of a reading by the device's clock. A known clock error is dropped once the clock is right again. */
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

  /** Several readings in order, all far in the past and as far apart as their receive times: a clock set back, not a backlog. */
  private isSetBack(sample: Sample, receivedAt: number | undefined, last: number): boolean {
    if (last - sample.time <= oldMs) return false
    const heard = receivedAt ?? sample.time
    const run = this.behind
    this.behind =
      run && sample.time > run.last
        ? { ...run, last: sample.time, lastHeard: heard, count: run.count + 1 }
        : { first: sample.time, last: sample.time, firstHeard: heard, lastHeard: heard, count: 1 }
    const { first, firstHeard, count } = this.behind
    const [reported, listened] = [sample.time - first, heard - firstHeard]
    return count >= rebaseAfter.readings && reported >= rebaseAfter.ms && listened >= rebaseAfter.ms && reported <= 2 * listened
  }
}
