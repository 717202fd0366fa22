import { type Random, stream } from './random.ts'

/**
 * Transmission faults, reproducible by seed: split, damaged and repeated frames, broken connections with a backlog afterwards, wrong
 * clocks, bursts of reports.
 */
export interface FaultPlan {
  /** Fractions of frames, 0 to 1. */
  split: number
  damage: number
  repeat: number
  /** Two frames in one packet. */
  join: number
  /** Interval and length of disconnections. */
  outage: { everySeconds: number; seconds: number } | null
  /** Interval and error of wrong clocks; each lasts a minute. */
  clock: { everySeconds: number; bySeconds: number } | null
  /** Interval of bursts, and number of reports per device in one. */
  storm: { everySeconds: number; times: number } | null
}

export const noFaults: FaultPlan = { split: 0, damage: 0, repeat: 0, join: 0, outage: null, clock: null, storm: null }

const named: Readonly<Record<string, Partial<FaultPlan>>> = {
  split: { split: 0.5, join: 0.2 },
  crc: { damage: 0.05 },
  repeat: { repeat: 0.2 },
  outage: { outage: { everySeconds: 180, seconds: 45 } },
  clock: { clock: { everySeconds: 240, bySeconds: 900 } },
  storm: { storm: { everySeconds: 120, times: 40 } },
}

/** Parses `split,crc,outage=300:60,clock=240:-7200`: fault names with optional numbers. */
export function parseFaults(text: string): FaultPlan {
  const plan: FaultPlan = { ...noFaults }
  for (const word of text
    .split(',')
    .map((w) => w.trim())
    .filter(Boolean)) {
    const [name = '', given] = word.split('=')
    const known = named[name]
    if (!known) throw new Error(`unknown fault ${name}: ${Object.keys(named).join(', ')}`)
    Object.assign(plan, known)
    if (!given) continue
    const numbers = given.split(':').map(Number)
    if (numbers.some((n) => !Number.isFinite(n))) throw new Error(`numbers of ${name} should be like 300:60`)
    const [first = 0, second = 0] = numbers
    if (name === 'outage') plan.outage = { everySeconds: first, seconds: second }
    else if (name === 'clock') plan.clock = { everySeconds: first, bySeconds: second }
    else if (name === 'storm') plan.storm = { everySeconds: first, times: second }
    else if (name === 'split') plan.split = first
    else if (name === 'crc') plan.damage = first
    else plan.repeat = first
  }
  return plan
}

/** Faults of one connection. */
export class Faults {
  readonly counts = { split: 0, damaged: 0, repeated: 0, joined: 0 }
  private readonly plan: FaultPlan
  private readonly random: Random
  private readonly offsetMs: number
  private delayed: Buffer | undefined

  constructor(plan: FaultPlan, seed: number, line: string) {
    this.plan = plan
    this.random = stream(seed, 'faults', line)
    // A random offset, so that connections do not fail together.
    this.offsetMs = this.random.next() * 600_000
  }

  /** Packets in which a frame is sent. A damaged frame gets no answer, so its sender repeats it. */
  onWire(frame: Buffer): Buffer[] {
    const { random, plan } = this
    const frames = [frame]
    if (random.chance(plan.damage)) {
      const bad = Buffer.from(frame)
      const at = random.int(Math.min(4, bad.length - 1), Math.max(0, bad.length - 4))
      bad[at] = bad[at]! ^ (1 << random.int(0, 6))
      frames[0] = bad
      this.counts.damaged++
    }
    if (random.chance(plan.repeat)) {
      frames.push(Buffer.from(frame))
      this.counts.repeated++
    }
    const out: Buffer[] = []
    for (const one of frames) {
      const whole = this.delayed ? Buffer.concat([this.delayed, one]) : one
      this.delayed = undefined
      if (random.chance(plan.join)) {
        this.delayed = whole
        this.counts.joined++
        continue
      }
      if (whole.length > 2 && random.chance(plan.split)) {
        const at = random.int(1, whole.length - 1)
        out.push(whole.subarray(0, at), whole.subarray(at))
        this.counts.split++
      } else out.push(whole)
    }
    return out
  }

  /** Writes a frame with its faults. A frame held back for joining is sent after a moment if no other follows. */
  write(socket: { writable: boolean; write(bytes: Buffer): unknown }, frame: Buffer): void {
    for (const piece of this.onWire(frame)) socket.write(piece)
    if (!this.delayed) return
    setTimeout(() => {
      const rest = this.rest()
      if (rest && socket.writable) socket.write(rest)
    }, 300).unref()
  }

  /** The frame held back for joining, so that it can be sent alone. */
  rest(): Buffer | undefined {
    const { delayed } = this
    this.delayed = undefined
    return delayed
  }

  /** Whether the connection is down at this moment. */
  isCut(nowMs: number): boolean {
    const { outage } = this.plan
    return outage !== null && (nowMs + this.offsetMs) % (outage.everySeconds * 1000) < outage.seconds * 1000
  }

  /** Time of the device's own clock. */
  clock(nowMs: number): number {
    const { clock } = this.plan
    if (!clock) return nowMs
    return (nowMs + this.offsetMs) % (clock.everySeconds * 1000) < 60_000 ? nowMs + clock.bySeconds * 1000 : nowMs
  }

  /** Number of times a report due now is sent. */
  times(nowMs: number): number {
    const { storm } = this.plan
    return storm && (nowMs + this.offsetMs) % (storm.everySeconds * 1000) < 1000 ? storm.times : 1
  }
}
