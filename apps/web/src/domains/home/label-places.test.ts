import { expect, test } from 'vitest'
import { type Box, labelPlaces } from './label-places.ts'

const field = { width: 720, height: 380 }
const apart = (a: Box, b: Box) => a.x >= b.x + b.width || b.x >= a.x + a.width || a.y >= b.y + b.height || b.y >= a.y + a.height

test('labels of near pins stand apart, and on the field', () => {
  const pins = [
    { x: 360, y: 180, width: 150 },
    { x: 470, y: 186, width: 150 },
    { x: 410, y: 200, width: 150 },
    { x: 700, y: 20, width: 180 },
    { x: 10, y: 370, width: 180 },
  ]
  const places = labelPlaces(pins, field)
  for (const [i, a] of places.entries()) {
    expect(a.x).toBeGreaterThanOrEqual(0)
    expect(a.x + a.width).toBeLessThanOrEqual(field.width)
    expect(a.y).toBeGreaterThanOrEqual(0)
    expect(a.y + a.height).toBeLessThanOrEqual(field.height)
    for (const b of places.slice(i + 1)) expect(apart(a, b), `${i}`).toBe(true)
  }
})

test('a pin by itself has its label at the right', () => {
  expect(labelPlaces([{ x: 100, y: 100, width: 80 }], field)).toEqual([{ x: 118, y: 87, width: 80, height: 26 }])
})
