import { labourAlarmTypeCodes } from '@zhugong/contract/labour-alarms/codes'
import { expect, test } from 'vitest'
import { type AlarmValues, alarmDifferences, groups, remedyOf } from './words.ts'

const current: AlarmValues = {
  absentAlarmDays: 7,
  autoExitDays: 30,
  keyPostRate: 80,
  ageMaleMax: 60,
  ageFemaleMax: 50,
  alarmsOff: ['102'],
  tellRoles: ['劳务员'],
  tellChannels: ['1'],
  quietFrom: '20:00',
  quietTo: '07:00',
}

test('every kind stands in one group', () => {
  expect(groups.flatMap((g) => g.types).toSorted()).toEqual([...labourAlarmTypeCodes].toSorted())
})

test('what saving would change', () => {
  expect(alarmDifferences(current, current)).toEqual([])
  expect(alarmDifferences(current, { ...current, absentAlarmDays: 5, alarmsOff: ['207'] })).toEqual([
    { label: '未考勤预警', before: '7 天', after: '5 天' },
    { label: '登记-存在不良记录', before: '停用', after: '启用' },
    { label: '未签合同已进场', before: '启用', after: '停用' },
  ])
})

test('whom it would tell', () => {
  const other: AlarmValues = { ...current, tellRoles: ['劳务员', '项目经理'], tellChannels: ['1', '2'], quietTo: '20:00' }
  expect(alarmDifferences(current, other)).toEqual([
    { label: '接收角色', before: '劳务员', after: '劳务员、项目经理' },
    { label: '通知方式', before: '站内消息', after: '站内消息、短信' },
    { label: '免打扰', before: '20:00 至 07:00', after: '无' },
  ])
})

test('each kind leads to where it is mended, for the person it is about', () => {
  const row = { workerId: 'W', stayId: 'S', name: '甲' }
  expect(remedyOf({ ...row, type: '205' })).toBe('/SingleAttendance?workerId=W')
  expect(remedyOf({ ...row, type: '207' })).toBe('/personnelSystem/info/contract?id=W')
  expect(remedyOf({ ...row, type: '208' })).toBe('/personListDetails?id=S&workerId=W')
  expect(remedyOf({ ...row, type: '206' })).toBe('/checkAnalysis?tab=posts')
})
