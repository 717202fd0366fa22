import type { WorkState } from '@zhugong/contract/works/moves'
import type { Sizes } from '@zhugong/contract/works/scale'

/** Which dangerous works the demonstration has: every state, and the findings that an authority looks for. */
export interface WorkPlan {
  /** Key of the site: its accounts begin with it. */
  site: string
  name: string
  category: string
  sizes: Sizes
  riskLevel: string
  part: string
  state: WorkState
  /** Days ago it was registered. */
  age: number
  /** Planned first and last day, in days from today. */
  start: number
  end: number
  /** Days from today on which it began although the plan had not passed. */
  early?: number
  /** How the title of the experts' activity about it begins. */
  review?: string
  /** Family of the devices that watch it. */
  watchedBy?: string
  monitorOrg?: string
  /** A running notice of the site is about it. */
  notice?: true
  /** Carried out by the subcontractor with an account. */
  bySub?: true
}

export const workPlans: readonly WorkPlan[] = [
  {
    site: 'hospital',
    name: '医技楼深基坑',
    category: '103',
    sizes: { depth: 11.5 },
    riskLevel: '1',
    part: '医技楼地下室',
    state: '6',
    age: 330,
    start: -280,
    end: 25,
    review: '医技楼深基坑',
    watchedBy: 'foundationPit',
    monitorOrg: '江城岩土工程勘察院',
    notice: true,
  },
  {
    site: 'hospital',
    name: '住院楼附着升降脚手架',
    category: '408',
    sizes: { height: 156 },
    riskLevel: '1',
    part: '住院楼 3 层至屋面',
    state: '8',
    age: 140,
    start: -100,
    end: -8,
    review: '住院楼附着升降脚手架',
  },
  {
    site: 'hospital',
    name: '感染楼钢连廊吊装',
    category: '304',
    sizes: { pieceWeight: 186 },
    riskLevel: '1',
    part: '感染楼与医技楼之间 4 层',
    state: '5',
    age: 34,
    start: 4,
    end: 30,
    review: '感染楼钢连廊吊装',
  },
  {
    site: 'hospital',
    name: '门诊楼悬挑脚手架',
    category: '403',
    sizes: { height: 18 },
    riskLevel: '2',
    part: '门诊楼 6 层以上',
    state: '6',
    age: 26,
    start: -20,
    end: 60,
    early: -25,
    bySub: true,
  },
  {
    site: 'hospital',
    name: '门诊楼幕墙安装',
    category: '707',
    sizes: { height: 62 },
    riskLevel: '2',
    part: '门诊楼南立面',
    state: '3',
    age: 18,
    start: 15,
    end: 90,
  },
  {
    site: 'dongwan',
    name: '1# 塔楼大堂高支模',
    category: '203',
    sizes: { height: 13.6, span: 16.8 },
    riskLevel: '1',
    part: '1# 塔楼大堂',
    state: '7',
    age: 215,
    start: -180,
    end: -3,
    review: '1# 塔楼高支模',
    watchedBy: 'highFormwork',
    monitorOrg: '东湾建设工程检测公司',
  },
  {
    site: 'dongwan',
    name: '地下室顶板承重支撑',
    category: '205',
    sizes: { height: 5.2, pointLoad: 9 },
    riskLevel: '2',
    part: '地下室顶板重车通道',
    state: '4',
    age: 40,
    start: 6,
    end: 45,
  },
  {
    site: 'dongwan',
    name: '裙楼落地脚手架',
    category: '401',
    sizes: { height: 36 },
    riskLevel: '3',
    part: '裙楼四周',
    state: '9',
    age: 260,
    start: -240,
    end: -60,
  },
  {
    site: 'jiangtan',
    name: '3# 塔吊顶升加节',
    category: '303',
    sizes: { liftWeight: 80, height: 96 },
    riskLevel: '2',
    part: '3# 楼东侧',
    state: '6',
    age: 30,
    start: -6,
    end: 12,
  },
  {
    site: 'jiangtan',
    name: '5# 楼高处作业吊篮',
    category: '404',
    sizes: { height: 54 },
    riskLevel: '3',
    part: '5# 楼外墙',
    state: '2',
    age: 8,
    start: 5,
    end: 60,
  },
  {
    site: 'zhigu',
    name: '2# 楼卸料平台',
    category: '405',
    sizes: { height: 48 },
    riskLevel: '3',
    part: '2# 楼北侧 8 至 20 层',
    state: '0',
    age: 2,
    start: 12,
    end: 120,
  },
  {
    site: 'zhigu',
    name: '1# 楼落地脚手架',
    category: '401',
    sizes: { height: 30 },
    riskLevel: '3',
    part: '1# 楼四周',
    state: '5',
    age: 20,
    start: 2,
    end: 100,
  },
  {
    site: 'school',
    name: '报告厅模板支撑',
    category: '202',
    sizes: { height: 6.4, span: 12 },
    riskLevel: '3',
    part: '报告厅屋面',
    state: '1',
    age: 6,
    start: 10,
    end: 40,
  },
  {
    site: 'tunnel',
    name: '2# 工作井基坑',
    category: '102',
    sizes: { depth: 2.8 },
    riskLevel: '2',
    part: 'K2+180 工作井',
    state: '6',
    age: 60,
    start: -30,
    end: 30,
    watchedBy: 'foundationPit',
    monitorOrg: '江城岩土工程勘察院',
  },
]
