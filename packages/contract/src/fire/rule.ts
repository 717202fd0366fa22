/**
 * The pass rule of a fire acceptance (GA 836): points, sub-items, projects, buildings, assessment. Pure; the server and the browser judge
 * by the same functions.
 */

export type Level = 'A' | 'B' | 'C'
/** Results of a point (dictionary fireImpactResult). */
export const results = { fits: '1', fails: '2', absent: '3' } as const
export type Result = (typeof results)[keyof typeof results]

/** Places of a sub-item that are looked at, at least. */
export const leastSamples = 2
/** More places of a point after its first failed B. */
const extraSamples = 4
/** Failed points of weight C in a sub-item that make it fail. */
const mostFailedC = 4
/** Percent by which a value may differ where the standard names no tolerance of its own. */
export const usualTolerance = 5

export interface Point {
  code: string
  level: Level
}
/** What was found of a point at a place: the newest entry of each point and place, in the order in which the places were first looked at. */
export interface Finding {
  itemCode: string
  part: string
  result: Result
  /** A fire product failed on the site. */
  productFail: boolean
}
export interface SubItem {
  code: string
  /** All places are looked at. */
  fullCheck: boolean
  points: readonly Point[]
  findings: readonly Finding[]
  /** Places that exist; null: not stated. */
  total: number | null
  /** Why nothing of the sub-item applies. */
  absentReason: string | null
}

/** 合格, 不合格, 未完成, 不涉及. */
export const verdicts = { pass: '合格', fail: '不合格', open: '未完成', absent: '不涉及' } as const
export type Verdict = keyof typeof verdicts

/** The line of the rule that decides. */
export const ruleLines = {
  critical: 'A 类不符合，子项不合格',
  product: '消防产品现场判定不合格，子项不合格',
  manyC: `C 类不符合达到 ${mostFailedC} 处，子项不合格`,
  secondB: 'B 类不符合达到 2 处，子项不合格',
  extraOpen: `B 类 1 处不符合，需加抽 ${extraSamples} 处`,
  extraPassed: 'B 类 1 处不符合，加抽全部符合，子项合格',
  points: '还有要点没有检查',
  reason: '整个子项不涉及，须写明原因',
  samples: '抽样数量不足',
  full: '全数检查的子项，须填写总处数并逐处检查',
  absent: '子项不涉及，不参与判定',
  passed: '子项合格',
  childFailed: '有不合格项',
  childOpen: '有未完成项',
  allPassed: '全部合格',
} as const
export type RuleLine = keyof typeof ruleLines

interface Judgement {
  verdict: Verdict
  line: RuleLine
  /** The points that caused it, as `itemCode@part`; of the points without a result only the code. Above the sub-item: codes of what failed. */
  causes: string[]
}
export interface SubJudgement extends Judgement {
  /** Nothing more has to be looked at. */
  complete: boolean
  sampled: number
  required: number
  /** Additional places after a failed B, per point: those asked for and those looked at. */
  extra: { itemCode: string; needed: number; done: number } | null
}

const keyOf = ({ itemCode, part }: Finding) => `${itemCode}@${part}`
const distinct = (findings: readonly Finding[]) => new Set(findings.map((one) => one.part)).size

/** The additional places that the first failed B asks for. */
function extraOf(b: Finding, findings: readonly Finding[], total: number | null): NonNullable<SubJudgement['extra']> {
  const ofPoint = findings.filter((one) => one.itemCode === b.itemCode && one.result !== results.absent)
  const at = ofPoint.indexOf(b)
  const remaining = total === null ? extraSamples : Math.max(0, total - (at + 1))
  return { itemCode: b.itemCode, needed: Math.min(extraSamples, remaining), done: ofPoint.length - at - 1 }
}

