import { type ItemResult, itemResults } from '../scoring/score.ts'

/** Areas of a walk, each with its parts of dictionary civilCheckItem. */
export const civilAreas = [
  { code: 'gate', name: '围挡大门', items: ['01', '02'] },
  { code: 'ground', name: '场地', items: ['03', '04'] },
  { code: 'living', name: '办公生活区', items: ['05', '09', '10'] },
  { code: 'fire', name: '消防', items: ['06'] },
  { code: 'notice', name: '公示', items: ['07', '08'] },
] as const
export type CivilArea = (typeof civilAreas)[number]['code']
export const areaCodes = civilAreas.map((one) => one.code) as [CivilArea, ...CivilArea[]]
export const areaName = (code: string): string => civilAreas.find((one) => one.code === code)?.name ?? code
/** The area that an item of the library belongs to, by the digits after the letter of the library. */
export const areaOfItem = (itemCode: string): CivilArea =>
  civilAreas.find((one) => (one.items as readonly string[]).includes(itemCode.slice(1, 3)))?.code ?? 'ground'

/** From this score on, so many times in a row and with nothing open, a site stands for 文明工地. */
export const awardFrom = 90
export const awardTimes = 3
/** Below it a walk does not count as passed. */
export const passedFrom = 80

export interface CivilResult {
  maxScore: number
  result: ItemResult
  deduction: number
}
export interface CivilPointResult {
  area: string
  /** The point was not walked. */
  skipped: boolean
  items: readonly CivilResult[]
}
export interface CivilScore {
  /** Out of 100, two decimals; null while nothing was judged. */
  score: number | null
  got: number
  full: number
  areas: { code: string; got: number; full: number; score: number | null }[]
}

/** Tenths, so that sums of marks with one decimal are exact. */
const tenths = (marks: number): number => Math.round(marks * 10)
const share = (got: number, full: number): number | null => (full === 0 ? null : Math.round((got / full) * 10_000) / 100)

/** Marks left over full marks of all that was judged, without a guarantee rule. Skipped points and what does not apply are left out. */
export function scoreCivil(points: readonly CivilPointResult[]): CivilScore {
  const sums = new Map<string, { got: number; full: number }>()
  for (const { area, skipped, items } of points)
    for (const { maxScore, result, deduction } of skipped ? [] : items) {
      if (result !== itemResults.right && result !== itemResults.wrong) continue
      const full = tenths(maxScore)
      const lost = result === itemResults.wrong ? Math.min(Math.max(tenths(deduction), 0), full) : 0
      const sum = sums.get(area) ?? { got: 0, full: 0 }
      sums.set(area, { got: sum.got + full - lost, full: sum.full + full })
    }
  const all = [...sums.values()].reduce((a, b) => ({ got: a.got + b.got, full: a.full + b.full }), { got: 0, full: 0 })
  return {
    score: share(all.got, all.full),
    got: all.got / 10,
    full: all.full / 10,
    areas: [...sums].map(([code, { got, full }]) => ({ code, got: got / 10, full: full / 10, score: share(got, full) })),
  }
}

/** How many of the latest walks passed in a row. `scores` are of submitted walks, the newest first. */
export const passedInARow = (scores: readonly number[], from = passedFrom): number => {
  const failed = scores.findIndex((one) => one < from)
  return failed < 0 ? scores.length : failed
}
