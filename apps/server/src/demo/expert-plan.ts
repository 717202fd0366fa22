import type { Row } from '#kit/db'

/** The expert library of the demonstration: fields, units, meetings and journeys. */

export const fields = ['01', '02', '03', '04', '05', '06', '07', '08', '09', '10', '11', '12', '13', '14', '15', '99'] as const
/** Name of the field in titles and careers. */
export const fieldWords: Readonly<Record<string, string>> = {
  '01': '岩土与基坑工程',
  '02': '模板与脚手架工程',
  '03': '起重机械',
  '04': '钢结构与网架工程',
  '05': '建筑幕墙工程',
  '06': '拆除爆破工程',
  '07': '隧道与暗挖工程',
  '08': '混凝土结构工程',
  '09': '机电安装工程',
  '10': '消防工程',
  '11': '市政道桥工程',
  '12': '施工安全管理',
  '13': '工程质量检测',
  '14': '工程造价与合同',
  '15': '智慧工地',
  '99': '建筑工程',
}
export const units = [
  '云泽理工大学土木工程学院',
  '云泽建筑设计研究院有限公司',
  '云泽市政工程设计研究总院有限公司',
  '楚江岩土工程勘察院有限公司',
  '华中建筑科学研究院有限公司',
  '云泽大学城市建设学院',
  '长江工程质量检测中心有限公司',
  '楚江起重机械检验研究院',
  '云泽市建设工程安全监督总站（退休）',
  '中南钢结构设计院有限公司',
  '云泽消防技术服务中心有限公司',
  '楚天建设监理咨询有限公司',
  '江汉隧道工程咨询有限公司',
  '云泽造价咨询有限公司',
  '长江幕墙设计咨询有限公司',
  '云泽爆破技术研究所',
] as const

export type Listed = Row<'expert'>
export interface Actor {
  id: string
  name: string
  groupId: string
  groupName: string
  projectCode: string | null
}
export interface DrawPlan {
  /** Account whose group draws. */
  by: string
  /** Account of the site it is about. */
  about?: string
  purpose: string
  title: string
  quotas: readonly (readonly [specialty: string, seats: number])[]
  /** Days from today to the meeting. */
  at: number
  half: 'am' | 'pm'
  overScale?: true
  /** done: held and filed; full: all accepted; calling: answers are coming in; frozen: not drawn; cancelled. */
  stage: 'done' | 'full' | 'calling' | 'frozen' | 'cancelled'
  /** Repeats the plan before it. */
  repeats?: string
  /** Ranks of the first quota that refused. */
  refused?: readonly number[]
}

