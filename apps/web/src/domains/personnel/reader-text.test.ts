import { expect, test } from 'vitest'
import { readPerson } from './reader-text.ts'

const number = '11010519491231002X'

test.each([
  [
    'a reader of one maker',
    JSON.stringify({
      partyName: '韦力',
      certNumber: number,
      nation: '汉族',
      certAddress: '北京市朝阳区',
      effDate: '20200101',
      expDate: '长期',
    }),
    { name: '韦力', idCardNumber: number, nation: '汉', address: '北京市朝阳区', startDate: '2020-01-01', expiryDate: '2099-12-31' },
  ],
  [
    'one that puts the person deeper',
    JSON.stringify({ code: 0, data: { Name: '韦力', ID_Card: number } }),
    { name: '韦力', idCardNumber: number },
  ],
  ['a line of a table', `韦力\t${number}\t13800138000`, { name: '韦力', idCardNumber: number, cellPhone: '13800138000' }],
  [
    'a chat message',
    `师傅，姓名：韦力，身份证号：${number} ，电话：138 0013 8000`,
    { name: '韦力', idCardNumber: number, cellPhone: '13800138000' },
  ],
  ['full-width digits and a small x', `姓名：韦力　身份证：１１０１０５１９４９１２３１００２ｘ`, { idCardNumber: number }],
  ['a name with a dot', `阿依古丽·买买提 ${number}`, { name: '阿依古丽·买买提', idCardNumber: number }],
])('%s is understood', (_what, pasted, person) => {
  expect(readPerson(pasted)).toMatchObject(person)
})

test.each([
  ['a number that fails its check digit', '韦力 110105194912310021', 'idCardNumber'],
  ['a day that is none', '{"name":"韦力","expDate":"soon"}', 'expiryDate'],
  ['a telephone too long', '韦力 138001380001', 'cellPhone'],
] as const)('%s is left out', (_what, pasted, field) => {
  expect(readPerson(pasted)[field]).toBeUndefined()
})

test('nothing at all is understood of nothing', () => {
  expect([readPerson(''), readPerson('[]'), readPerson('{"a":{"b":{}}}')]).toEqual([{}, {}, {}])
})
