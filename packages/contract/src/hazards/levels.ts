/**
 * Level of a hazard by likelihood, exposure and consequence (LEC). The values are those of the method; from which product a level begins
 * follows 《危险源辨识》 practice of the trade: 320, 160 and 70.
 */
export interface Step {
  value: number
  words: string
}
export const likelihoods: readonly Step[] = [
  { value: 0.1, words: '实际不可能' },
  { value: 0.2, words: '极不可能' },
  { value: 0.5, words: '很不可能，可以设想' },
  { value: 1, words: '可能性小，完全意外' },
  { value: 3, words: '可能，但不经常' },
  { value: 6, words: '相当可能' },
  { value: 10, words: '完全可以预料' },
]
export const exposures: readonly Step[] = [
  { value: 0.5, words: '非常罕见' },
  { value: 1, words: '每年几次' },
  { value: 2, words: '每月一次' },
  { value: 3, words: '每周一次或偶然' },
  { value: 6, words: '每天工作时间内' },
  { value: 10, words: '连续暴露' },
]
export const consequences: readonly Step[] = [
  { value: 1, words: '轻微，需要救护' },
  { value: 3, words: '重大，致残' },
  { value: 7, words: '严重，重伤' },
  { value: 15, words: '非常严重，一人死亡' },
  { value: 40, words: '灾难，数人死亡' },
  { value: 100, words: '大灾难，许多人死亡' },
]

/** Dictionary riskLevel: 1 is the gravest. */
export type Level = '1' | '2' | '3' | '4'
export const levels: readonly Level[] = ['1', '2', '3', '4']
/** The product from which each level begins. */
const from: readonly (readonly [least: number, level: Level])[] = [
  [320, '1'],
  [160, '2'],
  [70, '3'],
]
/** An over-scale work of dangerous kind is at least this. */
const overScaleLevel: Level = '2'

interface Judged {
  likelihood: number
  exposure: number
  consequence: number
}

/** The product, rounded to a tenth. */
export const scoreOf = ({ likelihood, exposure, consequence }: Judged): number => Math.round(likelihood * exposure * consequence * 10) / 10

export const levelOf = (score: number): Level => from.find(([least]) => score >= least)?.[1] ?? '4'

const isGraver = (one: Level, other: Level) => Number(one) < Number(other)
const graver = (one: Level, other: Level): Level => (isGraver(one, other) ? one : other)

/** The level that the judgement and the scale of the work ask for. */
export const askedLevel = (judged: Judged, overScale: boolean): Level => {
  const own = levelOf(scoreOf(judged))
  return overScale ? graver(own, overScaleLevel) : own
}

/**
 * Why a level cannot be kept: it may be raised, never lowered without a reason, neither below the judgement nor below what it was before;
 * an over-scale work is never below level 2.
 */
export function whyNotLevel(
  level: Level,
  { judged, overScale, before, reason }: { judged: Judged; overScale: boolean; before?: Level | undefined; reason: string | null },
): { field: 'riskLevel' | 'levelReason'; text: string } | undefined {
  if (overScale && isGraver(overScaleLevel, level)) return { field: 'riskLevel', text: '超过一定规模的危大工程不低于二级风险' }
  const least = before === undefined ? askedLevel(judged, overScale) : graver(askedLevel(judged, overScale), before)
  if (isGraver(least, level) && !reason) return { field: 'levelReason', text: `按评价与原等级应为 ${least} 级，降低等级须说明理由` }
  return undefined
}
