import type { Register, ThemeCode } from '@zhugong/contract/themes/catalogue'
import type { RectifyScene } from './media/rectify-scene.ts'

export interface ThemeProblem {
  object: string
  /** Place of the point in the theme's list. */
  point: number
  note: string
  scene: RectifyScene
  /** State of its notice. */
  state: '1' | '3' | '7'
}
export interface ThemePlan {
  site: string
  by: string
  title: string
  theme: ThemeCode
  orderedBy: 'own' | 'company' | 'authority'
  basis: string | null
  /** Days before the demonstration on which it begins, and after which it ends; a negative end is past. */
  begins: number
  ends: number
  registers: readonly Register[]
  own: readonly string[]
  /** Share of the objects that were checked. */
  checked: number
  problems: readonly ThemeProblem[]
  state: '0' | '1' | '2' | '3'
}

const numbered = (count: number, name: string, from = 1) => Array.from({ length: count }, (_, i) => `${i + from}# ${name}`)
const boxes = [...numbered(2, '总配电箱'), ...numbered(8, '分配电箱'), ...numbered(14, '开关箱')]

export const themePlans: readonly ThemePlan[] = [
  {
    site: 'hospital',
    by: 'hospital-safety',
    title: '临时用电专项检查',
    theme: '03',
    orderedBy: 'company',
    basis: '集团安〔2026〕42 号 秋季临时用电专项检查通知',
    begins: 9,
    ends: 4,
    registers: [],
    own: boxes,
    checked: 1,
    problems: [
      { object: '3# 分配电箱', point: 1, note: '漏电保护器试验按钮不动作', scene: 'cable', state: '7' },
      { object: '6# 开关箱', point: 2, note: '一闸接两台圆盘锯', scene: 'cable', state: '7' },
      { object: '11# 开关箱', point: 4, note: '电缆拖地并浸水约 3 m', scene: 'cable', state: '3' },
    ],
    state: '1',
  },
  {
    site: 'hospital',
    by: 'hospital-safety',
    title: '秋汛专项检查',
    theme: '01',
    orderedBy: 'authority',
    basis: '市住建委关于做好秋汛防范的通知',
    begins: 5,
    ends: 10,
    registers: [],
    own: ['基坑北侧', '基坑南侧', '基坑东侧', '基坑西侧', '生活区排水沟'],
    checked: 0.6,
    problems: [{ object: '基坑东侧', point: 0, note: '排水沟淤堵，积水约 5 cm', scene: 'soil', state: '1' }],
    state: '1',
  },
  {
    site: 'hospital',
    by: 'hospital-pm',
    title: '国庆节后复工检查',
    theme: '05',
    orderedBy: 'own',
    basis: null,
    begins: 44,
    ends: -38,
    registers: [],
    own: ['基坑作业面', '钢筋加工区', '1# 塔吊', '2# 塔吊', '宿舍区', '食堂'],
    checked: 1,
    problems: [{ object: '钢筋加工区', point: 3, note: '停用的切断机未复查即通电', scene: 'cable', state: '7' }],
    state: '2',
  },
  {
    site: 'hospital',
    by: 'hospital-safety',
    title: '冬季消防专项检查',
    theme: '04',
    orderedBy: 'own',
    basis: null,
    begins: 0,
    ends: 14,
    registers: ['area'],
    own: [],
    checked: 0,
    problems: [],
    state: '0',
  },
  {
    site: 'zhigu',
    by: 'zhigu-pm',
    title: '起重机械专项检查',
    theme: '02',
    orderedBy: 'company',
    basis: '楚远建设安字 2026-18',
    begins: 21,
    ends: -6,
    registers: [],
    own: ['1# 塔吊', '2# 塔吊', '1# 施工升降机', '2# 施工升降机'],
    checked: 0.75,
    problems: [{ object: '2# 塔吊', point: 4, note: '吊钩防脱装置变形', scene: 'rail', state: '3' }],
    state: '1',
  },
  {
    site: 'dongwan',
    by: 'dongwan-pm',
    title: '高处坠落专项整治',
    theme: '06',
    orderedBy: 'authority',
    basis: '区质安站高处坠落专项整治方案',
    begins: 70,
    ends: -50,
    registers: [],
    own: ['1# 楼临边', '2# 楼临边', '电梯井口', '卸料口', '外脚手架'],
    checked: 1,
    problems: [
      { object: '电梯井口', point: 1, note: '井口防护门缺失两处', scene: 'rail', state: '7' },
      { object: '2# 楼临边', point: 0, note: '十二层临边栏杆松动', scene: 'rail', state: '7' },
    ],
    state: '3',
  },
]
