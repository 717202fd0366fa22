import { craneTypes } from '@zhugong/contract/monitoring/crane/crane-codes'
import { careM, isPair, lookAhead } from './clearance.ts'
import { type CranePose, type CraneShape, hookAfter, partsAfter } from './crane.ts'
import { type Point, planDistance } from './segments.ts'

/** Readings older than this do not determine a crane's position. */
const freshMs = 15_000
/** Readings farther apart than this do not determine a speed. */
const speedFromMs = 15_000
/** Load in tonnes from which a hook counts as loaded. */
const loadedFromT = 0.3

export interface Zone {
  kind: string
  name?: string | undefined
  points: readonly Point[]
}

/** Distance in metres, and whether all relevant cranes are known. A near crane counts at once; a safe distance requires all of them. */
export interface Found {
  meters: number
  complete: boolean
  /** Least distance to cranes without current readings, by their last position; 20 m if none was near. */
  unheard: number
}

interface Member {
  shape: CraneShape
  at: number
  /** Time of receipt by the platform's clock. */
  heardAt: number
  pose: CranePose | undefined
}

type Values = Readonly<Record<string, unknown>>

const number = (value: unknown): number | undefined => {
  const n = typeof value === 'string' && value !== '' ? Number(value) : value
  return typeof n === 'number' && Number.isFinite(n) ? n : undefined
}

/** The shape from a device's parameters; undefined if a required one is missing. */
export function shapeFrom(id: string, params: Values): CraneShape | undefined {
  const x = number(params.originX)
  const y = number(params.originY)
  const jibLength = number(params.jibLength)
  const towerHeight = number(params.towerHeight)
  if (x === undefined || y === undefined || jibLength === undefined || towerHeight === undefined) return undefined
  const baseZ = number(params.baseElevation) ?? 0
  const jibZ = baseZ + towerHeight
  return {
    id,
    x,
    y,
    baseZ,
    jibZ,
    headZ: jibZ + (number(params.towerHeadHeight) ?? 0),
    jibLength,
    counterJibLength: number(params.counterJibLength) ?? 0,
    luffing: String(params.craneType ?? craneTypes.flatTop) === craneTypes.luffing,
    minRadius: number(params.minRadius) ?? 0,
    maxRadius: number(params.maxRadius) ?? jibLength,
  }
}

/** The shorter turn from one bearing to another, in (-180, 180]. */
export function turn(from: number, to: number): number {
  const by = (((to - from) % 360) + 360) % 360
  return by > 180 ? by - 360 : by
}

/** The longest usual horizon: the warning predicts ten seconds, the alarm five (rules.md section 7). */
const usualSeconds = 10

interface PendingJob {
  id: string
  at: number
  revision: number
  least: Float64Array
  unheard: Float64Array
  complete: boolean
}

/** The cranes and zones of one site, by their last readings. */
export class CraneSite {
  private readonly members = new Map<string, Member>()
  private readonly pairs = new Map<string, readonly Member[]>()
  /** Minimum distance of each pair by prediction seconds, from when both were last current; used while one has no readings. */
  private readonly apart = new Map<string, Float64Array>()
  private zones: readonly Zone[] = []
  /** Incremented by every change of a crane. */
  private revision = 0
  private pendingJob: PendingJob | undefined

  setZones(zones: readonly Zone[]): void {
    this.zones = zones
  }

  setCrane(id: string, params: Values): void {
    const shape = shapeFrom(id, params)
    this.pairs.clear()
    this.revision++
    if (!shape) return void this.members.delete(id)
    const before = this.members.get(id)
    this.members.set(id, { shape, at: before?.at ?? 0, heardAt: before?.heardAt ?? 0, pose: before?.pose })
  }

  remove(id: string): void {
    this.pairs.clear()
    for (const key of this.apart.keys()) if (key.split('/').includes(id)) this.apart.delete(key)
    this.revision++
    this.members.delete(id)
  }

  get size(): number {
    return this.members.size
  }

  /** Processes a reading in order of device time. Speeds come from the device, else from the previous reading. */
  take(id: string, time: number, values: Values, receivedAt = time): void {
    const member = this.members.get(id)
    if (!member || time <= member.at) return
    const angle = number(values.slewAngle)
    const radius = number(values.radius)
    if (angle === undefined || radius === undefined) return
    member.heardAt = receivedAt
    const before = member.pose
    const seconds = (time - member.at) / 1000
    const since = before && time - member.at <= speedFromMs ? before : undefined
    const height = number(values.hookHeight)
    const hook = height === undefined ? (before?.hookZ ?? member.shape.jibZ) : member.shape.baseZ + height
    const perMinute = (value: unknown) => {
      const speed = number(value)
      return speed === undefined ? undefined : speed / 60
    }
    const slew = number(values.slewSpeed)
    member.pose = {
      angle,
      radius,
      hookZ: hook,
      loaded: (number(values.load) ?? 0) >= loadedFromT,
      slew: slew !== undefined ? slew * 6 : since ? turn(since.angle, angle) / seconds : 0,
      trolley: perMinute(values.trolleySpeed) ?? (since ? (radius - since.radius) / seconds : 0),
      hoist: perMinute(values.hoistSpeed) ?? (since ? (hook - since.hookZ) / seconds : 0),
    }
    member.at = time
    this.revision++
  }

