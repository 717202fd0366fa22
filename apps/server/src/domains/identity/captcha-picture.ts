import svgCaptcha from 'svg-captcha'
import { greyPng } from '#kit/png'

/** Twice the size it is shown in. */
export const pictureSize = { width: 320, height: 80 }
const { width, height } = pictureSize
const fontSize = 84
/** The typeface is a thin one: drawn several times, so far apart, it is as thick as the strokes that cross it. */
const boldness = [-1.3, 0, 1.3]
/** Sub-lines of a row of pixels: edges are soft, and no pixel says exactly where one was. */
const subLines = 3
const curveSteps = 6

type Point = readonly [number, number]
type Random = () => number
interface Command {
  type: 'M' | 'L' | 'Q' | 'C' | 'Z'
  x?: number
  y?: number
  x1?: number
  y1?: number
  x2?: number
  y2?: number
}
interface Font {
  getPath(text: string, x: number, y: number, size: number): { commands: Command[] }
  getAdvanceWidth(text: string, size: number): number
}
// The package is used for its typeface alone: its own pictures are paths, which a script reads off without looking.
const { font } = svgCaptcha.options as unknown as { font: Font }

/**
 * Characters as a picture: each bent, turned and moved by chance, grown into its neighbours, crossed by strokes of the same ink and width
 * and by gaps of the ground, with specks on both.
 *
 * What it is worth: nobody reads it off a path or by comparing pixels any more, so it costs a guesser a trained reader of such pictures, or
 * people. Such readers exist, and a general one of today reads it more often than not. It slows down and makes dearer; what stops guessing
 * is the lock and the queue of strangers (`limits.ts`).
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
  const advances = [...text].map((c) => font.getAdvanceWidth(c, fontSize))
  // Closer than printed: neighbours touch, and where one ends is to be guessed.
  const closeness = Math.min(0.9, (width - 40) / advances.reduce((sum, one) => sum + one, 0))
  const wave = { amount: between(2.5, 5), length: between(70, 130), phase: between(0, 6.3), lean: between(2, 4), rise: between(35, 70) }
  let x = (width - closeness * advances.reduce((sum, one) => sum + one, 0)) / 2 + between(-8, 8)
  for (const [i, char] of [...text].entries()) {
    const advance = advances[i] ?? 0
    const centre: Point = [x + (advance * closeness) / 2, height / 2 + between(-4, 4)]
    const [turn, lean, wide, tall] = [between(-0.42, 0.42), between(-0.25, 0.25), between(0.85, 1.12), between(0.85, 1.15)]
    const place = ([px, py]: Point): Point => {
      const [sx, sy] = [(px - advance / 2) * wide + (py + fontSize * 0.35) * lean, (py + fontSize * 0.35) * tall]
      const [rx, ry] = [sx * Math.cos(turn) - sy * Math.sin(turn) + centre[0], sx * Math.sin(turn) + sy * Math.cos(turn) + centre[1]]
      return [rx + wave.lean * Math.sin(ry / wave.rise + wave.phase), ry + wave.amount * Math.sin(rx / wave.length + wave.phase)]
    }
    yield flattened(font.getPath(char, 0, 0, fontSize).commands).map((contour) => contour.map(place))
    x += advance * closeness
  }
}

/** Curves and lines as short lines, so that bending bends them all. */
function flattened(commands: readonly Command[]): Point[][] {
  const contours: Point[][] = []
  let at: Point = [0, 0]
  for (const { type, x = 0, y = 0, x1 = 0, y1 = 0, x2 = 0, y2 = 0 } of commands) {
    if (type === 'M') contours.push([[x, y]])
    else if (type !== 'Z') {
      for (let i = 1; i <= curveSteps; i++) {
        const [t, u] = [i / curveSteps, 1 - i / curveSteps]
        const on = (a: number, b: number, c: number, d: number) =>
          type === 'C'
            ? u * u * u * a + 3 * u * u * t * b + 3 * u * t * t * c + t * t * t * d
            : type === 'Q'
              ? u * u * a + 2 * u * t * b + t * t * d
              : u * a + t * d
        contours.at(-1)?.push([on(at[0], x1, x2, x), on(at[1], y1, y2, y)])
      }
    }
    at = [x, y]
  }
  return contours
}

/** A wavy band from edge to edge. */
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

/** Adds the area inside the contours (non-zero winding): how much of each pixel they cover, times `amount`. */
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

/** Where an edge meets the sub-lines, and whether it goes down or up. */
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

/** Ink on an uneven ground, with specks of either on the other. */
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
