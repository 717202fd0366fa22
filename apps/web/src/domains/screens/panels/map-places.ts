import { projectStates } from '@zhugong/contract/organisation/codes'
import { isPlaced, type Place } from '@zhugong/contract/organisation/place'
import type { ScreenSetting } from '@zhugong/contract/screens/model'
import type { CallData } from '../hub.ts'
import { apart, type XY } from './plane.ts'

export type Project = CallData<'main'>['projects'][number]

/** Meaning of a site's colour; the legend lists all colours. */
export const siteTones = {
  'level-1': '一级告警',
  'level-2': '二级告警',
  'level-3': '三级告警',
  'level-4': '四级告警',
  quiet: '设备离线过两成',
  stopped: '停工',
  fine: '无告警',
} as const
export type SiteTone = keyof typeof siteTones

/** A site with a lower share of devices online is shown as 设备离线多. */
const quietBelow = 0.8
/** Alarms take precedence over all other states, because a stopped site can have alarms, too. */
export const toneOf = (p: Pick<Project, 'prjStatus' | 'online' | 'devices'>, level: number | undefined): SiteTone => {
  if (level !== undefined && `level-${level}` in siteTones) return `level-${level}` as SiteTone
  if (p.prjStatus === projectStates.stopped) return 'stopped'
  return p.online < p.devices * quietBelow ? 'quiet' : 'fine'
}

/** District colour by attendance of the last seven days, best first; `name` is the CSS class. */
export const rateBands = [
  { name: '5', from: 93, word: '≥93%' },
  { name: '4', from: 89, word: '≥89%' },
  { name: '3', from: 86, word: '≥86%' },
  { name: '1', from: 0, word: '<86%' },
] as const

/** Convex hull of a district's sites, expanded by `room`; not the administrative border. */
export function around(points: readonly XY[], room: number): XY[] {
  const cloud = points.flatMap(([x, y]) =>
    Array.from({ length: 12 }, (_, i): XY => [x + room * Math.cos((i * Math.PI) / 6), y + room * 0.8 * Math.sin((i * Math.PI) / 6)]),
  )
  const sorted = [...cloud].sort((a, b) => a[0] - b[0] || a[1] - b[1])
  const half = (list: readonly XY[]) => {
    const out: XY[] = []
    for (const p of list) {
      for (;;) {
        const [b, a] = [out.at(-1), out.at(-2)]
        if (!a || !b || (b[0] - a[0]) * (p[1] - a[1]) - (b[1] - a[1]) * (p[0] - a[0]) > 0) break
        out.pop()
      }
      out.push(p)
    }
    return out.slice(0, -1)
  }
  return [...half(sorted), ...half(sorted.toReversed())]
}

type Known = Project & Place
interface Placed {
  p: Known
  x: number
  y: number
}
type Centre = NonNullable<ScreenSetting['centre']>
/** Tile width of web maps in pixels; the zoom of a map's centre uses their levels. */
const tilePixels = 256

/** Positions of sites around a centre at a zoom; sites outside the panel are left out. */
function aroundCentre(known: readonly Known[], { lng, lat, zoom }: Centre, width: number, height: number): Placed[] {
  const pixels = (tilePixels * 2 ** zoom) / 360
  return known
    .map((p) => ({
      p,
      x: width / 2 + (p.lng - lng) * pixels,
      y: height / 2 - ((p.lat - lat) * pixels) / Math.cos((lat * Math.PI) / 180),
    }))
    .filter(({ x, y }) => x >= 0 && x <= width && y >= 0 && y <= height)
}

/** Positions of all sites, scaled to fit the panel. */
function allOf(known: readonly Known[], width: number, height: number): Placed[] {
  if (known.length === 0) return []
  const lngs = known.map((p) => p.lng)
  const lats = known.map((p) => p.lat)
  const [west, east, south, north] = [Math.min(...lngs), Math.max(...lngs), Math.min(...lats), Math.max(...lats)]
  const wide = Math.max(0.004, east - west)
  const tall = Math.max(0.004, north - south)
  const [mx, my] = [120, 90]
  return known.map((p) => ({
    p,
    x: mx + ((p.lng - west) / wide) * (width - 2 * mx),
    y: height - my - ((p.lat - south) / tall) * (height - 2 * my - 20),
  }))
}

/** Minimum distance of two sites in pixels, including their labels. */
const leastApart = 62

export function placed(projects: readonly Project[], centre: Centre | null | undefined, width: number, height: number): Placed[] {
  const known = projects.filter(isPlaced)
  const spots = centre ? aroundCentre(known, centre, width, height) : allOf(known, width, height)
  // Move overlapping sites apart.
  return apart(
    spots.map(({ p, x, y }) => ({ p, at: [x, y] as const })),
    leastApart,
  ).map(({ p, at: [x, y] }) => ({ p, x: Math.max(70, Math.min(width - 70, x)), y: Math.max(56, Math.min(height - 60, y)) }))
}

export interface Box {
  x: number
  y: number
  width: number
  height: number
}
const gap = 4
const overlap = (a: Box, b: Box): number =>
  Math.max(0, Math.min(a.x + a.width, b.x + b.width) + gap - Math.max(a.x, b.x)) *
  Math.max(0, Math.min(a.y + a.height, b.y + b.height) + gap - Math.max(a.y, b.y))

/** Distances from the site at which a banner is tried, above and below. */
const [firstStep, lastStep, stepBy] = [38, 190, 12]
/** Position of a site's banner: the nearest above or below that covers least of the labels in `taken`. */
export function bannerPlace(
  spot: { x: number; y: number },
  size: { width: number; height: number },
  taken: readonly Box[],
  frame: Box,
): Box {
  const x = Math.max(frame.x, Math.min(frame.x + frame.width - size.width, spot.x - size.width / 2))
  const places: Box[] = []
  for (let away = firstStep; away <= lastStep; away += stepBy)
    for (const y of [spot.y - away - size.height, spot.y + away])
      if (y >= frame.y && y + size.height <= frame.y + frame.height) places.push({ x, y, ...size })
  const covered = places.map((place) => taken.reduce((sum, one) => sum + overlap(place, one), 0))
  return places[covered.indexOf(Math.min(...covered))] ?? { x, y: frame.y, ...size }
}
