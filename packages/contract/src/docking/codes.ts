/** Dictionary uploadStatus. */
export const uploadStates = {
  '0': '待上传',
  '4': '上传中',
  '2': '已上传未同步',
  '5': '同步中',
  '1': '已上传已同步',
  '3': '已上传不可修改',
  '-1': '失败',
} as const
export type UploadStatus = keyof typeof uploadStates
export const upload = {
  waiting: '0',
  sending: '4',
  taken: '2',
  asking: '5',
  stored: '1',
  locked: '3',
  failed: '-1',
} as const satisfies Record<string, UploadStatus>
/** Dictionary asyncStatus: state of a record that the platform above accepted for later processing. */
export const asyncStates = { '0': '待处理', '10': '处理失败', '20': '处理成功' } as const
export type AsyncStatus = keyof typeof asyncStates
export const asyncOf = { waiting: '0', failed: '10', done: '20' } as const satisfies Record<string, AsyncStatus>

export const operations = { '1': '新增', '2': '修改', '3': '删除' } as const
export type Operation = keyof typeof operations
export const operation = { add: '1', change: '2', remove: '3' } as const satisfies Record<string, Operation>

/** Dictionary dockingStatus. */
export const platformStates = { '01': '正常', '02': '停用', '03': '禁用' } as const
export const platformState = { running: '01', off: '02', barred: '03' } as const satisfies Record<string, keyof typeof platformStates>
/** Dictionary dockingProgress, in the order of the steps. */
export const progressSteps = {
  '01': '未开始',
  '02': '资料待审核',
  '03': '资料审核不通过',
  '04': '测试中',
  '05': '测试通过',
  '06': '测试结果待审核',
  '07': '测试结果审核不通过',
  '08': '已完成',
} as const
export type Progress = keyof typeof progressSteps
/** Actions at each step, and the resulting step. The platform above decides outside the product; its decisions are entered here. */
export const progressMoves = {
  submitPapers: { name: '提交资料', from: ['01', '03'], to: '02' },
  papersPassed: { name: '登记资料审核通过', from: ['02'], to: '04' },
  papersRefused: { name: '登记资料审核不通过', from: ['02'], to: '03' },
  testPassed: { name: '登记测试通过', from: ['04', '07'], to: '05' },
  submitTest: { name: '提交测试结果', from: ['05'], to: '06' },
  testAccepted: { name: '登记测试结果审核通过', from: ['06'], to: '08' },
  testRefused: { name: '登记测试结果审核不通过', from: ['06'], to: '07' },
} as const satisfies Record<string, { name: string; from: readonly Progress[]; to: Progress }>
export type ProgressMove = keyof typeof progressMoves

/**
 * Result of one attempt. `held`: not sent, because a required value or record is missing. `trouble`: it is unknown whether the platform
 * received it.
 */
export const outcomes = {
  stored: '已接收',
  duplicate: '对方已有（未重复入库）',
  absent: '对方没有此数据，无需删除',
  locked: '已锁定，不可修改',
  later: '已受理，稍后出结果',
  refused: '被拒绝',
  held: '未发出',
  trouble: '网络异常',
} as const
export type Outcome = keyof typeof outcomes

/** Records may be sent from the test step on. */
export const mayRun = (progress: string): boolean => ['04', '05', '06', '07', '08'].includes(progress)

/** Age of a waiting record, in hours, from which the freshness score falls. */
export const freshHours = { people: 24, attendance: 1 } as const
/** Interval at which an unresponsive connection is tried again. */
export const probeMinutes = 5

export interface ErrorMeaning {
  /** `{field}` stands for the Chinese name of the field. */
  text: string
  mender: string
}
/**
 * Meanings of the error codes of the delivered profile; the platform operator adds others. `L` codes are detected here before anything is
 * sent.
 */
export const knownErrors: Readonly<Record<string, ErrorMeaning>> = {
  L001: { text: '{field}为空，上级要求必填', mender: '劳务员补录' },
  L002: { text: '{field}的码值没有对应的上级码', mender: '平台管理员补充字典对照' },
  L003: { text: '数据已不存在，无法上传', mender: '无需处理，可忽略' },
  L004: { text: '人员已离开本项目，在场时的资料没有留存，不再以现有资料上传', mender: '无需处理，可忽略' },
  L005: { text: '身份尚未核验，核验一致后自动上传', mender: '劳务员核验身份' },
  E1001: { text: '{field}为空，上级要求必填', mender: '劳务员补录' },
  E1002: { text: '{field}不在上级字典中', mender: '平台管理员核对字典对照' },
  E1003: { text: '{field}格式不正确', mender: '劳务员核对后修改' },
  E1004: { text: '上级没有启用该类数据', mender: '平台管理员停用该对象' },
  E2001: { text: '上级查无对应的前序数据（{field}）', mender: '先处理前序数据' },
  E2002: { text: '上级没有此数据，无需删除', mender: '无需处理' },
  E2003: { text: '上级还有引用此数据的后续数据，不能删除', mender: '先删除后续数据，或联系上级平台' },
  E3001: { text: '身份证号与姓名核验不一致', mender: '劳务员核对证件后修改' },
  E3002: { text: '证件已过有效期', mender: '劳务员更新证件' },
  E3003: { text: '照片不清晰或超过大小', mender: '劳务员重新采集照片' },
  E4001: { text: '签名不正确，连接凭证可能已更换', mender: '平台管理员更新凭证' },
}
/** Error of a deletion whose record does not exist above: treated as a success. */
export const notThere = 'E2002'
export const unknownErrorText = '上级返回（未收录）'
