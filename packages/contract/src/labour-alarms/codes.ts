/** Alarms about people (dictionary laborAlarmType): at registration 1xx, on site 2xx. */
export const labourAlarmTypes = {
  '101': '登记-命中黑名单',
  '102': '登记-存在不良记录',
  '103': '登记-年龄不符',
  '104': '登记-身份证过期',
  '201': '在岗-命中黑名单',
  '202': '在岗-存在不良记录',
  '203': '在岗-年龄不符',
  '204': '在岗-资格证过期',
  '205': '长期未考勤',
  '206': '关键岗位到岗率不足',
  '207': '未签合同已进场',
  '208': '未培训已进场',
  '209': '同日多项目考勤',
} as const
export type LabourAlarmType = keyof typeof labourAlarmTypes
export const labourAlarmTypeCodes = Object.keys(labourAlarmTypes) as LabourAlarmType[]

/** Dictionary laborAlarmState. */
export const labourAlarmStates = { open: '1', handled: '2', ignored: '3', left: '4' } as const
export type LabourAlarmState = (typeof labourAlarmStates)[keyof typeof labourAlarmStates]
export const labourAlarmStateNames: Readonly<Record<LabourAlarmState, string>> = {
  '1': '待处理',
  '2': '已处理',
  '3': '已忽略',
  '4': '已退场',
}

/**
 * Actions on an alarm, and the states in which they are allowed. The end of the alarm condition is detected by the job, never set by a
 * person.
 */
export const labourAlarmActions = {
  handle: { name: '处理', from: ['1', '3'], to: '2' },
  ignore: { name: '忽略', from: ['1'], to: '3' },
  reopen: { name: '重新打开', from: ['2', '3'], to: '1' },
} as const satisfies Record<string, { name: string; from: readonly LabourAlarmState[]; to: LabourAlarmState }>
export type LabourAlarmAction = keyof typeof labourAlarmActions

/** Whether the transition is allowed; an ended alarm is never reopened. */
export const mayTurn = (state: string, active: boolean, action: LabourAlarmAction): boolean =>
  (labourAlarmActions[action].from as readonly string[]).includes(state) && (action !== 'reopen' || active)

/** The page on which the cause is corrected. */
export const labourAlarmRemedy: Readonly<Record<LabourAlarmType, string>> = {
  '101': '/personList',
  '102': '/personnelSystem/info/bad',
  '103': '/personList',
  '104': '/personnelSystem/info/basic',
  '201': '/personList',
  '202': '/personnelSystem/info/bad',
  '203': '/personList',
  '204': '/personnelSystem/info/certificate',
  '205': '/SingleAttendance',
  '206': '/checkAnalysis?tab=posts',
  '207': '/personnelSystem/info/contract',
  '208': '/personList',
  '209': '/SingleAttendance',
}