const [city, district] = ['city-fang', 'bj-wu']
export const drawPlans: readonly DrawPlan[] = [
  {
    by: district,
    about: 'hospital-pm',
    purpose: '1',
    title: '医技楼深基坑专项施工方案论证会',
    quotas: [['01', 5]],
    at: -301,
    half: 'am',
    overScale: true,
    stage: 'done',
  },
  {
    by: city,
    purpose: '4',
    title: '市优质结构工程评审会',
    quotas: [
      ['08', 3],
      ['13', 2],
    ],
    at: -248,
    half: 'am',
    stage: 'done',
  },
  {
    by: district,
    about: 'dongwan-pm',
    purpose: '1',
    title: '1# 塔楼高支模专项施工方案论证会',
    quotas: [['02', 5]],
    at: -196,
    half: 'pm',
    overScale: true,
    stage: 'done',
  },
  {
    by: city,
    about: 'jiangtan-pm',
    purpose: '3',
    title: '塔吊顶升事故技术调查',
    quotas: [
      ['03', 3],
      ['12', 1],
    ],
    at: -151,
    half: 'am',
    stage: 'done',
  },
  {
    by: district,
    about: 'hospital-pm',
    purpose: '1',
    title: '住院楼附着升降脚手架方案论证会',
    quotas: [['02', 5]],
    at: -118,
    half: 'am',
    overScale: true,
    stage: 'cancelled',
  },
  {
    by: district,
    about: 'hospital-pm',
    purpose: '1',
    title: '住院楼附着升降脚手架方案论证会',
    quotas: [
      ['02', 4],
      ['03', 1],
    ],
    at: -118,
    half: 'am',
    overScale: true,
    stage: 'done',
    repeats: '方案增加塔吊附着内容，需补充起重机械专业',
  },
  {
    by: city,
    purpose: '2',
    title: '全市冬季施工质量安全督查',
    quotas: [
      ['08', 2],
      ['12', 2],
      ['09', 2],
    ],
    at: -64,
    half: 'am',
    stage: 'done',
    refused: [1],
  },
  { by: city, purpose: '4', title: '智慧工地示范项目评审会', quotas: [['15', 3]], at: -33, half: 'pm', stage: 'done' },
  {
    by: 'hospital-pm',
    about: 'hospital-pm',
    purpose: '1',
    title: '感染楼钢连廊吊装方案论证会',
    quotas: [
      ['04', 3],
      ['03', 2],
    ],
    at: -12,
    half: 'am',
    overScale: true,
    stage: 'done',
  },
  {
    by: 'hospital-pm',
    about: 'hospital-pm',
    purpose: '1',
    title: '门诊楼幕墙施工方案论证会',
    quotas: [['05', 3]],
    at: 6,
    half: 'am',
    stage: 'calling',
  },
  {
    by: district,
    about: 'dongwan-pm',
    purpose: '1',
    title: '2# 塔楼爬模专项方案论证会',
    quotas: [['02', 5]],
    at: 3,
    half: 'pm',
    overScale: true,
    stage: 'full',
  },
  { by: city, purpose: '2', title: '岁末年初消防专项检查', quotas: [['10', 4]], at: 9, half: 'am', stage: 'frozen' },
]

export interface ActivityPlan {
  by: string
  type: string
  title: string
  /** Days from today. */
  at: number
  half: 'am' | 'pm'
  /** Field of those who come, and how many. */
  field: string
  people: number
  stage: 'coming' | 'unfiled' | 'done' | 'cancelled'
}
const lesson = (title: string, at: number, field: string): ActivityPlan => ({
  by: city,
  type: '5',
  title,
  at,
  half: 'pm',
  field,
  people: 1,
  stage: 'done',
})
const check = (title: string, at: number, field: string, people = 2): ActivityPlan => ({
  by: district,
  type: '2',
  title,
  at,
  half: 'am',
  field,
  people,
  stage: 'done',
})
/** Activities without a draw; those of the draws come besides. */
export const activityPlans: readonly ActivityPlan[] = [
  lesson('深基坑安全技术讲座', -560, '01'),
  lesson('高支模专项方案编制培训', -541, '02'),
  lesson('起重机械安拆管理培训', -522, '03'),
  check('春季复工安全检查', -600, '12'),
  check('汛期在建工地基坑检查', -505, '01'),
  check('建筑起重机械专项检查', -489, '03'),
  check('模板支撑体系专项检查', -470, '02'),
  check('岁末消防安全检查', -352, '10'),
  check('冬季施工质量检查', -345, '08'),
  lesson('装配式混凝土结构质量控制讲座', -430, '08'),
  lesson('幕墙节能与安全讲座', -415, '05'),
  { by: city, type: '6', title: '《建设工程扬尘防治技术规程》编制研讨', at: -398, half: 'am', field: '12', people: 3, stage: 'done' },
  { by: city, type: '7', title: '滨江路基坑渗漏应急支援', at: -380, half: 'pm', field: '01', people: 2, stage: 'done' },
  check('市政道桥质量巡查', -226, '11'),
  check('建筑起重机械专项检查（上半年）', -204, '03'),
  check('汛期在建工地基坑检查', -142, '01'),
  check('模板支撑体系专项检查（下半年）', -97, '02'),
  lesson('基坑监测数据解读讲座', -88, '01'),
  lesson('塔吊群防碰撞技术讲座', -74, '03'),
  check('钢结构安装质量检查', -58, '04'),
  check('机电安装样板检查', -51, '09'),
  { by: city, type: '6', title: '《智慧工地建设标准》编制研讨', at: -45, half: 'am', field: '15', people: 3, stage: 'done' },
  { by: city, type: '7', title: '暗挖段涌水应急支援', at: -39, half: 'pm', field: '07', people: 2, stage: 'done' },
  check('检测机构飞行检查', -27, '13'),
  { by: district, type: '2', title: '质量安全交叉检查', at: -4, half: 'am', field: '12', people: 2, stage: 'unfiled' },
  { by: city, type: '5', title: '拆除工程安全管理培训', at: 2, half: 'pm', field: '06', people: 1, stage: 'coming' },
  { by: district, type: '2', title: '岁末塔吊专项检查', at: 4, half: 'am', field: '03', people: 2, stage: 'coming' },
  { by: city, type: '4', title: '造价咨询成果评审', at: 16, half: 'am', field: '14', people: 3, stage: 'coming' },
  { by: district, type: '2', title: '爆破作业现场核查', at: -20, half: 'am', field: '06', people: 2, stage: 'cancelled' },
  lesson('工程总承包合同管理讲座', -15, '14'),
  check('消防设施施工质量检查', -110, '10'),
  check('幕墙工程质量检查', -169, '05'),
]

