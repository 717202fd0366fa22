import { expect, test } from 'vitest'
import { clockOf, hoursOf, leastOf, minuteOf, previewWords, problemOf, withLeast } from './camera-rules.ts'

const preview = { days: 7, seen: 60, fewer: 0, fewerReal: 0, more: 0, moreReal: 0, types: [] }

test('a preview says what would be missed and what of it was true', () => {
  expect(previewWords({ ...preview, fewer: 23, fewerReal: 2 })).toBe('近 7 天会少 23 条，其中 2 条属实')
  expect(previewWords({ ...preview, fewer: 1, more: 4, moreReal: 3 })).toBe('近 7 天会少 1 条，其中 0 条属实；会多 4 条，其中 3 条属实')
  expect(previewWords(preview)).toBe('近 7 天的 60 条识别不变')
})

test('a threshold at the least of all is none', () => {
  const set = withLeast({ thresholds: [], zones: [] }, 'noHelmet', 0.8)
  expect(leastOf(set, 'noHelmet')).toBe(0.8)
  expect(leastOf(set, 'fire')).toBe(0.6)
  expect(withLeast(set, 'noHelmet', 0.6).thresholds).toEqual([])
})

test('what cannot be saved is named', () => {
  const zone = { name: '基坑边', points: [[0, 0] as [number, number], [1, 0] as [number, number]], fromMinute: null, untilMinute: null }
  expect(problemOf({ thresholds: [], zones: [zone] })).toBe('基坑边：至少画三个角点')
  expect(problemOf({ thresholds: [], zones: [{ ...zone, points: [...zone.points, [1, 1]], fromMinute: 60 }] })).toBe(
    '基坑边：开始与结束时间应同时填写',
  )
  expect(problemOf({ thresholds: [{ type: 'fire', least: 0.5 }], zones: [] })).toBe('明火：阈值不能低于 0.6')
  expect(problemOf({ thresholds: [], zones: [] })).toBeUndefined()
})

test('hours are minutes of the day', () => {
  expect([minuteOf('18:30'), minuteOf(undefined), clockOf(1110), clockOf(null)]).toEqual([1110, null, '18:30', undefined])
  expect(hoursOf({ fromMinute: 1140, untilMinute: 360 })).toBe('19:00 至 06:00')
})
