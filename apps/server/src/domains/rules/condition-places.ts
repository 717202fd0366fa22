import type { ConditionOf, RuleCondition } from '@zhugong/contract/rules/conditions'
import { isInside, metersToLine, type Point } from '@zhugong/contract/rules/polygon'
import { compared, numeric } from './condition-values.ts'
import { settled } from './digits.ts'
import { operatorOf, usualMargin } from './limits.ts'
import { type FenceName, type Finding, type Moment, type Truth, unknown } from './moment.ts'

const [longitude, latitude] = ['longitude', 'latitude']

export const place = [longitude, latitude] as const

/** Metres in the site's plane, as reported by positioning stations. */
export const plane = ['x', 'y'] as const

const axesOf = (m: Moment) => (m.memory.window(longitude, Number.NEGATIVE_INFINITY, m.time).to > 0 ? place : plane)

const cornersOf = (lines: readonly (readonly Point[])[]) => lines.reduce((sum, line) => sum + line.length, 0)

/** Whether a position lies in the fence, widened by a buffer; undefined if the fence does not exist. */
function insideFence(c: ConditionOf<'geofence'>, p: Point, buffer: number, m: Moment): Truth {
  const named = c.polygon || c.route ? undefined : fenceOf({ id: c.fenceId || undefined, kind: c.fence || undefined }, m)
  if (c.mode === 'outsideRoute') {
    const routes = c.route ? [c.route as readonly Point[]] : (named?.routes ?? [])
    m.budget.spend(cornersOf(routes))
    return routes.length ? routes.some((route) => metersToLine(p, route) <= buffer) : undefined
  }
  const areas = c.polygon ? [c.polygon as readonly Point[]] : (named?.areas ?? [])
  m.budget.spend(cornersOf(areas))
  return areas.length ? areas.some((area) => isInside(p, area) || (buffer > 0 && metersToLine(p, area, true) <= buffer)) : undefined
}

function fenceOf(fence: FenceName, m: Moment) {
  // A fence in the device's parameters takes precedence over the project's.
  const own = (m.params.fences as Record<string, unknown> | undefined)?.[fence.id ?? fence.kind ?? '']
  if (!Array.isArray(own)) return m.facts.fence?.(axesOf(m) === plane ? { ...fence, plane: true } : fence)
  const lines = (Array.isArray(own[0]?.[0]) ? own : [own]) as Point[][]
  return { areas: lines, routes: lines }
}

/**
 * Whether the last `confirmSamples` positions all lie on one side of the fence. Leaving means beyond the buffer, entering means inside the
 * fence itself. A route is as wide as its buffer in both directions.
 */
export function allOnSide(c: ConditionOf<'geofence'>, inside: boolean, m: Moment): Finding {
  const wanted = c.confirmSamples ?? 1
  const buffer = inside && c.mode !== 'outsideRoute' ? 0 : (c.bufferMeters ?? 0)
  const [across, up] = axesOf(m)
  const now = numeric(across, m)
  if (!now || !numeric(up, m)) return unknown(m.time)
  const { series, to } = m.memory.window(across, Number.NEGATIVE_INFINITY, m.time)
  let truth: Truth = true
  for (let i = to - 1, seen = 0; seen < wanted; i--, seen++) {
    const time = series.times[i]
    // Fewer positions than required, or too far apart.
    if (time === undefined || m.time - time > wanted * m.maxGapMs) return unknown(m.time)
    const lats = m.memory.window(up, time - 1, time)
    const p: Point = [Number(series.values[i]), Number(lats.series.values[lats.to - 1])]
    if (Number.isNaN(p[1])) return unknown(m.time)
    const at = insideFence(c, p, buffer, m)
    if (at === undefined) return unknown(m.time)
    if (at !== inside) {
      truth = false
      break
    }
  }
  return { truth, until: now.until }
}

/** Whether the alarm is about being inside the fence. */
export const isAboutInside = (c: ConditionOf<'geofence'>) => c.mode === 'enter' || c.mode === 'inside'

