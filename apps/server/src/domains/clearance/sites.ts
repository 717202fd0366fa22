import { toPlace, toPlane } from '@zhugong/contract/kit/plane'
import { ringsOf } from '@zhugong/contract/organisation/fence'
import type pg from 'pg'
import type { Point } from './segments.ts'
import { CraneSite, type Found } from './site.ts'

interface SitePlan {
  origin?: { lng?: number; lat?: number }
  fence?: unknown
  zones?: { name?: string; kind?: string; points?: unknown }[]
}

interface SiteRow {
  project_code: string
  site_plan: SitePlan | null
  /** The fence as drawn on the map: polygons or a circle. */
  area_rule: unknown
  /** Zones drawn by the site that are in force now. */
  zones: SitePlan['zones'] | null
  /** Roads for lorries that are in force now: longitude and latitude. */
  roads: { name: string; kind: string; points: unknown }[] | null
}

/** The data of a device that geometry needs. */
export interface SiteDevice {
  id: string
  projectCode: string
  family: { key: string }
  params: Readonly<Record<string, unknown>>
  inService: boolean
}

interface Ground {
  plan: string
  cranes: CraneSite
  /** Zones by kind and by name, and the site's fence: in the site's plane, and in longitude and latitude. */
  inPlane: Named
  onMap: Named
  /** Zones for lorries; danger zones of cranes and people are not among them. */
  onRoad: Named
}
type Named = Map<string, (readonly Point[])[]>

const crane = 'towerCrane'
const lorry = 'truckMonitor'
const [site, route, area] = ['site', 'route', 'area']
const degradedAfterMs = 60_000

/** An entry for a device's history. */
interface Notice {
  deviceId: string
  item: { time: number; id: string; type: string; data: Record<string, unknown> }
}

/** Plans of all sites with the positions of their cranes; rules use it for distances, zones and fences. */
export class Sites {
  private readonly pool: pg.Pool
  private readonly grounds = new Map<string, Ground>()
  private readonly siteOf = new Map<string, string>()
  private readonly origins = new Map<string, { lng: number; lat: number }>()
  private remembers = false
  /** Time since which a crane has a neighbour without readings, and whether that was reported. */
  private readonly blind = new Map<string, { since: number; told: boolean }>()

  constructor(pool: pg.Pool) {
    this.pool = pool
  }

  /** Reloads the plans; for unchanged ones, crane data is kept. */
  async load(devices: Iterable<SiteDevice>): Promise<void> {
    const { rows } = await this.pool.query<SiteRow>(
      `select p.project_code, p.site_plan, p.area_rule, z.zones, r.roads
       from project p left join (
         select project_code, jsonb_agg(jsonb_build_object('name', name, 'kind', kind, 'points', points) order by name) as roads
         from (select *, extract(hour from now() at time zone 'Asia/Shanghai') * 60 + extract(minute from now() at time zone 'Asia/Shanghai') as minute from vehicle_fence) f
         -- Hours that reach over midnight begin after they end.
         where from_minute is null or (case when from_minute < until_minute then minute >= from_minute and minute < until_minute
           else minute >= from_minute or minute < until_minute end) group by 1) r on r.project_code = p.project_code left join (
         select project_code, jsonb_agg(jsonb_build_object('name', name, 'kind', kind, 'points', points) order by name) as zones from crane_zone
         where coalesce(from_time, '-infinity') <= now() and coalesce(until_time, 'infinity') > now() group by 1) z on z.project_code = p.project_code
       where p.site_plan is not null or p.area_rule is not null or z.zones is not null or r.roads is not null`,
    )
    // Zones drawn by the site are added to those of its registered plan, while in force.
    for (const { project_code, site_plan, area_rule, zones, roads } of rows)
      this.setPlan(project_code, { ...site_plan, zones: [...(site_plan?.zones ?? []), ...(zones ?? [])] }, area_rule ?? {}, roads ?? [])
    for (const device of devices) this.setDevice(device)
    if (!this.remembers) await this.remember()
  }

