import { inflateSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { captchaPicture, pictureSize } from './captcha-picture.ts'

const { width, height } = pictureSize
const letters = 'ABCDEFHKLMNPRTUWXY'

/** Seeded random numbers. */
function seeded(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296
  }
}
const random = seeded(7)
const textOf = () => Array.from({ length: 5 }, () => letters[Math.floor(random() * letters.length)]).join('')

/** Decodes the PNG: grey rows without a filter. */
function pixelsOf(png: Buffer): Uint8Array {
  expect(png.subarray(0, 8).toString('hex')).toBe('89504e470d0a1a0a')
  expect([png.readUInt32BE(16), png.readUInt32BE(20), png[24], png[25]]).toEqual([width, height, 8, 0])
  const length = png.readUInt32BE(33)
  const rows = inflateSync(png.subarray(41, 41 + length))
  expect(rows.length).toBe((width + 1) * height)
  return Uint8Array.from({ length: width * height }, (_, i) => rows[Math.floor(i / width) * (width + 1) + 1 + (i % width)] ?? 0)
}

/** The columns that contain ink, cut into five pieces, each scaled to 16 by 16. */
function pieces(pixels: Uint8Array): number[][] {
  const dark = (x: number, y: number) => ((pixels[y * width + x] ?? 255) < 130 ? 1 : 0)
  const weight = Array.from({ length: width }, (_, x) =>
    Array.from({ length: height }, (_, y) => dark(x, y)).reduce<number>((a, b) => a + b, 0),
  )
  const inked = weight.map((w, x) => (w > 14 ? x : -1)).filter((x) => x >= 0)
  const [from = 0, to = width] = [inked[0], inked.at(-1)]
  return Array.from({ length: 5 }, (_, piece) =>
    Array.from({ length: 256 }, (_, cell) => {
      const x = Math.floor(from + ((piece + (cell % 16) / 16) / 5) * (to - from))
      const y = Math.floor((Math.floor(cell / 16) / 16) * height)
      return (dark(x, y) + dark(x + 1, y) + dark(x, y + 2) + dark(x + 1, y + 2)) / 4
    }),
  )
}

test('it is a picture, another one every time, and quickly sent', () => {
  const [first, second] = [captchaPicture('ABCDE', random), captchaPicture('ABCDE', random)]
  const [a, b] = [pixelsOf(first), pixelsOf(second)]
  const different = a.filter((value, i) => Math.abs(value - (b[i] ?? 0)) > 60).length
  expect(different).toBeGreaterThan(1_000)
  expect(first.length).toBeLessThan(40_000)
  expect(first.includes('ABCDE')).toBe(false)
})

test('a script that compares with pictures it has seen reads next to none', () => {
  const seen = new Map<string, number[]>()
  const times = new Map<string, number>()
  for (let i = 0; i < 120; i++) {
    const text = textOf()
    for (const [at, piece] of pieces(pixelsOf(captchaPicture(text, random))).entries()) {
      const letter = text[at] ?? ''
      const sum = seen.get(letter) ?? Array<number>(256).fill(0)
      seen.set(
        letter,
        sum.map((v, c) => v + (piece[c] ?? 0)),
      )
      times.set(letter, (times.get(letter) ?? 0) + 1)
    }
  }
  const nearest = (piece: number[]) => {
    let best = { letter: '', far: Number.POSITIVE_INFINITY }
    for (const [letter, sum] of seen) {
      const far = sum.reduce((total, v, c) => total + (v / (times.get(letter) ?? 1) - (piece[c] ?? 0)) ** 2, 0)
      if (far < best.far) best = { letter, far }
    }
    return best.letter
  }
  let solved = 0
  let letterHits = 0
  for (let i = 0; i < 60; i++) {
    const text = textOf()
    const read = pieces(pixelsOf(captchaPicture(text, random)))
      .map(nearest)
      .join('')
    if (read === text) solved++
    letterHits += [...text].filter((c, at) => c === read[at]).length
  }
  expect(solved).toBeLessThanOrEqual(3)
  // Checks that the recogniser is a fair test: it reads better than chance.
  expect(letterHits / 300).toBeGreaterThan(1 / letters.length)
})
