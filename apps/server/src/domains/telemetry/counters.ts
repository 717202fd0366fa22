import { Counter, Gauge, Histogram, Registry } from 'prom-client'

/** Prometheus metrics of the ingest, served at /metrics. */
export class Counters {
  readonly registry = new Registry()
  private readonly receivedTotal = new Counter({
    name: 'zhugong_ingest_items_total',
    help: 'Items taken for storing',
    labelNames: ['protocol'],
    registers: [this.registry],
  })
  private readonly receivedBy = new Map<string, Counter.Internal>()
  private readonly rejectedTotal = new Counter({
    name: 'zhugong_ingest_rejected_total',
    help: 'Items refused',
    labelNames: ['protocol'],
    registers: [this.registry],
  })
  private readonly badFrames = new Counter({
    name: 'zhugong_ingest_bad_frames_total',
    help: 'Frames that could not be read',
    labelNames: ['protocol', 'reason'],
    registers: [this.registry],
  })
  private readonly refusedTotal = new Counter({
    name: 'zhugong_ingest_refused_total',
    help: 'Messages refused as a whole',
    labelNames: ['reason'],
    registers: [this.registry],
  })
  private readonly commits = new Histogram({
    name: 'zhugong_ingest_commit_seconds',
    help: 'Duration of a group commit',
    buckets: [0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1, 3],
    registers: [this.registry],
  })
  readonly stored = new Counter({ name: 'zhugong_ingest_readings_total', help: 'Readings committed', registers: [this.registry] })
  readonly pending = new Gauge({ name: 'zhugong_ingest_pending_items', help: 'Items waiting for their commit', registers: [this.registry] })
  readonly live = new Counter({
    name: 'zhugong_ingest_live_messages_total',
    help: 'Live messages sent to viewers',
    registers: [this.registry],
  })

  received(protocol: string, items: number): void {
    // Called thousands of times a second; the label lookup would cost more than the increment, so counters are cached.
    let counter = this.receivedBy.get(protocol)
    if (!counter) {
      counter = this.receivedTotal.labels(protocol)
      this.receivedBy.set(protocol, counter)
    }
    counter.inc(items)
  }
  rejected(protocol: string, items: number): void {
    this.rejectedTotal.inc({ protocol }, items)
  }
  badFrame(protocol: string, reason: string): void {
    this.badFrames.inc({ protocol, reason })
  }
  refused(reason: string): void {
    this.refusedTotal.inc({ reason })
  }
  committed(ms: number, readings: number): void {
    this.commits.observe(ms / 1000)
    this.stored.inc(readings)
  }
}
