import type { Metric } from '@zhugong/contract/telemetry/families'

/** A typical value of a metric, for sample messages. */
export function sampleValue({ type, typical, min, max, precision, values }: Metric): unknown {
  if (type === 'boolean') return false
  if (type === 'enum') return Object.keys(values ?? {})[0] ?? '0'
  if (type === 'datetime') return '2026-07-01T08:00:00+08:00'
  if (type === 'string') return 'A1'
  const middle = typical ? (typical[0] + typical[1]) / 2 : ((min ?? 0) + Math.min(max ?? 10, (min ?? 0) + 20)) / 2
  return Number(middle.toFixed(type === 'integer' ? 0 : (precision ?? 1)))
}
