import type { NoticePlan } from './rectify-plan.ts'
import type { ProblemWords } from './rectify-problems.ts'

/** A defect of a machine with its notice; `failing`: the item (contract `upkeep/items`). */
export interface DefectPlan {
  /** Place of the machine in the list of the demonstration. */
  machine: number
  result: '2' | '3'
  failing: string
  words: ProblemWords
  notice: Pick<NoticePlan, 'state' | 'age' | 'due' | 'since' | 'returned' | 'failing'>
  /** What was replaced; null: nothing yet. */
  part: { name: string; model: string; number: string } | null
}

const base = { scene: 'base', category: '04', clause: 'GB/T 5972 起重机钢丝绳', fault: '新绳绳头固定不符合说明书，复查不合格' } as const
const limit = { scene: 'box', category: '04', clause: 'GB 5144-2006 塔式起重机安全规程', fault: '试验记录无载荷数据，须重新标定' } as const

/** A rope that was replaced with its certificate, a machine that stands now, and a limiter whose repair was returned. */
export const defects: readonly DefectPlan[] = [
  {
    machine: 0,
    result: '3',
    failing: 'rope01',
    words: {
      ...base,
      description: '起升钢丝绳一个捻距内断丝 12 根，已达报废标准',
      place: '起升机构',
      requirement: '停用并更换钢丝绳，附合格证和试运转记录',
      measure: '更换起升钢丝绳，空载、额定载荷试运转正常，附合格证',
    },
    notice: { state: '7', age: 24, due: -19, since: 21 },
    part: { name: '起升钢丝绳', model: '35W×7-16-1870', number: 'GS-20261105' },
  },
  {
    machine: 1,
    result: '3',
    failing: 'brake01',
    words: {
      ...base,
      clause: 'GB 5144-2006 塔式起重机安全规程',
      description: '起升制动器制动片磨损超限，额定载荷下有溜钩',
      place: '起升机构',
      requirement: '停用，更换制动片并做制动试验，合格后报复查',
      measure: '更换制动片，额定载荷制动试验三次合格',
    },
    notice: { state: '3', age: 2, due: 2, since: 1 },
    part: null,
  },
  {
    machine: 2,
    result: '2',
    failing: 'limit01',
    words: {
      ...limit,
      description: '起升高度限位动作滞后，吊钩距起重臂不足 800 mm',
      place: '起升机构',
      requirement: '重新调整限位并试验三次，附试验记录',
      measure: '已重新调整高度限位，试验三次动作正常',
    },
    notice: { state: '6', age: 7, due: 1, since: 1, returned: ['supervisor'], failing: 1 },
    part: null,
  },
]

/** Days ago of the last monthly check by machine; the fourth is late. */
export const monthlyAges = [12, 20, 9, 37, 16, 23]
/** Days ago of the last maintenance by machine; the fifth is late. */
export const maintainAges = [3, 14, 8, 21, 43, 11]
/** The machine whose maintenance contradicts telemetry. */
export const contradicted = 0
/** Two months of checks and maintenance. */
export const pastDays = 62
export const shiftDays = 14
