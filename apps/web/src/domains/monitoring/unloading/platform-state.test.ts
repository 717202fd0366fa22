import { expect, test } from 'vitest'
import { boardWords, byBuilding, loadTone, placeOf } from './platform-state.ts'

test.each([
  ['住院楼 8 层北侧', { building: '住院楼', floor: 8 }],
  ['1# 塔楼 10 层', { building: '1# 塔楼', floor: 10 }],
  ['医技楼 5 层卸料平台', { building: '医技楼', floor: 5 }],
  ['东侧卸料平台', { building: '东侧', floor: undefined }],
  ['', { building: '未登记位置', floor: undefined }],
])('%s is %j', (text, place) => {
  expect(placeOf(text)).toEqual(place)
})

test('the board tells the limit in tubes; without one the usual limit holds', () => {
  expect(boardWords(1.2)).toBe('限载 1.2 t，约 6 m 钢管 50 根')
  expect(boardWords(null)).toContain('限载 1.5 t')
})

test('at the rating nothing is left', () => {
  expect([79.9, 80, 99.9, 100, undefined].map(loadTone)).toEqual(['fine', 'warning', 'warning', 'alarm', 'fine'])
})

test('platforms by building, from above', () => {
  const all = [placeOf('B 楼 3 层'), placeOf('A 楼 2 层'), placeOf('A 楼 11 层')]
  expect(byBuilding(all).map(({ building, platforms }) => [building, platforms.map((one) => one.floor)])).toEqual([
    ['A 楼', [11, 2]],
    ['B 楼', [3]],
  ])
})
