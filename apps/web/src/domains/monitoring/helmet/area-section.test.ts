import { expect, test } from 'vitest'
import { areaState, boxesOf } from './area-section.tsx'

const area = (areaName: string, floorName: string, more = {}) => ({
  projectCode: 'P',
  areaName,
  floorName,
  count: 3,
  limit: 8,
  longestSeconds: 60,
  known: true,
  alarming: 0,
  ...more,
})

test('an area whose station is dead is unknown, however many it had; over its limit it is full', () => {
  expect(areaState(area('a', '地下一层', { known: false, count: 3 }))).toBe('unknown')
  expect(areaState(area('a', '地下一层', { count: 9 }))).toBe('full')
  expect(areaState(area('a', '地下一层', { count: 99, limit: null }))).toBe('fine')
})

test('a basement lies floor by floor from above, a tunnel along its metres', () => {
  const basement = boxesOf([area('机房', '地下三层'), area('一区', '地下一层'), area('二区', '地下二层')], 800, 400)
  expect(basement.map(({ area: { areaName } }) => areaName)).toEqual(['一区', '二区', '机房'])
  expect(basement[0]?.y).toBeLessThan(basement[2]?.y ?? 0)
  const tunnel = boxesOf([area('掌子面', 'K0+200'), area('洞口', 'K0+000')], 800, 400)
  expect(tunnel.map(({ area: { areaName } }) => areaName)).toEqual(['洞口', '掌子面'])
  expect(tunnel[0]?.y).toBe(tunnel[1]?.y)
  expect(boxesOf([], 800, 400)).toEqual([])
})
