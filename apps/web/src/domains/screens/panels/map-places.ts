import { projectStates } from '@zhugong/contract/organisation/codes'
import { isPlaced, type Place } from '@zhugong/contract/organisation/place'
import type { ScreenSetting } from '@zhugong/contract/screens/model'
import type { Told } from '../hub.ts'
import type { XY } from './plane.ts'

export type Project = Told<'main'>['projects'][number]

/** Meaning of a site's colour; the legend lists every colour of the map. */
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
/** Alarms take precedence over every other state: a stopped site can have them, too. */
export const toneOf = (p: Pick<Project, 'prjStatus' | 'online' | 'devices'>, level: number | undefined): SiteTone => {
  if (level !== undefined && `level-${level}` in siteTones) return `level-${level}` as SiteTone
  if (p.prjStatus === projectStates.stopped) return 'stopped'
  return p.online < p.devices * quietBelow ? 'quiet' : 'fine'
}

/** District fill by attendance of the last seven days, best first; `name` is the CSS class. */
export const rateBands = [
  { name: '5', from: 93, word: '≥93%' },
  { name: '4', from: 89, word: '≥89%' },
  { name: '3', from: 86, word: '≥86%' },
  { name: '1', from: 0, word: '<86%' },
] as const

/** Hull of points grown outwards: where a district's sites lie, which is not where its border runs. */
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
/** What of the world a tile of the usual web maps shows at a zoom, by whose levels a map's centre is given. */
const tilePixels = 256

/** Sites around a centre at a zoom; those beyond the panel's edge are left out. */
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

/** Sites where they lie to each other, drawn to the panel; no border of anything is claimed. */
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

export function placed(projects: readonly Project[], centre: Centre | null | undefined, width: number, height: number): Placed[] {
  const known = projects.filter(isPlaced)
  const spots = centre ? aroundCentre(known, centre, width, height) : allOf(known, width, height)
  // Sites side by side are pushed apart until each can be seen.
  for (let round = 0; round < 24; round++)
    for (const a of spots)
      for (const b of spots) {
        if (a === b) continue
        const [dx, dy] = [b.x - a.x || 0.01, b.y - a.y || 0.01]
        const far = Math.hypot(dx, dy)
        if (far >= 62) continue
        const push = (62 - far) / 4
        a.x -= (dx / far) * push
        a.y -= (dy / far) * push
        b.x += (dx / far) * push
        b.y += (dy / far) * push
      }
  for (const one of spots) {
    one.x = Math.max(70, Math.min(width - 70, one.x))
    one.y = Math.max(56, Math.min(height - 60, one.y))
  }
  return spots
}
