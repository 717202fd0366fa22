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

test('a quoted cell with a line break is one cell; quotes within plain cells stay', () => {
  const text = '姓名\t证件号码\t住址\r\n甲\t1\t"测试路1号\n2单元"\r\n乙\t2\t"说""好""\t了"\r\n丙\t3\t5"管\r\n'
  expect(linesOf(text).rows).toEqual([
    { name: '甲', idCardNumber: '1', address: '测试路1号 2单元' },
    { name: '乙', idCardNumber: '2', address: '说"好"\t了' },
    { name: '丙', idCardNumber: '3', address: '5"管' },
  ])
})
