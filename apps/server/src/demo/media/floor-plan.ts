import { Canvas, type Colour } from '@zhugong/simulator/canvas'

/** Left, top, right and bottom as shares of the plan. */
export type PlanBox = readonly [number, number, number, number]
export const planKinds = ['homes', 'halls', 'basement', 'pit'] as const
export type PlanKind = (typeof planKinds)[number]

/** Where each room of a plan lies; rooms of homes by the last two digits of their number. */
export const planRooms: Readonly<Record<PlanKind, Readonly<Record<string, PlanBox>>>> = {
  homes: {
    '01': [0.04, 0.06, 0.38, 0.48],
    '02': [0.04, 0.52, 0.38, 0.94],
    '03': [0.62, 0.06, 0.96, 0.48],
    '04': [0.62, 0.52, 0.96, 0.94],
    楼梯间: [0.4, 0.06, 0.6, 0.44],
    管井: [0.4, 0.56, 0.6, 0.94],
  },
  halls: {
    西区: [0.04, 0.06, 0.3, 0.94],
    东区: [0.7, 0.06, 0.96, 0.94],
    北区: [0.32, 0.06, 0.68, 0.36],
    南区: [0.32, 0.64, 0.68, 0.94],
    楼梯间: [0.32, 0.4, 0.48, 0.6],
    管井: [0.52, 0.4, 0.68, 0.6],
  },
  basement: {
    'A 区': [0.04, 0.06, 0.48, 0.48],
    'B 区': [0.52, 0.06, 0.96, 0.48],
    'C 区': [0.04, 0.52, 0.48, 0.94],
    'D 区': [0.52, 0.52, 0.96, 0.94],
  },
  pit: { 北侧: [0.2, 0.05, 0.8, 0.2], 南侧: [0.2, 0.8, 0.8, 0.95], 西侧: [0.05, 0.22, 0.18, 0.78], 东侧: [0.82, 0.22, 0.95, 0.78] },
}

const [width, height] = [900, 640]
export const planRatio = width / height
const paper: Colour = [250, 250, 247]
const wall: Colour = [58, 64, 74]
const thin: Colour = [150, 158, 170]
const room: Colour = [236, 241, 248]
const core: Colour = [222, 226, 232]
const glass: Colour = [120, 168, 214]
const earth: Colour = [214, 196, 168]
const axis: Colour = [206, 120, 108]

/** A drawn plan as PNG, always the same for its kind. */
export function floorPlan(kind: PlanKind): Buffer {
  const c = new Canvas(width, height, paper)
  for (let i = 1; i < 8; i++)
    c.stroke(
      axis,
      1,
      [
        [(width / 8) * i, 8],
        [(width / 8) * i, height - 8],
      ],
      0.35,
    )
  for (let i = 1; i < 6; i++)
    c.stroke(
      axis,
      1,
      [
        [8, (height / 6) * i],
        [width - 8, (height / 6) * i],
      ],
      0.35,
    )
  if (kind === 'pit') drawPit(c)
  else for (const [name, box] of Object.entries(planRooms[kind])) drawRoom(c, kind, name, box)
  if (kind === 'basement') columns(c)
  if (kind !== 'pit') outline(c)
  scale(c)
  return c.png()
}

const px = ([left, top, right, bottom]: PlanBox) => ({
  x: left * width,
  y: top * height,
  w: (right - left) * width,
  h: (bottom - top) * height,
})

function drawRoom(c: Canvas, kind: PlanKind, name: string, box: PlanBox): void {
  const { x, y, w, h } = px(box)
  const isCore = name === '楼梯间' || name === '管井'
  c.box(isCore ? core : room, x, y, w, h)
  for (const [bx, by, bw, bh] of [
    [x, y, w, 6],
    [x, y + h - 6, w, 6],
    [x, y, 6, h],
    [x + w - 6, y, 6, h],
  ] as const)
    c.box(wall, bx, by, bw, bh)
  // A door towards the middle of the floor, standing open.
  const inward = x + w / 2 < width / 2 ? x + w - 6 : x
  const step = x + w / 2 < width / 2 ? -26 : 26
  c.box(paper, inward, y + h / 2 - 15, 6, 30)
  c.stroke(thin, 3, [
    [inward + 3, y + h / 2 + 15],
    [inward + 3 + step, y + h / 2],
  ])
  if (name === '楼梯间') for (let step = 1; step < 9; step++) c.box(thin, x + 14 + (step * (w - 40)) / 9, y + 14, 2, h - 28)
  else if (name === '管井') {
    c.stroke(thin, 2, [
      [x + 8, y + 8],
      [x + w - 8, y + h - 8],
    ])
    c.stroke(thin, 2, [
      [x + w - 8, y + 8],
      [x + 8, y + h - 8],
    ])
  } else if (kind === 'homes') partitions(c, x, y, w, h)
  if (kind === 'homes' && !isCore) digits(c, name, x + w / 2 - 16, y + h / 2 - 12)
}

