import { expect, test } from 'vitest'
import { bandsOf } from './flow-layout.ts'

const edge = (from: string, to: string, count: number) =>
  ({ fromKind: 'place', from, fromName: from, toKind: 'place', to, toName: to, count }) as const

test('bands are as thick as their people, and stand one below the other at both ends', () => {
  const { left, right, bands } = bandsOf([edge('a', 'x', 30), edge('a', 'y', 10), edge('b', 'x', 20)])
  expect(left.map((n) => [n.name, n.count])).toEqual([
    ['a', 40],
    ['b', 20],
  ])
  expect(right.map((n) => [n.name, n.count])).toEqual([
    ['x', 50],
    ['y', 10],
  ])
  const [ax, bx, ay] = bands
  expect(ax!.thick / ay!.thick).toBeCloseTo(3)
  expect(bx!.y1).toBeCloseTo(ax!.y1 + ax!.thick)
  expect(ay!.y0).toBeCloseTo(ax!.y0 + ax!.thick)
})

test('many small places are one, and nobody is lost', () => {
  const { left, bands } = bandsOf(Array.from({ length: 40 }, (_, i) => edge(`from${i}`, 'x', i + 1)))
  expect(left).toHaveLength(11)
  expect(bands.reduce((sum, b) => sum + b.edge.count, 0)).toBe(820)
})
