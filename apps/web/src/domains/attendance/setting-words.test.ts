import { attendanceSetting } from '@zhugong/contract/attendance/setting-model'
import { expect, test } from 'vitest'
import { initialOf, settingOf } from './setting-values.ts'
import { settingDifferences } from './setting-words.ts'

const current = attendanceSetting.parse({ breaks: [['12:00', '13:00']], restWeekdays: [7], restDates: ['2026-10-01'] })
const asInForm = () =>
  initialOf({
    ...current,
    projectCode: 'P1',
    version: '1',
    effectiveFrom: '2026-01-01',
    earliest: '2026-01-01',
    versions: [],
    bodyCalendar: null,
  })

test('fields as they were read change nothing', () => {
  expect(settingDifferences(current, settingOf(asInForm()))).toEqual([])
})

test('what the fields would change is told in words', () => {
  const changed = {
    ...asInForm(),
    workEnd: '17:30',
    breaks: [{ from: '12:00', to: '13:30' }],
    rest: { restDates: [], restWeekdays: [6 as const, 7 as const], workDates: ['2026-10-10'] },
    allowMobile: true,
  }
  expect(settingDifferences(current, settingOf(changed)).map((one) => Object.values(one).join('|'))).toEqual([
    '下班时间|18:00|17:30',
    '每周休息|周日|周六、周日',
    '另行休息的日期|2026-10-01|无',
    '调班上班的日期|无|2026-10-10',
    '休息时段|12:00 至 13:00|12:00 至 13:30',
    '允许移动端打卡|否|是',
  ])
})
