import { type Font, openSync, type Path } from 'fontkit'
import { fontFile } from '#kit/pdf'
import { greyPng } from '#kit/png'

/** Pixels; twice the display size. */
export const pictureSize = { width: 320, height: 80 }
const { width, height } = pictureSize
const fontSize = 78
/** Each character is drawn at these offsets, so that its lines are as thick as the strokes that cross it. */
const boldness = [-1.3, 0, 1.3]
/** Sub-lines per pixel row for anti-aliasing; no pixel reveals exactly where an edge was. */
const subLines = 3
const curveSteps = 6

type Point = readonly [number, number]
type Random = () => number
type Command = Path['commands'][number]

/** The product's font, loaded with the first picture: ten megabytes that other processes do not need. */
let typeface: Font | undefined
const font = (): Font => {
  typeface ??= openSync(fontFile) as Font
  return typeface
}
const glyphOf = (char: string) => font().glyphForCodePoint(char.codePointAt(0) ?? 0)
const scale = () => fontSize / font().unitsPerEm

/**
 * Draws characters as a distorted PNG. Each is bent, rotated and shifted at random and overlaps its neighbours. Strokes of the same
 * colour and width, gaps in the background colour, and specks cross them.
 * Value: the text cannot be read from vector paths or by comparing pixels, so an attacker needs a trained recogniser or people. Such
 * recognisers exist; a general one now reads it more often than not. A captcha therefore only slows attacks and raises their cost.
 * Guessing is prevented by the lock and the queue for unknown addresses (`limits.ts`).
 */
export function captchaPicture(text: string, random: Random = Math.random): Buffer {
  const between = (low: number, high: number) => low + random() * (high - low)
  const ink = new Float32Array(width * height)
  for (const outline of outlinesOf(text, between))
    for (const dx of boldness) for (const dy of boldness) fillInto(ink, moved(outline, dx, dy), 1)
  for (let i = 0; i < 2; i++) fillInto(ink, stroke(between, between(2.5, 4)), 1)
  for (let i = 0; i < 3; i++) fillInto(ink, stroke(between, between(1.2, 2)), -1)
  return greyPng(toned(ink, between), width, height)
}

type Between = (low: number, high: number) => number

const moved = (contours: readonly Point[][], dx: number, dy: number): Point[][] =>
  contours.map((contour) => contour.map(([x, y]): Point => [x + dx, y + dy]))

function* outlinesOf(text: string, between: Between): Generator<Point[][]> {
  const advances = [...text].map((char) => glyphOf(char).advanceWidth * scale())
  // Closer than normal spacing, so that neighbours touch and are hard to segment.
  const closeness = Math.min(0.9, (width - 40) / advances.reduce((sum, one) => sum + one, 0))
  const wave = { amount: between(2.5, 5), length: between(70, 130), phase: between(0, 6.3), lean: between(2, 4), rise: between(35, 70) }
  let x = (width - closeness * advances.reduce((sum, one) => sum + one, 0)) / 2 + between(-8, 8)
  for (const [i, char] of [...text].entries()) {
    const advance = advances[i] ?? 0
    const centre: Point = [x + (advance * closeness) / 2, height / 2 + between(-4, 4)]
    const [turn, lean, wide, tall] = [between(-0.5, 0.5), between(-0.35, 0.35), between(0.78, 1.15), between(0.75, 1.1)]
    const place = ([px, py]: Point): Point => {
      const [sx, sy] = [(px - advance / 2) * wide + (py + fontSize * 0.35) * lean, (py + fontSize * 0.35) * tall]
      const [rx, ry] = [sx * Math.cos(turn) - sy * Math.sin(turn) + centre[0], sx * Math.sin(turn) + sy * Math.cos(turn) + centre[1]]
      return [rx + wave.lean * Math.sin(ry / wave.rise + wave.phase), ry + wave.amount * Math.sin(rx / wave.length + wave.phase)]
    }
    yield flattened(glyphOf(char).path.commands).map((contour) => contour.map(place))
    x += advance * closeness
  }
}

/**
 * Flattens curves and lines into short segments, so that the distortion applies everywhere. The font's y axis points up, the picture's
 * down.
 */
