import type { RectifyScene } from './media/rectify-scene.ts'

/** Item of dictionary safetyCheckItem that problems of a scene belong to. */
export const itemOfScene: Partial<Record<RectifyScene, string>> = {
  rail: '060004',
  opening: '060005',
  box: '070004',
  cable: '070003',
  passage: '020006',
  tie: '030103',
  base: '090108',
  hotWork: '020006',
  props: '050003',
  soil: '020003',
  stack: '020004',
}

/** How the notice of a round went; `mended`: put right while the checker was there; `clear`: nothing was found. */
type Outcome = 'clear' | 'mended' | '1' | '2' | '3' | '4' | '5' | '6' | '7'

export interface RoundPlan {
  site: string
  /** Account that holds the round. */
  by: string
  /** Days ago. */
  age: number
  outcome: Outcome
  problems: number
  /** Deadline in days from today. */
  due: number
  /** Days ago of the last step. */
  since: number
  scene?: RectifyScene
  major?: 'tie' | 'rail' | 'props'
  corp?: RegExp
}

/** Days of edge-protection problems that led to the special measure of the main site: many before it began, few since. */
const railDays: readonly [age: number, problems: number][] = [
  [48, 3],
  [46, 3],
  [44, 3],
  [41, 3],
  [39, 3],
  [37, 3],
  [34, 3],
  [32, 3],
  [30, 3],
  [27, 2],
  [25, 1],
  [20, 2],
  [13, 2],
  [6, 1],
]
/** Days ago on which the measure against them began. */
const railMeasureAge = 28

/** Open rounds of the main site: 14, of them 3 late, one with a major hazard. */
const open: readonly Omit<RoundPlan, 'site'>[] = [
  { by: 'hospital-safety', age: 0, outcome: '1', problems: 2, due: 1, since: 0 },
  { by: 'hospital-jl', age: 0, outcome: '1', problems: 1, due: 3, since: 0, corp: /架业/ },
  { by: 'hospital-safety', age: 1, outcome: '1', problems: 3, due: 1, since: 1, corp: /机电/ },
  { by: 'hospital-safety', age: 2, outcome: '2', problems: 2, due: 1, since: 1 },
  { by: 'hospital-safety', age: 3, outcome: '2', problems: 1, due: 0, since: 2, corp: /幕墙/ },
  { by: 'hospital-safety', age: 4, outcome: '3', problems: 2, due: -1, since: 2 },
  { by: 'hospital-jl', age: 5, outcome: '3', problems: 2, due: 11, since: 2, major: 'tie', corp: /架业/ },
  { by: 'hospital-safety', age: 4, outcome: '4', problems: 2, due: 1, since: 1 },
  { by: 'hospital-safety', age: 5, outcome: '4', problems: 3, due: 0, since: 1 },
  { by: 'hospital-safety', age: 6, outcome: '5', problems: 2, due: 1, since: 1 },
  { by: 'yunze-lu', age: 6, outcome: '5', problems: 3, due: 2, since: 1 },
  { by: 'hospital-safety', age: 7, outcome: '6', problems: 2, due: -2, since: 1 },
  { by: 'hospital-jl', age: 8, outcome: '6', problems: 1, due: 1, since: 1, corp: /租赁/ },
  { by: 'hospital-safety', age: 9, outcome: '3', problems: 2, due: -4, since: 3 },
]

const reach = 21
/** Rounds of one site that are done with: two on a working day, now and then one of the company or of 监理. */
function closedAt(site: string, accounts: readonly string[], perDay: number): RoundPlan[] {
  const rounds: RoundPlan[] = []
  for (let age = reach; age >= 0; age--)
    for (let i = 0; i < perDay; i++) {
      const n = age * perDay + i
      const outcome: Outcome = n % 4 === 1 ? 'clear' : age < 4 || n % 5 === 2 ? 'mended' : '7'
      rounds.push({
        site,
        by: accounts[n % accounts.length] ?? '',
        age,
        outcome,
        problems: outcome === 'clear' ? 0 : outcome === 'mended' ? 1 + (n % 2) : 1 + (n % 3),
        due: -age + 3,
        since: Math.max(1, age - 3),
      })
    }
  return rounds
}

