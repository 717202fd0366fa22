/** Kinds of acceptance of one step of work (三检制): a sample, the gang itself, another gang, handing over, and what will be covered. */
export const stepKinds: Readonly<Record<string, string>> = { 1: '样板', 2: '自检', 3: '互检', 4: '交接检', 5: '隐蔽' }
export const concealed = '5'
export const sampleKind = '1'
/** Accepted by 监理 with its signature; the others by the site. */
export const witnessedKinds: readonly string[] = ['4', '5']

/** A point of a step that is measured or looked at. */
export interface StepPoint {
  key: string
  name: string
  /** As printed. */
  limit: string
  unit?: string
  /** Measured deviation or value that passes; without them it is judged by eye. */
  low?: number
  high?: number
}

interface StepWork {
  code: string
  name: string
  /** Dictionary qualityCheckItem. */
  item: string
  /** Kinds of acceptance in their order. */
  kinds: readonly string[]
  points: readonly StepPoint[]
}

const within = (key: string, name: string, mm: number, low = -mm): StepPoint => ({
  key,
  name,
  limit: low === -mm ? `±${mm} mm` : low === 0 ? `≤${mm} mm` : `+${mm}、${low} mm`,
  unit: 'mm',
  low,
  high: mm,
})
const seen = (key: string, name: string, limit: string): StepPoint => ({ key, name, limit })

/**
 * Steps of a floor in the order of work. Limits by GB 50204-2015 (tables 4.2.7, 5.5.3, 8.3.2), GB 50203-2011 (5.3.3, 5.2.2), GB 50210-2018
 * (4.2.10) and GB 50208-2011.
 */
export const stepWorks: readonly StepWork[] = [
  {
    code: 'setout',
    name: '测量放线',
    item: '0201',
    kinds: ['2', '3'],
    points: [within('axis', '轴线位移', 3, 0), within('level', '标高控制线', 3), seen('marks', '控制线标识', '齐全清晰')],
  },
  {
    code: 'formwork',
    name: '模板安装',
    item: '0201',
    kinds: ['2', '3', '4'],
    points: [
      within('axis', '轴线位置', 5, 0),
      within('level', '底模上表面标高', 5),
      within('section', '截面内部尺寸（梁柱墙）', 5),
      within('plumb', '垂直度（层高≤6m）', 8, 0),
      within('flat', '表面平整度', 5, 0),
      seen('support', '支撑与拼缝', '牢固、严密不漏浆'),
    ],
  },
  {
    code: 'rebar',
    name: '钢筋安装',
    item: '0201',
    kinds: ['2', '3', '5'],
    points: [
      within('spacing', '绑扎钢筋网眼尺寸（间距）', 20),
      within('mainSpacing', '纵向受力钢筋间距', 10),
      within('cover', '保护层厚度（板墙）', 3),
      { key: 'anchor', name: '锚固长度偏差', limit: '≥-20 mm', unit: 'mm', low: -20, high: 1000 },
      seen('grade', '牌号、规格、数量', '符合设计'),
      seen('joint', '连接方式与接头百分率', '符合设计与规范'),
    ],
  },
  {
    code: 'concrete',
    name: '混凝土浇筑',
    item: '0201',
    kinds: ['2', '4'],
    points: [
      within('axis', '轴线位置（墙柱梁）', 8, 0),
      within('level', '层高标高', 10),
      { ...within('section', '截面尺寸', 10), limit: '+10、-5 mm', low: -5 },
      within('plumb', '垂直度（层高≤6m）', 10, 0),
      within('flat', '表面平整度', 8, 0),
      seen('look', '外观质量', '无蜂窝、露筋、孔洞、裂缝'),
    ],
  },
  {
    code: 'masonry',
    name: '砌体砌筑',
    item: '0202',
    kinds: ['2', '3', '4'],
    points: [
      within('plumb', '每层垂直度', 5, 0),
      within('flat', '表面平整度', 8, 0),
      { key: 'joint', name: '水平灰缝厚度', limit: '8～12 mm', unit: 'mm', low: 8, high: 12 },
      { key: 'full', name: '砂浆饱满度', limit: '≥80 %', unit: '%', low: 80, high: 100 },
      seen('tie', '拉结筋与马牙槎', '符合规范'),
    ],
  },
  {
    code: 'plaster',
    name: '抹灰',
    item: '0302',
    kinds: ['2', '3', '4'],
    points: [
      within('plumb', '立面垂直度', 4, 0),
      within('flat', '表面平整度', 4, 0),
      within('corner', '阴阳角方正', 4, 0),
      seen('hollow', '空鼓、开裂', '无'),
    ],
  },
  {
    code: 'waterproof',
    name: '厨卫防水',
    item: '0303',
    kinds: ['2', '5'],
    points: [
      { key: 'thick', name: '涂膜平均厚度', limit: '≥1.5 mm', unit: 'mm', low: 1.5, high: 10 },
      { key: 'lap', name: '搭接宽度偏差', limit: '≥-10 mm', unit: 'mm', low: -10, high: 100 },
      seen('flood', '蓄水试验 24 h', '无渗漏'),
      seen('root', '管根、地漏附加层', '符合规范'),
    ],
  },
]

export const workOf = (code: string): StepWork | undefined => stepWorks.find((one) => one.code === code)

/** One link of the chain at a place. */
export interface StepLink {
  work: string
  kind: string
}
/** Every step of a place in the order in which they are accepted. */
export const stepChain: readonly StepLink[] = stepWorks.flatMap(({ code: work, kinds }) => kinds.map((kind) => ({ work, kind })))

const at = ({ work, kind }: StepLink) => stepChain.findIndex((one) => one.work === work && one.kind === kind)

/** The link that must be accepted before; undefined for the first link, and for a sample, which stands outside the chain. */
export const linkBefore = (link: StepLink): StepLink | undefined => (link.kind === sampleKind ? undefined : stepChain[at(link) - 1])

/** Whether a work has this kind of acceptance. */
export const hasKind = ({ work, kind }: StepLink): boolean => (kind === sampleKind ? workOf(work) !== undefined : at({ work, kind }) >= 0)

export const linkName = ({ work, kind }: StepLink): string => `${workOf(work)?.name ?? work}${stepKinds[kind] ?? kind}`

/** The verdict on one value; a point judged by eye passes as the checker says. */
export function pointPasses(point: StepPoint, value: number | null, fine: boolean | null): boolean {
  if (point.low === undefined || point.high === undefined) return fine === true
  return value !== null && value >= point.low && value <= point.high
}
/** Whether a point is measured. */
export const isMeasured = (point: Pick<StepPoint, 'low' | 'high'>): boolean => point.low !== undefined && point.high !== undefined