/** Walls within a flat, and its windows. */
function partitions(c: Canvas, x: number, y: number, w: number, h: number): void {
  c.box(wall, x + w * 0.45, y + 6, 4, h * 0.4)
  c.box(wall, x + 6, y + h * 0.62, w * 0.3, 4)
  c.box(wall, x + w * 0.7, y + h * 0.55, 4, h * 0.45 - 6)
  c.box(glass, x + w * 0.1, y, w * 0.25, 5)
  c.box(glass, x + w * 0.55, y, w * 0.3, 5)
  c.box(glass, x + w * 0.15, y + h - 5, w * 0.3, 5)
}

function columns(c: Canvas): void {
  for (let i = 1; i < 8; i++) for (let k = 1; k < 6; k++) c.box(wall, (width / 8) * i - 9, (height / 6) * k - 9, 18, 18)
  for (let i = 0; i < 14; i++) for (const top of [70, height - 130]) c.box(thin, 60 + i * 56, top, 2, 60)
}

function outline(c: Canvas): void {
  const { x, y, w, h } = px([0.035, 0.05, 0.965, 0.95])
  for (const [bx, by, bw, bh] of [
    [x - 4, y - 4, w + 8, 4],
    [x - 4, y + h, w + 8, 4],
    [x - 4, y - 4, 4, h + 8],
    [x + w, y - 4, 4, h + 8],
  ] as const)
    c.box(wall, bx, by, bw, bh)
}

/** A pit with its slopes, struts and the road around it. */
function drawPit(c: Canvas): void {
  c.box(earth, width * 0.05, height * 0.05, width * 0.9, height * 0.9)
  c.box([198, 178, 148], width * 0.2, height * 0.2, width * 0.6, height * 0.6)
  c.box(paper, width * 0.25, height * 0.26, width * 0.5, height * 0.48)
  for (let i = 0; i < 5; i++) c.box(wall, width * (0.3 + i * 0.1), height * 0.2, 7, height * 0.6)
  for (let i = 0; i < 3; i++) c.box(wall, width * 0.2, height * (0.32 + i * 0.17), width * 0.6, 7)
  for (let i = 0; i < 30; i++) {
    c.stroke(thin, 2, [
      [width * (0.2 + i * 0.02), height * 0.2],
      [width * (0.215 + i * 0.02), height * 0.26],
    ])
    c.stroke(thin, 2, [
      [width * (0.2 + i * 0.02), height * 0.8],
      [width * (0.215 + i * 0.02), height * 0.74],
    ])
  }
}

/** A bar of ten metres and an arrow to the north. */
function scale(c: Canvas): void {
  for (let i = 0; i < 4; i++) c.box(i % 2 ? paper : wall, 40 + i * 30, height - 20, 30, 7)
  c.stroke(wall, 3, [
    [width - 30, height - 8],
    [width - 30, height - 34],
    [width - 38, height - 22],
  ])
  c.stroke(wall, 3, [
    [width - 30, height - 34],
    [width - 22, height - 22],
  ])
}

/** Digits of three by five dots. */
const dots: Readonly<Record<string, readonly number[]>> = {
  0: [7, 5, 5, 5, 7],
  1: [2, 6, 2, 2, 7],
  2: [7, 1, 7, 4, 7],
  3: [7, 1, 7, 1, 7],
  4: [5, 5, 7, 1, 1],
}
function digits(c: Canvas, text: string, x: number, y: number): void {
  for (const [at, digit] of [...text].entries())
    for (const [row, bits] of (dots[digit] ?? []).entries())
      for (let column = 0; column < 3; column++) if (bits & (4 >> column)) c.box(thin, x + at * 20 + column * 5, y + row * 5, 5, 5)
}
