import { expect, test } from 'vitest'
import { blockOf, linesOf } from './import-words.ts'

test('a table from the clipboard is read by its heading, in any order and by old names', () => {
  const { rows, titles, unknown } = linesOf('身份证号\t姓 名*\t鞋码\t手机\r\n110\t张三\t42\t138\r\n\r\n111\t李四\t\t\r\n')
  expect(rows).toEqual([
    { idCardNumber: '110', name: '张三', cellPhone: '138' },
    { idCardNumber: '111', name: '李四' },
  ])
  expect(titles).toEqual(['证件号码', '姓名', '手机号'])
  expect(unknown).toEqual(['鞋码'])
})
test('without a heading nothing is guessed', () => {
  expect(linesOf('张三\t110\n李四\t111').rows).toEqual([])
})
test('a block keeps its empty cells', () => {
  expect(blockOf('a\t\tb\n\tc\n')).toEqual([
    ['a', '', 'b'],
    ['', 'c'],
  ])
})