  /** Loads outages reported before a restart, so that their end is reported too. */
  private async remember(): Promise<void> {
    const { rows } = await this.pool.query<{ id: string; since: number }>(
      `select d.id, coalesce((e.data ->> 'since')::float8, 0) as since
       from device d, lateral (select data from device_event where device_id = d.id and kind = 'monitoringDegraded' order by ts desc limit 1) e
       where d.family = $1 and e.data ->> 'state' = 'start'`,
      [crane],
    )
    for (const { id, since } of rows) if (this.siteOf.has(id)) this.blind.set(id, { since, told: true })
    // Loads the last position of each crane, so that an open alarm of a pair continues.
    const latest = await this.pool.query<{ id: string; ts: Date; received_at: Date; v: Record<string, unknown> }>(
      `select d.id, l.ts, l.received_at, l.v from device d join device_latest l on l.device_id = d.id where d.family = $1 and l.v <> '{}'`,
      [crane],
    )
    for (const { id, ts, received_at, v } of latest.rows)
      this.seen({ id }, { time: ts.getTime(), receivedAt: received_at.getTime(), values: v })
    this.remembers = true
  }

  setPlan(projectCode: string, plan: SitePlan, map: unknown = {}, roads: NonNullable<SiteRow['roads']> = []): void {
    const text = JSON.stringify([plan, map, roads])
    const before = this.grounds.get(projectCode)
    if (before?.plan === text) return
    const cranes = before?.cranes ?? new CraneSite()
    const zones = (plan.zones ?? []).map((zone) => ({ name: zone.name, kind: zone.kind ?? 'forbidden', points: pointsIn(zone.points) }))
    cranes.setZones(zones)
    const inPlane: Named = new Map()
    const put = (to: Named, key: string | undefined, points: readonly Point[]) => {
      if (key !== undefined && points.length > 1) to.set(key, [...(to.get(key) ?? []), points])
    }
    const fence = pointsIn(plan.fence)
    if (fence.length > 2) put(inPlane, site, fence)
    for (const zone of zones) {
      put(inPlane, zone.kind, zone.points)
      if (zone.name !== zone.kind) put(inPlane, zone.name, zone.points)
    }
    const onMap: Named = new Map()
    const { lng, lat } = plan.origin ?? {}
    if (typeof lng === 'number' && typeof lat === 'number') {
      this.origins.set(projectCode, { lng, lat })
      const ring = (points: readonly Point[]) =>
        points.map(([x, y]): Point => {
          const place = toPlace({ lng, lat }, x, y)
          return [place.lng, place.lat]
        })
      for (const [key, areas] of inPlane) onMap.set(key, areas.map(ring))
    }
    if (!onMap.has(site)) for (const ring of ringsOf(map)) put(onMap, site, ring)
    const onRoad: Named = new Map()
    for (const { name, kind, points } of roads) {
      put(onRoad, kind, pointsIn(points))
      put(onRoad, name, pointsIn(points))
    }
    for (const ring of onMap.get(site) ?? []) put(onRoad, site, ring)
    this.grounds.set(projectCode, { plan: text, cranes, inPlane, onMap, onRoad })
  }

  setDevice(device: SiteDevice): void {
    if (device.family.key !== crane) return
    const before = this.siteOf.get(device.id)
    if (before && (before !== device.projectCode || !device.inService)) this.removeDevice(device.id)
    if (!device.inService) return
    let ground = this.grounds.get(device.projectCode)
    if (!ground) {
      ground = { plan: '', cranes: new CraneSite(), inPlane: new Map(), onMap: new Map(), onRoad: new Map() }
      this.grounds.set(device.projectCode, ground)
    }
    this.siteOf.set(device.id, device.projectCode)
    ground.cranes.setCrane(device.id, this.placed(device))
  }

  removeDevice(id: string): void {
    const site = this.siteOf.get(id)
    if (site) this.grounds.get(site)?.cranes.remove(id)
    this.siteOf.delete(id)
    this.blind.delete(id)
  }

