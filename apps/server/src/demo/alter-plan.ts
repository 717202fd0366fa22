/** One of the demonstration's applications for a change; times in days before now. */
export interface AlterPlan {
  /** Which of the sites in progress, by order. */
  site: number
  type: string
  age: number
  /** Days after the application; undefined: it still waits. */
  decided?: number
  rejected?: string
  reason: string
  /** Old and new values: a text, a share of the present amount, or days before or after the present date. */
  changes?: readonly { field: AlterPlanField; text?: string; share?: number; days?: number }[]
  /** The newcomer leads another site. */
  bound?: true
}
export type AlterPlanField =
  | 'name'
  | 'contractorCorpCode'
  | 'buildCorpCode'
  | 'invest'
  | 'contractPrice'
  | 'buildingArea'
  | 'completeDate'
  | 'address'
  | 'matter'

/** Fifteen: each type, one rejected, one that has waited for five days, one whose newcomer is bound elsewhere. */
export const alterPlans: readonly AlterPlan[] = [
  { site: 0, type: '1', age: 1, reason: '地名办批复新的标准地名', changes: [{ field: 'name', text: '（新院区）' }] },
  {
    site: 1,
    type: '1',
    age: 30,
    decided: 6,
    rejected: '名称与施工许可证不一致，请先办理许可证变更',
    reason: '对外推广名称调整',
    changes: [{ field: 'name', text: '·云境' }],
  },
  { site: 0, type: '2', age: 5, reason: '总承包合同主体变更，已签补充协议', changes: [{ field: 'contractorCorpCode' }] },
  { site: 1, type: '2', age: 2, reason: '建设单位股权重组后由新公司承接', changes: [{ field: 'buildCorpCode' }] },
  { site: 1, type: '3', age: 60, decided: 9, reason: '原项目负责人调任公司总部' },
  { site: 0, type: '3', age: 2, bound: true, reason: '原项目负责人因病不能履职' },
  { site: 2, type: '4', age: 75, decided: 8, reason: '原总监理工程师退休' },
  { site: 1, type: '4', age: 1, reason: '监理单位人员调整' },
  { site: 2, type: '5', age: 90, decided: 12, reason: '概算调整已批复', changes: [{ field: 'invest', share: 0.94 }] },
  { site: 1, type: '5', age: 3, reason: '地下室范围扩大', changes: [{ field: 'buildingArea', share: 1.06 }] },
  { site: 3, type: '6', age: 45, decided: 7, reason: '雨季影响土方施工', changes: [{ field: 'completeDate', days: 60 }] },
  { site: 2, type: '6', age: 4, reason: '设计变更增加工程量', changes: [{ field: 'completeDate', days: 90 }] },
  { site: 3, type: '7', age: 50, decided: 10, reason: '道路命名后门牌号确定', changes: [{ field: 'address', text: '（原规划道路旁）' }] },
  {
    site: 2,
    type: '9',
    age: 40,
    decided: 5,
    reason: '智慧工地协议到期续签',
    changes: [{ field: 'matter', text: '智慧工地服务单位由甲方另行委托' }],
  },
  { site: 3, type: '9', age: 1, reason: '围墙改造影响出入口', changes: [{ field: 'matter', text: '2 号大门移至东侧，原位置封闭' }] },
]
