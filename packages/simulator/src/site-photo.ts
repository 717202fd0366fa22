import { Canvas, type Colour } from './canvas.ts'
import { type Random, stream } from './random.ts'

/** Drawn pictures of a helmet camera on its round, so that no photo of a real person is needed. */

const [width, height] = [320, 180]
const sky: readonly Colour[] = [
  [188, 206, 224],
  [206, 214, 222],
  [170, 192, 216],
]
const concrete: Colour = [150, 152, 150]
const steel: Colour = [92, 82, 74]
const orange: Colour = [226, 118, 44]
const earth: Colour = [146, 118, 84]
const net: Colour = [70, 142, 92]

type Scene = (canvas: Canvas, random: Random) => void

/** Scaffold tubes and boards with a green net. */
const scaffold: Scene = (canvas, random) => {
  canvas.box(net, 0, 20, width, height - 52, 0.35)
  const bays = random.int(5, 8)
  for (let i = 0; i <= bays; i++) canvas.box(steel, (i * width) / bays, 12, 4, height - 40)
  for (let row = 0; row < 4; row++) canvas.box(steel, 0, 28 + row * 34, width, 3)
  for (let row = 1; row < 4; row++) canvas.box(orange, random.int(0, 60), 34 + row * 34, random.int(120, 220), 5)
  canvas.box(earth, 0, height - 32, width, 32)
}

/** Edge of a floor with its railing, sometimes with a gap. */
const edge: Scene = (canvas, random) => {
  canvas.box(concrete, 0, 96, width, height - 96)
  const gap = random.chance(0.35) ? random.int(2, 5) : -1
  for (let i = 0; i < 8; i++) {
    if (i === gap) continue
    canvas.box(orange, i * 40, 60, 4, 42)
    canvas.box(orange, i * 40, 62, 40, 4)
    canvas.box(orange, i * 40, 80, 40, 4)
  }
  canvas.box([96, 98, 98], random.int(20, 120), 120, random.int(80, 150), 30)
}

/** Reinforcement mesh before the pour. */
const bars: Scene = (canvas, random) => {
  canvas.box([176, 168, 152], 0, 40, width, height - 40)
  const pitch = random.int(14, 22)
  for (let x = 0; x < width; x += pitch)
    canvas.stroke(steel, 3, [
      [x, 40],
      [x - 40, height],
    ])
  for (let y = 52; y < height; y += pitch) canvas.box(steel, 0, y, width, 3)
  canvas.oval([240, 196, 40], random.int(60, 260), 70, 12, 8)
}

/** An open distribution box. */
const box: Scene = (canvas, random) => {
  canvas.box([118, 124, 128], 0, 0, width, height)
  canvas.box([224, 226, 222], 96, 22, 128, 136)
  canvas.box([58, 66, 76], 106, 32, 108, 116)
  for (let i = 0; i < 6; i++)
    canvas.box(random.chance(0.8) ? [60, 160, 90] : [206, 62, 52], 116 + (i % 3) * 32, 44 + Math.floor(i / 3) * 44, 22, 30)
  canvas.stroke([30, 30, 30], 4, [
    [160, 148],
    [150, 164],
    [random.int(60, 240), 178],
  ])
}

const scenes: readonly Scene[] = [scaffold, edge, bars, box]

/** A picture of the site as PNG; the same words give the same picture. */
export function sitePhoto(...words: (string | number)[]): Buffer {
  const random = stream('site photo', ...words)
  const canvas = new Canvas(width, height, random.pick(sky))
  random.pick(scenes)(canvas, random)
  // Shadow of the hand and brim of the wearer's helmet.
  canvas.oval([36, 38, 42], width / 2, -16, width * 0.62, 34, { opacity: 0.5 })
  return canvas.png()
}
