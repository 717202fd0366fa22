import type { StopState, StopType } from '@zhugong/contract/stops/moves'

/** Which applications the demonstration has: the spring-festival stops of three sites, and one in each state. */
export interface StopPlan {
  /** Key of the site: its accounts begin with it. */
  site: string
  type: StopType
  state: StopState
  /** Days ago it was submitted, or begun as a draft. */
  age: number
  reasonType?: string
  reason: string
  /** First and planned last day of a stop, in days from today. */
  from?: number
  resume?: number
  parts?: string
  /** The day it ended, in days from today; without one it holds. */
  ended?: number
  /** Who rejected it, and why. */
  rejected?: { by: 'supervisor' | 'authority'; why: string }
  /** Group of the resumption table that the officers found wanting. */
  failing?: { item: string; note: string }
  /** Groups of the table that a half-filled draft has. */
  filled?: number
}

const festival = '春节放假，作业人员返乡，全部作业面停工'
const closedOff = '主体结构作业面已停，临边洞口防护封闭，塔机回转制动释放、吊钩升至最高，临电除值班照明外断电'

/** The stop of a spring festival and its resumption; `begin` and `end` are days from today. */
const festivalAt = (site: string, begin: number, end: number): readonly StopPlan[] => [
  {
    site,
    type: '1',
    state: '4',
    age: -begin + 6,
    reasonType: '3',
    reason: festival,
    from: begin,
    resume: end,
    parts: closedOff,
    ended: end + 1,
  },
  { site, type: '2', state: '4', age: -end + 3, reason: '节后管理人员和班组已返场，复工教育和安全条件核查已完成' },
]

/** `begin`: days from today to the eve of the last spring festival that lies behind. */
export const stopPlans = (begin: number): readonly StopPlan[] => [
  ...festivalAt('hospital', begin, begin + 15),
  ...festivalAt('dongwan', begin - 2, begin + 14),
  ...festivalAt('zhigu', begin + 1, begin + 18),
  {
    site: 'jiangtan',
    type: '1',
    state: '4',
    age: 21,
    reasonType: '5',
    reason: '西侧管线迁改影响塔机附着和材料堆场，主体作业面全部停工',
    from: -18,
    resume: -3,
    parts: '1、2 号楼主体结构 11 层；外架满挂密目网，基坑回填完成，塔机每日巡查',
  },
  {
    site: 'jiangtan',
    type: '2',
    state: '3',
    age: 5,
    reason: '管线迁改完成，附着整改和人员复工教育已完成，申请恢复施工',
    failing: { item: '2', note: '2 号塔机停用超过 15 天，复工前未检测' },
  },
  {
    site: 'tunnel',
    type: '1',
    state: '1',
    age: 1,
    reasonType: '9',
    reason: '收到重污染天气橙色预警，土石方和喷浆作业全部停止',
    from: 1,
    resume: 8,
    parts: '左线 K2+180 掌子面已封闭，二衬台车断电，洞口值守 24 小时',
  },
  {
    site: 'dongwan',
    type: '1',
    state: '2',
    age: 4,
    reasonType: '4',
    reason: '商业裙楼结构方案变更，图纸审查期间主体停工',
    from: 3,
    resume: 33,
    parts: '裙楼二层梁板已浇筑，钢筋覆盖防锈，脚手架连墙件复核完毕',
  },
  {
    site: 'hospital',
    type: '1',
    state: '5',
    age: 40,
    reasonType: '1',
    reason: '工程款支付节点延后，申请主体作业面停工',
    from: -38,
    resume: -10,
    parts: '住院楼 14 层主体结构',
    rejected: { by: 'authority', why: '附件未见施工单位盖章，停工期间塔机安全措施未写明，请补正后重新申请' },
  },
  {
    site: 'zhigu',
    type: '1',
    state: '5',
    age: 12,
    reasonType: '2',
    reason: '冬季气温低，申请混凝土作业面停工',
    from: -8,
    resume: 60,
    parts: '研发楼 6 层主体结构',
    rejected: { by: 'supervisor', why: '气温尚未连续 5 日低于 5 ℃，按冬期施工方案继续施工' },
  },
  { site: 'hospital', type: '1', state: '0', age: 1, reasonType: '3', reason: '春节放假', from: 70, parts: '住院楼二次结构、机电安装' },
  { site: 'jiangtan', type: '2', state: '0', age: 2, reason: '附着检测安排中', filled: 3 },
]
