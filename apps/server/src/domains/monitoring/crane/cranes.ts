import { craneTypes } from '@zhugong/contract/monitoring/crane/crane-codes'
import { sql } from 'kysely'
import type { Tx } from '#kit/db'
import { type DeviceRow, findDeviceRows, latestOf } from '../shared/devices.ts'

const number = (value: unknown, otherwise = 0): number =>
  Number.isFinite(Number(value)) && value !== null && value !== '' ? Number(value) : otherwise

interface Crane {
  deviceId: string
  name: string
  x: number
  y: number
  jibLength: number
  counterJibLength: number
  jibHeight: number
}

function toCrane(row: DeviceRow) {
  const p = row.params
  return {
    deviceId: row.id,
    name: row.name,
    x: number(p.originX ?? p.x),
    y: number(p.originY ?? p.y),
    jibLength: number(p.jibLength, 50),
    counterJibLength: number(p.counterJibLength, 12),
    jibHeight: number(p.baseElevation) + number(p.towerHeight, 40),
    craneType: String(p.craneType ?? craneTypes.flatTop),
    angleOffset: number(p.angleOffset),
    latest: latestOf(row),
    online: row.online ?? false,
  }
}

/** GB 5144: not less than 2 m between a jib and a neighbour's mast, and 2 m between jibs one above the other. */
const leastMeters = 2

/** Pairs of cranes that are too close by their positions alone. */
export function staticCheck(cranes: readonly Crane[]) {
  const found: { a: string; b: string; kind: string; meters: number; text: string }[] = []
  for (const [i, a] of cranes.entries()) {
    for (const b of cranes.slice(i + 1)) {
      const distance = Math.hypot(a.x - b.x, a.y - b.y)
      const reach = Math.max(a.jibLength, a.counterJibLength) + Math.max(b.jibLength, b.counterJibLength)
      if (distance >= reach) continue
      const gap = Math.abs(a.jibHeight - b.jibHeight)
      if (gap < leastMeters) {
        found.push({
          a: a.deviceId,
          b: b.deviceId,
          kind: 'verticalGap',
          meters: round(gap),
          text: `${a.name} 与 ${b.name} 起重臂高差 ${round(gap)} m，小于 ${leastMeters} m`,
        })
      }
      // Only the lower crane's jib can meet the higher one's mast.
      const [low, high] = a.jibHeight <= b.jibHeight ? [a, b] : [b, a]
      const toMast = distance - low.jibLength
      if (toMast < leastMeters && toMast > -low.jibLength) {
        found.push({
          a: low.deviceId,
          b: high.deviceId,
          kind: 'tipToMast',
          meters: round(toMast),
          text: `${low.name} 臂端距 ${high.name} 塔身 ${round(toMast)} m，小于 ${leastMeters} m`,
        })
      }
    }
  }
  return found
}

const round = (n: number) => Math.round(n * 10) / 10

type Corner = [number, number] | { x: number; y: number }
const toPoints = (corners: unknown) =>
  (Array.isArray(corners) ? (corners as Corner[]) : []).map((c) =>
    Array.isArray(c) ? { x: number(c[0]), y: number(c[1]) } : { x: number(c.x), y: number(c.y) },
  )

interface SitePlan {
  fence?: unknown
  buildings?: { name?: string; height?: number; points?: unknown }[]
  zones?: { name?: string; kind?: string; marginMeters?: number; points?: unknown }[]
}

/** The other cranes of the site, its plan, and the zones in force: those of the plan and those that the site drew. */
export async function neighbourhood(db: Tx, row: DeviceRow, now: number) {
  const { rows } = await findDeviceRows(db, 'towerCrane', [row.projectCode])
  const plan = await sql<{ sitePlan: SitePlan | null }>`select site_plan from project where project_code = ${row.projectCode}`.execute(db)
  const { rows: drawn } = await sql<NonNullable<SitePlan['zones']>[number]>`
    select name, kind, margin_meters, points from crane_zone where project_code = ${row.projectCode}
      and coalesce(from_time, '-infinity') <= ${new Date(now)} and coalesce(until_time, 'infinity') > ${new Date(now)} order by name`.execute(
    db,
  )
  const cranes = rows.filter((r) => r.status === '1').map(toCrane)
  const site = plan.rows[0]?.sitePlan ?? {}
  return {
    cranes,
    zones: [...(site.zones ?? []), ...drawn].map((z) => ({
      name: z.name ?? '',
      kind: z.kind ?? 'forbidden',
      marginMeters: z.marginMeters ?? 5,
      points: toPoints(z.points),
    })),
    plan: {
      fence: toPoints(site.fence),
      buildings: (site.buildings ?? []).map((b) => ({ name: b.name ?? '', height: number(b.height), points: toPoints(b.points) })),
    },
    staticCheck: staticCheck(cranes),
  }
}
