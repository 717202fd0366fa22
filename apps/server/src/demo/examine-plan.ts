import { type Round, rounds } from '@zhugong/contract/examine/rhythm'
import type { InspectionPlan } from './scoring-plan.ts'

/** A check that a site holds of itself. */
export interface ExaminePlan extends InspectionPlan {
  round: Round
  archived?: boolean
}

const whole = ['01', '02', '0301', '06', '07', '0901', '10']
const walk = ['02', '06', '07']
const site = '12'

const weekly = (of: string, by: string, age: number, score: number, problems: number, open = 0, archived = age > recent): ExaminePlan => ({
  round: rounds.weekly,
  site: of,
  by,
  inspectType: site,
  age,
  score,
  problems,
  open,
  sheets: whole,
  archived,
})
const recent = 28
const daily = (of: string, by: string, age: number, score: number, problems: number, open = 0): ExaminePlan => ({
  ...weekly(of, by, age, score, problems, open, false),
  round: rounds.daily,
  sheets: walk,
})

/** Eight weeks of the main site, from 74 to 88 points, and some checks of two others. Ages of one site never repeat. */
export const examinePlans: readonly ExaminePlan[] = [
  weekly('hospital', 'hospital-safety', 3, 82, 6, 2),
  weekly('hospital', 'hospital-safety', 10, 84.5, 5),
  weekly('hospital', 'hospital-safety', 17, 88, 3),
  weekly('hospital', 'hospital-safety', 24, 81.2, 5),
  weekly('hospital', 'hospital-safety', 31, 79.6, 6),
  weekly('hospital', 'hospital-safety', 38, 78.1, 5),
  weekly('hospital', 'hospital-safety', 45, 76.4, 6),
  weekly('hospital', 'hospital-safety', 52, 74, 7),
  { ...weekly('hospital', 'hospital-pm', 21, 83.4, 4), round: rounds.monthly },
  { ...weekly('hospital', 'hospital-pm', 51, 77.2, 5), round: rounds.monthly },
  { ...weekly('hospital', 'hospital-pm', 2, 86.3, 2, 1), round: rounds.leader, sheets: walk },
  { ...weekly('hospital', 'hospital-pm', 16, 85.1, 2), round: rounds.leader, sheets: walk },
  daily('hospital', 'hospital-safety', 1, 94, 1, 1),
  daily('hospital', 'hospital-safety', 4, 96, 1),
  daily('hospital', 'hospital-safety', 5, 92.5, 2),
  daily('hospital', 'hospital-safety', 6, 97, 1),
  weekly('zhigu', 'zhigu-pm', 5, 87.2, 3, 1),
  weekly('zhigu', 'zhigu-pm', 12, 86.1, 3),
  daily('zhigu', 'zhigu-pm', 1, 98, 0),
  weekly('dongwan', 'dongwan-pm', 13, 75.8, 6, 4),
  weekly('dongwan', 'dongwan-pm', 27, 74.6, 6, 1),
]

/** A weekly check of today of which so many sheets are done. */
export const halfExamine = { site: 'hospital', by: 'hospital-safety', sheets: whole, done: 3 } as const
