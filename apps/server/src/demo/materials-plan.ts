import type { MaterialState } from '@zhugong/contract/materials/moves'

export interface Article {
  category: string
  name: string
  spec: string
  supplier: string
  /** Dictionary materialUnit. */
  unit: string
  quantity: number
  brand?: string
  /** What a laboratory measures. */
  values?: string
}

/** Materials of a hospital at 9 to 18 floors. */
export const articles = {
  rebar25: {
    category: '01',
    name: '热轧带肋钢筋',
    spec: 'HRB400E Φ25',
    supplier: '江北钢材公司',
    unit: '1',
    quantity: 58.24,
    brand: '江北钢铁',
    values: '屈服强度 448 MPa，抗拉强度 612 MPa，断后伸长率 19%',
  },
  rebar12: {
    category: '01',
    name: '热轧带肋钢筋',
    spec: 'HRB400E Φ12',
    supplier: '江北钢材公司',
    unit: '1',
    quantity: 42.6,
    brand: '江北钢铁',
    values: '屈服强度 436 MPa，抗拉强度 598 MPa，断后伸长率 20%',
  },
  wire8: {
    category: '01',
    name: '热轧盘条',
    spec: 'HPB300 Φ8',
    supplier: '鄂东金属材料公司',
    unit: '1',
    quantity: 21.3,
    brand: '鄂东线材',
    values: '屈服强度 338 MPa，抗拉强度 446 MPa',
  },
  cement: {
    category: '02',
    name: '普通硅酸盐水泥',
    spec: 'P·O 42.5',
    supplier: '江北水泥公司',
    unit: '1',
    quantity: 120,
    brand: '江北',
    values: '28 d 抗压强度 48.6 MPa，安定性合格',
  },
  sand: {
    category: '03',
    name: '机制砂',
    spec: '中砂',
    supplier: '青石建材公司',
    unit: '1',
    quantity: 260,
    values: '含泥量 2.1%，细度模数 2.7',
  },
  block: {
    category: '06',
    name: '蒸压加气混凝土砌块',
    spec: 'A3.5 B06 600×240×200',
    supplier: '青石建材公司',
    unit: '6',
    quantity: 9600,
    values: '抗压强度 3.9 MPa，干密度 598 kg/m³',
  },
  membrane: {
    category: '07',
    name: 'SBS 改性沥青防水卷材',
    spec: 'II PY 4.0 mm',
    supplier: '江城防水材料公司',
    unit: '3',
    quantity: 3200,
    brand: '江盾',
    values: '低温柔性 -25℃ 无裂纹，最大拉力 920 N/50mm',
  },
  coating: {
    category: '07',
    name: '聚合物水泥防水涂料',
    spec: 'JS-II',
    supplier: '江城防水材料公司',
    unit: '8',
    quantity: 4800,
    brand: '江盾',
    values: '固体含量 72%，拉伸强度 1.9 MPa',
  },
  insulation: {
    category: '08',
    name: '岩棉板',
    spec: '100 mm A 级',
    supplier: '华中节能材料公司',
    unit: '3',
    quantity: 2600,
    values: '导热系数 0.039 W/(m·K)，燃烧性能 A1',
  },
  cable: {
    category: '11',
    name: '阻燃铜芯电缆',
    spec: 'ZC-YJV 4×35+1×16',
    supplier: '长河电缆公司',
    unit: '4',
    quantity: 1500,
    brand: '长河',
    values: '导体直流电阻 0.521 Ω/km，绝缘厚度 0.92 mm',
  },
  wireBv: {
    category: '11',
    name: '铜芯绝缘电线',
    spec: 'BV 2.5',
    supplier: '长河电缆公司',
    unit: '4',
    quantity: 20000,
    brand: '长河',
    values: '导体直流电阻 7.38 Ω/km',
  },
  pipe: { category: '10', name: 'PPR 给水管', spec: 'DN25 S3.2', supplier: '楚天管业公司', unit: '4', quantity: 2400, brand: '楚天' },
  door: { category: '09', name: '钢质防火门', spec: '甲级 1500×2200', supplier: '安泰门业公司', unit: '5', quantity: 36, brand: '安泰' },
  tile: { category: '14', name: '抗菌饰面砖', spec: '300×600', supplier: '佳美陶瓷公司', unit: '3', quantity: 1800, brand: '佳美' },
  net: { category: '15', name: '密目式安全立网', spec: '1.8×6.0', supplier: '安泰劳保用品公司', unit: '5', quantity: 400 },
  tube: { category: '16', name: '盘扣脚手架立杆', spec: 'Φ48.3×3.2', supplier: '江城周转材料租赁公司', unit: '1', quantity: 36.5 },
} satisfies Record<string, Article>

