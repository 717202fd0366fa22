import { expect, test } from 'vitest'
import { noticeOf, trendOf } from './ai-board-page.tsx'

test('sites are asked about what nobody has looked at, the most first; who has looked at all is not', () => {
  const { kind, targets } = noticeOf(
    [
      { projectCode: 'A', open: 3 },
      { projectCode: 'B', open: 0 },
      { projectCode: 'C', open: 41 },
    ],
    '近 30 天',
  )
  expect(kind).toBe('supervise')
  expect(targets).toEqual([
    { projectCode: 'C', subject: 'AI 识别未复核 41 条（近 30 天）' },
    { projectCode: 'A', subject: 'AI 识别未复核 3 条（近 30 天）' },
  ])
})

test('no more sites are asked at once than the call takes', () => {
  const sites = Array.from({ length: 40 }, (_, i) => ({ projectCode: String(i), open: 1 }))
  expect(noticeOf(sites, '近 7 天').targets).toHaveLength(30)
})

test.each([
  [{ real: 3, realBefore: 1 }, 9, 'up'],
  [{ real: 1, realBefore: 3 }, 9, 'down'],
  [{ real: 2, realBefore: 2 }, 9, 'same'],
  [{ real: 2, realBefore: 0 }, 9, 'up'],
  [{ real: 2, realBefore: 0 }, 0, 'unknown'],
] as const)('%o beside %i of the site before is %s', (cell, realBefore, trend) => {
  expect(trendOf(cell, { realBefore })).toBe(trend)
})
