import { compactTime } from './calendar.ts'
import type { Dust } from './dust.ts'
import { Hj212Client, type Hj212ClientOptions } from './hj212-client.ts'
import { type DataFlag, type Hj212Metric, hj212Codes, type PeriodValue, periodFrame, realtimeFrame } from './hj212-frame.ts'
import type { Values } from './machine.ts'
import { round } from './random.ts'

class Period {
  private start = 0
  private sums = new Map<Hj212Metric, { min: number; max: number; sum: number; count: number }>()
  private readonly lengthMs: number

  constructor(lengthMs: number) {
    this.lengthMs = lengthMs
  }

  /** Adds a sample; returns the period that has just ended, if any. Its mean covers the samples received, however few. */
  add(
    nowMs: number,
    values: Partial<Record<Hj212Metric, number>>,
  ): { start: number; values: Partial<Record<Hj212Metric, PeriodValue>> } | undefined {
    const start = Math.floor(nowMs / this.lengthMs) * this.lengthMs
    let ended: { start: number; values: Partial<Record<Hj212Metric, PeriodValue>> } | undefined
    if (this.start && start !== this.start) {
      ended = {
        start: this.start,
        values: Object.fromEntries(
          [...this.sums].map(([metric, sum]) => [metric, { min: sum.min, avg: round(sum.sum / sum.count, 2), max: sum.max }]),
        ),
      }
      this.sums = new Map()
    }
    this.start = start
    for (const [metric, value] of Object.entries(values) as [Hj212Metric, number][]) {
      const sum = this.sums.get(metric) ?? { min: value, max: value, sum: 0, count: 0 }
      sum.min = Math.min(sum.min, value)
      sum.max = Math.max(sum.max, value)
      sum.sum += value
      sum.count++
      this.sums.set(metric, sum)
    }
    return ended
  }
}

/** Dust station with HJ 212: real-time values every 30 s, ten-minute means, hourly means. */
export class Hj212Station {
  readonly client: Hj212Client
  private readonly dust: Dust
  private readonly identity: { mn: string; password: string }
  private readonly tenMinutes = new Period(600_000)
  private readonly hours = new Period(3_600_000)
  private lastQn = 0

  constructor(dust: Dust, options: Hj212ClientOptions) {
    this.dust = dust
    this.identity = options.station
    this.client = new Hj212Client(options)
  }

  /** QN must be unique, so it advances by at least a millisecond. */
  private qn(nowMs: number): string {
    this.lastQn = Math.max(nowMs, this.lastQn + 1)
    return compactTime(this.lastQn, true)
  }

  sample(nowMs: number, faulty: boolean): void {
    const measured: Values = this.dust.telemetry(nowMs)
    const values: Partial<Record<Hj212Metric, number>> = {}
    for (const metric of Object.keys(hj212Codes) as Hj212Metric[]) {
      const value = measured[metric]
      if (typeof value === 'number') values[metric] = value
    }
    const flags: Partial<Record<Hj212Metric, DataFlag>> = faulty ? { pm10: 'D', tsp: 'D' } : {}
    const at = Math.floor(nowMs / 1000) * 1000
    const now = this.qn(nowMs)
    this.client.send(now, realtimeFrame(this.identity, now, at, values, flags))
    if (faulty) return
    const ten = this.tenMinutes.add(nowMs, values)
    if (ten) {
      const qn = this.qn(nowMs)
      this.client.send(qn, periodFrame(this.identity, qn, '2051', ten.start, ten.values))
    }
    const hour = this.hours.add(nowMs, values)
    if (hour) {
      const qn = this.qn(nowMs)
      this.client.send(qn, periodFrame(this.identity, qn, '2061', hour.start, hour.values))
    }
  }
}
