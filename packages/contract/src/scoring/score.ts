/**
 * Scoring of a safety inspection after JGJ 59-2011. One pure function for page, server and print, so that all show the same figures.
 *
 * Every sheet has 100 points. A deduction never exceeds an item's full marks. Items that do not apply leave the sheet: its score is the
 * points left over the full marks of what was checked, times 100. A 保证项目 without any point left, or less than 40 of 60 points for all of
 * them together (scaled in the same way), makes the sheet 0. Sheets of one category are averaged, categories weighted and scaled to those
 * that were checked.
 */

/** Dictionary itemResult. */
export const itemResults = { right: '1', wrong: '2', notApplicable: '3', unchecked: '4' } as const
export type ItemResult = (typeof itemResults)[keyof typeof itemResults]

/** Dictionary safetyGrade. */
export const grades = { good: '1', passed: '2', failed: '3' } as const
export type Grade = (typeof grades)[keyof typeof grades]
export const gradeNames: Readonly<Record<Grade, string>> = { 1: '优良', 2: '合格', 3: '不合格' }
/** The least score of each grade; below the last: 不合格. */
export const goodFrom = 80
export const passedFrom = 70

/** Full marks of a sheet, and of its 保证项目 together. */
export const sheetMarks = 100
export const guaranteeMarks = 60
/** Fewer points than this for the 保证项目 together make the sheet 0. */
export const leastGuarantee = 40

export interface ScoredItem {
  name: string
  maxScore: number
  /** 保证项目. */
  guarantee: boolean
  result: ItemResult
  /** Points taken off; counts only when the result is 不合格. One decimal. */
  deduction: number
}
export interface ScoredSheet {
  name: string
  /** Sheets of one category are averaged. */
  category: string
  /** The whole sheet does not apply. */
  notApplicable: boolean
  items: readonly ScoredItem[]
}
export interface ScoredCategory {
  code: string
  name: string
  /** Full marks in the summary; those of all categories add up to 100. */
  weight: number
}

/** An item that lost at least this share of its marks becomes a problem with a notice; of others the checkers decide. */
const issuedFrom = 0.5
export const mustBeIssued = ({ result, deduction, maxScore }: Pick<ScoredItem, 'result' | 'deduction' | 'maxScore'>): boolean =>
  result === itemResults.wrong && deduction >= maxScore * issuedFrom

/** Score of one sheet; two decimals, half up. */
export interface SheetScore {
  score: number
  /** Points left and full marks of the items that were checked. */
  got: number
  full: number
  /** Why the sheet is 0; null otherwise. */
  zero: string | null
}
export interface CategoryScore extends ScoredCategory {
  /** Out of 100; null when nothing of it was checked. */
  score: number | null
  /** Points in the summary: score x weight / 100. */
  points: number | null
}
export interface TotalScore {
  /** Null while nothing is checked. */
  score: number | null
  grade: Grade | null
  /** Why this grade, as a sentence. */
  reason: string
  categories: CategoryScore[]
  /** The category with the lowest score below 100; null when no points were lost. */
  weakest: ScoredCategory | null
}

/** An exact fraction: rounding errors of binary numbers would move a score across a limit. The denominator is positive. */
interface Fraction {
  n: bigint
  d: bigint
}
const whole = (n: number): Fraction => ({ n: BigInt(n), d: 1n })
const plus = (a: Fraction, b: Fraction): Fraction => ({ n: a.n * b.d + b.n * a.d, d: a.d * b.d })
const times = (a: Fraction, b: Fraction): Fraction => ({ n: a.n * b.n, d: a.d * b.d })
const over = (a: Fraction, b: Fraction): Fraction => ({ n: a.n * b.d, d: a.d * b.n })
const isBelow = (a: Fraction, limit: number): boolean => a.n < BigInt(limit) * a.d
const isLess = (a: Fraction, b: Fraction): boolean => a.n * b.d < b.n * a.d
const sum = (all: readonly Fraction[]): Fraction => all.reduce(plus, whole(0))
/** Points are written with one decimal. */
const points = (value: number): Fraction => ({ n: BigInt(Math.round(value * 10)), d: 10n })
/** Two decimals, half up. */
const rounded = ({ n, d }: Fraction): number => Number((n * 200n + d) / (2n * d)) / 100

