import { expect, test } from 'vitest'
import { figuresOf } from './figures.ts'

const site = (inPlace: number) => ({ projectCode: 'P', inPlace, attended: 0, expected: 0, arrived: 0 })
const absentOf = (sites: ReturnType<typeof site>[]) => {
  const today = { presence: new Map(sites.map((one, i) => [`P${i}`, one])), absentPosts: new Map(), awaiting: new Map() }
  const given = { kind: 'corporation', projects: [], week: [], today, now: Date.parse('2026-11-20T10:00:00+08:00') }
  return figuresOf(given as never, new Set()).find((one) => one.key === 'absentPosts')
}

test('a day of rest is not said of a company without sites: it has nobody who could be missing', () => {
  expect(absentOf([])).toMatchObject({ value: null, note: '没有在册人员，不作考核', link: null })
  expect(absentOf([site(0)])?.note).toBe('没有在册人员，不作考核')
  expect(absentOf([site(3)])?.note).toBe('今日休息或停工，不作考核')
})
