import type { AttendanceSetting } from '@zhugong/contract/attendance/setting-model'
import { type Difference, differencesOf } from '#kit/settings-shell.tsx'

const labels: Partial<Record<keyof AttendanceSetting, string>> = {
  workStart: '上班时间',
  workEnd: '下班时间',
  crossMidnight: '跨零点',
  restWeekdays: '每周休息',
  restDates: '另行休息的日期',
  workDates: '调班上班的日期',
  breaks: '休息时段',
  dayCut: '日切时间',
  lateMinutes: '迟到宽限（分钟）',
  earlyMinutes: '早退宽限（分钟）',
  minHours: '计出勤最少工时（小时）',
  standardHours: '标准工时（小时）',
  repeatSeconds: '重复通行（秒）',
  maxSpanHours: '最长配对（小时）',
  supplementDays: '允许补录（天）',
  keyPostRate: '关键岗位到岗率（%）',
  faceThreshold: '比对阈值（分）',
  allowMobile: '允许移动端打卡',
}

function words(value: unknown, key: keyof AttendanceSetting): string {
  if (typeof value === 'boolean') return value ? '是' : '否'
  if (!Array.isArray(value)) return value === undefined || value === null || value === '' ? '未填' : String(value)
  if (value.length === 0) return '无'
  if (key === 'restWeekdays')
    return value
      .toSorted()
      .map((day) => `周${'一二三四五六日'[Number(day) - 1]}`)
      .join('、')
  if (key === 'breaks') return value.map((span: object) => Object.values(span).join(' 至 ')).join('、')
  return value.toSorted().join('、')
}

/** Changes that saving would make to the setting in force; fields that are not shown do not change. */
export const settingDifferences = (current: AttendanceSetting, given: Readonly<Record<string, unknown>>): Difference[] =>
  differencesOf(current, { ...current, ...given }, labels, words)
