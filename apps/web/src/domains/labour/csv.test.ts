import { expect, test } from 'vitest'
import { csvRows, csvTable } from './csv.ts'

test.each([
  [
    'a,b\nc,d',
    [
      ['a', 'b'],
      ['c', 'd'],
    ],
  ],
  [
    '\uFEFF"甲,乙","说""好"""\r\n1,2\r\n\r\n',
    [
      ['甲,乙', '说"好"'],
      ['1', '2'],
    ],
  ],
  ['"两\n行",x', [['两\n行', 'x']]],
  ['a\tb', [['a', 'b']]],
])('%j', (text, rows) => {
  expect(csvRows(text)).toEqual(rows)
})
test('columns are found by their titles, in any order; unknown ones and empty cells are left out', () => {
  expect(csvTable('备注,名称*,代码\nx,远山,91\ny,,92', { code: '代码', name: '名称' })).toEqual([
    { name: '远山', code: '91' },
    { code: '92' },
  ])
})
