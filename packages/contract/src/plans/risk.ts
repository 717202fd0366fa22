import { severeDays } from '../schedule/plan.ts'

/** What is known of a project, for its risk level. */
export interface RiskFacts {
  /** Registered dangerous works that are carried out or not accepted, and those of them over scale. */
  works: number
  overWorks: number
  /** Monitored pits and formwork in service. */
  pits: number
  formworks: number
  cranes: number
  /** Major hazards found within 12 months. */
  majors: number
  /** Running notices past their deadline. */
  overdue: number
  /** Dictionary safetyGrade of the last submitted check; null without one. */
  lastGrade: string | null
  /** Dictionary projectPhase; null when unknown. */
  phase: string | null
  /** Days that the worst unfinished task is behind; undefined or null without a plan. */
  delayDays?: number | null
}
export type RiskLevel = 1 | 2 | 3 | 4
export interface RiskLine {
  label: string
  value: string
  /** The level that this fact alone asks for. */
  level: RiskLevel
}

const manyMajors = 3
const manyOverdue = 3
const manyCranes = 4

/** Every fact with the level it asks for; that of the project is the worst of them. */
export function explainRisk(facts: RiskFacts): { level: RiskLevel; reason: string; lines: RiskLine[] } {
  const { works, overWorks, pits, formworks, cranes, majors, overdue, lastGrade, phase, delayDays = null } = facts
  const count = (n: number, unit: string) => (n === 0 ? '无' : `${n} ${unit}`)
  const lines: RiskLine[] = [
    {
      label: '危大工程',
      value: [
        works === 0 ? '无在施' : `在施 ${works} 项${overWorks > 0 ? `，超规模 ${overWorks} 项` : ''}`,
        ...(pits + formworks > 0 ? [`基坑 ${pits} 处、高支模 ${formworks} 处在监测`] : []),
      ].join('；'),
      level: overWorks > 0 || (pits > 0 && formworks > 0) ? 1 : works + pits + formworks > 0 ? 2 : 4,
    },
    { label: '近 12 个月重大隐患', value: count(majors, '项'), level: majors >= manyMajors ? 1 : majors > 0 ? 2 : 4 },
    { label: '上次检查评定', value: gradeWords[lastGrade ?? ''] ?? '尚未检查', level: gradeLevels[lastGrade ?? ''] ?? 3 },
    { label: '逾期整改', value: count(overdue, '份'), level: overdue >= manyOverdue ? 1 : overdue > 0 ? 2 : 4 },
    { label: '塔机、升降机', value: count(cranes, '台'), level: cranes >= manyCranes ? 2 : cranes > 0 ? 3 : 4 },
    {
      label: '进度',
      value:
        delayDays === null
          ? '无基准计划'
          : delayDays > severeDays
            ? `严重滞后 ${delayDays} 天`
            : delayDays > 0
              ? `滞后 ${delayDays} 天`
              : '按计划',
      level: delayDays !== null && delayDays > severeDays ? 2 : 4,
    },
    { label: '形象进度', value: phaseWords[phase ?? ''] ?? '未填报', level: earlyPhases.includes(phase ?? '') ? 3 : 4 },
  ]
  const worst = lines.reduce((low, one) => (one.level < low.level ? one : low))
  return { level: worst.level, reason: `${worst.label}：${worst.value}`, lines }
}
const gradeWords: Readonly<Record<string, string>> = { 1: '优良', 2: '合格', 3: '不合格' }
const gradeLevels: Readonly<Record<string, RiskLevel>> = { 1: 4, 2: 3, 3: 1 }
/** Dictionary projectPhase. */
const phaseWords: Readonly<Record<string, string>> = {
  1: '施工准备',
  2: '地基与基础',
  3: '主体结构',
  4: '装饰装修与安装',
  5: '室外工程',
  6: '竣工验收',
  7: '已竣工',
}
const earlyPhases = ['2', '3']

/** Visits a year by level. */
export const visitsOfYear: Readonly<Record<RiskLevel, number>> = { 1: 12, 2: 6, 3: 4, 4: 2 }
export const riskNames: Readonly<Record<RiskLevel, string>> = { 1: '一级', 2: '二级', 3: '三级', 4: '四级' }

export interface Frequency {
  phase: string
  times: number
  /** yyyy-MM-dd. */
  from: string
  to: string
}
const dayMs = 86_400_000
const days = (from: string, to: string) => Math.round((Date.parse(to) - Date.parse(from)) / dayMs) + 1
const plus = (day: string, n: number) => new Date(Date.parse(day) + n * dayMs).toISOString().slice(0, 10)

/** Phases that are visited at least once: 地基, 主体, 装饰, 竣工 (建质〔2014〕154号), those still ahead. */
const visitedPhases = ['2', '3', '4', '6']
const phasesAhead = (phase: string | null) => {
  const ahead = visitedPhases.filter((one) => one >= (phase ?? '1'))
  return ahead.length > 0 ? ahead : ['6']
}

/**
 * The least number of visits between two days: the year's by risk level in proportion, never fewer than one. A plan of a whole year also has
 * one in each phase that is still ahead of the project within it.
 */
export function leastVisits(level: RiskLevel, from: string, to: string): number {
  return Math.max(1, Math.ceil((visitsOfYear[level] * days(from, to)) / 366))
}

/** What a new plan proposes: most visits in the present phase, one in the next where there are two or more. */
export function proposedFrequency(level: RiskLevel, phase: string | null, from: string, to: string): Frequency[] {
  const times = leastVisits(level, from, to)
  const [now = '6', next] = phasesAhead(phase)
  if (!next || times < 2) return [{ phase: now, times, from, to }]
  const late = Math.floor(times / 3) || 1
  const turn = plus(from, Math.floor((days(from, to) * (times - late)) / times))
  return [
    { phase: now, times: times - late, from, to: plus(turn, -1) },
    { phase: next, times: late, from: turn, to },
  ]
}

export interface VisitWindow {
  phase: string
  start: string
  end: string
}
/** The windows of a frequency: its time in equal parts, one visit each. */
export const windowsOf = (all: readonly Frequency[]): VisitWindow[] =>
  all.flatMap(({ phase, times, from, to }) => {
    const length = days(from, to)
    return Array.from({ length: times }, (_, i) => ({
      phase,
      start: plus(from, Math.floor((length * i) / times)),
      end: plus(from, Math.max(Math.floor((length * i) / times), Math.floor((length * (i + 1)) / times) - 1)),
    }))
  })