/** Judges one sub-item of a building. */
export function judgeSub(sub: SubItem): SubJudgement {
  const level = new Map(sub.points.map((one) => [one.code, one.level]))
  const findings = sub.findings.filter((one) => level.has(one.itemCode))
  const judged = new Set(findings.map((one) => one.itemCode))
  const unseen = sub.points.filter((one) => !judged.has(one.code)).map((one) => one.code)
  const present = findings.filter((one) => one.result !== results.absent)
  const failed = findings.filter((one) => one.result === results.fails)
  const of = (wanted: Level) => failed.filter((one) => level.get(one.itemCode) === wanted)
  const sampled = distinct(present)
  const required = sub.fullCheck ? (sub.total ?? leastSamples) : Math.min(leastSamples, sub.total ?? leastSamples)
  const [firstB] = of('B')
  const extra = firstB ? extraOf(firstB, findings, sub.total) : null
  const say = (verdict: Verdict, line: RuleLine, causes: string[] = []): SubJudgement => ({
    verdict,
    line,
    causes,
    // A failed sub-item needs no more places, but no point of it may be forgotten.
    complete: verdict === 'fail' ? unseen.length === 0 : verdict !== 'open',
    sampled,
    required,
    extra,
  })
  const product = findings.filter((one) => one.productFail)
  if (of('A').length > 0) return say('fail', 'critical', of('A').map(keyOf))
  if (product.length > 0) return say('fail', 'product', product.map(keyOf))
  if (of('B').length > 1) return say('fail', 'secondB', of('B').map(keyOf))
  if (of('C').length >= mostFailedC) return say('fail', 'manyC', of('C').map(keyOf))
  if (unseen.length > 0 || sub.points.length === 0) return say('open', 'points', unseen)
  if (present.length === 0) return sub.absentReason ? say('absent', 'absent') : say('open', 'reason')
  if (sub.fullCheck && (sub.total === null || sampled < sub.total)) return say('open', 'full')
  if (sampled < required) return say('open', 'samples')
  if (extra && extra.done < extra.needed) return say('open', 'extraOpen', of('B').map(keyOf))
  return extra ? say('pass', 'extraPassed', of('B').map(keyOf)) : say('pass', 'passed')
}

export interface GroupJudgement extends Judgement {
  complete: boolean
}
/** Judges a project by its sub-items, a building by its projects, or an assessment by its buildings: all must pass. */
export function judgeAll(parts: readonly { code: string; judged: Pick<SubJudgement, 'verdict' | 'complete'> }[]): GroupJudgement {
  const of = (verdict: Verdict) => parts.filter((one) => one.judged.verdict === verdict).map((one) => one.code)
  const complete = parts.length > 0 && parts.every((one) => one.judged.complete)
  const failed = of('fail')
  if (failed.length > 0) return { verdict: 'fail', line: 'childFailed', causes: failed, complete }
  const open = of('open')
  if (open.length > 0 || parts.length === 0) return { verdict: 'open', line: 'childOpen', causes: open, complete: false }
  if (of('pass').length === 0) return { verdict: 'absent', line: 'absent', causes: [], complete }
  return { verdict: 'pass', line: 'allPassed', causes: [], complete }
}

/** The reason in words, with what is still missing. */
export function judgementWords(judged: SubJudgement): string {
  if (judged.line === 'extraOpen' && judged.extra) return `B 类 1 处不符合，需加抽 ${judged.extra.needed} 处，已 ${judged.extra.done} 处`
  if (judged.line === 'samples') return `抽样不足：已 ${judged.sampled} 处，至少 ${judged.required} 处`
  if (judged.line === 'points') return `还有 ${judged.causes.length} 个要点没有检查`
  return ruleLines[judged.line]
}

/** Percent by which the measured value differs from the designed one; null when either is no number. */
export function deviationOf(designed: string | null, measured: string | null): number | null {
  const [a, b] = [designed, measured].map((text) => Number.parseFloat(text ?? ''))
  if (a === undefined || b === undefined || !Number.isFinite(a) || !Number.isFinite(b) || a === 0) return null
  return Math.round(((b - a) / a) * 1_000) / 10
}
