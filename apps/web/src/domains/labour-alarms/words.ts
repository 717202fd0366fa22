import type { AttendanceSetting } from '@zhugong/contract/attendance/setting-model'
import { type LabourAlarmType, labourAlarmRemedy, labourAlarmTypes } from '@zhugong/contract/labour-alarms/codes'
import type { LabourAlarmRow } from '@zhugong/contract/labour-alarms/endpoints'
import { hrefOf } from '#kit/page.tsx'
import { channelWords } from '#kit/tell-fields.tsx'

/** Page on which the cause of an alarm can be fixed. */
export function remedyOf(row: Pick<LabourAlarmRow, 'type' | 'workerId' | 'stayId' | 'name'>): string {
  const path = labourAlarmRemedy[row.type as LabourAlarmType]
  if (path === '/SingleAttendance') return hrefOf(path, { workerId: row.workerId })
  if (path === '/personList') return hrefOf('/personListDetails', { id: row.stayId, workerId: row.workerId })
  return path.startsWith('/personnelSystem') ? hrefOf(path, { id: row.workerId }) : path
}

/** Kinds of alarm in groups, as on the settings page. */
export const groups: readonly { title: string; remark: string; types: readonly LabourAlarmType[] }[] = [
  { title: '登记时', remark: '已登记、尚未转正式的人员', types: ['101', '102', '103', '104'] },
  { title: '在岗时', remark: '已转正式的人员', types: ['201', '202', '203', '204'] },
  { title: '考勤', remark: '按日考勤与关键岗位到岗', types: ['205', '206', '209'] },
  { title: '用工手续', remark: '在场即判', types: ['207', '208'] },
]

export const nameOf = (type: LabourAlarmType): string => labourAlarmTypes[type].replace(/^(登记|在岗)-/, '')

/** Fields of the attendance setting that only concern alarms. */
export const alarmFields = [
  'absentAlarmDays',
  'autoExitDays',
  'keyPostRate',
  'ageMaleMax',
  'ageFemaleMax',
  'alarmsOff',
  'tellRoles',
  'tellChannels',
  'quietFrom',
  'quietTo',
] as const
export type AlarmValues = Pick<AttendanceSetting, (typeof alarmFields)[number]>

type Counted = 'absentAlarmDays' | 'autoExitDays' | 'keyPostRate' | 'ageMaleMax' | 'ageFemaleMax'
const labels: Readonly<Record<Counted, readonly [label: string, unit: string]>> = {
  absentAlarmDays: ['未考勤预警', '天'],
  autoExitDays: ['建议退场', '天'],
  keyPostRate: ['关键岗位到岗率', '%'],
  ageMaleMax: ['男性年龄上限', '岁'],
  ageFemaleMax: ['女性年龄上限', '岁'],
}

const shown: readonly { label: string; word: (values: AlarmValues) => string }[] = [
  { label: '接收角色', word: (v) => v.tellRoles.join('、') || '无' },
  { label: '通知方式', word: (v) => channelWords(v.tellChannels) || '无' },
  { label: '免打扰', word: (v) => (v.quietFrom === v.quietTo ? '无' : `${v.quietFrom} 至 ${v.quietTo}`) },
]

/** Changes that saving would make, in words. */
export function alarmDifferences(before: AlarmValues, after: AlarmValues): { label: string; before: string; after: string }[] {
  const fields = (Object.keys(labels) as (keyof typeof labels)[])
    .filter((key) => before[key] !== after[key])
    .map((key) => ({ label: labels[key][0], before: `${before[key]} ${labels[key][1]}`, after: `${after[key]} ${labels[key][1]}` }))
  const flipped = (Object.keys(labourAlarmTypes) as LabourAlarmType[])
    .filter((type) => before.alarmsOff.includes(type) !== after.alarmsOff.includes(type))
    .map((type) => {
      const word = (values: AlarmValues) => (values.alarmsOff.includes(type) ? '停用' : '启用')
      return { label: labourAlarmTypes[type], before: word(before), after: word(after) }
    })
  const others = shown
    .map(({ label, word }) => ({ label, before: word(before), after: word(after) }))
    .filter((one) => one.before !== one.after)
  return [...fields, ...flipped, ...others]
}