export interface TripPlan {
  field: string
  inviter: string
  destination: string
  /** Days from today. */
  from: number
  days: number
  type: string
  payer: '1' | '2' | '3'
  content: string
  state: '0' | '1' | '2' | '3'
  report?: string
  opinion?: string
}
export const tripPlans: readonly TripPlan[] = [
  {
    field: '04',
    inviter: '省钢结构协会',
    destination: '420100',
    from: -70,
    days: 3,
    type: '4',
    payer: '1',
    content: '钢结构金奖现场复查',
    state: '3',
    report: '复查 6 个项目，提出整改意见 21 条，均已采纳。',
  },
  {
    field: '07',
    inviter: '湖南省住房和城乡建设厅',
    destination: '430100',
    from: -52,
    days: 2,
    type: '3',
    payer: '1',
    content: '隧道坍塌事故技术分析',
    state: '3',
    report: '完成现场勘察和原因分析，报告已交调查组。',
  },
  {
    field: '09',
    inviter: '中国安装协会',
    destination: '110100',
    from: -40,
    days: 4,
    type: '6',
    payer: '1',
    content: '机电安装标准审查会',
    state: '3',
    report: '审查标准 2 部，提交意见 15 条。',
  },
  {
    field: '11',
    inviter: '江西省交通运输厅',
    destination: '360100',
    from: -36,
    days: 2,
    type: '4',
    payer: '1',
    content: '跨江大桥施工方案评审',
    state: '1',
  },
  {
    field: '13',
    inviter: '河南省建设工程质量监督总站',
    destination: '410100',
    from: -25,
    days: 3,
    type: '2',
    payer: '1',
    content: '检测机构交叉检查',
    state: '1',
  },
  {
    field: '05',
    inviter: '中国建筑装饰协会',
    destination: '310100',
    from: -1,
    days: 4,
    type: '4',
    payer: '1',
    content: '幕墙工程奖项评审',
    state: '1',
  },
  {
    field: '10',
    inviter: '省消防协会',
    destination: '420100',
    from: 12,
    days: 2,
    type: '5',
    payer: '2',
    content: '消防设计审查宣贯授课',
    state: '1',
  },
  {
    field: '08',
    inviter: '广东省土木建筑学会',
    destination: '440100',
    from: 20,
    days: 3,
    type: '5',
    payer: '1',
    content: '混凝土耐久性专题授课',
    state: '0',
  },
  {
    field: '02',
    inviter: '安徽省建筑安全协会',
    destination: '340100',
    from: 2,
    days: 3,
    type: '5',
    payer: '1',
    content: '脚手架标准宣贯授课',
    state: '2',
    opinion: '与“2# 塔楼爬模专项方案论证会”冲突，请改期',
  },
]
