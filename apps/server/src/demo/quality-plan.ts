import type { CauseGroup } from '@zhugong/contract/quality/improvement-moves'
import type { RoundPlan } from './checks-plan.ts'
import type { ProblemWords } from './rectify-problems.ts'

/** A defect as quality engineers write it. */
export interface Defect extends ProblemWords {
  /** Sub-item of dictionary qualityCheckItem, and 通病 of qualityProblem. */
  item: string
  defect: string
  measured: string | null
  standard: string | null
}
const quality = { scene: 'wall', category: '02', clause: null } as const

export const defects: readonly Defect[] = [
  {
    ...quality,
    item: '0302',
    defect: '09',
    place: '五层 3 至 5 轴内墙',
    description: '内墙抹灰空鼓 4 处，单处最大 350 mm × 280 mm',
    requirement: '切除空鼓部位，基层凿毛甩浆后分层重抹，养护不少于 7 天',
    measure: '已切除重抹，挂网分层施工，敲击复查无空鼓',
    fault: '复查仍有 1 处空鼓，未见养护记录',
    measured: '空鼓率 6.2%',
    standard: '≤ 3%',
  },
  {
    ...quality,
    item: '0302',
    defect: '09',
    place: '六层 走道墙面',
    description: '不同材料交接处抹灰开裂，裂缝长约 1.6 m',
    requirement: '交接处铲除重做，钉挂钢丝网每侧不小于 150 mm',
    measure: '已铲除并补挂钢丝网后重抹，裂缝消除',
    fault: '钢丝网搭接宽度不足 150 mm',
    measured: '裂缝宽 0.5 mm',
    standard: '不允许',
  },
  {
    ...quality,
    item: '0302',
    defect: '09',
    place: '四层 病房隔墙',
    description: '抹灰层一次成活过厚，局部空鼓',
    requirement: '剔除空鼓层，分层抹灰每层不大于 8 mm',
    measure: '已分三层重抹并洒水养护',
    fault: '面层平整度仍超差',
    measured: '空鼓率 4.8%',
    standard: '≤ 3%',
  },
  {
    ...quality,
    item: '0202',
    defect: '07',
    place: '四层 3 至 5 轴',
    description: '填充墙水平灰缝砂浆不饱满，瞎缝 5 处',
    requirement: '拆除重砌，砂浆饱满度不低于 80%',
    measure: '瞎缝处已拆除重砌，百格网检查饱满度 86%',
    fault: '复测仍有 3 点低于 80%',
    measured: '饱满度 68%',
    standard: '≥ 80%',
  },
  {
    ...quality,
    item: '0202',
    defect: '08',
    place: '五层 7 轴构造柱',
    description: '构造柱马牙槎先进后退，槎高大于 300 mm',
    requirement: '按先退后进重新留槎，槎高不大于 300 mm',
    measure: '马牙槎已返工，拉结筋补齐',
    fault: '拉结筋伸入长度不足 1 m',
    measured: '槎高 400 mm',
    standard: '≤ 300 mm',
  },
  {
    ...quality,
    item: '0201',
    defect: '05',
    place: '七层 核心筒墙',
    description: '剪力墙水平筋间距偏差，保护层垫块缺失',
    requirement: '调整间距并补齐垫块，隐蔽验收合格后封模',
    measure: '间距已调整，垫块按 0.8 m 梅花布置',
    fault: '东侧墙肢仍缺垫块',
    measured: '间距 235 mm',
    standard: '200 ± 10 mm',
  },
  {
    ...quality,
    item: '0201',
    defect: '02',
    place: '三层 KZ-6',
    description: '混凝土柱根部烂根、局部露筋',
    requirement: '报修补方案，剔凿后用高一级灌浆料修补',
    measure: '剔凿至密实层后灌浆修补，养护 7 天',
    fault: '修补面与原柱面错台 8 mm',
    measured: '露筋长 180 mm',
    standard: '不允许',
  },
  {
    ...quality,
    item: '0201',
    defect: '04',
    place: '六层 楼板',
    description: '现浇板厚度偏差超限，连续三点偏薄',
    requirement: '取芯复核并报设计处理，加密模板标高控制',
    measure: '取芯复核合格，标高控制点加密至每 10 ㎡ 一点',
    fault: '处理方案未经设计签认',
    measured: '板厚 104 mm',
    standard: '120 +8/-5 mm',
  },
  {
    ...quality,
    item: '0303',
    defect: '10',
    place: '五层 卫生间',
    description: '管根部位渗漏，24 小时蓄水后下层顶板有湿渍',
    requirement: '剔开管根重做防水附加层，再次蓄水试验',
    measure: '管根附加层已重做，二次蓄水 24 小时无渗漏',
    fault: '蓄水深度不足 20 mm',
    measured: null,
    standard: null,
  },
  {
    ...quality,
    item: '0201',
    defect: '13',
    place: '四层 梁底',
    description: '预埋套管漏埋 2 处，现场拟开洞',
    requirement: '不得剔凿梁主筋，报设计出洞口加固方案',
    measure: '按设计变更植筋加固后开孔',
    fault: '未附设计变更单',
    measured: null,
    standard: null,
  },
]
const plaster = '09'
const isPlaster = ({ defect }: Defect) => defect === plaster
/** Days ago. */
const plasterUntil = 27
/** Most problems were hollow plaster until an improvement against it took hold; since then few are. */
export const choiceOf = (age: number, n: number): readonly Defect[] =>
  defects.filter((one) => isPlaster(one) === (age >= plasterUntil ? n % 5 < 4 : n % 5 === 0))

