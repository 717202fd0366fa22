/**
 * Judges measured points (实测实量): one function for the phone, the page and the server. Values are in the unit of the item.
 */

/** What a rule tolerates. */
export interface Tolerance {
  /** The value that is aimed at; null: the measurer writes it for every area (`isCustomBase`), or there is none and the value is the deviation. */
  baseValue: number | null
  judgeStart: number
  judgeEnd: number
  /** Only the size of a deviation counts, not its direction. */
  isAbsolute: boolean
  /** 极差: the spread of the values of an area is judged, once its last point is measured. */
  isRange: boolean
  isCustomBase: boolean
  /** Points of one area. */
  pointCount: number
  /** How many times the tolerance makes a burst point (爆点). */
  burstFactor: number
}

/** Dictionary measurePointResult. */
export const pointResults = { passed: '1', failed: '2', burst: '3' } as const
export type PointResult = (typeof pointResults)[keyof typeof pointResults]

export interface Verdict {
  deviation: number
  result: PointResult
}

/** Hundredths of the unit are kept. */
export const rounded = (value: number): number => {
  const hundredths = Math.round((Math.abs(value) + 1e-9) * 100) / 100
  return hundredths === 0 ? 0 : Math.sign(value) * hundredths
}

/**
 * The deviations beyond which a point bursts. A limit of zero on one side has no multiple: there the other limit says how far is too far.
 */
export function burstLimits({ judgeStart, judgeEnd, burstFactor }: Pick<Tolerance, 'judgeStart' | 'judgeEnd' | 'burstFactor'>): {
  low: number
  high: number
} {
  const beyond = (burstFactor - 1) * Math.max(Math.abs(judgeStart), Math.abs(judgeEnd))
  return {
    low: judgeStart < 0 ? judgeStart * burstFactor : judgeStart - beyond,
    high: judgeEnd > 0 ? judgeEnd * burstFactor : judgeEnd + beyond,
  }
}

function resultOf(rule: Tolerance, deviation: number): PointResult {
  if (deviation >= rule.judgeStart && deviation <= rule.judgeEnd) return pointResults.passed
  const { low, high } = burstLimits(rule)
  return deviation < rounded(low) || deviation > rounded(high) ? pointResults.burst : pointResults.failed
}

/**
 * The verdict of every point of one area, in the order of its points; null: not measured, or not to be judged yet (a spread before its last
 * point, a missing base). A spread has one verdict for all points of the area.
 */
export function judgeArea(rule: Tolerance, designValue: number | null, values: readonly (number | null)[]): (Verdict | null)[] {
  const given = Array.from({ length: rule.pointCount }, (_, i) => values[i] ?? null)
  if (rule.isRange) {
    const measured = given.filter((one) => one !== null)
    if (measured.length < rule.pointCount) return given.map(() => null)
    const deviation = rounded(Math.max(...measured) - Math.min(...measured))
    const verdict = { deviation, result: resultOf(rule, deviation) }
    return given.map(() => verdict)
  }
  const base = rule.isCustomBase ? designValue : (rule.baseValue ?? 0)
  return given.map((value) => {
    if (value === null || base === null) return null
    const signed = rounded(value - base)
    const deviation = rule.isAbsolute ? Math.abs(signed) : signed
    return { deviation, result: resultOf(rule, deviation) }
  })
}

export interface Tally {
  measured: number
  passed: number
  burst: number
}
export const tallyOf = (verdicts: readonly (Pick<Verdict, 'result'> | null)[]): Tally => {
  const known = verdicts.filter((one) => one !== null)
  return {
    measured: known.length,
    passed: known.filter((one) => one.result === pointResults.passed).length,
    burst: known.filter((one) => one.result === pointResults.burst).length,
  }
}

/** 合格点/已测点 in percent with two decimals; null: nothing is measured, which is neither 0 % nor 100 %. */
export const passRateOf = ({ measured, passed }: Pick<Tally, 'measured' | 'passed'>): number | null =>
  measured === 0 ? null : Math.round((passed / measured) * 10_000) / 100

/** A task is done when its rate reaches the target and no point bursts. */
export const reaches = (tally: Tally, targetRate: number): boolean =>
  tally.measured > 0 && tally.burst === 0 && (passRateOf(tally) ?? 0) >= targetRate

interface Norm {
  judgeStart: number
  judgeEnd: number
}
/** A rule allows more than the norm that it quotes. */
export const isWider = (rule: Norm, norm: Norm | null): boolean =>
  norm !== null && (rule.judgeStart < norm.judgeStart || rule.judgeEnd > norm.judgeEnd)

/** The tolerance as written: `[-5, 10]`, `≤8`. */
export const toleranceWords = ({ judgeStart, judgeEnd, isRange }: Norm & { isRange: boolean }, unit = ''): string =>
  `${isRange ? '极差 ' : ''}${judgeStart === 0 ? `≤${judgeEnd}` : judgeStart === -judgeEnd ? `±${judgeEnd}` : `${judgeStart} ～ ${judgeEnd}`}${unit}`

/** Numbers of a pasted column: one a line or cell, empty ones kept as gaps; undefined when a cell is no number. */
export function pastedNumbers(text: string): (number | null)[] | undefined {
  const cells = text
    .replace(/\r/g, '')
    .replace(/\n+$/, '')
    .split(/[\n\t]/)
  const values = cells.map((cell) => (cell.trim() === '' ? null : Number(cell.trim().replace(/[,，]/g, ''))))
  return values.some((one) => one !== null && !Number.isFinite(one)) ? undefined : values
}
