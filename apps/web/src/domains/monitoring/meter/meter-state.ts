import { isMainAmong } from '@zhugong/contract/monitoring/meter/meter-tree'

/** A meter of a site's tree: its parent meter and its monthly consumption. */
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
  /** Percent of the main meter's consumption that its submeters did not count; undefined without submeters. */
  lossPercent: number | undefined
}

/** Main meters with their submeters; a meter whose parent is missing counts as a main. */
export function branchesOf<M extends TreeMeter>(meters: readonly M[]): Branch<M>[] {
  return meters.filter(isMainAmong(meters)).map((meter) => {
    const below = meters.filter((one) => one.parentId === meter.deviceId)
    const counted = below.reduce((sum, one) => sum + one.usage, 0)
    const lossPercent = below.length === 0 || meter.usage <= 0 ? undefined : ((meter.usage - counted) / meter.usage) * 100
    return { meter, below, lossPercent }
  })
}

/** Above this loss an illegal tap or a faulty meter is likely. */
export const suspectLossPercent = 10

export const lossWords = (percent: number): string =>
  percent < 0 ? `分表合计多出 ${Math.abs(percent).toFixed(1)} %，先查表计` : `损耗 ${percent.toFixed(1)} %`

/** Permitted phase voltage, V: 220 V, +7 % and -10 % (GB/T 12325-2008, 4.3). */
export const voltageBand = { low: 198, high: 235.4 } as const
/** Below this voltage a phase counts as failed, V. */
export const deadVolts = 50

export type Supply = 'on' | 'phaseLost' | 'off' | 'tripped' | 'unknown'
export const supplyWords: Record<Supply, string> = { on: '合', phaseLost: '缺相', off: '停电', tripped: '分闸', unknown: '无数据' }

/** State of a distribution box's supply. */
export function supplyOf(values: Readonly<Record<string, unknown>> | undefined): Supply {
  const volts = ['voltageA', 'voltageB', 'voltageC'].flatMap((key) => {
    const value = values?.[key]
    return typeof value === 'number' ? [value] : []
  })
  if (volts.length === 0) return 'unknown'
  const dead = volts.filter((one) => one < deadVolts).length
  if (dead === volts.length) return 'off'
  // Code of an open switch.
  if (values?.switchStatus === open) return 'tripped'
  return dead > 0 ? 'phaseLost' : 'on'
}
const open = '0'

/** Current unbalance of the phases, percent of the mean; undefined without current. */
export function unbalanceOf(currents: readonly (number | undefined)[]): number | undefined {
  const known = currents.filter((one): one is number => one !== undefined)
  const mean = known.reduce((sum, one) => sum + one, 0) / (known.length || 1)
  return known.length < 2 || mean <= 0 ? undefined : (Math.max(...known.map((one) => Math.abs(one - mean))) / mean) * 100
}

/** Night flow from which leakage is suspected, m³/h. */
export const leakFlow = 0.05

const monthOf = (year: number, month: number) => new Date(Date.UTC(year, month, 1)).toISOString().slice(0, 7)

/** The next month to settle: the one after `last`, or the last finished one. Months as yyyy-MM. */
export function nextToSettle(last: string | undefined, current: string): string {
  const [year = 0, month = 1] = (last ?? current).split('-').map(Number)
  return last === undefined ? monthOf(year, month - 2) : monthOf(year, month)
}
