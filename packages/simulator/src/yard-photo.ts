import { Canvas, type Colour } from './canvas.ts'
import { stream } from './random.ts'

/** Drawn pictures of gate and weighbridge cameras, and of dust, so that no photo of a real person is needed. */

const [width, height] = [320, 180]
const sky: Colour = [196, 208, 220]
const road: Colour = [128, 130, 132]
const earth: Colour = [146, 118, 84]
const net: Colour = [70, 142, 92]
const dark: Colour = [36, 38, 42]
const white: Colour = [240, 242, 244]
const cabs: readonly Colour[] = [
  [196, 60, 48],
  [48, 96, 168],
  [226, 168, 52],
  [84, 120, 92],
]

export const lorryViews = ['front', 'body', 'top'] as const
export type LorryView = (typeof lorryViews)[number] | 'plate'
interface Lorry {
  covered: boolean
  washed: boolean
}

/** The load from the side or from above, covered by its net or open. */
function load(canvas: Canvas, { covered }: Lorry, left: number, top: number, long: number, deep: number): void {
  if (covered) {
    canvas.box(net, left, top, long, deep)
    for (let x = left + 12; x < left + long; x += 24) canvas.box([54, 116, 74], x, top, 2, deep)
  } else for (let x = left + 16; x < left + long - 10; x += 28) canvas.oval(earth, x + 6, top + deep * 0.6, 22, deep * 0.7)
}

/** Drops from nozzles, and the wet ground. */
function water(canvas: Canvas, words: readonly (string | number)[]): void {
  const random = stream('wash', ...words)
  canvas.box([150, 168, 184], 0, 152, width, 28, 0.6)
  for (let i = 0; i < 60; i++) canvas.oval(white, random.int(0, width), random.int(60, 160), 1.4, 3, { opacity: 0.75 })
}

/** A truck at a gate camera as PNG; the same words give the same picture. */
export function lorryPhoto(view: LorryView, lorry: Lorry, ...words: (string | number)[]): Buffer {
  const random = stream('lorry photo', ...words)
  const cab = random.pick(cabs)
  if (view === 'plate') {
    const canvas = new Canvas(200, 80, cab)
    canvas.box([232, 196, 62], 20, 18, 160, 44)
    for (let i = 0; i < 7; i++) canvas.box(dark, 30 + i * 21, 28, random.int(10, 15), 24)
    return canvas.png()
  }
  const canvas = new Canvas(width, height, view === 'top' ? road : sky)
  if (view === 'top') {
    canvas.box([200, 202, 204], 0, 18, width, 3)
    canvas.box([200, 202, 204], 0, 158, width, 3)
    canvas.box([70, 74, 78], 40, 44, 190, 90)
    load(canvas, lorry, 48, 50, 174, 78)
    canvas.box(cab, 236, 50, 46, 78)
    canvas.box([150, 176, 196], 266, 56, 10, 66)
  } else {
    canvas.box(road, 0, 138, width, 42)
    canvas.box([40, 86, 170], 0, 16, width, 12)
    if (view === 'front') {
      load(canvas, lorry, 106, 38, 108, 24)
      canvas.box(cab, 104, 56, 112, 84)
      canvas.box([150, 176, 196], 112, 64, 96, 32)
      canvas.box([250, 236, 170], 108, 112, 16, 10)
      canvas.box([250, 236, 170], 196, 112, 16, 10)
      canvas.box([226, 190, 60], 138, 118, 44, 14)
      for (const x of [104, 196]) canvas.box(dark, x, 140, 20, 16)
    } else {
      load(canvas, lorry, 24, 58, 190, 22)
      canvas.box([96, 100, 104], 20, 78, 200, 46)
      canvas.box(cab, 228, 62, 56, 62)
      canvas.box([150, 176, 196], 250, 70, 28, 24)
      for (const x of [52, 88, 190, 258]) canvas.oval(dark, x, 134, 15, 15)
    }
  }
  if (lorry.washed) water(canvas, words)
  // Gate cameras print a bar of facts into the picture.
  canvas.box(dark, 0, 0, width, 12, 0.75)
  for (let i = 0; i < 9; i++) canvas.box(white, 8 + i * 14, 4, random.int(5, 10), 4)
  return canvas.png()
}

export type DustScene = 'earthwork' | 'road' | 'nearby' | 'pour' | 'device' | 'other'

/** Photo taken by a person to show the source of dust. */
export function dustPhoto(scene: DustScene, ...words: (string | number)[]): Buffer {
  const random = stream('dust photo', scene, ...words)
  const canvas = new Canvas(width, height, sky)
  canvas.box(scene === 'earthwork' ? earth : road, 0, 104, width, height - 104)
  if (scene === 'earthwork') {
    for (const [x, size] of [
      [84, 74],
      [196, 58],
    ] as const)
      canvas.oval(x === 84 ? net : [124, 98, 68], x, 122, size, size * 0.55, { upTo: 124 })
    canvas.box([226, 168, 52], 232, 92, 46, 26)
    canvas.stroke([226, 168, 52], 6, [
      [238, 96],
      [206, 62],
      [190, 92],
    ])
    for (const x of [240, 268]) canvas.oval(dark, x, 122, 10, 8)
  } else if (scene === 'pour') {
    for (let x = 0; x < width; x += 20) canvas.box([92, 82, 74], x, 120, 3, 60)
    canvas.stroke([206, 62, 52], 5, [
      [30, 150],
      [110, 30],
      [250, 46],
      [262, 116],
    ])
    canvas.oval([168, 168, 164], 262, 132, 40, 12)
  } else {
    for (let x = -20; x < width; x += 48) canvas.box(white, x, 142, 26, 4)
    canvas.box(scene === 'nearby' ? [226, 168, 52] : [70, 120, 180], 120, 76, 96, 42)
    for (const x of [142, 196]) canvas.oval(dark, x, 122, 13, 13)
    if (scene === 'road') for (let i = 0; i < 40; i++) canvas.oval(white, random.int(20, 130), random.int(96, 140), 2, 2, { opacity: 0.7 })
  }
  for (let i = 0; i < 9; i++)
    canvas.oval([214, 200, 178], random.int(0, width), random.int(70, 130), random.int(26, 60), random.int(10, 22), { opacity: 0.16 })
  return canvas.png()
}
