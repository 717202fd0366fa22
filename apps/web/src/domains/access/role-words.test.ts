import type { FunctionNode } from '@zhugong/contract/access/role-work'
import { expect, test } from 'vitest'
import { differenceOf, differenceWords, missingViews, presetOf, summaryOf } from './role-words.ts'

const node = (code: string, name: string, risk = '1', held = true): FunctionNode => ({
  code,
  name,
  remark: '',
  risk,
  held,
  open: true,
  enable: '1',
})
const functions = [
  node('personnel.view', '查看人员'),
  node('personnel.edit', '修改人员'),
  node('personnel.export', '导出人员'),
  node('personnel.unmask', '查看完整身份证号', '3'),
  node('attendance.view', '查看考勤'),
  node('attendance.approve', '审批补正', '1', false),
]

test('a difference is what came and what went, in either order', () => {
  const difference = differenceOf(['a', 'b'], ['b', 'c', 'd'])
  expect(difference).toEqual({ added: ['c', 'd'], removed: ['a'] })
  expect(differenceWords(difference)).toBe('+2 −1')
})

test('whoever may do something gets to see it, where there is a view at all', () => {
  const possible = new Set(functions.map((one) => one.code))
  expect(missingViews(['personnel.edit', 'personnel.export', 'export.run'], possible)).toEqual(['personnel.view'])
  expect(missingViews(['personnel.view', 'personnel.edit'], possible)).toEqual([])
})

test('a role reads as sentences, and says which people’s data stay closed', () => {
  const lines = summaryOf(functions, new Set(['personnel.view', 'personnel.edit', 'attendance.approve']))
  expect(lines.map((line) => `${line.label}${line.text}`)).toEqual([
    '可查看人员',
    '可办理修改人员',
    '可审批审批补正',
    '不能查看完整身份证号',
  ])
  const open = summaryOf(functions, new Set(['personnel.unmask']))
  expect(open).toEqual([{ label: '可接触个人信息', text: '查看完整身份证号', tone: 'danger' }])
})

test('ready sets hold only what may be given, and people’s data in no set but the whole', () => {
  expect(presetOf('view', functions)).toEqual(['personnel.view', 'attendance.view'])
  expect(presetOf('decide', functions)).toEqual(['personnel.view', 'attendance.view'])
  expect(presetOf('enter', functions)).not.toContain('personnel.unmask')
  expect(presetOf('manage', functions)).toEqual(functions.filter((one) => one.held).map((one) => one.code))
})
