import { Canvas, type Colour } from '@zhugong/simulator/canvas'
import { type Random, stream } from '@zhugong/simulator/random'

/** What is photographed when something must be corrected, and again when it is; drawn, so that no photograph of a living person is needed. */
export const rectifyScenes = [
  'rail',
  'opening',
  'box',
  'cable',
  'passage',
  'tie',
  'base',
  'hotWork',
  'props',
  'soil',
  'stack',
  'wall',
] as const
export type RectifyScene = (typeof rectifyScenes)[number]

const [width, height] = [480, 360]
const concrete: Colour = [158, 157, 151]
const pale: Colour = [186, 184, 176]
const shade: Colour = [104, 103, 99]
const dark: Colour = [44, 45, 48]
const steel: Colour = [98, 88, 80]
const red: Colour = [198, 52, 44]
const yellow: Colour = [236, 188, 48]
const white: Colour = [236, 236, 230]
const earth: Colour = [150, 120, 86]
const wood: Colour = [182, 138, 88]
const green: Colour = [62, 132, 84]
const water: Colour = [92, 112, 122]

type Draw = (c: Canvas, done: boolean, random: Random) => void

/** Slabs under an open sky: ground of everything outdoors. */
function outdoors(c: Canvas, horizon: number, ground: Colour): void {
  for (let i = 0; i < 12; i++) c.box([172 + i * 4, 192 + i * 3, 214 + i], 0, (horizon / 12) * i, width, horizon / 12 + 1)
  for (let i = 0; i < 5; i++) {
    const tall = 60 + ((i * 47) % 60)
    c.box([168, 176, 184], i * 104 - 20, horizon - tall, 70, tall)
  }
  c.box(ground, 0, horizon, width, height - horizon)
  c.box(shade, 0, horizon, width, 5, 0.35)
}

/** A room of bare concrete. */
function indoors(c: Canvas): void {
  c.box(pale, 0, 0, width, height)
  c.box(shade, 0, 0, width, 46)
  c.box(concrete, 0, 250, width, 110)
  c.box(shade, 0, 250, width, 4, 0.5)
  for (const x of [40, 400]) {
    c.box(concrete, x, 40, 52, 214)
    c.box(shade, x + 42, 40, 10, 214, 0.6)
  }
}

/** A rail in red and white between posts. */
function rail(c: Canvas, from: number, to: number, foot: number): void {
  for (const y of [foot - 100, foot - 52])
    for (let x = from; x < to; x += 40) {
      c.box(red, x, y, 20, 9)
      c.box(white, x + 20, y, 20, 9)
    }
  for (let x = from; x <= to; x += 80) c.box(red, x, foot - 112, 8, 112)
  c.box(yellow, from, foot - 20, to - from, 18)
  for (let x = from; x < to; x += 36)
    c.stroke(dark, 6, [
      [x + 6, foot - 4],
      [x + 20, foot - 18],
    ])
}

function worker(c: Canvas, x: number, foot: number, size: number): void {
  c.box([52, 62, 86], x - size * 0.15, foot - size * 0.45, size * 0.3, size * 0.45)
  c.box([232, 116, 38], x - size * 0.2, foot - size * 0.8, size * 0.4, size * 0.4)
  c.box(yellow, x - size * 0.2, foot - size * 0.62, size * 0.4, size * 0.05)
  c.oval([206, 166, 132], x, foot - size * 0.88, size * 0.11, size * 0.12)
  c.oval([240, 196, 40], x, foot - size * 0.95, size * 0.15, size * 0.11, { upTo: foot - size * 0.92 })
}

function extinguisher(c: Canvas, x: number, foot: number): void {
  c.box(red, x, foot - 60, 24, 60)
  c.oval(red, x + 12, foot - 60, 12, 8)
  c.box(dark, x + 8, foot - 76, 8, 10)
}

function poles(c: Canvas, xs: readonly number[], top: number, foot: number): void {
  for (const x of xs) {
    c.box(steel, x, top, 9, foot - top)
    c.box([150, 138, 128], x + 2, top, 2, foot - top)
  }
}

