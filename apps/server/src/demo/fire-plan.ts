import type { FireState } from '@zhugong/contract/fire/moves'
import type { BuildingUse } from '@zhugong/contract/fire/place-rules'

/** One case of the demonstration. Days count back from today; `left` are working days to the deadline. */
export interface PlannedCase {
  state: FireState
  /** 1 特殊, 2 备案, 3 drawn 备案. */
  kind: '1' | '2' | '3'
  building: readonly [name: string, use: BuildingUse, area: number, height: number, floors: number]
  /** Days since the application. */
  age: number
  left?: number
  team?: readonly number[]
  /** Days since the opinion of the first round. */
  ended?: number
  /** Points that are not right, as code and place. */
  bad?: readonly (readonly [code: string, part: string, words: string])[]
  /** On the site: the last entry came so many minutes ago. */
  minutes?: number
  submitted?: true
  round2?: true
  paused?: true
  /** Projects of the catalogue, where only a part is accepted. */
  projects?: readonly string[]
  tower?: true
}

const mall = ['商业裙房', 'mall', 22_000, 23, 5] as const
const ward = ['住院楼', 'care', 31_000, 58, 14] as const
const clinic = ['门诊楼', 'theatre', 18_000, 24, 5] as const
const office = ['办公塔楼', 'office', 46_000, 98, 23] as const
const flats = ['3 号住宅楼', 'housing', 14_000, 79, 26] as const
const hall = ['多功能报告厅', 'theatre', 3_200, 16, 2] as const
const school = ['教学楼', 'theatre', 9_800, 23, 5] as const
const gate = ['门卫与配套用房', 'other', 320, 5, 1] as const
const store = ['附属仓库', 'other', 900, 7, 1] as const

const special = (state: FireState, building: PlannedCase['building'], age: number, more: Partial<PlannedCase> = {}): PlannedCase => ({
  state,
  kind: '1',
  building,
  age,
  ...more,
})
const filing = (state: FireState, building: PlannedCase['building'], age: number, more: Partial<PlannedCase> = {}): PlannedCase => ({
  ...special(state, building, age, more),
  kind: more.kind ?? '2',
})

const door = ['060401', '3 层', '防火门闭门器失效，不能自闭'] as const
const wall = ['060201', '2 层', '管道穿越防火墙处封堵不严'] as const
const exit = ['090105', '1 层', '疏散楼梯净宽小于设计值'] as const
const light = ['090501', '2 层', '疏散指示标志间距过大'] as const
const pump = ['110305', '泵房', '启动控制装置标识缺失'] as const
const stair = ['090102', '1 层', '楼梯间前室加压送风口被遮挡'] as const
const zone = ['060101', '1 层', '防火分区隔墙未砌至板底'] as const

/** Forty-six cases: in all states, three near the limit, one late, two teams on the site; eight 备案, two of them drawn. */
export const plannedCases: readonly PlannedCase[] = [
  special('4', office, 8, {
    left: 9,
    team: [0, 1],
    minutes: 12,
    tower: true,
    projects: ['01', '02', '03', '04', '06', '09', '15'],
    bad: [zone, ['060301', '2 层', '防火卷帘下方堆放物品，不能降到底']],
  }),
  special('6', clinic, 52, { ended: 24, team: [0, 2], bad: [wall, light], round2: true }),
  special('4', ward, 12, { left: 2, team: [2, 3], minutes: 35, bad: [door] }),
  special('4', mall, 14, { left: 1, team: [0, 3], submitted: true, bad: [stair, exit] }),
  special('4', hall, 10, { left: 8, team: [1, 2], submitted: true, bad: [pump] }),
  special('0', clinic, 1),
  special('0', flats, 2),
  special('1', ward, 0),
  special('1', mall, 1),
  special('1', school, 1),
  special('1', office, 2),
  special('1', hall, 0),
  special('1', flats, 3),
  special('2', mall, 6),
  special('3', office, 5, { left: 12 }),
  special('3', school, 4, { left: 13 }),
  special('3', flats, 3, { left: 14 }),
  special('3', clinic, 7, { left: 10, team: [0, 1] }),
  special('3', mall, 15, { left: 3, team: [1, 3] }),
  special('3', hall, 24, { left: -2, team: [2, 0] }),
  special('3', ward, 6, { left: 11, team: [2, 3] }),
  special('3', flats, 9, { left: 9, team: [1, 2], paused: true }),
  special('3', office, 6, { left: 11 }),
  filing('3', gate, 9, { kind: '3', left: 10, team: [0, 3] }),
  special('5', mall, 40, { ended: 12, team: [1, 2], bad: [exit, light] }),
  special('5', flats, 38, { ended: 10, team: [0, 2], bad: [zone] }),
  special('6', hall, 36, { ended: 0, team: [0, 1] }),
  special('6', ward, 35, { ended: 0, team: [2, 3], bad: [pump] }),
  special('6', school, 44, { ended: 6, team: [1, 3] }),
  special('6', mall, 47, { ended: 9, team: [0, 2], bad: [light] }),
  special('6', clinic, 58, { ended: 18, team: [0, 1] }),
  special('6', flats, 63, { ended: 26, team: [1, 2] }),
  special('6', office, 70, { ended: 33, team: [2, 3], bad: [pump] }),
  special('6', hall, 76, { ended: 41, team: [0, 3] }),
  filing('6', store, 50, { kind: '3', ended: 20, team: [1, 0] }),
  special('7', mall, 33, { ended: 0, team: [0, 2], bad: [exit, zone, light] }),
  special('7', office, 39, { ended: 5, team: [1, 3], bad: [wall] }),
  special('7', ward, 45, { ended: 8, team: [2, 0], bad: [stair, door] }),
  special('7', school, 60, { ended: 21, team: [3, 1], bad: [exit] }),
  special('8', flats, 30),
  filing('9', gate, 9),
  filing('9', store, 9),
  filing('9', gate, 9),
  filing('9', store, 50),
  filing('9', gate, 50),
  filing('9', store, 50),
]

/** Local points of the city. */
export const localPoints = [
  { code: '090191', name: '疏散楼梯间标识与楼层显示', level: 'C' as const, method: '现场查看各层标识', seq: 900 },
  { code: '150191', name: '消防电源监控信号接入', level: 'B' as const, method: '现场测试信号接入', seq: 901 },
]