const hospital: readonly RoundPlan[] = [
  ...railDays.map(
    ([age, problems]): RoundPlan => ({
      site: 'hospital',
      by: 'hospital-safety',
      age,
      outcome: '7',
      problems,
      due: -age + 3,
      since: age - 3,
      scene: 'rail',
    }),
  ),
  ...open.map((one): RoundPlan => ({ site: 'hospital', ...one })),
  ...closedAt('hospital', ['hospital-safety', 'hospital-safety', 'hospital-jl', 'hospital-safety', 'yunze-lu'], 4),
]

export const roundPlans: readonly RoundPlan[] = [
  ...hospital,
  ...closedAt('dongwan', ['dongwan-pm', 'dongwan-jl'], 1),
  ...closedAt('zhigu', ['zhigu-pm', 'chuyuan-li'], 1),
  { site: 'dongwan', by: 'dongwan-jl', age: 4, outcome: '3', problems: 2, due: 10, since: 2, major: 'props' },
  { site: 'dongwan', by: 'dongwan-pm', age: 3, outcome: '4', problems: 2, due: 1, since: 1 },
  { site: 'zhigu', by: 'zhigu-pm', age: 5, outcome: '3', problems: 2, due: -1, since: 2 },
]

export interface MeasurePlan {
  site: string
  name: string
  hazardSource: string
  riskLevel: string
  content: string
  /** Days from today. */
  start: number
  end: number
  /** Yuan; null when it costs nothing. */
  cost: number | null
  state: '0' | '1' | '2'
  /** Days ago of the photographs of the work; null while there are none. */
  done: number | null
  scene: RectifyScene
  /** Stands against the repeated problems of its scene. */
  series?: true
  extended?: true
}

