import { Canvas, type Colour } from './canvas.ts'
import { stream } from './random.ts'

/** Person of a portrait; looks the same in every picture. */
export interface Sitter {
  personId: string
  gender: '1' | '2'
  age: number
  /** Managers wear white and a collar, workers the colour of their company. */
  manager: boolean
  /** With a helmet; document photos are without. */
  onSite: boolean
}

const skins: readonly Colour[] = [
  [244, 211, 182],
  [238, 199, 166],
  [229, 186, 150],
  [216, 170, 133],
  [201, 152, 116],
]
const grounds: readonly Colour[] = [
  [214, 227, 242],
  [224, 232, 240],
  [205, 221, 236],
  [230, 234, 238],
]
const helmets: readonly Colour[] = [
  [245, 179, 22],
  [245, 179, 22],
  [238, 134, 30],
  [214, 52, 44],
  [32, 104, 206],
  [30, 136, 92],
]
const shirts: readonly Colour[] = [
  [44, 78, 138],
  [62, 84, 112],
  [38, 96, 88],
  [92, 98, 108],
  [112, 84, 62],
  [66, 70, 84],
]
const vests: readonly Colour[] = [
  [245, 128, 32],
  [222, 222, 48],
]
const white: Colour = [250, 250, 250]

const shaded = (colour: Colour, by: number): Colour =>
  colour.map((v) => Math.max(0, Math.min(255, Math.round(v * by)))) as unknown as Colour

/** Draws an invented face; no two people look alike. */
export function portrait(sitter: Sitter): Buffer {
  const random = stream('portrait', sitter.personId)
  const female = sitter.gender === '2'
  const skin = random.pick(skins)
  const canvas = new Canvas(120, 160, random.pick(grounds))
  const look = {
    width: random.float(23.5, 28) * (female ? 0.95 : 1),
    length: random.float(30, 35),
    jaw: random.float(0.66, 0.9) * (female ? 0.88 : 1),
    eyes: random.float(9.2, 11.6),
    eyeSize: random.float(2.1, 2.9),
    eyeTall: random.float(1.5, 2.3),
    brow: random.float(1.3, female ? 1.7 : 2.8),
    browSlope: random.float(-1.2, 1.4),
    nose: random.float(8, 12),
    mouth: random.float(5.5, 8.5),
    smile: random.float(-0.6, 2.4),
    shirt: random.pick(shirts),
    helmet: sitter.manager ? white : random.pick(helmets),
    vest: random.pick(vests),
    glasses: random.chance(sitter.manager ? 0.4 : 0.07),
    beard: !female && random.chance(0.22),
    moustache: !female && random.chance(0.08),
    parting: random.float(-9, 9),
    fringe: random.float(0.3, 1),
    hairLine: random.float(52, 58),
    mole: random.chance(0.08) ? random.float(-14, 14) : undefined,
  }
  const grey = sitter.age > 50 ? random.float(0.3, 1) : 0
  const hair: Colour = [Math.round(38 + 92 * grey), Math.round(33 + 96 * grey), Math.round(32 + 100 * grey)]
  const cx = 60
  const cy = 78

  // Behind the head: long hair.
  if (female) canvas.oval(hair, cx, cy + 4, look.width + 7, 41)
  drawBody(canvas, sitter, look)
  // Neck with the chin's shadow, then ears and head.
  canvas.box(shaded(skin, 0.9), cx - 10.5, 100, 21, 26)
  canvas.oval(shaded(skin, 0.78), cx, 106, 12, 9, { opacity: 0.7 })
  for (const side of [-1, 1]) {
    canvas.oval(shaded(skin, 0.93), cx + side * (look.width + 0.5), cy + 2, 4, 7)
    canvas.oval(shaded(skin, 0.8), cx + side * (look.width + 0.8), cy + 2, 1.8, 4)
  }
  canvas.oval(skin, cx, cy - 2, look.width, look.length - 2, { upTo: cy + 12 })
  canvas.oval(skin, cx, cy + 4, look.width * (0.72 + 0.28 * look.jaw), look.length - 1, { from: cy - 6 })
  canvas.oval(skin, cx, cy + look.length - 9, look.width * look.jaw * 0.8, 12)
  canvas.oval(shaded(skin, 1.06), cx - 6, cy - 8, look.width * 0.6, 18, { opacity: 0.35 })
  for (const side of [-1, 1]) canvas.oval([224, 128, 112], cx + side * 14, cy + 9, 6.5, 4.5, { opacity: female ? 0.26 : 0.14 })

  drawFace(canvas, { ...look, skin, hair, cx, cy, age: sitter.age, female })
  if (sitter.onSite) drawHelmet(canvas, look.helmet, look.width, cx)
  else drawHair(canvas, { ...look, hair, cx, cy, female })
  return canvas.png()
}

interface Dress {
  shirt: Colour
  vest: Colour
}

function drawBody(canvas: Canvas, sitter: Sitter, look: Dress): void {
  const { shirt } = look
  canvas.oval(shirt, 60, 166, 54, 50)
  canvas.oval(shaded(shirt, 0.88), 60, 172, 30, 50, { opacity: 0.35 })
  if (sitter.onSite) {
    canvas.stroke(look.vest, 19, [
      [33, 128],
      [29, 170],
    ])
    canvas.stroke(look.vest, 19, [
      [87, 128],
      [91, 170],
    ])
    for (const x of [31, 89]) canvas.box([236, 240, 242], x - 9, 140, 18, 6)
  }
  if (sitter.manager || !sitter.onSite) {
    const collar = sitter.manager ? white : shaded(shirt, 1.3)
    canvas.stroke(collar, 6, [
      [48, 116],
      [60, 131],
    ])
    canvas.stroke(collar, 6, [
      [72, 116],
      [60, 131],
    ])
  }
}

