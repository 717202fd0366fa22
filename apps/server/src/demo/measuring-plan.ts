/** The invented measuring of two sites: templates of the contractor, and which floors were measured by which of them. */

export interface TemplatePlan {
  key: string
  name: string
  /** Group of dictionary measureItem. */
  stage: string
  targetRate: number
  areas: number
  points: number
}
export const templatePlans: readonly TemplatePlan[] = [
  { key: 'concrete', name: '主体结构', stage: '1', targetRate: 90, areas: 2, points: 5 },
  { key: 'masonry', name: '砌筑工程', stage: '2', targetRate: 90, areas: 2, points: 4 },
  { key: 'plaster', name: '抹灰工程', stage: '3', targetRate: 90, areas: 2, points: 5 },
  { key: 'finish', name: '装饰与安装', stage: '4', targetRate: 92, areas: 1, points: 5 },
]

/** Rules of the contractor that are stricter than the norm, and one that only an instrument may answer. */
export const stricter: Readonly<Record<string, { judgeEnd: number; standardName: string; forbidManual?: true }>> = {
  102: { judgeEnd: 5, standardName: '表面平整度（集团内控）' },
  301: { judgeEnd: 3, standardName: '立面垂直度（集团内控）', forbidManual: true },
}
export const methods: Readonly<Record<string, string>> = {
  1: '靠尺、激光扫平仪或卷尺，避开边角 300 mm',
  2: '2 m 靠尺、线坠和卷尺',
  3: '2 m 垂直检测尺、塞尺和方尺',
  4: '2 m 靠尺、钢直尺和激光扫平仪',
}

type State = '1' | '2' | '3' | '4' | '5' | '6'
export interface TaskPlan {
  site: 'jiangtan' | 'hospital'
  building: string
  template: string
  floors: readonly number[]
  /** Key of the company that did the work in the city's plan; null: the site itself. */
  corp: 'contractor' | 'dingli' | 'huaan' | null
  state: State
  /** Days before today on which it was submitted, or is due. */
  age: number
  /** Share of points out of tolerance, in percent. */
  weak: number
  burst: number
}

const pair = (n: number) => [2 * n - 1, 2 * n]
const tower: Pick<TaskPlan, 'site' | 'building'> = { site: 'jiangtan', building: '5# 楼' }

/** 40 tasks, most of them on the 26 floors of one tower; the plaster of one subcontractor is weak on floors 9 to 12. */
export const taskPlans: readonly TaskPlan[] = [
  ...Array.from(
    { length: 13 },
    (_, i): TaskPlan => ({
      ...tower,
      template: 'concrete',
      floors: pair(i + 1),
      corp: 'contractor',
      state: '6',
      age: 118 - 7 * i,
      weak: i < 4 ? 8 : 4,
      burst: 0,
    }),
  ),
  ...Array.from(
    { length: 10 },
    (_, i): TaskPlan => ({
      ...tower,
      template: 'masonry',
      floors: pair(i + 1),
      corp: 'huaan',
      state: i === 9 ? '5' : '6',
      age: 84 - 8 * i,
      weak: i === 9 ? 14 : 6,
      burst: i === 9 ? 2 : 0,
    }),
  ),
  ...Array.from({ length: 8 }, (_, i): TaskPlan => {
    const isWeak = i === 4 || i === 5
    return {
      ...tower,
      template: 'plaster',
      floors: pair(i + 1),
      corp: 'dingli',
      state: isWeak ? '4' : i === 7 ? '5' : '6',
      age: 62 - 8 * i,
      weak: isWeak ? 24 : i === 7 ? 12 : 5,
      burst: isWeak ? 3 + i : 0,
    }
  }),
  { site: 'hospital', building: '住院楼 B', template: 'concrete', floors: [5], corp: 'contractor', state: '6', age: 26, weak: 5, burst: 0 },
  { site: 'hospital', building: '住院楼 B', template: 'concrete', floors: [6], corp: 'contractor', state: '6', age: 12, weak: 6, burst: 0 },
  { site: 'hospital', building: '住院楼 B', template: 'concrete', floors: [7], corp: 'contractor', state: '4', age: 4, weak: 15, burst: 2 },
  { site: 'hospital', building: '住院楼 B', template: 'masonry', floors: [5], corp: 'dingli', state: '6', age: 9, weak: 4, burst: 0 },
  { site: 'hospital', building: '住院楼 B', template: 'masonry', floors: [6], corp: 'dingli', state: '5', age: 3, weak: 13, burst: 0 },
  { site: 'hospital', building: '住院楼 B', template: 'concrete', floors: [8], corp: 'contractor', state: '2', age: 0, weak: 6, burst: 0 },
  { site: 'hospital', building: '住院楼 B', template: 'masonry', floors: [7], corp: 'dingli', state: '1', age: -3, weak: 0, burst: 0 },
  { site: 'hospital', building: '住院楼 B', template: 'concrete', floors: [9], corp: 'contractor', state: '1', age: 2, weak: 0, burst: 0 },
  { site: 'hospital', building: '住院楼 B', template: 'plaster', floors: [5], corp: 'dingli', state: '3', age: -1, weak: 6, burst: 0 },
]