/** 18 measures, 3 of them overdue, one from a series of edge-protection problems. */
export const measurePlans: readonly MeasurePlan[] = [
  {
    site: 'hospital',
    name: '主楼临边防护专项措施',
    hazardSource: '01',
    riskLevel: '2',
    content: '各楼层临边统一改用定型化防护栏杆，架子班组每层浇筑后 24 小时内安装完成，安全员逐层验收挂牌；拆除须经项目安全总监批准。',
    start: -railMeasureAge,
    end: 10,
    cost: 48_600,
    state: '1',
    done: 20,
    scene: 'rail',
    series: true,
  },
  {
    site: 'hospital',
    name: '预留洞口与电梯井防护专项措施',
    hazardSource: '01',
    riskLevel: '2',
    content: '洞口短边 25 cm 以上全部加盖固定并编号，电梯井口装 1.8 m 防护门，井道每两层设水平网，周检一次。',
    start: -20,
    end: -4,
    cost: 21_500,
    state: '1',
    done: null,
    scene: 'opening',
    series: true,
  },
  {
    site: 'hospital',
    name: '施工用电三级配电整治',
    hazardSource: '06',
    riskLevel: '3',
    content: '全场开关箱逐台试跳，落实一机一闸一漏一箱；电缆沿围挡架空，过路段穿管；电工每日巡检签字。',
    start: -18,
    end: 4,
    cost: 16_800,
    state: '1',
    done: 3,
    scene: 'box',
    series: true,
  },
  {
    site: 'hospital',
    name: '2# 塔吊基础排水措施',
    hazardSource: '04',
    riskLevel: '1',
    content: '基础四周设排水沟和集水井，配自动启停水泵两台，雨后复测垂直度并留记录。',
    start: -16,
    end: -1,
    cost: 12_400,
    state: '1',
    done: null,
    scene: 'base',
    series: true,
  },
  {
    site: 'hospital',
    name: '外架连墙件复核与加固',
    hazardSource: '03',
    riskLevel: '1',
    content: '按两步三跨逐点复核连墙件，缺失部位恢复并做扭矩抽检，结构改动处先补后拆，架子班组与技术员共同验收。',
    start: -6,
    end: 8,
    cost: 33_200,
    state: '1',
    done: null,
    scene: 'tie',
    series: true,
  },
  {
    site: 'hospital',
    name: '动火作业监护措施',
    hazardSource: '07',
    riskLevel: '2',
    content: '动火实行分级审批，焊点设接火斗和阻燃布，看火人佩戴袖标全程监护，收工后 30 分钟复查。',
    start: -25,
    end: 30,
    cost: 6_300,
    state: '1',
    done: 12,
    scene: 'hotWork',
    extended: true,
  },
  {
    site: 'hospital',
    name: '高支模监测与准入措施',
    hazardSource: '03',
    riskLevel: '1',
    content: '高支模区挂牌准入，浇筑前由监理验收立杆间距和扫地杆，浇筑中实时监测沉降，超限停止浇筑。',
    start: -40,
    end: -12,
    cost: 58_000,
    state: '2',
    done: 30,
    scene: 'props',
  },
  {
    site: 'hospital',
    name: '消防通道清理与划线',
    hazardSource: '07',
    riskLevel: '3',
    content: '环形道路划禁停禁堆线，净宽不小于 4 m，门卫每两小时巡查一次。',
    start: -35,
    end: -20,
    cost: 3_800,
    state: '2',
    done: 24,
    scene: 'passage',
  },
  {
    site: 'hospital',
    name: '材料堆场限高与分区措施',
    hazardSource: '02',
    riskLevel: '4',
    content: '堆场按平面布置分区，钢管扣件限高 1.8 m，挂限高牌和标识牌，坑边 2 m 内不堆载。',
    start: -30,
    end: -15,
    cost: null,
    state: '2',
    done: 18,
    scene: 'stack',
  },
  {
    site: 'hospital',
    name: '雨季裸土覆盖与排水',
    hazardSource: '99',
    riskLevel: '4',
    content: '预留场地裸土全部覆盖防尘网，坡顶设截水沟，每日巡查破损并补盖。',
    start: -50,
    end: -28,
    cost: 9_200,
    state: '2',
    done: 35,
    scene: 'soil',
  },
  {
    site: 'hospital',
    name: '冬期施工防冻防滑措施',
    hazardSource: '01',
    riskLevel: '3',
    content: '上人马道铺防滑条并清除霜雪，室外楼梯撒融雪剂，气温低于 5 ℃ 时班前交底。',
    start: 2,
    end: 80,
    cost: 14_000,
    state: '0',
    done: null,
    scene: 'cable',
  },
  {
    site: 'dongwan',
    name: '深基坑临边防护措施',
    hazardSource: '01',
    riskLevel: '2',
    content: '基坑周边 1.2 m 双道栏杆加挡脚板，夜间警示灯间距不大于 20 m，每日安全员巡查。',
    start: -22,
    end: 6,
    cost: 26_700,
    state: '1',
    done: 9,
    scene: 'rail',
  },
  {
    site: 'dongwan',
    name: '支架立杆间距复核措施',
    hazardSource: '03',
    riskLevel: '1',
    content: '按专项方案逐跨实测立杆间距，不足处加密并补扫地杆，监理验收后方可浇筑。',
    start: -12,
    end: -3,
    cost: 18_500,
    state: '1',
    done: null,
    scene: 'props',
  },
  {
    site: 'dongwan',
    name: '临时用电电缆架空整治',
    hazardSource: '06',
    riskLevel: '3',
    content: '地面明敷电缆全部改为架空或埋地穿管，潮湿场所改用 24 V 安全电压照明。',
    start: -33,
    end: -14,
    cost: 7_900,
    state: '2',
    done: 19,
    scene: 'cable',
  },
  {
    site: 'zhigu',
    name: '幕墙龙骨焊接防火措施',
    hazardSource: '07',
    riskLevel: '2',
    content: '焊接层下方满铺阻燃布，每个焊点设接火斗，配灭火器和看火人，收工断气断电。',
    start: -15,
    end: 12,
    cost: 8_600,
    state: '1',
    done: 5,
    scene: 'hotWork',
  },
  {
    site: 'zhigu',
    name: '裸土覆盖与出场冲洗措施',
    hazardSource: '99',
    riskLevel: '4',
    content: '裸土全覆盖，大门洗车台保持完好，门卫逐车检查后放行，路面每日清扫两次。',
    start: -28,
    end: -10,
    cost: 5_400,
    state: '2',
    done: 13,
    scene: 'soil',
  },
  {
    site: 'zhigu',
    name: '卸料平台限载措施',
    hazardSource: '01',
    riskLevel: '2',
    content: '卸料平台悬挂限载牌，每次搭设由机械员验收，作业前检查钢丝绳和挡板。',
    start: -9,
    end: 15,
    cost: 4_700,
    state: '1',
    done: null,
    scene: 'rail',
  },
  {
    site: 'zhigu',
    name: '楼层垃圾清运责任措施',
    hazardSource: '02',
    riskLevel: '4',
    content: '每层明确清运责任人，垃圾袋装下运，严禁抛掷，周五联合检查。',
    start: -20,
    end: -6,
    cost: null,
    state: '2',
    done: 8,
    scene: 'stack',
  },
]
