import { expect, test } from 'vitest'
import { dayIn, materialItems, stagesDue } from './materials.ts'

test('the day a paper ends is read from its file’s name', () => {
  expect(dayIn('工伤保险 2026-01-01至2027-12-31.pdf')).toBe('2027-12-31')
  expect(dayIn('保函20270630.jpg')).toBe('2027-06-30')
  expect(dayIn('保函2027年6月.pdf')).toBeUndefined()
  expect(dayIn('图纸20270231.pdf')).toBeUndefined()
})

test('papers are due by stage', () => {
  expect(Object.keys(materialItems)).toHaveLength(18)
  expect(stagesDue('001')).toEqual(['1'])
  expect(stagesDue('005')).toEqual(['1', '2'])
  expect(stagesDue('006')).toEqual(['1', '2', '3'])
})
