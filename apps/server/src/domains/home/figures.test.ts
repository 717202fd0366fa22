import { expect, test } from 'vitest'
import { figuresOf } from './figures.ts'

const none = { day: '2026-11-20', presence: new Map(), awaiting: new Map(), absentPosts: new Map() }
const given: Parameters<typeof figuresOf>[0] = {
  kind: 'corporation',
  today: none,
  projects: [],
  devices: [],
  week: [],
  now: Date.parse('2026-11-20T10:00:00+08:00'),
}

test('a company that has nobody anywhere is not told of a day of rest', () => {
  const posts = figuresOf(given, new Set()).find(({ key }) => key === 'absentPosts')
  expect(posts).toMatchObject({ value: null, note: '没有在册人员', link: null })
  const site = { inPlace: 3, attended: 0, expected: 0, arrived: 0 }
  const resting = { ...given, today: { ...none, presence: new Map([['P1', site as never]]) } }
  expect(figuresOf(resting, new Set()).find(({ key }) => key === 'absentPosts')?.note).toBe('今日休息或停工，不作考核')
})