function flattened(commands: readonly Command[]): Point[][] {
  const contours: Point[][] = []
  let at: Point = [0, 0]
  for (const { command, args } of commands) {
    if (command === 'closePath') continue
    const points = Array.from(
      { length: args.length / 2 },
      (_, i): Point => [(args[2 * i] ?? 0) * scale(), -(args[2 * i + 1] ?? 0) * scale()],
    )
    const end = points.at(-1) ?? at
    if (command === 'moveTo') contours.push([end])
    else for (let i = 1; i <= curveSteps; i++) contours.at(-1)?.push(onCurve([at, ...points], i / curveSteps))
    at = end
  }
  return contours
}

/** A point of a Bézier curve of any degree (de Casteljau): a line has two points, a quadratic curve three, a cubic one four. */
function onCurve(points: readonly Point[], t: number): Point {
  const [first = [0, 0] as Point, ...rest] = points
  if (rest.length === 0) return first
  return onCurve(
    rest.map(([x, y], i): Point => {
      const [px, py] = points[i] ?? first
      return [px + (x - px) * t, py + (y - py) * t]
    }),
    t,
  )
}

/** A wavy band from the left edge to the right. */
function stroke(between: Between, thick: number): Point[][] {
  const [base, swing, length, phase, slope] = [
    between(14, height - 14),
    between(4, 14),
    between(25, 60),
    between(0, 6.3),
    between(-0.12, 0.12),
  ]
  const line = Array.from({ length: 65 }, (_, i): Point => {
    const x = (i / 64) * width
    return [x, base + slope * (x - width / 2) + swing * Math.sin(x / length + phase)]
  })
  return [[...line, ...line.toReversed().map(([x, y]): Point => [x, y + thick])]]
}

/** Rasterises the contours (non-zero winding): adds each pixel's coverage times `amount`. */
function fillInto(ink: Float32Array, contours: readonly Point[][], amount: 1 | -1): void {
  const lines = new Map<number, [x: number, direction: number][]>()
  for (const contour of contours)
    for (const [i, from] of contour.entries()) crossings(lines, from, contour[(i + 1) % contour.length] ?? from)
  for (const [line, met] of lines) {
    met.sort(([a], [b]) => a - b)
    let winding = 0
    for (const [i, [from, direction]] of met.entries()) {
      winding += direction
      if (winding !== 0) coverRow(ink, Math.floor(line / subLines), from, met[i + 1]?.[0] ?? from, amount / subLines)
    }
  }
}

/** Records where an edge crosses the sub-lines, and its direction. */
function crossings(lines: Map<number, [x: number, direction: number][]>, [x1, y1]: Point, [x2, y2]: Point): void {
  const [top, bottom] = y1 < y2 ? [y1, y2] : [y2, y1]
  const last = Math.min(height * subLines - 1, Math.ceil(bottom * subLines - 0.5) - 1)
  for (let line = Math.max(0, Math.ceil(top * subLines - 0.5)); line <= last; line++) {
    const x = x1 + (((line + 0.5) / subLines - y1) / (y2 - y1)) * (x2 - x1)
    const met = lines.get(line)
    if (met) met.push([x, y2 > y1 ? 1 : -1])
    else lines.set(line, [[x, y2 > y1 ? 1 : -1]])
  }
}

function coverRow(ink: Float32Array, row: number, from: number, to: number, amount: number): void {
  for (let x = Math.max(0, Math.floor(from)); x < Math.min(width, to); x++) {
    const covered = Math.min(to, x + 1) - Math.max(from, x)
    const at = row * width + x
    ink[at] = Math.max(0, Math.min(1, (ink[at] ?? 0) + covered * amount))
  }
}

/** Maps ink to grey values on an uneven background, with random specks. */
function toned(ink: Float32Array, between: Between): Uint8Array {
  const [dark, light] = [between(30, 75), between(215, 240)]
  const [tilt, wave, phase] = [between(-12, 12), between(6, 14), between(0, 6.3)]
  return Uint8Array.from(ink, (covered, i) => {
    const [x, y] = [i % width, Math.floor(i / width)]
    const speck = between(0, 1)
    const shown = speck < 0.02 ? 1 - covered : covered
    const ground = light + (tilt * x) / width + wave * Math.sin(x / 37 + y / 23 + phase)
    return Math.max(0, Math.min(255, ground + (dark - ground) * shown + between(-16, 16)))
  })
}