const draws: Record<RectifyScene, Draw> = {
  rail(c, done) {
    outdoors(c, 170, concrete)
    c.box(dark, 0, 226, width, 14)
    c.box([120, 126, 130], 0, 240, width, 120)
    c.box(pale, 0, 300, width, 60)
    if (done) rail(c, 0, 480, 300)
    else {
      rail(c, 0, 80, 300)
      c.stroke(steel, 6, [
        [150, 326],
        [260, 338],
      ])
    }
  },
  opening(c, done) {
    c.box(concrete, 0, 0, width, height)
    c.box(pale, 0, 0, width, 70)
    c.box(dark, 130, 130, 220, 140)
    c.box([22, 22, 24], 144, 150, 192, 120)
    for (let i = 0; i < 6; i++) c.box(steel, 150 + i * 34, 130, 3, 140)
    if (done) {
      c.box(wood, 116, 116, 248, 168)
      for (let i = 1; i < 5; i++) c.box([150, 108, 66], 116, 116 + i * 33, 248, 3)
      for (let i = 0; i < 7; i++)
        c.stroke(yellow, 10, [
          [130 + i * 36, 280],
          [150 + i * 36, 120],
        ])
    }
  },
  box(c, done) {
    c.box([124, 128, 130], 0, 0, width, height)
    for (let i = 0; i < 6; i++) c.box([112, 116, 118], i * 80, 0, 3, height)
    c.box([214, 96, 40], 140, 60, 200, 240)
    if (done) {
      c.box([226, 108, 48], 148, 68, 184, 224)
      c.box(white, 176, 100, 128, 56)
      c.box(red, 186, 112, 108, 6)
      for (let i = 0; i < 3; i++) c.box(dark, 186, 126 + i * 9, 90, 3)
      c.box(yellow, 176, 176, 128, 84)
      for (let i = 0; i < 6; i++) c.box(dark, 184, 186 + i * 12, 112, 2)
      c.ring([90, 92, 96], 322, 178, 9, 4)
      c.box([196, 160, 60], 310, 184, 24, 22)
    } else {
      c.box(dark, 150, 70, 180, 220)
      for (let i = 0; i < 8; i++) c.box(i === 5 ? red : [214, 216, 212], 164 + (i % 4) * 40, 90 + Math.floor(i / 4) * 80, 30, 50)
      for (let i = 0; i < 7; i++)
        c.stroke(i % 2 ? red : [40, 90, 170], 4, [
          [170 + i * 20, 240],
          [150 + i * 28, 300],
          [130 + i * 34, 350],
        ])
      c.box([196, 84, 32], 340, 56, 60, 250)
    }
  },
  cable(c, done) {
    outdoors(c, 150, [132, 130, 126])
    c.box(green, 0, 110, width, 66)
    for (let x = 0; x < width; x += 60) c.box([48, 108, 68], x, 110, 3, 66)
    const low: [number, number][] = [
      [0, 330],
      [110, 280],
      [200, 312],
      [320, 262],
      [480, 300],
    ]
    if (done) {
      for (let x = 30; x < width; x += 100) c.box(wood, x, 70, 9, 110)
      c.stroke(dark, 6, [
        [0, 84],
        [35, 78],
        [85, 90],
        [135, 78],
        [185, 90],
        [235, 78],
        [285, 90],
        [335, 78],
        [385, 90],
        [435, 78],
        [480, 88],
      ])
      for (let i = 0; i < 6; i++) c.box(yellow, i * 90, 250, 40, 5)
    } else {
      c.oval(water, 250, 300, 130, 26, { opacity: 0.8 })
      c.stroke(dark, 9, low)
      c.stroke([60, 62, 66], 5, [
        [0, 344],
        [140, 300],
        [260, 330],
        [480, 270],
      ])
    }
  },
  passage(c, done, random) {
    outdoors(c, 130, [136, 136, 134])
    c.box(white, 60, 130, 5, 230)
    c.box(white, 415, 130, 5, 230)
    if (done) {
      for (let y = 150; y < 350; y += 40)
        c.stroke(yellow, 7, [
          [80, y + 34],
          [400, y],
        ])
      extinguisher(c, 438, 230)
      extinguisher(c, 14, 230)
    } else {
      for (let i = 0; i < 16; i++) c.box(i % 2 ? wood : [160, 116, 70], 110 + random.int(0, 30), 190 + i * 8, 220 + random.int(0, 40), 7)
      for (let i = 0; i < 5; i++) c.box([120, 72, 40], 300 + i * 14, 180 - i * 8, 90, 7)
    }
  },
  tie(c, done) {
    c.box(pale, 0, 0, width, height)
    for (const y of [0, 130, 260])
      for (const x of [60, 220, 380]) {
        c.box([92, 104, 114], x - 40, y + 20, 84, 76)
        c.box([130, 146, 158], x - 34, y + 26, 34, 64)
      }
    c.box(green, 0, 0, width, height, 0.18)
    poles(c, [20, 170, 320, 450], 0, height)
    for (const y of [40, 160, 280]) {
      c.box(steel, 0, y, width, 8)
      c.box(wood, done ? 0 : 180, y + 10, done ? width : 210, 9)
      if (done) {
        c.box(steel, 0, y - 34, width, 6)
        c.box(yellow, 0, y - 4, width, 14)
      }
    }
    if (done)
      for (const y of [52, 172])
        for (const x of [170, 320]) {
          c.stroke(red, 9, [
            [x + 4, y],
            [x + 56, y - 30],
          ])
          c.oval(red, x + 56, y - 30, 10, 10)
        }
    c.stroke(steel, 7, [
      [0, done ? 360 : 330],
      [480, done ? 0 : 120],
    ])
  },
  base(c, done) {
    outdoors(c, 140, earth)
    c.box(concrete, 90, 220, 300, 110)
    c.box(pale, 90, 220, 300, 18)
    for (const x of [170, 290]) c.box(yellow, x, 0, 16, 232)
    for (let y = 0; y < 220; y += 44)
      c.stroke(yellow, 7, [
        [176, y],
        [298, y + 44],
        [176, y + 44],
      ])
    for (const x of [166, 286]) c.box(steel, x, 214, 24, 14)
    if (done) {
      c.box([92, 92, 90], 40, 336, 400, 16)
      c.box(dark, 400, 300, 54, 44)
      rail(c, 0, 80, 320)
    } else {
      c.oval(water, 240, 316, 230, 52)
      c.oval([140, 158, 166], 180, 300, 90, 10, { opacity: 0.6 })
      c.oval([140, 158, 166], 330, 330, 70, 8, { opacity: 0.6 })
    }
  },
  hotWork(c, done, random) {
    indoors(c)
    c.box([120, 124, 128], 210, 90, 22, 170)
    c.box([120, 124, 128], 120, 150, 200, 16)
    c.oval([255, 250, 210], 222, 168, 16, 16)
    for (let i = 0; i < 26; i++) c.oval([255, 196, 70], 222 + random.int(-60, 60), 180 + random.int(0, done ? 50 : 110), 2.4, 2.4)
    worker(c, 160, 320, 150)
    if (done) {
      c.box([96, 98, 102], 186, 232, 80, 22)
      worker(c, 330, 326, 150)
      extinguisher(c, 384, 330)
      extinguisher(c, 416, 330)
    } else {
      for (let i = 0; i < 9; i++) c.box(i % 2 ? wood : [222, 214, 180], 270 + i * 9, 290 + (i % 3) * 12, 90, 10)
    }
  },
  props(c, done) {
    c.box(concrete, 0, 0, width, height)
    c.box(wood, 0, 0, width, 46)
    for (let i = 0; i < 9; i++) c.box([140, 98, 58], i * 56, 46, 14, 22)
    c.box(pale, 0, 300, width, 60)
    const pitch = done ? 60 : 128
    const xs = Array.from({ length: Math.ceil(width / pitch) }, (_, i) => 24 + i * pitch)
    poles(c, xs, 66, done ? 312 : 304)
    for (const y of done ? [120, 205, 290] : [150]) c.box(steel, 0, y, width, 7)
    for (const x of xs) {
      c.box(yellow, x - 3, 66, 15, 14)
      if (done) c.box(wood, x - 14, 310, 38, 10)
    }
    if (done)
      c.stroke(steel, 6, [
        [0, 300],
        [240, 70],
        [480, 300],
      ])
  },
  soil(c, done, random) {
    outdoors(c, 140, [160, 150, 132])
    const ground = done ? green : earth
    c.oval(ground, 150, 290, 190, 120, { upTo: 300 })
    c.oval(done ? [52, 116, 72] : [132, 104, 72], 370, 300, 160, 90, { upTo: 310 })
    if (done) {
      for (let x = 0; x < width; x += 26) c.box([44, 104, 62], x, 200, 2, 100, 0.5)
      for (let y = 200; y < 300; y += 22) c.box([44, 104, 62], 0, y, width, 2, 0.5)
      for (let i = 0; i < 5; i++) c.box(dark, 30 + i * 100, 288, 26, 14)
    } else
      for (let i = 0; i < 60; i++) c.oval([118, 92, 62], random.int(0, width), random.int(210, 350), random.int(3, 9), random.int(2, 5))
  },
  stack(c, done, random) {
    outdoors(c, 140, [142, 138, 130])
    if (done) {
      for (let row = 0; row < 7; row++) for (let i = 0; i < 22; i++) c.ring(steel, 70 + i * 15, 290 - row * 15, 6, 4)
      for (const x of [60, 396]) c.box(yellow, x - 8, 170, 8, 136)
      c.box(white, 404, 150, 64, 56)
      c.box([40, 86, 170], 404, 150, 64, 14)
      for (let i = 0; i < 3; i++) c.box(dark, 412, 172 + i * 10, 44, 3)
      c.box(wood, 60, 300, 340, 10)
    } else
      for (let i = 0; i < 34; i++) {
        const [x, y] = [random.int(20, 380), random.int(150, 330)]
        c.stroke(i % 4 ? steel : wood, 9, [
          [x, y],
          [x + random.int(60, 130), y + random.int(-60, 60)],
        ])
      }
  },
  wall(c, done, random) {
    c.box([176, 172, 164], 0, 0, width, height)
    const brick: Colour = [176, 158, 142]
    for (let row = 0; row < 9; row++)
      for (let i = -1; i < 7; i++) {
        const shift = row % 2 ? 42 : 0
        c.box(brick, i * 84 + shift, row * 40, done ? 78 : 78 + random.int(0, 6), done ? 34 : 34 + random.int(0, 5))
        c.box([150, 132, 118], i * 84 + shift, row * 40 + 28, 78, 5, 0.4)
      }
    if (done) {
      c.box(white, 300, 60, 120, 120)
      for (let i = 0; i <= 6; i++) {
        c.box(dark, 300 + i * 20, 60, 2, 120)
        c.box(dark, 300, 60 + i * 20, 120, 2)
      }
    } else {
      for (let i = 0; i < 5; i++) c.box([40, 38, 36], 60 + i * 78, 80 + ((i * 97) % 200), 60, 6)
      c.stroke([54, 50, 46], 4, [
        [200, 20],
        [226, 110],
        [204, 200],
        [240, 330],
      ])
      c.ring(red, 222, 150, 52, 6)
    }
  },
}

/** A picture of the scene as PNG, before it was corrected or after; from the same place both times. */
export function rectifyPhoto(scene: RectifyScene, done: boolean): Buffer {
  const random = stream('rectify photo', scene, done ? 'after' : 'before')
  const c = new Canvas(width, height, pale)
  draws[scene](c, done, random)
  // Grain and dark corners, as a telephone makes them in bad light.
  for (let i = 0; i < 400; i++)
    c.oval(random.chance(0.5) ? dark : white, random.int(0, width), random.int(0, height), 1.6, 1.2, { opacity: 0.1 })
  for (const [x, y] of [
    [0, 0],
    [width, 0],
    [0, height],
    [width, height],
  ] as const)
    for (let i = 1; i < 5; i++) c.oval(dark, x, y, i * 34, i * 26, { opacity: 0.05 })
  return c.png()
}