  /**
   * The least distance from a crane to any other within `predictSeconds`, with all poses extrapolated to `at` (epoch ms). Undefined if the
   * crane's own pose is unknown; 20 m stands for anything farther.
   */
  clearanceAt(id: string, at: number, predictSeconds: number): Found | undefined {
    const own = this.members.get(id)
    const ownPose = own && poseAt(own, at)
    if (!own || !ownPose) return undefined
    const requested = this.pendingJob
    const isSame =
      requested &&
      requested.id === id &&
      requested.at === at &&
      requested.revision === this.revision &&
      predictSeconds < requested.least.length
    const ahead = isSame ? requested : this.lookAround(own, ownPose, id, at, predictSeconds)
    const horizon = Math.ceil(predictSeconds)
    return { meters: ahead.least[horizon] ?? careM, complete: ahead.complete, unheard: ahead.unheard[horizon] ?? careM }
  }

  /** Rules evaluate one reading with several horizons, so one prediction covers the usual ones. */
  private lookAround(own: Member, ownPose: CranePose, id: string, at: number, predictSeconds: number): PendingJob {
    const seconds = Math.max(Math.ceil(predictSeconds), usualSeconds)
    const least = new Float64Array(seconds + 1).fill(careM)
    const unheard = new Float64Array(seconds + 1).fill(careM)
    let complete = true
    for (const other of this.pairsOf(id, own)) {
      const key = `${id}/${other.shape.id}`
      const pose = poseAt(other, at)
      let apart = this.apart.get(key)
      if (pose || (!apart && other.pose)) {
        apart = new Float64Array(seconds + 1).fill(careM)
        // No reading since the start: the last stored position is used.
        lookAhead(own.shape, ownPose, other.shape, pose ?? still(other.pose as CranePose), seconds, apart)
        this.apart.set(key, apart)
      }
      const into = pose ? least : unheard
      for (let i = 0; apart && i <= seconds; i++) into[i] = Math.min(into[i] as number, apart[i] ?? careM)
      if (!pose) complete = false
    }
    this.pendingJob = { id, at, revision: this.revision, least, unheard, complete }
    return this.pendingJob
  }

  /** Cranes with current readings, each with its neighbours without them, to which the distance is unknown. */
  *unseen(now: number): Iterable<{ id: string; missing: string[] }> {
    for (const [id, own] of this.members) {
      if (now - own.heardAt > freshMs) continue
      yield { id, missing: this.pairsOf(id, own).flatMap((other) => (now - other.heardAt > freshMs ? [other.shape.id] : [])) }
    }
  }

  /**
   * Horizontal distance in metres to the nearest zone: from the jib for a `noEntry` zone, from the hook for others; 0 inside. `forbidden`
   * means all kinds of forbidden zones.
   */
  zoneDistanceAt(id: string, kind: string, at: number): number | undefined {
    const own = this.members.get(id)
    const pose = own && poseAt(own, at)
    if (!own || !pose) return undefined
    let least = Number.POSITIVE_INFINITY
    for (const zone of this.zones) least = Math.min(least, this.distanceTo(zone, id, kind, at) ?? Number.POSITIVE_INFINITY)
    return least
  }

  /** The nearest crane within the time and its distance. Called when an alarm opens, not for every reading. */
  nearestCrane(id: string, at: number, predictSeconds: number): { id: string; meters: number } | undefined {
    const own = this.members.get(id)
    const ownPose = own && poseAt(own, at)
    if (!own || !ownPose) return undefined
    let nearest: { id: string; meters: number } | undefined
    for (const other of this.pairsOf(id, own)) {
      const pose = poseAt(other, at)
      if (!pose) continue
      const least = new Float64Array(Math.ceil(predictSeconds) + 1).fill(careM)
      lookAhead(own.shape, ownPose, other.shape, pose, predictSeconds, least)
      const meters = least.at(-1) ?? careM
      if (meters < careM && !(nearest && nearest.meters <= meters)) nearest = { id: other.shape.id, meters }
    }
    return nearest
  }

  /** The name of the nearest zone. */
  nearestZone(id: string, kind: string, at: number): string | undefined {
    let [name, least]: [string | undefined, number] = [undefined, Number.POSITIVE_INFINITY]
    for (const zone of this.zones) {
      const meters = this.distanceTo(zone, id, kind, at)
      if (meters === undefined || meters >= least) continue
      least = meters
      name = zone.name
    }
    return name
  }

  private distanceTo(zone: Zone, id: string, kind: string, at: number): number | undefined {
    const own = this.members.get(id)
    const pose = own && poseAt(own, at)
    if (!own || !pose || (kind !== zone.kind && kind !== 'forbidden')) return undefined
    if (zone.kind === 'noEntry') {
      const [jib] = partsAfter(own.shape, pose, 0)
      return planDistance([jib.ax, jib.ay], [jib.bx, jib.by], zone.points)
    }
    const hook = hookAfter(own.shape, pose, 0)
    return planDistance(hook, hook, zone.points)
  }

  private pairsOf(id: string, own: Member): readonly Member[] {
    let pairs = this.pairs.get(id)
    if (!pairs) {
      pairs = [...this.members.values()].filter((other) => other !== own && isPair(own.shape, other.shape))
      this.pairs.set(id, pairs)
    }
    return pairs
  }
}

const still = (pose: CranePose): CranePose => ({ ...pose, slew: 0, trolley: 0, hoist: 0 })

/** The pose extrapolated to an instant; undefined if the reading is too old. */
function poseAt(member: Member, at: number): CranePose | undefined {
  if (!member.pose || Math.abs(at - member.at) > freshMs) return undefined
  const seconds = (at - member.at) / 1000
  const { pose } = member
  return {
    ...pose,
    angle: pose.angle + pose.slew * seconds,
    radius: pose.radius + pose.trolley * seconds,
    hookZ: pose.hookZ + pose.hoist * seconds,
  }
}
