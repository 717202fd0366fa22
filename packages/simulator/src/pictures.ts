import { crc32, deflateSync } from 'node:zlib'
import type { FileSeed } from './city-types.ts'
import { clamp, stream } from './random.ts'

/** Invented faces and papers as small PNG files, so that no photograph of a living person is ever needed. */

type Colour = [number, number, number]

class Canvas {
  readonly width: number
  readonly height: number
  private readonly rows: Buffer[]

  constructor(width: number, height: number, ground: Colour) {
    this.width = width
    this.height = height
    this.rows = Array.from({ length: height }, () => {
      const row = Buffer.alloc(1 + width * 3)
      for (let x = 0; x < width; x++) row.set(ground, 1 + x * 3)
      return row
    })
  }

  /** Paints every pixel whose centre lies inside. */
  fill(colour: Colour, inside: (x: number, y: number) => boolean): void {
    for (let y = 0; y < this.height; y++) {
      for (let x = 0; x < this.width; x++) if (inside(x + 0.5, y + 0.5)) this.rows[y]!.set(colour, 1 + x * 3)
    }
  }

  box(colour: Colour, left: number, top: number, width: number, height: number): void {
    this.fill(colour, (x, y) => x >= left && x < left + width && y >= top && y < top + height)
  }

  oval(colour: Colour, cx: number, cy: number, rx: number, ry: number, upTo = Number.POSITIVE_INFINITY): void {
    this.fill(colour, (x, y) => y < upTo && ((x - cx) / rx) ** 2 + ((y - cy) / ry) ** 2 <= 1)
  }

  png(): Buffer {
    const chunk = (type: string, data: Buffer) => {
      const head = Buffer.alloc(4)
      head.writeUInt32BE(data.length)
      const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
      const check = Buffer.alloc(4)
      check.writeUInt32BE(crc32(body))
      return Buffer.concat([head, body, check])
    }
    const header = Buffer.alloc(13)
    header.writeUInt32BE(this.width, 0)
    header.writeUInt32BE(this.height, 4)
    header.set([8, 2, 0, 0, 0], 8)
    return Buffer.concat([
      Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
      chunk('IHDR', header),
      chunk('IDAT', deflateSync(Buffer.concat(this.rows))),
      chunk('IEND', Buffer.alloc(0)),
    ])
  }
}

function portrait(file: FileSeed): Buffer {
  const random = stream('portrait', file.lines[0] ?? file.id)
  const female = file.lines[1] === '2'
  const shade = random.float(0.86, 1.04)
  const skin = [238, 198, 164].map((value) => Math.round(clamp(value * shade, 0, 255))) as Colour
  const helmet = random.pick<Colour>([
    [240, 163, 28],
    [240, 163, 28],
    [222, 60, 48],
    [245, 245, 240],
    [28, 98, 210],
  ])
  const shirt = random.pick<Colour>([
    [44, 88, 168],
    [58, 104, 190],
    [60, 76, 96],
    [38, 110, 96],
  ])
  const canvas = new Canvas(120, 160, [228, 235, 244])
  const face = random.float(23, 27)
  canvas.oval(shirt, 60, 160, 50, 46)
  canvas.box(skin, 52, 98, 16, 22)
  if (female) canvas.oval([52, 38, 30], 60, 80, face + 6, 40)
  canvas.oval(skin, 60, 78, face, 32)
  for (const side of [-1, 1]) {
    canvas.oval([40, 32, 28], 60 + side * 10, 76, 2.6, 2.4)
    canvas.box([70, 52, 40], 60 + side * 10 - 5, 68 + random.float(-0.6, 0.6), 10, 2)
  }
  canvas.box([198, 122, 104], 53, 94, 14, 2.4)
  canvas.oval(helmet, 60, 62, face + 6, 34, 62)
  canvas.box(helmet.map((value) => Math.round(value * 0.86)) as Colour, 60 - face - 11, 58, (face + 11) * 2, 6)
  canvas.box([244, 210, 60], 36, 128, 7, 32)
  canvas.box([244, 210, 60], 77, 128, 7, 32)
  return canvas.png()
}

/** A paper with a head bar, a picture or seal and as many ruled lines as it has facts; its words stand in the record, not in the picture. */
function paper(file: FileSeed): Buffer {
  const card = file.kind === 'certificate' || file.kind === 'idCard'
  const canvas = card ? new Canvas(246, 160, [250, 250, 247]) : new Canvas(210, 297, [252, 252, 250])
  const random = stream('paper', file.id)
  const bar: Colour =
    file.kind === 'contract'
      ? [70, 84, 104]
      : file.kind === 'licence'
        ? [150, 46, 40]
        : random.pick<Colour>([
            [44, 110, 78],
            [44, 110, 78],
            [146, 50, 54],
          ])
  canvas.box(bar, 12, 12, canvas.width - 24, 14)
  const left = card ? 78 : 24
  if (card) {
    canvas.box([206, 222, 240], 18, 40, 48, 62)
    canvas.oval([120, 146, 178], 42, 60, 12, 14)
    canvas.oval([120, 146, 178], 42, 102, 20, 22, 102)
  }
  const count = card ? 5 : 14
  for (let i = 0; i < count; i++)
    canvas.box([186, 194, 206], left, (card ? 44 : 48) + i * 15, (canvas.width - left - 24) * random.float(0.5, 1), 4)
  const [x, y] = [canvas.width - 44, canvas.height - 40]
  canvas.fill([214, 72, 62], (px, py) => {
    const distance = Math.hypot(px - x, py - y)
    return (distance < 22 && distance > 19.5) || distance < 5
  })
  return canvas.png()
}

/** The picture for a file of the city, the same each time. */
export function drawFile(file: FileSeed): Buffer {
  return file.kind === 'portrait' ? portrait(file) : paper(file)
}