/** Sub-items that are looked at together. */
export const itemsBeside: Readonly<Record<string, readonly string[]>> = {
  '0302': ['0301', '0310'],
  '0202': ['0302'],
  '0201': ['0202'],
  '0303': ['0304'],
}

const open: readonly Omit<RoundPlan, 'site'>[] = [
  { by: 'hospital-officer', age: 0, outcome: '1', problems: 2, due: 3, since: 0 },
  { by: 'hospital-jl', age: 1, outcome: '1', problems: 1, due: 4, since: 1 },
  { by: 'hospital-officer', age: 2, outcome: '2', problems: 2, due: 3, since: 1 },
  { by: 'hospital-officer', age: 3, outcome: '2', problems: 1, due: 2, since: 2 },
  { by: 'hospital-jl', age: 4, outcome: '3', problems: 2, due: 2, since: 2 },
  { by: 'hospital-officer', age: 5, outcome: '3', problems: 1, due: -1, since: 3 },
  { by: 'hospital-officer', age: 6, outcome: '4', problems: 2, due: 1, since: 1 },
  { by: 'hospital-officer', age: 7, outcome: '4', problems: 1, due: 0, since: 2 },
  { by: 'yunze-lu', age: 8, outcome: '5', problems: 2, due: 1, since: 1 },
  { by: 'hospital-officer', age: 9, outcome: '6', problems: 2, due: -2, since: 2 },
  { by: 'hospital-jl', age: 10, outcome: '6', problems: 1, due: 1, since: 1 },
  { by: 'hospital-officer', age: 12, outcome: '3', problems: 1, due: 2, since: 4 },
]

const hospital = Array.from({ length: 58 }, (_, i): RoundPlan => {
  const age = 1 + Math.floor((i * 82) / 58)
  const outcome = i % 3 === 2 ? 'clear' : i % 7 === 3 ? 'mended' : age < 8 ? 'mended' : '7'
  const by = i % 6 === 5 ? 'hospital-jl' : i % 11 === 7 ? 'yunze-lu' : 'hospital-officer'
  return { site: 'hospital', by, age, outcome, problems: outcome === 'clear' ? 0 : 1 + (i % 2), due: -age + 5, since: Math.max(1, age - 6) }
})
const others = (['dongwan', 'zhigu'] as const).flatMap((site) =>
  Array.from({ length: 7 }, (_, i): RoundPlan => {
    const outcome = i === 0 ? '3' : i % 3 === 1 ? 'clear' : '7'
    const age = 3 + i * 9
    return {
      site,
      by: `${site}-${i % 3 === 2 ? 'jl' : 'pm'}`,
      age,
      outcome,
      problems: outcome === 'clear' ? 0 : 1 + (i % 2),
      due: outcome === '3' ? 4 : -age + 5,
      since: Math.max(1, age - 6),
    }
  }),
)

