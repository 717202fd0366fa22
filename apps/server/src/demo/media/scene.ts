import { crc32, deflateSync } from 'node:zlib'

/** Size of the demonstration's pictures in pixels; the encoder needs even numbers. */
export const [wide, high] = [480, 270]
/** A clip is one minute long: its burnt-in seconds are right if playback starts at the current second of the minute. */
export const clipSeconds = 60
export const framesPerSecond = 5

export const scenes = ['gate', 'crane', 'pit', 'yard'] as const
export type Scene = (typeof scenes)[number]

/** Scene of a camera, from its name. */
export const sceneOf = (name: string): Scene =>
  /门|洗车/.test(name) ? 'gate' : /塔机|吊钩|制高点|球机/.test(name) ? 'crane' : /基坑/.test(name) ? 'pit' : 'yard'

type Colour = readonly [number, number, number]
const sky: Colour = [158, 184, 212]
const ground: Colour = [142, 128, 106]
const steel: Colour = [232, 178, 44]
const concrete: Colour = [122, 128, 138]
const vest: Colour = [240, 122, 36]
const dark: Colour = [40, 46, 58]
const white: Colour = [255, 255, 255]

/** A picture drawn from rectangles, RGBA by row. */
class Picture {
  readonly pixels = new Uint8Array(wide * high * 4).fill(255)

  box([red, green, blue]: Colour, left: number, top: number, width: number, height: number): void {
    const [x0, x1] = [Math.max(0, Math.round(left)), Math.min(wide, Math.round(left + width))]
    const [y0, y1] = [Math.max(0, Math.round(top)), Math.min(high, Math.round(top + height))]
    for (let y = y0; y < y1; y++)
      for (let x = x0; x < x1; x++) {
        const at = (y * wide + x) * 4
        this.pixels[at] = red
        this.pixels[at + 1] = green
        this.pixels[at + 2] = blue
      }
  }

  person(x: number, foot: number, size: number): void {
    this.box([250, 204, 40], x - size * 0.16, foot - size, size * 0.32, size * 0.16)
    this.box([222, 184, 150], x - size * 0.12, foot - size * 0.86, size * 0.24, size * 0.14)
    this.box(vest, x - size * 0.2, foot - size * 0.72, size * 0.4, size * 0.38)
    this.box(dark, x - size * 0.16, foot - size * 0.34, size * 0.32, size * 0.34)
  }
}

/** Segments of a seven-segment digit: top, upper left, upper right, middle, lower left, lower right, bottom. */
const segments = ['1110111', '0010010', '1011101', '1011011', '0111010', '1101011', '1101111', '1010010', '1111111', '1111011']
const bars = [
  [1, 0, 6, 2],
  [0, 1, 2, 6],
  [6, 1, 2, 6],
  [1, 6, 6, 2],
  [0, 7, 2, 6],
  [6, 7, 2, 6],
  [1, 12, 6, 2],
] as const

function clock(picture: Picture, text: string, left: number, top: number): void {
  picture.box(dark, left - 5, top - 4, text.length * 11 + 8, 22)
  for (const [i, sign] of [...text].entries()) {
    const x = left + i * 11
    const lit = segments[Number(sign)]
    if (sign === ':') {
      picture.box(white, x + 3, top + 3, 2, 2)
      picture.box(white, x + 3, top + 9, 2, 2)
    } else if (sign === '-') picture.box(white, x + 1, top + 6, 6, 2)
    else if (lit) for (const [no, [bx, by, bw, bh]] of bars.entries()) if (lit[no] === '1') picture.box(white, x + bx, top + by, bw, bh)
  }
}