export interface BatchPlan {
  site: 'hospital' | 'dongwan' | 'jiangtan'
  article: keyof typeof articles
  /** Days since it arrived. */
  age: number
  /** How far it got: 0, accepted without retest, sampled, sent, passed, failed, withdrawn. */
  to: 'received' | 'accepted' | 'toSample' | 'sampled' | 'sent' | 'passed' | 'failed' | 'gone' | 'conceded'
  /** Uses registered. */
  uses?: number
}

const done = (article: keyof typeof articles, ...ages: number[]): BatchPlan[] =>
  ages.map((age, i) => ({ site: 'hospital', article, age, to: 'passed', uses: 2 + (i % 2) }))
const plain = (article: keyof typeof articles, ...ages: number[]): BatchPlan[] =>
  ages.map((age, i) => ({ site: 'hospital', article, age, to: 'accepted', uses: 1 + (i % 3) }))

/** Batches of three months, beside those that the weighbridge tells of. */
export const batchPlans: readonly BatchPlan[] = [
  ...done('rebar25', 86, 71, 55, 40, 29),
  ...done('rebar12', 83, 62, 44, 26),
  ...done('wire8', 78, 50),
  ...done('cement', 80, 57, 33),
  ...done('block', 47, 31, 19),
  ...done('insulation', 24),
  ...done('wireBv', 36, 22),
  ...plain('pipe', 52, 28, 12),
  ...plain('tile', 21, 9),
  ...plain('net', 66),
  ...plain('tube', 74),
  { site: 'hospital', article: 'rebar25', age: 6, to: 'sent' },
  { site: 'hospital', article: 'rebar12', age: 23, to: 'gone' },
  { site: 'hospital', article: 'cable', age: 27, to: 'passed', uses: 1 },
  { site: 'hospital', article: 'membrane', age: 5, to: 'sampled' },
  { site: 'hospital', article: 'coating', age: 3, to: 'toSample' },
  { site: 'hospital', article: 'door', age: 16, to: 'conceded', uses: 1 },
  { site: 'hospital', article: 'tile', age: 2, to: 'failed' },
  { site: 'hospital', article: 'pipe', age: 1, to: 'received' },
  { site: 'hospital', article: 'wireBv', age: 0, to: 'received' },
  { site: 'dongwan', article: 'rebar25', age: 30, to: 'passed', uses: 2 },
  { site: 'dongwan', article: 'block', age: 14, to: 'passed', uses: 1 },
  { site: 'dongwan', article: 'membrane', age: 8, to: 'sent' },
  { site: 'dongwan', article: 'cement', age: 4, to: 'toSample' },
  { site: 'jiangtan', article: 'rebar12', age: 35, to: 'passed', uses: 2 },
  { site: 'jiangtan', article: 'insulation', age: 11, to: 'passed', uses: 1 },
  { site: 'jiangtan', article: 'door', age: 7, to: 'accepted', uses: 1 },
  { site: 'jiangtan', article: 'cable', age: 2, to: 'sampled' },
]

export const stateOf: Readonly<Record<BatchPlan['to'], MaterialState>> = {
  received: '0',
  accepted: '1',
  toSample: '2',
  sampled: '2',
  sent: '2',
  passed: '1',
  failed: '3',
  gone: '3',
  conceded: '4',
}

/** Words of the goods on a ticket, with the article they are. */
export const ticketArticles: readonly (readonly [RegExp, Article])[] = [
  [
    /混凝土/,
    { category: '04', name: '预拌混凝土', spec: 'C35', supplier: '云泽商砼公司', unit: '1', quantity: 0, values: '28 d 标养试块 41.2 MPa' },
  ],
  [/砌块|砖/, { ...articles.block, unit: '1' }],
  [/水泥/, articles.cement],
  [/砂|石/, articles.sand],
  [/钢/, { ...articles.rebar12 }],
]