/** 70 checks at the main site, 12 of them open, and some elsewhere. */
export const qualityRounds: readonly RoundPlan[] = [...open.map((one): RoundPlan => ({ site: 'hospital', ...one })), ...hospital, ...others]

export interface ImprovementPlan {
  site: string
  by: string
  title: string
  defect: string
  /** `measure`: from points of a measuring task. */
  source: 'qualityInspection' | 'measure'
  findings: number
  causes: Partial<Record<CauseGroup, string>>
  whys: readonly string[]
  lines: readonly { place: string; text: string }[]
  prevention: string
  age: number
  state: '0' | '1' | '3' | '4' | '5' | '7'
  due: number
  since: number
  /** Days from today on which it is verified. */
  verify: number
  rate: number | null
  verdict?: 'effective' | 'ineffective'
  opinion?: string
}

export const improvementPlans: readonly ImprovementPlan[] = [
  {
    site: 'hospital',
    by: 'hospital-officer',
    title: '内墙抹灰空鼓开裂专项改进',
    defect: '09',
    source: 'qualityInspection',
    findings: 9,
    causes: {
      method: '基层未甩浆即抹灰，一次成活厚度超过 15 mm',
      material: '砂含泥量 5.6%，超过 3% 的要求',
      man: '新进抹灰班组未做样板即大面积施工',
    },
    whys: ['为什么空鼓：抹灰层与基层粘结不牢', '为什么不牢：基层光滑未甩浆', '为什么未甩浆：交底没有写明，班组按旧习惯做'],
    lines: [
      { place: '五层', text: '切除全部空鼓部位，甩浆养护 3 天后分层重抹' },
      { place: '四层', text: '逐间敲击检查并标记，空鼓率降到 3% 以内' },
    ],
    prevention: '每层先做一间样板，甩浆强度经监理手捻确认后才能抹灰；砂进场逐车做含泥量快测；交底增加“甩浆—养护—分层”三步照片。',
    age: 40,
    state: '7',
    due: -26,
    since: 26,
    verify: 5,
    rate: 95,
  },
  {
    site: 'hospital',
    by: 'hospital-officer',
    title: '抹灰平整度实测不达标改进',
    defect: '09',
    source: 'measure',
    findings: 31,
    causes: { method: '灰饼间距 2.4 m，刮杠长度 1.5 m，不能控制大面', machine: '靠尺变形未校准' },
    whys: ['为什么不平：冲筋稀疏'],
    lines: [{ place: '六层', text: '重做灰饼冲筋，间距不大于 1.5 m，超差墙面打磨修补' }],
    prevention: '灰饼由测量员放线后验收，每班开工前校验靠尺；平整度由班组自测三点后报验。',
    age: 12,
    state: '4',
    due: 3,
    since: 1,
    verify: 35,
    rate: 90,
  },
  {
    site: 'hospital',
    by: 'hospital-jl',
    title: '楼板厚度偏差改进',
    defect: '04',
    source: 'qualityInspection',
    findings: 3,
    causes: { method: '模板标高只测四角，跨中无控制点', man: '收面时无人持板厚尺' },
    whys: [],
    lines: [{ place: '六层 楼板', text: '标高控制点加密至每 10 ㎡ 一点，浇筑时专人插尺检查' }],
    prevention: '浇筑令增加板厚控制点验收栏，未签字不得浇筑；收面配两把板厚尺。',
    age: 9,
    state: '3',
    due: 5,
    since: 3,
    verify: 40,
    rate: 92,
  },
  {
    site: 'hospital',
    by: 'hospital-officer',
    title: '砌体灰缝饱满度改进',
    defect: '07',
    source: 'qualityInspection',
    findings: 4,
    causes: { method: '铺浆长度超过 750 mm，砂浆失水', environment: '高温时段砌筑，砌块未提前湿润' },
    whys: ['为什么不饱满：砂浆失水收缩'],
    lines: [{ place: '四层', text: '瞎缝墙段拆除重砌，逐面百格网检查' }],
    prevention: '铺浆长度不超过 500 mm，砌块提前一天浇水；每班百格网抽三处并拍照。',
    age: 75,
    state: '7',
    due: -60,
    since: 60,
    verify: -12,
    rate: 90,
    verdict: 'effective',
    opinion: '抽查四至六层 18 面墙，饱满度最低 82%，未再出现瞎缝',
  },
  {
    site: 'hospital',
    by: 'hospital-officer',
    title: '外墙抹灰开裂改进',
    defect: '09',
    source: 'qualityInspection',
    findings: 5,
    causes: { method: '不同材料交接处未挂网' },
    whys: [],
    lines: [{ place: '六层 走道墙面', text: '交接处铲除，补挂钢丝网后重抹' }],
    prevention: '挂网列入隐蔽验收，监理逐面签认；网片搭接按 150 mm 画线施工。',
    age: 80,
    state: '7',
    due: -66,
    since: 66,
    verify: -15,
    rate: null,
    verdict: 'ineffective',
    opinion: '验证期内五层、六层又发现同类开裂，挂网工序没有落到新班组',
  },
  {
    site: 'hospital',
    by: 'hospital-officer',
    title: '卫生间管根渗漏改进',
    defect: '10',
    source: 'qualityInspection',
    findings: 2,
    causes: { method: '管根未做圆弧和附加层', man: '防水工无证上岗 1 人' },
    whys: [],
    lines: [{ place: '五层 卫生间', text: '全部管根剔开重做附加层，二次蓄水' }],
    prevention: '管根处理先做样板间，蓄水试验照片带时间水印归档；防水工持证核验后进场。',
    age: 6,
    state: '1',
    due: 8,
    since: 6,
    verify: 45,
    rate: 100,
  },
  {
    site: 'hospital',
    by: 'hospital-officer',
    title: '构造柱马牙槎留设改进',
    defect: '08',
    source: 'qualityInspection',
    findings: 3,
    causes: { man: '班组不清楚先退后进的要求' },
    whys: [],
    lines: [{ place: '五层 7 轴构造柱', text: '返工留槎并补拉结筋' }],
    prevention: '砌筑样板墙标注槎高和拉结筋位置，进场班组先看样板再上楼层。',
    age: 20,
    state: '5',
    due: -2,
    since: 2,
    verify: 25,
    rate: null,
  },
  {
    site: 'dongwan',
    by: 'dongwan-pm',
    title: '剪力墙钢筋保护层改进',
    defect: '05',
    source: 'qualityInspection',
    findings: 2,
    causes: { material: '塑料垫块强度不足被压碎' },
    whys: [],
    lines: [{ place: '七层 核心筒墙', text: '改用水泥垫块，按 0.8 m 梅花布置' }],
    prevention: '垫块进场抽检抗压，封模前由质量员逐面签认垫块间距。',
    age: 8,
    state: '3',
    due: 6,
    since: 2,
    verify: 40,
    rate: 95,
  },
  {
    site: 'hospital',
    by: 'hospital-officer',
    title: '预埋套管漏埋改进',
    defect: '13',
    source: 'qualityInspection',
    findings: 1,
    causes: { method: '各专业未会签预留预埋图' },
    whys: [],
    lines: [{ place: '四层 梁底', text: '按设计变更植筋加固后开孔' }],
    prevention: '浇筑前机电、土建共同核对预留预埋清单并签字。',
    age: 1,
    state: '0',
    due: 12,
    since: 1,
    verify: 45,
    rate: null,
  },
]
