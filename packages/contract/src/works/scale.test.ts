import { expect, test } from 'vitest'
import { isOverCategory, isWorkCategory, judgeScale, sizesOf, sizeText, thresholdsOf } from './scale.ts'

test.each([
  ['202', { height: 9 }, '203', true],
  ['202', { height: 8 }, '203', true],
  ['202', { height: 7.9, span: 17.9, totalLoad: 14.9, lineLoad: 19.9 }, '202', false],
  ['202', { span: 18 }, '203', true],
  ['202', { totalLoad: 15 }, '203', true],
  ['202', { lineLoad: 20 }, '203', true],
  ['101', { depth: 5 }, '103', true],
  ['101', { depth: 4.9 }, '101', false],
  ['102', { depth: 2 }, '102', false],
  ['204', { pointLoad: 7 }, '205', true],
  ['301', { pieceWeight: 100 }, '304', true],
  ['303', { liftWeight: 299, height: 199 }, '303', false],
  ['303', { height: 200 }, '305', true],
  ['401', { height: 50 }, '407', true],
  ['402', { height: 150 }, '408', true],
  ['403', { height: 20 }, '409', true],
  ['403', { height: 19.9 }, '403', false],
  ['701', { height: 50 }, '707', true],
  ['702', { span: 36 }, '708', true],
  ['703', { depth: 16 }, '709', true],
] as const)('%s of %o is %s, over-scale %s', (category, sizes, grown, overScale) => {
  expect(judgeScale(category, sizes)).toMatchObject({ category: grown, overScale })
})

test('an over-scale category is never judged lower by small sizes', () => {
  expect(judgeScale('203', { height: 3 })).toEqual({ category: '203', overScale: true, reasons: [] })
  expect(judgeScale('201', {})).toMatchObject({ category: '201', overScale: true })
})

test('sizes of another category do not count', () => {
  expect(judgeScale('101', { height: 60 })).toMatchObject({ category: '101', overScale: false })
})

test('the reasons name size and threshold', () => {
  expect(judgeScale('202', { height: 9, span: 20 }).reasons).toEqual(['高度 9 m ≥ 8 m', '跨度 20 m ≥ 18 m'])
  expect(thresholdsOf('202')).toContain('高度≥8 m')
  expect(sizeText('202', { height: 9, span: null })).toBe('高度 9 m')
})

test('every category that sizes grow into is an over-scale one of the dictionary', () => {
  for (const category of ['103', '203', '205', '304', '305', '407', '408', '409', '707', '708', '709']) {
    expect(isOverCategory(category), category).toBe(true)
    expect(sizesOf(category).length, category).toBeGreaterThan(0)
  }
  expect(isWorkCategory('2')).toBe(false)
  expect(isWorkCategory('202')).toBe(true)
})
