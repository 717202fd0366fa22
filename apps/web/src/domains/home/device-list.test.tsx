import type { MainPage } from '@zhugong/contract/home/endpoints'
import { expect, test } from 'vitest'
import { worstFirst } from './device-list.tsx'

const family = (name: string, total: number, online: number, alarming = 0) =>
  ({ family: name, name, total, online, alarming, problem: '', link: null }) as MainPage['devices'][number]

test('alarms stand first, then the silent, and of the others as many as there is room for', () => {
  const well = Array.from({ length: 14 }, (_, i) => family(`well ${i}`, 20 - i, 20 - i))
  const { shown, rest } = worstFirst([...well, family('silent', 4, 3), family('alarming', 2, 2, 1)])
  expect(shown.slice(0, 3).map(({ name }) => name)).toEqual(['alarming', 'silent', 'well 0'])
  expect([shown.length, rest]).toEqual([10, 6])
})
test('whatever is wrong is never among the rest', () => {
  const wrong = Array.from({ length: 17 }, (_, i) => family(`silent ${i}`, 5, 1))
  expect(worstFirst(wrong)).toMatchObject({ shown: { length: 17 }, rest: 0 })
})
