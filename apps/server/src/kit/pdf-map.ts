import type { Pdf } from './pdf.ts'

type LngLat = readonly [lng: number, lat: number]
/** Colour of a mark: neutral, in order, or not in order. */
export type MapTone = 'plain' | 'fine' | 'danger'

export interface MapPicture {
  height: number
  /** Travelled paths; a gap between two paths means that no position was received. */
  lines: readonly (readonly LngLat[])[]
  areas: readonly { ring: readonly LngLat[]; label: string; tone: MapTone }[]
  marks: readonly { at: LngLat; label: string; tone: MapTone }[]
}

const colours: Record<MapTone, string> = { plain: '#1558d6', fine: '#1b7a3d', danger: '#c62828' }
const ground = { paper: '#f7f8fa', edge: '#c9cdd4', text: '#1f2329' }
const metersPerDegree = 111_320
const padding = 24
const markSize = 3
const labelSize = 7
/** Smallest extent of a map: below it only the jitter of the receiver would be visible. */
const leastMeters = 200
/** Longest scale bar, in points. */
const mostBar = 120

/** The largest round length (1, 2 or 5 times a power of ten) that is at most `most`. */
function roundLength(most: number): number {
  const power = 10 ** Math.floor(Math.log10(most))
  return [5, 2, 1].map((n) => n * power).find((n) => n <= most) ?? power
}

/** Draws a map without tiles, true to scale: paths, areas, marks, scale bar and north arrow. Needs no network. */
export function drawMap(pdf: Pdf, { height, lines, areas, marks }: MapPicture): void {
  pdf.room(height + 12)
  const { document, left, width } = pdf
  const top = document.y
  const all = [...lines.flat(), ...marks.map((one) => one.at)]
  const shown = all.length > 0 ? all : areas.flatMap((one) => one.ring)
  const [lngs, lats] = [shown.map(([lng]) => lng), shown.map(([, lat]) => lat)]
  const edge = (of: readonly number[], pick: (a: number, b: number) => number) => of.reduce((a, b) => pick(a, b), of[0] ?? 0)
  const middle: LngLat = [(edge(lngs, Math.min) + edge(lngs, Math.max)) / 2, (edge(lats, Math.min) + edge(lats, Math.max)) / 2]
  const perLng = Math.cos(middle[1] * (Math.PI / 180)) * metersPerDegree
  const wide = Math.max(leastMeters, (edge(lngs, Math.max) - edge(lngs, Math.min)) * perLng)
  const high = Math.max(leastMeters, (edge(lats, Math.max) - edge(lats, Math.min)) * metersPerDegree)
  const scale = Math.min((width - 2 * padding) / wide, (height - 2 * padding) / high)
  const at = ([lng, lat]: LngLat): [number, number] => [
    left + width / 2 + (lng - middle[0]) * perLng * scale,
    top + height / 2 - (lat - middle[1]) * metersPerDegree * scale,
  ]
  const trace = (path: readonly LngLat[]) => {
    for (const [i, point] of path.entries()) {
      const [x, y] = at(point)
      if (i === 0) document.moveTo(x, y)
      else document.lineTo(x, y)
    }
  }
  const say = (text: string, x: number, y: number, tone: string, gap = 0) => {
    document.fillColor(tone).fontSize(labelSize)
    // Place a label that would cross the right edge to the left of its mark.
    const wide = document.widthOfString(text)
    document.text(text, x + gap + wide > left + width ? x - gap - wide : x + gap, y, { lineBreak: false })
  }

  document.save()
  document.rect(left, top, width, height).fillAndStroke(ground.paper, ground.edge)
  document.rect(left, top, width, height).clip()
  for (const { ring, label, tone } of areas) {
    if (ring.length < 3) continue
    trace(ring)
    document.closePath().fillOpacity(0.1).lineWidth(0.8).fillAndStroke(colours[tone], colours[tone]).fillOpacity(1)
    const [x, y] = at(ring[0] as LngLat)
    say(label, x + 2, y + 2, colours[tone])
  }
  for (const line of lines) {
    if (line.length < 2) continue
    trace(line)
    document.lineWidth(1.4).stroke(colours.plain)
  }
  for (const { at: point, label, tone } of marks) {
    const [x, y] = at(point)
    document.circle(x, y, markSize).fill(colours[tone])
    say(label, x, y - markSize, colours[tone], markSize + 1)
  }
  const bar = roundLength(mostBar / scale)
  const [x, y] = [left + 12, top + height - 14]
  document
    .lineWidth(1)
    .moveTo(x, y)
    .lineTo(x + bar * scale, y)
    .stroke(ground.text)
  say(bar >= 1000 ? `${bar / 1000} km` : `${bar} m`, x, y - 10, ground.text)
  const north = left + width - 20
  document
    .moveTo(north, top + 12)
    .lineTo(north - 5, top + 26)
    .lineTo(north + 5, top + 26)
    .closePath()
    .fill(ground.text)
  say('北', north - 3, top + 28, ground.text)
  document.restore()
  document.fillColor(ground.text).strokeColor(ground.edge).lineWidth(0.5)
  document.x = left
  document.y = top + height + 4
}