const left = ({ result, maxScore, deduction }: ScoredItem): Fraction => {
  const lost = result === itemResults.wrong ? Math.min(Math.max(deduction, 0), maxScore) : 0
  return points(maxScore - lost)
}
const wasChecked = ({ result }: ScoredItem) => result === itemResults.right || result === itemResults.wrong

interface ExactSheet {
  score: Fraction
  got: Fraction
  full: Fraction
  zero: string | null
}

/** Undefined when nothing of the sheet was checked. */
function exactSheet({ items, notApplicable }: Pick<ScoredSheet, 'items' | 'notApplicable'>): ExactSheet | undefined {
  const checked = notApplicable ? [] : items.filter((one) => wasChecked(one) && one.maxScore > 0)
  if (checked.length === 0) return undefined
  const got = sum(checked.map(left))
  const full = sum(checked.map(({ maxScore }) => points(maxScore)))
  const zero = whyZero(checked.filter((one) => one.guarantee))
  return { score: zero ? whole(0) : times(over(got, full), whole(sheetMarks)), got, full, zero }
}

function whyZero(guaranteed: readonly ScoredItem[]): string | null {
  if (guaranteed.length === 0) return null
  const empty = guaranteed.find((one) => left(one).n === 0n)
  if (empty) return `保证项目“${empty.name}”得零分`
  const together = over(sum(guaranteed.map(left)), sum(guaranteed.map(({ maxScore }) => points(maxScore))))
  const scaled = times(together, whole(guaranteeMarks))
  return isBelow(scaled, leastGuarantee) ? `保证项目小计 ${rounded(scaled).toFixed(2)} 分，不足 ${leastGuarantee} 分` : null
}

/** The score of one sheet; null when nothing of it was checked. */
export function scoreSheet(sheet: Pick<ScoredSheet, 'items' | 'notApplicable'>): SheetScore | null {
  const exact = exactSheet(sheet)
  return exact ? { score: rounded(exact.score), got: rounded(exact.got), full: rounded(exact.full), zero: exact.zero } : null
}

/** The whole inspection: categories, weighted total and grade. */
export function scoreAll(sheets: readonly ScoredSheet[], known: readonly ScoredCategory[]): TotalScore {
  const exact = sheets.flatMap((sheet) => {
    const scored = exactSheet(sheet)
    return scored ? [{ sheet, ...scored }] : []
  })
  const means = known.map((category) => {
    const own = exact.filter(({ sheet }) => sheet.category === category.code)
    return { category, mean: own.length ? over(sum(own.map(({ score }) => score)), whole(own.length)) : null }
  })
  const categories = means.map(({ category, mean }): CategoryScore => {
    const share = mean && times(mean, { n: BigInt(category.weight), d: 100n })
    return { ...category, score: mean && rounded(mean), points: share && rounded(share) }
  })
  const scored = means.flatMap(({ category, mean }) => (mean ? [{ category, mean }] : []))
  if (scored.length === 0) return { score: null, grade: null, reason: '尚未检查', categories, weakest: null }
  const weighted = sum(scored.map(({ category, mean }) => times(mean, whole(category.weight))))
  const total = over(weighted, sum(scored.map(({ category }) => whole(category.weight))))
  const zero = exact.find((one) => one.zero)
  const worst = scored.reduce((low, one) => (isLess(one.mean, low.mean) ? one : low))
  return {
    score: rounded(total),
    ...graded(total, zero && { name: zero.sheet.name, why: zero.zero ?? '' }),
    categories,
    weakest: isBelow(worst.mean, sheetMarks) ? worst.category : null,
  }
}

/** Graded before rounding: 79.996 is shown as 80.00 and is not 优良. */
function graded(total: Fraction, zero: { name: string; why: string } | undefined): { grade: Grade; reason: string } {
  const words = `汇总得分 ${rounded(total).toFixed(2)} 分`
  const below = (limit: number) => (rounded(total) >= limit ? `修约前不足 ${limit} 分` : `低于 ${limit} 分`)
  if (zero) return { grade: grades.failed, reason: `“${zero.name}”检查表得零分（${zero.why}），评为不合格` }
  if (isBelow(total, passedFrom)) return { grade: grades.failed, reason: `${words}，${below(passedFrom)}，评为不合格` }
  if (isBelow(total, goodFrom))
    return { grade: grades.passed, reason: `${words}，不低于 ${passedFrom} 分且无零分表，${below(goodFrom)}，评为合格` }
  return { grade: grades.good, reason: `${words}，不低于 ${goodFrom} 分且无零分表，评为优良` }
}
