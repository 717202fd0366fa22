import { markPassages } from '@zhugong/contract/monitoring/record-fixes'
import { expect, test } from 'vitest'
import { commandOf, keyMarks, reasonOf } from './passage-keys.ts'

test('letters and arrows step, digits mark, a question mark shows them; nothing else does anything', () => {
  expect(['j', 'K', 'ArrowDown', 'ArrowUp'].map(commandOf)).toEqual([1, -1, 1, -1].map((by) => ({ kind: 'step', by })))
  expect([commandOf('?'), commandOf('？')]).toEqual([{ kind: 'help' }, { kind: 'help' }])
  expect(['0', '8', 'a', 'Enter', ' '].map(commandOf)).toEqual([undefined, undefined, undefined, undefined, undefined])
  expect(commandOf('2')).toMatchObject({ kind: 'mark', mark: { label: '无法辨认', mark: { plate: 'unreadable' } } })
})

test('what each digit says is a mark that the platform takes', () => {
  expect(keyMarks.map((one) => `${one.key} ${one.label}`)).toEqual([
    '1 车牌无误',
    '2 无法辨认',
    '3 已冲洗',
    '4 未冲洗',
    '5 冲洗不足',
    '6 密闭',
    '7 未密闭',
  ])
  for (const one of keyMarks) {
    const body = { rows: [{ id: 'r', version: 0 }], ...one.mark, reason: reasonOf(one) }
    expect(markPassages.schemas.body?.safeParse(body).success).toBe(true)
  }
})
