import { expect, test } from 'vitest'
import { readMarks } from './paste-marks.ts'

test('reads name, mark and result in any order, and leaves out what is neither', () => {
  expect(readMarks('姓名\t成绩\n张三\t85\n李四\t42\r\n王五\t合格\n赵六\t55\t合格\n\n')).toEqual([
    { name: '张三', score: 85, passed: true },
    { name: '李四', score: 42, passed: false },
    { name: '王五', score: null, passed: true },
    { name: '赵六', score: 55, passed: true },
  ])
})

test('a row number before the name is no mark', () => {
  expect(readMarks('1\t张三\t90')).toEqual([{ name: '张三', score: 90, passed: true }])
})

test('marks beyond 100 are not taken', () => {
  expect(readMarks('张三\t850')).toEqual([])
})
