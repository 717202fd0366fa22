import type pg from 'pg'
import { toPlace, toPlane } from './plane.ts'
import type { Point } from './segments.ts'
import { CraneSite, type Found } from './site.ts'

interface SitePlanRow {
  project_code: string
  site_plan: {
    origin?: { lng?: number; lat?: number }
    fence?: unknown
    zones?: { kind?: string; points?: unknown }[]
  } | null
}

/** A device as far as geometry is concerned. */
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
  /** Areas by what they are for, in longitude and latitude. */
  areas: Map<string, [lng: number, lat: number][][]>
}

const crane = 'towerCrane'

/** Plans of all sites and where their cranes are: the world's answers to rules that ask for distances, zones and fences. */
export class Sites {
  private readonly pool: pg.Pool
  private readonly grounds = new Map<string, Ground>()
  private readonly siteOf = new Map<string, string>()
  private readonly origins = new Map<string, { lng: number; lat: number }>()

  constructor(pool: pg.Pool) {
    this.pool = pool
  }

  /** Reads plans anew; where one has not changed, what is known of its cranes stays. */
  async load(devices: Iterable<SiteDevice>): Promise<void> {
    const { rows } = await this.pool.query<SitePlanRow>('select project_code, site_plan from project where site_plan is not null')
    for (const row of rows) this.setPlan(row.project_code, row.site_plan ?? {})
    for (const device of devices) this.setDevice(device)
  }

  setPlan(projectCode: string, plan: NonNullable<SitePlanRow['site_plan']>): void {
    const text = JSON.stringify(plan)
    const before = this.grounds.get(projectCode)
    if (before?.plan === text) return
    const cranes = before?.cranes ?? new CraneSite()
    const zones = (plan.zones ?? []).map((zone) => ({ kind: zone.kind ?? 'forbidden', points: pointsIn(zone.points) }))
    cranes.setZones(zones)
    const areas: Ground['areas'] = new Map()
    const { lng, lat } = plan.origin ?? {}
    if (typeof lng === 'number' && typeof lat === 'number') {
      this.origins.set(projectCode, { lng, lat })
      const ring = (points: readonly Point[]) =>
        points.map(([x, y]): [number, number] => {
          const place = toPlace({ lng, lat }, x, y)
          return [place.lng, place.lat]
        })
      const fence = pointsIn(plan.fence)
      if (fence.length > 2) areas.set('site', [ring(fence)])
      for (const zone of zones) areas.set(zone.kind, [...(areas.get(zone.kind) ?? []), ring(zone.points)])
    }
    this.grounds.set(projectCode, { plan: text, cranes, areas })
  }

  setDevice(device: SiteDevice): void {
    if (device.family.key !== crane) return
    const before = this.siteOf.get(device.id)
    if (before && (before !== device.projectCode || !device.inService)) this.removeDevice(device.id)
    if (!device.inService) return
    let ground = this.grounds.get(device.projectCode)
    if (!ground) {
      ground = { plan: '', cranes: new CraneSite(), areas: new Map() }
      this.grounds.set(device.projectCode, ground)
    }
    this.siteOf.set(device.id, device.projectCode)
    ground.cranes.setCrane(device.id, this.placed(device))
  }

  removeDevice(id: string): void {
    const site = this.siteOf.get(id)
    if (site) this.grounds.get(site)?.cranes.remove(id)
    this.siteOf.delete(id)
  }

  /** Surveyed as a place: converted once to the site's plane. */
  private placed(device: SiteDevice): Readonly<Record<string, unknown>> {
    const { originX, originY, longitude, latitude } = device.params
    const origin = this.origins.get(device.projectCode)
    if (originX !== undefined && originY !== undefined) return device.params
    if (!origin || typeof longitude !== 'number' || typeof latitude !== 'number') return device.params
    const [x, y] = toPlane(origin, { lng: longitude, lat: latitude })
    return { ...device.params, originX: x, originY: y }
  }

  seen(device: { id: string }, reading: { time: number; values: Readonly<Record<string, unknown>> }): void {
    const site = this.siteOf.get(device.id)
    if (site) this.grounds.get(site)?.cranes.take(device.id, reading.time, reading.values)
  }

  clearanceAt(deviceId: string, at: number, predictSeconds: number): Found | undefined {
    return this.craneSite(deviceId)?.clearanceAt(deviceId, at, predictSeconds)
  }

  zoneDistanceAt(deviceId: string, zone: string, at: number): number | undefined {
    return this.craneSite(deviceId)?.zoneDistanceAt(deviceId, zone, at)
  }

  fence(device: { projectCode: string }, { kind }: { kind?: string }) {
    const areas = kind === undefined ? undefined : this.grounds.get(device.projectCode)?.areas.get(kind)
    return areas ? { areas, routes: [] } : undefined
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
