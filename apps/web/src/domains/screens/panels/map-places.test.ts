import { expect, test } from 'vitest'
import { type Box, bannerPlace } from './map-places.ts'

const size = { width: 200, height: 32 }
const frame: Box = { x: 0, y: 0, width: 900, height: 600 }
const covers = (a: Box, b: Box) => a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height

test('a banner stands close above its site where nothing is written', () => {
  expect(bannerPlace({ x: 450, y: 300 }, size, [], frame)).toEqual({ x: 350, y: 230, ...size })
})

test('a banner covers no name of a district, and no other banner', () => {
  const district: Box = { x: 380, y: 235, width: 140, height: 42 }
  const first = bannerPlace({ x: 450, y: 300 }, size, [district], frame)
  expect(covers(first, district)).toBe(false)
  const second = bannerPlace({ x: 470, y: 310 }, size, [district, first], frame)
  expect([district, first].some((one) => covers(second, one))).toBe(false)
})

test('a banner stays in the picture', () => {
  for (const spot of [
    { x: 5, y: 10 },
    { x: 895, y: 590 },
  ]) {
    const box = bannerPlace(spot, size, [], frame)
    expect(box.x >= 0 && box.x + box.width <= 900 && box.y >= 0 && box.y + box.height <= 600).toBe(true)
  }
})
