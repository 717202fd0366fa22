import { isMainAmong } from '@zhugong/contract/monitoring/meter-tree'

/** A meter of a site's tree: the one it hangs behind, and what it used in a month. */
export interface TreeMeter {
  deviceId: string
  deviceName: string
  parentId: string | null
  area: string | null
  usage: number
}

export interface Branch<M extends TreeMeter> {
  meter: M
  below: M[]
  /** What the main meter counted and those below it did not, in percent of the main; undefined without meters below. */
  lossPercent: number | undefined
}

/** Main meters with what hangs behind them; one whose main is not there stands by itself. */
export function branchesOf<M extends TreeMeter>(meters: readonly M[]): Branch<M>[] {
  return meters.filter(isMainAmong(meters)).map((meter) => {
    const below = meters.filter((one) => one.parentId === meter.deviceId)
    const counted = below.reduce((sum, one) => sum + one.usage, 0)
    const lossPercent = below.length === 0 || meter.usage <= 0 ? undefined : ((meter.usage - counted) / meter.usage) * 100
    return { meter, below, lossPercent }
  })
}

/** Beyond this share somebody taps the line, or a meter counts wrongly. */
export const suspectLossPercent = 10

export const lossWords = (percent: number): string =>
  percent < 0 ? `分表合计多出 ${Math.abs(percent).toFixed(1)} %，先查表计` : `损耗 ${percent.toFixed(1)} %`

/** The voltage a phase may have, V: 220 V, +7 % and -10 % (GB/T 12325-2008, 4.3). */
export const voltageBand = { low: 198, high: 235.4 } as const
/** A phase below this is away, V. */
export const deadVolts = 50

export type Supply = 'on' | 'phaseLost' | 'off' | 'tripped' | 'unknown'
export const supplyWords: Record<Supply, string> = { on: '合', phaseLost: '缺相', off: '停电', tripped: '分闸', unknown: '无数据' }

/** What a box says of its supply. */
export function supplyOf(values: Readonly<Record<string, unknown>> | undefined): Supply {
  const volts = ['voltageA', 'voltageB', 'voltageC'].flatMap((key) => {
    const value = values?.[key]
    return typeof value === 'number' ? [value] : []
  })
  if (volts.length === 0) return 'unknown'
  const dead = volts.filter((one) => one < deadVolts).length
  if (dead === volts.length) return 'off'
  // The family's code of a switch that is open.
  if (values?.switchStatus === open) return 'tripped'
  return dead > 0 ? 'phaseLost' : 'on'
}
const open = '0'

/** How far the phases' currents lie apart, percent of their mean; undefined where nothing flows. */
export function unbalanceOf(currents: readonly (number | undefined)[]): number | undefined {
  const known = currents.filter((one): one is number => one !== undefined)
  const mean = known.reduce((sum, one) => sum + one, 0) / (known.length || 1)
  return known.length < 2 || mean <= 0 ? undefined : (Math.max(...known.map((one) => Math.abs(one - mean))) / mean) * 100
}

/** Flow that runs at night for nobody, m³/h. */
export const leakFlow = 0.05

const monthOf = (year: number, month: number) => new Date(Date.UTC(year, month, 1)).toISOString().slice(0, 7)

/** The month that is settled next: after the last one, or the one that ended last. Months as yyyy-MM. */
export function nextToSettle(last: string | undefined, current: string): string {
  const [year = 0, month = 1] = (last ?? current).split('-').map(Number)
  return last === undefined ? monthOf(year, month - 2) : monthOf(year, month)
}