/** A frame of a scene, with its second or the whole clock burnt in; RGBA, `wide` by `high`. */
export function frameOf(scene: Scene, second: number, words: string): Uint8Array {
  const picture = new Picture()
  const turn = (second / clipSeconds) * 2 * Math.PI
  picture.box(sky, 0, 0, wide, 120)
  picture.box(ground, 0, 120, wide, high - 120)
  if (scene === 'gate') {
    picture.box([40, 86, 170], 90, 60, 300, 26)
    picture.box(concrete, 100, 86, 18, 90)
    picture.box(concrete, 362, 86, 18, 90)
    const open = second % 20 < 8
    picture.box([222, 60, 50], 150, open ? 96 : 150, open ? 10 : 180, open ? 60 : 8)
    const truck = ((second * 26) % (wide + 200)) - 160
    picture.box([46, 120, 76], truck, 176, 110, 44)
    picture.box([226, 230, 236], truck + 112, 188, 34, 32)
    for (const wheel of [14, 78, 122]) picture.box(dark, truck + wheel, 216, 16, 16)
    for (let i = 0; i < 3; i++) picture.person(((second * (9 + i * 3) + i * 150) % (wide + 40)) - 20, 170 - i * 6, 34)
  } else if (scene === 'crane') {
    for (let floor = 0; floor < 5; floor++) picture.box(concrete, 20, 60 + floor * 42, 190, 30)
    picture.box(steel, 340, 30, 10, 240)
    const reach = 110 + 60 * Math.cos(turn)
    picture.box(steel, 350 - reach, 40, reach + 60, 7)
    const hook = 350 - reach + 16
    const drop = 60 + 50 * (1 + Math.sin(turn * 3)) * 0.5
    picture.box(dark, hook, 46, 2, drop)
    picture.box([150, 90, 50], hook - 18, 46 + drop, 38, 14)
    picture.person(70 + 30 * Math.sin(turn), 100, 26)
  } else if (scene === 'pit') {
    picture.box([106, 92, 74], 40, 120, 400, 150)
    picture.box([70, 112, 180], 40, 140, 400, 12)
    picture.box([70, 112, 180], 40, 190, 400, 12)
    const digger = 180 + 120 * Math.sin(turn)
    picture.box(steel, digger, 216, 52, 24)
    picture.box(dark, digger - 6, 240, 64, 10)
    picture.box(steel, digger + 48, 200 + 10 * Math.sin(turn * 6), 40, 7)
    picture.person(90 + 20 * Math.cos(turn), 250, 34)
  } else {
    picture.box([60, 110, 168], 30, 84, 420, 14)
    for (const post of [40, 240, 430]) picture.box(concrete, post, 98, 8, 90)
    for (let i = 0; i < 6; i++) picture.box([150, 84, 46], 60, 200 + i * 9, 300, 4)
    picture.person(120 + 80 * Math.sin(turn), 196, 40)
    picture.person(340 - 50 * Math.cos(turn), 200, 40)
    picture.box([250, 240, 160], 236 + 6 * Math.sin(turn * 12), 178, 6, 6)
  }
  clock(picture, words, wide - words.length * 11 - 12, 12)
  return picture.pixels
}

/** The frame as PNG (ISO/IEC 15948), eight bits each of red, green and blue. */
export function pngOf(rgba: Uint8Array): Buffer {
  const rows = Buffer.alloc((wide * 3 + 1) * high)
  for (let y = 0; y < high; y++)
    for (let x = 0; x < wide; x++) for (let i = 0; i < 3; i++) rows[y * (wide * 3 + 1) + 1 + x * 3 + i] = rgba[(y * wide + x) * 4 + i] ?? 0
  const header = Buffer.alloc(13)
  header.writeUInt32BE(wide, 0)
  header.writeUInt32BE(high, 4)
  header.set([8, 2, 0, 0, 0], 8)
  const chunk = (type: string, data: Buffer) => {
    const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
    const [length, check] = [Buffer.alloc(4), Buffer.alloc(4)]
    length.writeUInt32BE(data.length)
    check.writeUInt32BE(crc32(body))
    return Buffer.concat([length, body, check])
  }
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(rows, { level: 1 })),
    chunk('IEND', Buffer.alloc(0)),
  ])
}
