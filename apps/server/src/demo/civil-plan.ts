import type { CivilArea } from '@zhugong/contract/civil/score'
import type { RectifyScene } from './media/rectify-scene.ts'

export interface PointPlan {
  name: string
  /** What is judged there. */
  items: readonly string[]
  area: CivilArea
  /** Full name of its place, and its spot on the plan of that place or around it. */
  place: string | null
  at: readonly [x: number, y: number] | null
  scene: RectifyScene
}

/** The fixed points of a site in the order of the walk. */
export const pointPlans: readonly PointPlan[] = [
  { name: '1# 大门外侧', items: ['C0201', 'C0204', 'C03-P1'], area: 'gate', place: '道路与堆场', at: null, scene: 'soil' },
  { name: '1# 大门门卫室', items: ['C0201', 'C0202', 'C0203', 'C02-P1'], area: 'gate', place: '道路与堆场', at: null, scene: 'passage' },
  { name: '临街围挡东段', items: ['C0101', 'C0102', 'C0103'], area: 'gate', place: '道路与堆场', at: null, scene: 'rail' },
  { name: '临街围挡西段', items: ['C0101', 'C0102', 'C0103'], area: 'gate', place: '道路与堆场', at: null, scene: 'rail' },
  { name: '2# 大门洗车台', items: ['C0201', 'C0303'], area: 'gate', place: '道路与堆场', at: null, scene: 'soil' },
  { name: '主干道', items: ['C0301', 'C0302'], area: 'ground', place: '基坑', at: [0.12, 0.2], scene: 'passage' },
  { name: '基坑北侧便道', items: ['C0301', 'C0302'], area: 'ground', place: '基坑 / 北侧', at: [0.5, 0.12], scene: 'soil' },
  { name: '基坑东侧排水沟', items: ['C0302', 'C0303'], area: 'ground', place: '基坑 / 东侧', at: [0.88, 0.5], scene: 'base' },
  { name: '基坑南侧临时堆土', items: ['C0304', 'C0303'], area: 'ground', place: '基坑 / 南侧', at: [0.5, 0.88], scene: 'soil' },
  { name: '钢筋堆场', items: ['C0401', 'C0402', 'C0403'], area: 'ground', place: '加工区 / 钢筋加工棚', at: null, scene: 'stack' },
  { name: '模板堆场', items: ['C0401', 'C0402', 'C0403'], area: 'ground', place: '加工区 / 木工加工棚', at: null, scene: 'stack' },
  { name: '建筑垃圾池', items: ['C0404'], area: 'ground', place: '道路与堆场', at: null, scene: 'stack' },
  { name: '办公区入口', items: ['C0501', 'C10', 'C10-P1'], area: 'living', place: '生活区', at: null, scene: 'passage' },
  { name: '宿舍 201 室', items: ['C0502', 'C0505', 'C05-P1'], area: 'living', place: '生活区 / 宿舍', at: null, scene: 'cable' },
  { name: '宿舍走廊', items: ['C0502', 'C0504'], area: 'living', place: '生活区 / 宿舍', at: null, scene: 'passage' },
  { name: '食堂操作间', items: ['C09'], area: 'living', place: '生活区 / 食堂', at: null, scene: 'stack' },
  { name: '厕所与淋浴间', items: ['C09'], area: 'living', place: '生活区', at: null, scene: 'cable' },
  { name: '钢筋棚灭火器点', items: ['C0601', 'C0602', 'C06-P1'], area: 'fire', place: '加工区 / 钢筋加工棚', at: null, scene: 'hotWork' },
  { name: '宿舍消防通道', items: ['C0603', 'C0604'], area: 'fire', place: '生活区 / 宿舍', at: null, scene: 'passage' },
  { name: '基坑西侧消防水源', items: ['C0604'], area: 'fire', place: '基坑 / 西侧', at: [0.12, 0.5], scene: 'hotWork' },
  { name: '五牌一图', items: ['C08'], area: 'notice', place: '道路与堆场', at: null, scene: 'rail' },
  { name: '农民工维权公示栏', items: ['C07', 'C08'], area: 'notice', place: '生活区', at: null, scene: 'rail' },
]

export interface FailPlan {
  point: string
  item: string
  deduction: number
  note: string
  /** State of its notice. */
  state: '1' | '3' | '4' | '7'
}
export interface WalkPlan {
  site: string
  by: string
  age: number
  fails: readonly FailPlan[]
  /** Points that were left out, with the reason. */
  skipped?: Readonly<Record<string, string>>
}
const canteen = { point: '食堂操作间', item: 'C09', note: '生熟案板未分开，留样冰箱无记录' } as const
const fence = { point: '临街围挡东段', item: 'C0101', note: '围挡立柱松动，两块面板脱落' } as const
const gutter = { point: '基坑东侧排水沟', item: 'C0302', note: '排水沟淤堵，积水约 5 cm' } as const
const stack = { point: '模板堆场', item: 'C0401', note: '模板与方木混放，未按平面图分区' } as const
const extinguisher = { point: '钢筋棚灭火器点', item: 'C0602', note: '灭火器压力不足 1 具，被材料遮挡' } as const