interface Face {
  skin: Colour
  hair: Colour
  cx: number
  cy: number
  age: number
  female: boolean
  eyes: number
  eyeSize: number
  eyeTall: number
  brow: number
  browSlope: number
  nose: number
  mouth: number
  smile: number
  glasses: boolean
  beard: boolean
  moustache: boolean
  mole: number | undefined
  width: number
  jaw: number
  length: number
}

function drawFace(canvas: Canvas, f: Face): void {
  const { cx, cy, skin } = f
  const line = shaded(skin, 0.68)
  if (f.beard) canvas.oval(f.hair, cx, cy + f.length - 13, f.width * f.jaw * 0.82, 13, { from: cy + 16, opacity: 0.16 })
  for (const side of [-1, 1]) {
    const x = cx + side * f.eyes
    canvas.oval([248, 246, 242], x, cy - 1, f.eyeSize + 2, f.eyeTall)
    canvas.oval([44, 34, 30], x, cy - 1, f.eyeTall + 0.2, f.eyeTall + 0.2)
    canvas.oval(white, x + 0.8, cy - 1.8, 0.7, 0.7)
    canvas.stroke([58, 44, 38], f.female ? 1.5 : 1.1, [
      [x - side * 4.6, cy - 1.2],
      [x, cy - 1.4 - f.eyeTall],
      [x + side * 4.8, cy - 1.6],
    ])
    canvas.stroke(shaded(f.hair, 1.1), f.brow, [
      [x - side * 5, cy - 8.4 + f.browSlope * 0.4],
      [x + side * 1, cy - 9.6],
      [x + side * 6, cy - 8.6 - f.browSlope * 0.3],
    ])
    if (f.age > 42)
      canvas.stroke(line, 0.9, [
        [x - side * 3.5, cy + 4.5],
        [x + side * 3.5, cy + 5],
      ])
    if (f.age > 36)
      canvas.stroke(
        line,
        1,
        [
          [cx + side * 6, cy + f.nose],
          [cx + side * (f.mouth + 3), cy + f.nose + 8],
        ],
        Math.min(0.8, (f.age - 30) / 30),
      )
  }
  canvas.stroke(line, 1.3, [
    [cx + 1.6, cy + 1],
    [cx + 3.4, cy + f.nose - 1.5],
    [cx - 2.6, cy + f.nose],
  ])
  const mouthY = cy + f.nose + 9
  if (f.moustache)
    canvas.stroke(f.hair, 2.6, [
      [cx - f.mouth, mouthY - 3],
      [cx, mouthY - 4.4],
      [cx + f.mouth, mouthY - 3],
    ])
  canvas.stroke(f.female ? [196, 92, 88] : [176, 104, 90], f.female ? 2.4 : 1.9, [
    [cx - f.mouth, mouthY - f.smile * 0.5],
    [cx, mouthY + f.smile * 0.5],
    [cx + f.mouth, mouthY - f.smile * 0.5],
  ])
  if (f.mole !== undefined) canvas.oval([96, 66, 52], cx + f.mole, cy + 15, 1, 1)
  if (f.glasses) {
    for (const side of [-1, 1]) canvas.ring([40, 44, 52], cx + side * f.eyes, cy - 0.5, 7, 1.3)
    canvas.stroke([40, 44, 52], 1.2, [
      [cx - f.eyes + 7, cy - 1.5],
      [cx + f.eyes - 7, cy - 1.5],
    ])
  }
}

function drawHelmet(canvas: Canvas, colour: Colour, width: number, cx: number): void {
  const reach = width + 6
  for (const side of [-1, 1])
    canvas.stroke([52, 56, 62], 1.8, [
      [cx + side * (width - 0.5), 66],
      [cx + side * (width - 4), 96],
      [cx + side * 5, 113],
    ])
  canvas.oval([0, 0, 0], cx, 66, width, 7, { from: 64, opacity: 0.18 })
  canvas.oval(shaded(colour, 0.9), cx, 62, reach, 38, { upTo: 62 })
  canvas.oval(colour, cx - 1, 62, reach - 3, 35, { upTo: 60 })
  canvas.oval(white, cx - 11, 42, 8, 11, { opacity: 0.3 })
  canvas.stroke(shaded(colour, 0.84), 3.6, [
    [cx, 25],
    [cx, 54],
  ])
  canvas.oval(shaded(colour, 0.78), cx, 62.5, reach + 6, 5)
  canvas.oval(shaded(colour, 0.96), cx, 60.8, reach + 5, 3.6)
}

interface Hair {
  hair: Colour
  cx: number
  cy: number
  female: boolean
  width: number
  parting: number
  fringe: number
  hairLine: number
}

function drawHair(canvas: Canvas, h: Hair): void {
  const { cx, hair, width } = h
  const top = h.hairLine
  canvas.oval(hair, cx, top + 8, width + 3.5, 29, { upTo: top })
  canvas.oval(hair, cx + h.parting, top, width - Math.abs(h.parting) + 2, 7 * h.fringe, { from: top - 6 })
  for (const side of [-1, 1])
    canvas.stroke(hair, h.female ? 7 : 4.4, [
      [cx + side * (width - 0.2), top - 4],
      [cx + side * (width + 0.6), top + (h.female ? 34 : 14)],
    ])
  canvas.oval(white, cx + h.parting * 0.6, top - 12, 12, 5, { opacity: 0.1 })
}
