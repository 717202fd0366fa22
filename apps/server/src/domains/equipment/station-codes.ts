import { AppError } from '@zhugong/contract/kit/errors'
import type { Family } from '@zhugong/contract/telemetry/families'

/** Dust metrics, which are not evaluated until their unit is configured. */
export const particulates = ['tsp', 'pm10', 'pm25'] as const

/** HJ 212 codes of dust and noise stations, as in the decoder, to show the code a metric arrived with. */
export const standardCodes: readonly { code: string; metric: string }[] = [
  { code: 'a34001', metric: 'tsp' },
  { code: 'a34002', metric: 'pm10' },
  { code: 'a34004', metric: 'pm25' },
  { code: 'LA', metric: 'noise' },
  { code: 'Leq', metric: 'leq' },
  { code: 'a01001', metric: 'temperature' },
  { code: 'a01002', metric: 'humidity' },
  { code: 'a01006', metric: 'pressure' },
  { code: 'a01007', metric: 'windSpeed' },
  { code: 'a01008', metric: 'windDirection' },
]

/** Allows one code per metric, and only numeric metrics of the family. Throws otherwise. */
export function checkCodes(family: Family | undefined, codes: Readonly<Record<string, { metric: string; factor: number }>>): void {
  const taken = new Map<string, string>()
  for (const [code, { metric }] of Object.entries(codes)) {
    const known = family?.metric(metric)
    if (!known || (known.type !== 'number' && known.type !== 'integer'))
      throw new AppError('invalidInput', `指标 ${metric} 不存在或不是数值`, { field: `modelMatch.codes.${code}` })
    const other = taken.get(metric)
    if (other) throw new AppError('invalidInput', `${other} 与 ${code} 都对应 ${known.label}`, { field: `modelMatch.codes.${code}` })
    taken.set(metric, code)
  }
}