  /** Converts a position given as longitude and latitude to the site's plane. */
  private placed(device: SiteDevice): Readonly<Record<string, unknown>> {
    const { originX, originY, longitude, latitude } = device.params
    const origin = this.origins.get(device.projectCode)
    if (originX !== undefined && originY !== undefined) return device.params
    if (!origin || typeof longitude !== 'number' || typeof latitude !== 'number') return device.params
    const [x, y] = toPlane(origin, { lng: longitude, lat: latitude })
    return { ...device.params, originX: x, originY: y }
  }

  seen(device: { id: string }, reading: { time: number; receivedAt?: number; values: Readonly<Record<string, unknown>> }): void {
    const site = this.siteOf.get(device.id)
    if (site) this.grounds.get(site)?.cranes.take(device.id, reading.time, reading.values, reading.receivedAt)
  }

  /** Cranes whose distance monitoring is degraded or restored; reported once each, after a minute. */
  notices(now: number): Notice[] {
    const notices: Notice[] = []
    const tell = (deviceId: string, state: 'start' | 'end', since: number, missing: string[]) =>
      notices.push({ deviceId, item: { time: now, id: `degraded:${state}`, type: 'monitoringDegraded', data: { state, since, missing } } })
    for (const { cranes } of this.grounds.values()) {
      for (const { id, missing } of cranes.unseen(now)) {
        const known = this.blind.get(id)
        if (missing.length === 0) {
          if (known?.told) tell(id, 'end', known.since, [])
          this.blind.delete(id)
        } else if (!known) this.blind.set(id, { since: now, told: false })
        else if (!known.told && now - known.since >= degradedAfterMs) {
          known.told = true
          tell(id, 'start', known.since, missing)
        }
      }
    }
    return notices
  }

  clearanceAt(deviceId: string, at: number, predictSeconds: number): Found | undefined {
    return this.craneSite(deviceId)?.clearanceAt(deviceId, at, predictSeconds)
  }

  zoneDistanceAt(deviceId: string, zone: string, at: number): number | undefined {
    return this.craneSite(deviceId)?.zoneDistanceAt(deviceId, zone, at)
  }

  /** What an alarm about a distance names: the other crane, or the zone. */
  nearest(deviceId: string, at: number, { predictSeconds, zone }: { predictSeconds?: number | undefined; zone?: string | undefined }) {
    const site = this.craneSite(deviceId)
    return {
      crane: predictSeconds === undefined ? undefined : site?.nearestCrane(deviceId, at, predictSeconds),
      zoneName: zone === undefined ? undefined : site?.nearestZone(deviceId, zone, at),
    }
  }

  /** Polygons of zones by kind or by name. A station's own restricted area is the zone with its name. */
  fence(
    device: { projectCode: string; family?: { key: string } | undefined; params?: Readonly<Record<string, unknown>> },
    { id, kind, plane = false }: { id?: string; kind?: string; plane?: boolean },
  ): { areas: readonly (readonly Point[])[]; routes: readonly (readonly Point[])[] } | undefined {
    const ground = this.grounds.get(device.projectCode)
    const named = device.family?.key === lorry ? ground?.onRoad : plane ? ground?.inPlane : ground?.onMap
    const own = kind === area && typeof device.params?.areaName === 'string' ? named?.get(device.params.areaName) : undefined
    const found = own ?? named?.get(id ?? kind ?? '')
    return found && (kind === route ? { areas: [], routes: found } : { areas: found, routes: found })
  }

  private craneSite(deviceId: string): CraneSite | undefined {
    const site = this.siteOf.get(deviceId)
    return site === undefined ? undefined : this.grounds.get(site)?.cranes
  }
}

const pointsIn = (points: unknown): Point[] =>
  (Array.isArray(points) ? points : []).flatMap((p) =>
    Array.isArray(p) && typeof p[0] === 'number' && typeof p[1] === 'number' ? [[p[0], p[1]] as const] : [],
  )
