import { Canvas, type Colour } from '@zhugong/simulator/canvas'
import { stream } from '@zhugong/simulator/random'

const size = { width: 480, height: 320 }
const rust: Colour = [150, 92, 62]
const shade: Colour = [112, 66, 44]

/** Reinforcement of a slab before it is covered, with a tape measure; drawn, so that no photograph is needed. */
export function rebarShot(seed: string): Buffer {
  const random = stream('rebar', seed)
  const canvas = new Canvas(size.width, size.height, [176, 168, 150])
  for (let y = 18; y < size.height; y += 34) {
    canvas.box(shade, 0, y + 5, size.width, 3)
    canvas.box(rust, 0, y, size.width, 6)
  }
  for (let x = 20; x < size.width; x += 44 + random.int(-2, 2)) {
    canvas.box(shade, x + 6, 0, 3, size.height)
    canvas.box([168, 104, 70], x, 0, 7, size.height)
  }
  canvas.box([236, 200, 40], 60, 200, 300, 14)
  for (let x = 64; x < 356; x += 12) canvas.box([60, 60, 60], x, 200, 2, x % 60 === 4 ? 12 : 7)
  return canvas.png()
}

/** A delivery on the yard: bundles with their label. */
export function deliveryShot(seed: string): Buffer {
  const random = stream('delivery', seed)
  const canvas = new Canvas(size.width, size.height, [150, 182, 208])
  canvas.box([164, 158, 146], 0, 190, size.width, 130)
  const tone = random.int(-16, 16)
  for (let row = 0; row < 3; row++)
    for (let i = 0; i < 5 - row; i++) {
      const x = 60 + i * 74 + row * 37
      const y = 216 - row * 46
      canvas.box([148 + tone, 112 + tone, 84], x, y, 70, 42)
      canvas.box([112 + tone, 82 + tone, 60], x, y + 36, 70, 6)
    }
  canvas.box([250, 250, 246], 190, 226, 64, 26)
  canvas.box([200, 40, 36], 196, 232, 52, 4)
  canvas.box([90, 90, 90], 196, 240, 40, 3)
  return canvas.png()
}

/** A sealed sample on a table. */
export function sealShot(seed: string): Buffer {
  const random = stream('seal', seed)
  const canvas = new Canvas(size.width, size.height, [196, 184, 160])
  canvas.box([236, 232, 222], 110, 70, 260, 190)
  for (let i = 0; i < 5; i++) canvas.box(rust, 140, 96 + i * 20, 200, 9)
  canvas.box([214, 52, 46], 110, 208, 260, 22)
  canvas.box([252, 252, 250], 280, 90, 74, 74)
  for (let y = 0; y < 8; y++) for (let x = 0; x < 8; x++) if (random.chance(0.5)) canvas.box([20, 20, 20], 286 + x * 8, 96 + y * 8, 7, 7)
  return canvas.png()
}

/** A tower as it has grown, always from the same place. */
export function progressShot(floor: number, floors: number): Buffer {
  const canvas = new Canvas(size.width, size.height, [168, 196, 220])
  canvas.box([158, 150, 134], 0, 280, size.width, 40)
  const each = Math.max(4, Math.floor(230 / Math.max(1, floors)))
  for (let n = 1; n <= Math.min(floor, floors); n++) {
    const y = 280 - n * each
    canvas.box([186, 184, 178], 150, y, 150, each - 1)
    for (let i = 0; i < 5; i++) canvas.box([96, 104, 112], 158 + i * 28, y + 1, 16, Math.max(1, each - 3))
  }
  const crane = 280 - Math.min(floor + 4, floors + 4) * each
  canvas.box([226, 178, 40], 330, Math.max(8, crane), 8, 280 - Math.max(8, crane))
  canvas.box([226, 178, 40], 240, Math.max(8, crane), 200, 6)
  return canvas.png()
}
