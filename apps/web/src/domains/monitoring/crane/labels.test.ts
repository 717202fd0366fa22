import { expect, test } from 'vitest'
import { placeChips } from './labels.ts'

const box = { width: 400, height: 400 }

test('a chip stands beside its mast, off the jib', () => {
  const [free] = placeChips([{ id: 'a', at: [200, 200], width: 60 }], [], box)
  expect(free).toEqual({ id: 'a', x: 212, y: 204 })
  const [moved] = placeChips(
    [{ id: 'a', at: [200, 200], width: 60 }],
    [
      [
        [200, 200],
        [320, 220],
      ],
    ],
    box,
  )
  expect(moved!.x).toBeLessThan(200)
})

test('a name of the ground is left readable', () => {
  const [moved] = placeChips([{ id: 'a', at: [200, 200], width: 60 }], [], box, [{ id: '医技楼', x: 210, y: 200, width: 50 }])
  expect(moved!.x + 60 <= 210 || moved!.y + 20 <= 200 || moved!.y >= 220).toBe(true)
})

test('two chips do not lie on each other, none leaves the drawing', () => {
  const [a, b] = placeChips(
    [
      { id: 'a', at: [390, 200], width: 60 },
      { id: 'b', at: [390, 202], width: 60 },
    ],
    [],
    box,
  )
  expect(a!.x + 60).toBeLessThanOrEqual(398)
  expect(Math.abs(a!.y - b!.y) >= 20 || Math.abs(a!.x - b!.x) >= 60).toBe(true)
})
