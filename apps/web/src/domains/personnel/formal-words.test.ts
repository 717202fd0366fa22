import { fileFields } from '@zhugong/contract/personnel/rules'
import { expect, test } from 'vitest'
import { editFieldOf, registeredWords } from './formal-words.ts'

test('conditions and fields that are lacking are said at once', () => {
  expect(registeredWords({ missing: ['教育'], fields: ['住址', '文化程度'] })).toBe('已登记，转正式还差进场条件 教育；档案 住址、文化程度')
  expect(registeredWords({ missing: [], fields: ['住址'] })).toBe('已登记，转正式还差档案 住址')
  expect(registeredWords({ missing: [], fields: [] })).toBe('已登记，转正式的条件已齐')
})

test.each(Object.entries(fileFields))('%s leads to its place in the edit', (field, name) => {
  expect(editFieldOf(name)).toBe(field === 'consent' ? 'consents' : field)
})
