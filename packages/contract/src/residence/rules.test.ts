import { expect, test } from 'vitest'
import { bedsFor, whyNotIn, whyNotRoom } from './rules.ts'

test.each([
  [20, 8],
  [19.9, 7],
  [40, 16],
  [100, 16],
  [2.4, 0],
])('%s square metres allow %s beds', (area, beds) => {
  expect(bedsFor(area)).toBe(beds)
})
test.each([
  [{ type: '1', area: 20, beds: 8 }, undefined],
  [{ type: '1', area: 20, beds: 9 }, 'beds'],
  [{ type: '1', area: 100, beds: 17 }, 'beds'],
  [{ type: '1', area: 20, beds: 0 }, 'beds'],
  [{ type: '2', area: 80, beds: 0 }, undefined],
  [{ type: '2', area: 80, beds: 4 }, 'beds'],
])('%o', (room, field) => {
  expect(whyNotRoom(room)?.field).toBe(field)
})

const room = { type: '1', area: 50, beds: 16, usage: null }
const man = { name: '张工', gender: '1', onSite: true, livesIn: null }
test.each<[string, object, string[], object, string | undefined]>([
  ['an empty room', {}, [], {}, undefined],
  ['the sixteenth person', {}, Array<string>(15).fill('1'), {}, undefined],
  ['the seventeenth person', {}, Array<string>(16).fill('1'), {}, '最多 16 人'],
  ['a small room', { area: 5 }, ['1', '1'], {}, '不足 2.5'],
  ['a woman among men', {}, ['1'], { gender: '2' }, '夫妻'],
  ['a couple', { usage: '3' }, ['1'], { gender: '2' }, undefined],
  ['a man in a room for women', { usage: '2' }, [], {}, '女宿舍'],
  ['a person who left the site', {}, [], { onSite: false }, '不在本项目'],
  ['a person who lives elsewhere', {}, [], { livesIn: '2 栋 305' }, '调床'],
  ['a kitchen', { type: '2' }, [], {}, '只有宿舍'],
])('%s', (_what, more, living, person, words) => {
  const why = whyNotIn({ ...room, ...more }, living, { ...man, ...person })
  if (words === undefined) expect(why).toBeUndefined()
  else expect(why).toContain(words)
})
