import type { Reading } from '../../readings/public.ts'
import type { Hj212Frame } from './frame.ts'

const reportMs = 60_000

/** Merges the packets of one report, so that the latest reading shows all values of the report. */
export class ReportPackets {
  private readonly reports = new Map<string, { at: number; values: Reading['values']; quality: Reading['quality'] }>()

  merged(deviceId: string, frame: Hj212Frame, reading: Reading, now: number): Reading {
    if (frame.pnum <= 1) return reading
    const key = `${deviceId}/${frame.cn}/${reading.time - Math.max(0, frame.pno - 1)}`
    const before = this.reports.get(key)
    const values = { ...before?.values, ...reading.values }
    const quality = before?.quality || reading.quality ? { ...before?.quality, ...reading.quality } : null
    this.reports.set(key, { at: now, values, quality })
    return { ...reading, values, quality }
  }

  sweep(at: number): void {
    for (const [key, report] of this.reports) if (at - report.at > reportMs) this.reports.delete(key)
  }
}
