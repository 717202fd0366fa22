import { whereabouts } from '@zhugong/contract/monitoring/site'
import { expect, test } from 'vitest'
import type { Point } from '../crane-geometry.ts'
import { levelOf, metresAlong, nearest, pointAt, silences, within } from './helmet-state.ts'

const square: Point[] = [
  [0, 0],
  [10, 0],
  [10, 10],
  [0, 10],
]
const ring = (dx: number, dy: number): Point[] => square.map(([x, y]): Point => [x / 5 + dx, y / 5 + dy])
const site = {
  origin: [114, 30] as const,
  fence: square,
  buildings: [{ name: '住院楼 B', points: ring(6, 6), height: 20 }],
  roads: [],
  zones: [{ name: '吊装区', marginMeters: 0, points: ring(1, 1) }],
  gates: [],
  spray: [],
}

test.each([
  [[2, 2], '吊装区', false],
  [[7, 7], '住院楼 B', false],
  [[5, 5], '场内', false],
  [[12, 5], '围栏外', true],
] as const)('somebody at %j is told of as %s', (at, words, outside) => {
  expect(whereabouts(site, at)).toMatchObject({ words, outside })
})

test('the nearest are found by distance; who has no place is neither found nor looked from', () => {
  const people = [
    { id: 'a', at: [0, 0] as Point },
    { id: 'b', at: [3, 4] as Point },
    { id: 'c', at: [1, 0] as Point },
    { id: 'd', at: undefined },
  ]
  expect(nearest(people, 'a', 2).map(({ person, metres }) => [person.id, metres])).toEqual([
    ['c', 1],
    ['b', 5],
  ])
  expect(nearest(people, 'd', 3)).toEqual([])
})

test('a track is read at a moment, and its gaps are told', () => {
  const segment = [{ time: 10 }, { time: 20 }]
  expect(pointAt(segment, 15)).toEqual({ time: 10 })
  expect(pointAt(segment, 5)).toBeUndefined()
  expect(silences([segment, [{ time: 90 }]])).toEqual([{ from: 20, to: 90 }])
})

test('floors stand in their order, and a tunnel along its metres', () => {
  expect(['三层', '一层', '地下一层', '地下三层', 'B2'].map(levelOf)).toEqual([3, 1, -1, -3, -2])
  expect([metresAlong('K0+120'), metresAlong('K1+020'), metresAlong('地下一层')]).toEqual([120, 1020, undefined])
})

test('within a circle are those who stand there; who is off line or was there long ago is told apart', () => {
  const now = 1_000_000_000
  const people = [
    { id: 'in', at: [3, 4] as const, online: true, time: now - 1_000 },
    { id: 'edge', at: [0, 10] as const, online: true, time: now },
    { id: 'out', at: [0, 10.1] as const, online: true, time: now },
    { id: 'off', at: [0, 0] as const, online: false, time: now },
    { id: 'old', at: [0, 0] as const, online: true, time: now - 11 * 60_000 },
    { id: 'nowhere', at: undefined, online: true, time: now },
  ]
  const { called, missed } = within(people, { center: [0, 0], radius: 10 }, now)
  expect(called.map((one) => one.id)).toEqual(['in', 'edge'])
  expect(missed.map((one) => one.id)).toEqual(['off', 'old'])
})
