/** Rules of misconduct records that server and web share. Pure. */

/** Dictionary badActionTarget. */
export const badTargets = { worker: '1', team: '2', company: '3', expert: '4' } as const
export type BadTarget = (typeof badTargets)[keyof typeof badTargets]

/** States of a record (dictionary misconductState). */
export const badStates = {
  draft: '0',
  waiting: '1',
  decided: '2',
  rejected: '3',
  appealed: '4',
  repaired: '5',
  expired: '6',
  cancelled: '7',
} as const
export type BadState = (typeof badStates)[keyof typeof badStates]
/** In force: points are deducted, and the target has consequences to bear. */
export const inForce: readonly BadState[] = [badStates.decided, badStates.appealed]
/** Over: the points have been given back. */
export const badOver: readonly BadState[] = [badStates.repaired, badStates.expired, badStates.cancelled]

/** Dictionary actionLevel. */
export const badLevels = { light: '1', ordinary: '2', severe: '3' } as const

/** Where a record comes from. */
export const badSources = { rectify: '1', check: '2', attendance: '3', complaint: '4', other: '9' } as const
export const badSourceNames: Readonly<Record<string, string>> = { 1: '逾期整改', 2: '检查', 3: '考勤', 4: '投诉', 9: '其他' }

/** The dictionary of the type, by target. */
export const typeDictionary = (targetType: string): 'corpBadActionType' | 'badActionType' | 'expertMisconductType' =>
  targetType === badTargets.company ? 'corpBadActionType' : targetType === badTargets.expert ? 'expertMisconductType' : 'badActionType'

/** 拒不整改或虚假整改 in dictionary corpBadActionType. */
export const refusedCorrection = '8'
/** 应回避未回避 in dictionary expertMisconductType. */
export const missedRecusal = '1'

type Points = readonly [light: number, ordinary: number, severe: number]
/** Points by level (dictionary actionLevel) of persons, teams and experts. */
const personPoints: Points = [1, 3, 6]
/** Points by type (dictionary corpBadActionType) and level of companies. */
const companyPoints: Readonly<Record<string, Points>> = {
  1: [8, 12, 20],
  2: [3, 8, 15],
  3: [3, 8, 15],
  4: [5, 10, 20],
  5: [2, 5, 10],
  6: [2, 5, 10],
  7: [2, 5, 10],
  8: [3, 8, 12],
  9: [1, 3, 8],
}
export const mostPoints = 20
const mostPersonPoints = 6
export const mostPointsFor = (targetType: string): number => (targetType === badTargets.company ? mostPoints : mostPersonPoints)

/** Clauses proposed by type; the officer edits them. */
const companyClauses: Readonly<Record<string, string>> = {
  1: '《建设工程质量管理条例》第六十一条、第六十二条',
  2: '《建设工程安全生产管理条例》第六十二条',
  3: '《建设工程质量管理条例》第六十四条',
  4: '《保障农民工工资支付条例》第五十五条',
  5: '《保障农民工工资支付条例》第二十八条、第五十五条',
  6: '《中华人民共和国大气污染防治法》第六十九条、第一百一十五条',
  7: '《建设工程安全生产管理条例》第二十三条、第六十二条',
  8: '《中华人民共和国安全生产法》第七十条、第一百零二条',
}
const personClauses: Readonly<Record<string, string>> = {
  '03': '《建设工程安全生产管理条例》第三十三条',
  '04': '《建设工程安全生产管理条例》第三十三条、第六十六条',
  '05': '《建设工程安全生产管理条例》第三十三条',
  '06': '《建设工程安全生产管理条例》第二十五条',
  '10': '《建设工程安全生产管理条例》第三十七条',
  '12': '《中华人民共和国消防法》第二十八条、第六十条',
}
const expertClause = '《危险性较大的分部分项工程专家论证专家库管理办法》'
const severeTypes: Readonly<Record<string, readonly string[]>> = {
  corpBadActionType: ['1', '4'],
  badActionType: ['02', '07', '08', '13'],
  expertMisconductType: ['2', '3'],
}
const lightTypes: Readonly<Record<string, readonly string[]>> = {
  corpBadActionType: ['9'],
  badActionType: ['05', '99'],
  expertMisconductType: ['6', '9'],
}

const pointsOf = (targetType: string, type: string): Points =>
  targetType === badTargets.company ? (companyPoints[type] ?? [1, 3, 8]) : personPoints

/** Points proposed for a type and level. */
export const proposedPoints = (targetType: string, type: string, level: string): number =>
  pointsOf(targetType, type)[Math.min(Math.max(Number(level) - 1, 0), 2)] ?? 0

/** Level, points and clause that the form starts from for a type. */
export function proposalFor(targetType: string, type: string): { level: string; score: number; basis: string } {
  const dictionary = typeDictionary(targetType)
  const level = severeTypes[dictionary]?.includes(type) ? '3' : lightTypes[dictionary]?.includes(type) ? '1' : '2'
  const clauses = targetType === badTargets.company ? companyClauses : personClauses
  const basis = targetType === badTargets.expert ? expertClause : (clauses[type] ?? '')
  return { level, score: proposedPoints(targetType, type, level), basis }
}

/** Months for which a decision is published: at least, at most, and proposed by level. */
export const [leastMonths, mostMonths] = [3, 12]
export const proposedMonths = (level: string): number => ({ 1: 3, 2: 6, 3: 12 })[level] ?? leastMonths
/** Days in which the party may appeal, from its receipt (行政复议法 第二十条: at most 60). */
export const [leastAppealDays, proposedAppealDays, mostAppealDays] = [5, 15, 60]
/** Months of publication before a repair can be applied for (建市〔2017〕241号 第十二条). */
export const repairMonths = 3
/** Fewest characters of the fact. */
export const shortestFact = 10
/** Days around the occurrence in which a record of the same type counts as the same fact. */
export const sameFactDays = 3
/** Levels of a decision by a company or a site instead of an authority (dictionary actionDegree). */
export const companyDegrees: readonly string[] = ['5', '6']
