import type { Random } from '@zhugong/simulator/random'
import { greyPng } from '#kit/png'

const size = { width: 320, height: 120 }
/** Half of the pen's width in pixels. */
const pen = 1.6
const white = 255
const steps = 90

/** A signature of as many strokes as a name of three characters has when it is written fast: invented, the same for the same random source. */
export function drawnName(name: string, random: Random): Buffer {
  const pixels = new Uint8Array(size.width * size.height).fill(white)
  const characters = Math.max(2, Math.min(4, [...name].length))
  const box = 280 / characters
  for (let n = 0; n < characters; n++) {
    const left = 20 + n * box
    const point = () => [left + random.float(0.1, 0.95) * box, random.float(18, 102)] as const
    let [x, y] = point()
    for (let strokes = 4 + Math.round(random.float(0, 3)); strokes > 0; strokes--) {
      const [bendX, bendY] = point()
      const [endX, endY] = point()
      for (let i = 0; i <= steps * 2; i++) {
        const t = i / (steps * 2)
        const u = 1 - t
        dot(pixels, u * u * x + 2 * u * t * bendX + t * t * endX, u * u * y + 2 * u * t * bendY + t * t * endY)
      }
      // The pen mostly stays on the paper.
      ;[x, y] = random.chance(0.6) ? [endX, endY] : point()
    }
  }
  return greyPng(pixels, size.width, size.height)
}

/** Darkens the pixels around a point, less towards the edge of the pen. */
function dot(pixels: Uint8Array, x: number, y: number): void {
  for (let row = Math.floor(y - pen - 1); row <= y + pen + 1; row++)
    for (let column = Math.floor(x - pen - 1); column <= x + pen + 1; column++) {
      if (row < 0 || column < 0 || row >= size.height || column >= size.width) continue
      const shade = Math.round(white * Math.min(1, Math.max(0, Math.hypot(column - x, row - y) - pen + 0.5)))
      const at = row * size.width + column
      pixels[at] = Math.min(pixels[at] ?? white, shade)
    }
}
