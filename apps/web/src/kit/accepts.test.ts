import { expect, test } from 'vitest'
import { accepts, acceptWords } from './accepts.ts'

const logo = 'image/png,image/jpeg,image/webp'
test.each([
  [logo, 'logo.png', 'image/png', true],
  [logo, 'logo.svg', 'image/svg+xml', false],
  [logo, 'paper.pdf', 'application/pdf', false],
  [logo, 'from-a-phone', '', true],
  ['image/*,.pdf', 'photo.heic', 'image/heic', true],
  ['image/*,.pdf', 'Paper.PDF', 'application/pdf', true],
  ['image/*,.pdf', 'sheet.xlsx', 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet', false],
  ['.xlsx', 'sheet.xlsx', '', true],
  ['.xlsx', 'sheet.csv', '', false],
])('%s takes %s (%s): %s', (accept, name, type, expected) => {
  expect(accepts(accept, { name, type })).toBe(expected)
})

test('a field says what it takes, and nothing else', () => {
  expect(acceptWords(logo)).toBe('PNG、JPG、WebP')
  expect(acceptWords('image/*,.pdf')).toBe('图片、PDF')
})