/** Monthly walks; 智谷 stands for an award. */
export const walkPlans: readonly WalkPlan[] = [
  {
    site: 'hospital',
    by: 'hospital-safety',
    age: 6,
    fails: [
      { ...canteen, deduction: 3, state: '3' },
      { ...fence, deduction: 2, state: '7' },
      { ...gutter, deduction: 2, state: '7' },
    ],
    skipped: { 基坑西侧消防水源: '西侧浇筑混凝土，泵车占道无法进入' },
  },
  {
    site: 'hospital',
    by: 'hospital-safety',
    age: 36,
    fails: [
      { ...stack, deduction: 2, state: '7' },
      { ...canteen, deduction: 4, state: '7' },
    ],
  },
  { site: 'hospital', by: 'hospital-jl', age: 52, fails: [{ ...extinguisher, deduction: 2, state: '7' }] },
  {
    site: 'hospital',
    by: 'hospital-safety',
    age: 66,
    fails: [
      { ...fence, deduction: 3, state: '7' },
      { ...canteen, deduction: 4, state: '7' },
      { ...extinguisher, deduction: 3, state: '7' },
    ],
  },
  {
    site: 'hospital',
    by: 'hospital-safety',
    age: 97,
    fails: [
      { ...gutter, deduction: 3, state: '7' },
      { ...stack, deduction: 3, state: '7' },
      { ...fence, deduction: 3, state: '7' },
    ],
  },
  { site: 'zhigu', by: 'zhigu-pm', age: 4, fails: [] },
  { site: 'zhigu', by: 'zhigu-jl', age: 34, fails: [{ ...gutter, deduction: 1, state: '7' }] },
  { site: 'zhigu', by: 'zhigu-pm', age: 64, fails: [{ ...stack, deduction: 1, state: '7' }] },
  {
    site: 'dongwan',
    by: 'dongwan-pm',
    age: 9,
    fails: [
      { ...fence, deduction: 4, state: '4' },
      { ...canteen, deduction: 5, state: '1' },
      { ...extinguisher, deduction: 4, state: '7' },
    ],
  },
  { site: 'dongwan', by: 'dongwan-pm', age: 40, fails: [{ ...stack, deduction: 3, state: '7' }] },
]

/** Half a walk of today: so many points are done. */
export const halfWalk = { site: 'hospital', by: 'hospital-safety', done: 11 } as const

/** What the city says of its items beside their names. */
export const cityRules: Readonly<Record<string, { rule: string; requirement: string; marks?: number }>> = {
  C0101: {
    marks: 10,
    requirement: '市区主要路段围挡高度不低于 2.5 m，一般路段不低于 1.8 m，基础牢固，连续封闭，顶部喷淋完好。',
    rule: '高度不足扣 5 分；局部破损或倾斜每处扣 2 分；缺口未封闭扣满。',
  },
  C0102: { requirement: '围挡表面整洁，无乱张贴、无积尘。', rule: '脏污每 10 m 扣 1 分。' },
  C0201: { requirement: '大门牢固美观，门卫室有值守和交接班记录。', rule: '无人值守扣 3 分，记录缺失扣 1 分。' },
  C0202: { requirement: '人员通道设闸机，实名制设备在线。', rule: '设备离线每台扣 2 分。' },
  C0301: { requirement: '主要道路、材料堆场和加工区混凝土硬化。', rule: '未硬化每处扣 2 分。' },
  C0302: { requirement: '设排水沟和沉淀池，场内无积水。', rule: '积水每处扣 1 分，排水沟淤堵扣 2 分。' },
  C0401: { requirement: '材料按总平面布置分类码放，限高限载。', rule: '混放每处扣 1 分，超高扣 2 分。' },
  C0502: { requirement: '宿舍人均面积不小于 2.5 ㎡，通道不小于 0.9 m，每室不超过 8 人。', rule: '超员每间扣 2 分。' },
  C0602: { requirement: '每 100 ㎡ 临建配 2 具灭火器，压力正常、取用方便。', rule: '失效每具扣 1 分，被遮挡扣 1 分。' },
  C0604: { requirement: '消防通道宽度不小于 4 m，水源压力满足要求。', rule: '占用扣 3 分，无水扣满。' },
  C08: { requirement: '五牌一图齐全，内容真实，位置醒目。', rule: '缺一牌扣 2 分，内容过期扣 1 分。' },
  C09: {
    requirement: '食堂有许可证和健康证公示，生熟分开、留样 48 小时；厕所水冲式，淋浴有热水。',
    rule: '无证扣满；生熟不分扣 3 分；留样缺失扣 2 分。',
  },
  C10: { requirement: '夜间施工办理许可并公告，噪声不超限，有居民联系台账。', rule: '无许可扣满，投诉未回复每件扣 2 分。' },
}

/** What the main site checks beside the city's standard. */
export const extras = [
  {
    part: '02',
    name: '访客安全帽与反光衣',
    maxScore: 3,
    requirement: '门卫室备访客安全帽 20 顶、反光衣 20 件，清洁完好',
    rule: '缺失或破损每件扣 0.5 分',
  },
  {
    part: '03',
    name: '院区邻近道路保洁',
    maxScore: 4,
    requirement: '与在用院区相邻的道路每日冲洗两次，不留泥印',
    rule: '未冲洗每次扣 1 分',
  },
  { part: '05', name: '宿舍空调集中限电', maxScore: 3, requirement: '宿舍按间限流，禁用大功率电器', rule: '私接每间扣 1 分' },
  { part: '06', name: '氧气站防火间距', maxScore: 5, requirement: '距医院在用氧气站 20 m 内不动火', rule: '违反扣满' },
  { part: '10', name: '病房时段降噪', maxScore: 5, requirement: '午间 12:00-14:30、夜间 22:00 后不进行高噪声作业', rule: '每次扣 2 分' },
] as const
