import { type Linkage, linkageCommands } from '@zhugong/contract/rules/exec-model'
import { sql } from 'kysely'
import type { Db } from '#kit/db'

export interface SiteDevice {
  id: string
  projectCode: string
  name: string
  family: string
  params: Record<string, unknown>
  installPlace: string | null
  lng: number | null
  lat: number | null
  online: boolean
}

/** Devices within this distance count as being in the same area, whatever their areas are called. */
const nearMeters = 100

/** The devices that an alarm of `sourceId` would start: in the project, in service, of families that support the command. */
export async function selectTargets(db: Db, linkage: Linkage, sourceId: string, projectCode: string): Promise<SiteDevice[]> {
  const families = linkage.family ? [linkage.family] : [...linkageCommands[linkage.command].families]
  // Helmets and vehicles report their own position.
  const { rows } = await sql<SiteDevice>`
    select d.id, d.project_code, d.name, d.family, d.params, d.install_place, coalesce(l.online, false) as online,
      case when jsonb_typeof(l.v -> 'longitude') = 'number' then (l.v ->> 'longitude')::float8 else d.lng end as lng,
      case when jsonb_typeof(l.v -> 'latitude') = 'number' then (l.v ->> 'latitude')::float8 else d.lat end as lat
    from device d left join device_latest l on l.device_id = d.id
    where d.project_code = ${projectCode} and (d.id = ${sourceId} or (d.family = any (${families}) and d.status = '1')) order by d.name, d.id`.execute(
    db,
  )
  const candidates = rows.filter((d) => families.includes(d.family))
  return chosen(
    linkage,
    rows.find((d) => d.id === sourceId),
    candidates,
    sourceId,
  )
}

/**
 * Applies a selector to the candidates. Pure function. A source device that has left the project has neither area nor bound devices
 * there.
 */
export function chosen(
  linkage: Pick<Linkage, 'command' | 'selector'>,
  source: SiteDevice | undefined,
  candidates: readonly SiteDevice[],
  sourceId = source?.id,
): SiteDevice[] {
  const { selector } = linkage
  if (selector.kind === 'list') return candidates.filter((d) => selector.deviceIds.includes(d.id))
  if (!source) return []
  const fits = selector.kind === 'bound' ? (d: SiteDevice) => areBound(source, d) : (d: SiteDevice) => inSameArea(source, d)
  const found = candidates.filter((d) => d.id === sourceId || fits(d))
  if (found.length || linkage.command !== 'camera.snapshot') return found
  // For a person in need, a distant camera is better than none.
  return nearest(source, candidates)
}

/**
 * Devices refer to each other by id in their parameters: a hook camera to its crane, a station to its spray lines. Either side may hold
 * the reference.
 */
function areBound(a: SiteDevice, b: SiteDevice): boolean {
  return names(a.params, b.id) || names(b.params, a.id)
}
const names = (value: unknown, id: string): boolean =>
  value === id || (typeof value === 'object' && value !== null && Object.values(value).some((part) => names(part, id)))

const areaOf = (d: SiteDevice) => (typeof d.params.areaName === 'string' && d.params.areaName ? d.params.areaName : d.installPlace) || null

function inSameArea(a: SiteDevice, b: SiteDevice): boolean {
  const [here, there] = [areaOf(a), areaOf(b)]
  if (here !== null && here === there) return true
  const apart = metersApart(a, b)
  return apart !== undefined && apart <= nearMeters
}

function nearest(source: SiteDevice, candidates: readonly SiteDevice[]): SiteDevice[] {
  const byDistance = candidates
    .flatMap((device) => {
      const apart = metersApart(source, device)
      return apart === undefined ? [] : [{ device, apart }]
    })
    // Offline cameras come last.
    .sort((a, b) => Number(b.device.online) - Number(a.device.online) || a.apart - b.apart)
  return byDistance.slice(0, 1).map((d) => d.device)
}

/** Distance in metres on a plane, accurate enough on a site; undefined without coordinates. */
export function metersApart(a: Pick<SiteDevice, 'lng' | 'lat'>, b: Pick<SiteDevice, 'lng' | 'lat'>): number | undefined {
  if (a.lng === null || a.lat === null || b.lng === null || b.lat === null) return undefined
  const meters = 111_320
  return Math.hypot((a.lng - b.lng) * meters * Math.cos((a.lat * Math.PI) / 180), (a.lat - b.lat) * meters)
}