const moving = 0.5

/**
 * Since when a device has been in an area or state without a rest; null if it is not. Rests shorter than `resetRestSeconds` are ignored.
 */
export function lasting(c: ConditionOf<'dwell'>, m: Moment): { since: number; upTo: number } | null | undefined {
  if (c.state !== undefined && c.state !== 'driving') {
    const since = m.facts.stateSince?.(c.state, m.values, m.time)
    return since === undefined || since === null ? since : { since, upTo: m.time }
  }
  const metric = c.state === 'driving' ? 'speed' : axesOf(m)[0]
  const { series, from, to } = m.memory.window(metric, m.periodStart - 1, m.time)
  if (to === from || m.time - (series.times[to - 1] as number) > m.maxGapMs) return undefined
  const restMs = (c.resetRestSeconds ?? 0) * 1000
  let start: number | undefined
  let upTo = m.time
  let restEnd: number | undefined
  for (let i = to - 1; i >= from; i--) {
    const time = series.times[i] as number
    m.budget.spend(1)
    const within = c.state === 'driving' ? Number(series.values[i]) > moving : isThere(c.fence ?? '', i, series, m)
    if (within === undefined) return undefined
    if (within) {
      // A gap as long as a rest may have been a rest.
      if (start !== undefined && start - time > Math.max(m.maxGapMs, restMs)) break
      if (start === undefined && restEnd !== undefined) upTo = time
      start = time
      restEnd = undefined
    } else {
      if (start === undefined && restMs === 0) return null
      restEnd ??= start ?? m.time
      if (restEnd - time >= restMs) break
    }
  }
  return start === undefined ? null : { since: start, upTo }
}

export function dwell(c: ConditionOf<'dwell'>, m: Moment): Finding {
  const found = lasting(c, m)
  if (found === undefined) return unknown(m.time)
  return { truth: found !== null && found.upTo - found.since >= c.seconds * 1000, until: m.time + m.maxGapMs }
}

function isThere(fence: string, index: number, series: { times: readonly number[]; values: readonly unknown[] }, m: Moment): Truth {
  const time = series.times[index] as number
  const lats = m.memory.window(axesOf(m)[1], time - 1, time)
  const lat = lats.series.values[lats.to - 1]
  const areas = fenceOf({ kind: fence }, m)?.areas
  if (!areas?.length || lat === undefined) return undefined
  m.budget.spend(cornersOf(areas))
  return areas.some((area) => isInside([Number(series.values[index]), Number(lat)], area))
}

/** Distances are predicted in steps of a tenth of a second. */
const predictedPerSecond = 10

export function clearance(c: ConditionOf<'craneClearance'>, m: Moment, limit: number, isOpen = false): Finding {
  m.budget.spend(c.predictSeconds * predictedPerSecond)
  const found = m.facts.clearanceAt?.(m.time, c.predictSeconds)
  const until = m.time + m.maxGapMs
  const known = compared(c, found && { value: settled(found.meters), until }, limit, m.time)
  if (!found || found.complete || known.truth !== false) return known
  // One machine that is too near decides; that none is too near requires all positions. An open alarm may close although machines are
  // silent, if none of them was near when last heard.
  const wasNear = compared(c, { value: settled(found.unheard ?? 0), until }, limit, m.time).truth !== false
  return isOpen && !wasNear ? known : unknown(m.time)
}

export const clearanceClear = (c: ConditionOf<'craneClearance'>) =>
  c.clearValue ?? settled(c.value - operatorOf(c.op).side * Math.abs(c.value) * usualMargin)

export const zoneMeters = 1

export function zone(c: ConditionOf<'craneZone'>, m: Moment, margin: number): Finding {
  const meters = m.facts.zoneDistanceAt?.(c.zone, m.time)
  return meters === undefined ? unknown(m.time) : { truth: settled(meters) <= margin, until: m.time + m.maxGapMs }
}

export const places: ReadonlySet<RuleCondition['type']> = new Set(['geofence', 'dwell', 'craneClearance', 'craneZone'])
