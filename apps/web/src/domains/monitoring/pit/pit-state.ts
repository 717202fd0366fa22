import type { OutputFor } from '@zhugong/contract/kit/endpoint'
import { type pitInfo, pitStates } from '@zhugong/contract/monitoring/pit/pit-live'
import type { findPitDays } from '@zhugong/contract/monitoring/pit/pits'
import type { Tone } from '#kit/feedback.tsx'
import { measure } from '#kit/format.ts'
import { type LngLat, metresFrom } from '#kit/geo.ts'
import type { Point } from '../crane-geometry.ts'
import { toneColors } from '../crane-state.ts'

export type PitPoint = OutputFor<typeof pitInfo>['points'][number]
export type PitDay = OutputFor<typeof findPitDays>['list'][number]
export type PitState = PitPoint['state']

/** Percent of control at which a point warns, alarms and exceeds: the usual values, since JGJ 120 and GB 50497 leave them to the design. */
export const marks = [70, 85, 100] as const

export const stateColors: Readonly<Record<PitState, string>> = {
  fine: toneColors.fine,
  warning: toneColors.warning,
  alarm: toneColors.alarm,
  over: toneColors.alarm,
  unset: toneColors.offline,
  silent: toneColors.offline,
  damaged: toneColors.offline,
}
export const stateTones: Readonly<Record<PitState, Tone>> = {
  fine: 'fine',
  warning: 'warning',
  alarm: 'danger',
  over: 'danger',
  unset: 'neutral',
  silent: 'neutral',
  damaged: 'warning',
}

/** Shape by kind of point, so that kinds differ without colour. */
export type PointShape = 'circle' | 'square' | 'diamond' | 'triangle' | 'bar'
const symbols: Readonly<Record<string, PointShape>> = {
  deepHorizontal: 'diamond',
  topHorizontal: 'square',
  topVertical: 'square',
  column: 'square',
  waterLevel: 'triangle',
  strutForce: 'bar',
  anchorForce: 'bar',
}
export const symbolOf = (type: string): PointShape => symbols[type] ?? 'circle'

/** Points in the wall itself: they give the outline of the pit. */
const inWall = new Set(['deepHorizontal', 'topHorizontal', 'topVertical'])
export const isInWall = (type: string): boolean => inWall.has(type)

export const worst = (one: { share: number | null; rateShare: number | null }): number | null =>
  one.share === null && one.rateShare === null ? null : Math.max(one.share ?? 0, one.rateShare ?? 0)

const decimals = (unit: string) => (unit === 'mm' ? 1 : unit === '°' ? 3 : 0)
/** 29.6 mm; forces and levels without decimals. */
export const valueWords = (value: number | null, unit: string): string => `${measure(value, decimals(unit))} ${unit}`
export const shareWords = (share: number | null): string => (share === null ? '未设控制值' : `${share.toFixed(0)} %`)

/** A point in one word: its share if measured, else the reason why not. */
export const pointWord = (one: Pick<PitPoint, 'state' | 'share' | 'rateShare'>): string =>
  one.state === 'silent' || one.state === 'unset' || one.state === 'damaged' ? pitStates[one.state] : `${worst(one)?.toFixed(0) ?? '--'} %`

/** Position in the site's plane: from the parameters, else from the device. */
export function placeOf(one: Pick<PitPoint, 'x' | 'y' | 'lng' | 'lat'>, origin: LngLat): Point | undefined {
  if (one.x !== null && one.y !== null) return [one.x, one.y]
  if (one.lng === null || one.lat === null) return undefined
  return metresFrom(origin, [one.lng, one.lat])
}

export interface Placed {
  point: PitPoint
  at: Point
}
export const placedOf = (points: readonly PitPoint[], origin: LngLat): Placed[] =>
  points.flatMap((point) => {
    const at = placeOf(point, origin)
    return at ? [{ point, at }] : []
  })

export interface Outline {
  left: number
  right: number
  bottom: number
  top: number
}
/** Walls of the pit as the bounding box of the points in them; undefined with fewer than two positions. */
export function outlineOf(placed: readonly Placed[]): Outline | undefined {
  const walls = placed.filter((one) => isInWall(one.point.pointType))
  const all = walls.length >= 2 ? walls : placed
  if (all.length < 2) return undefined
  const [xs, ys] = [all.map((one) => one.at[0]), all.map((one) => one.at[1])]
  return { left: Math.min(...xs), right: Math.max(...xs), bottom: Math.min(...ys), top: Math.max(...ys) }
}

/** State of a point at the end of a day. */
export function asOfDay(point: PitPoint, day: PitDay | undefined): PitPoint {
  if (!day || day.value === null)
    return { ...point, time: null, cumulative: null, ratePerDay: null, share: null, rateShare: null, state: 'silent', profile: [] }
  const top = worst(day)
  const state = day.share === null ? 'unset' : stateAt(top ?? 0)
  return {
    ...point,
    time: day.time,
    cumulative: day.value,
    ratePerDay: day.ratePerDay,
    share: day.share,
    rateShare: day.rateShare,
    state,
    manual: day.manual,
    profile: day.profile,
  }
}
export const stateAt = (share: number): PitState =>
  share >= marks[2] ? 'over' : share >= marks[1] ? 'alarm' : share >= marks[0] ? 'warning' : 'fine'

/** Points of the same kind by distance, to see whether one point moves or the whole wall. */
export function besidePoints(placed: readonly Placed[], chosen: Placed, most = 3): { point: PitPoint; metres: number }[] {
  return placed
    .filter((one) => one.point !== chosen.point && one.point.pointType === chosen.point.pointType)
    .map((one) => ({ point: one.point, metres: Math.hypot(one.at[0] - chosen.at[0], one.at[1] - chosen.at[1]) }))
    .sort((a, b) => a.metres - b.metres)
    .slice(0, most)
}

/** Whether one point or the wall moves: neighbours with at least half of its rate move with it. */
export function wallWords(rate: number | null, beside: readonly { point: Pick<PitPoint, 'ratePerDay'> }[]): string {
  if (rate === null) return '速率不足以计算'
  const rates = beside.flatMap(({ point }) => (point.ratePerDay === null ? [] : [point.ratePerDay]))
  if (rates.length === 0) return '附近没有同类测点可比'
  const along = rates.filter((one) => Math.sign(one) === Math.sign(rate) && Math.abs(one) >= Math.abs(rate) / 2).length
  return along === rates.length ? '附近测点同向变化，像是整段在动' : along > 0 ? '附近部分测点同向变化' : '附近测点没有跟着动，先核对本点'
}

export interface Kind {
  type: string
  name: string
  points: readonly PitPoint[]
  worst: PitPoint | undefined
}
/** Points by kind, the kind with the worst point first. */
export function kindsOf(points: readonly PitPoint[]): Kind[] {
  return [...Map.groupBy(points, (one) => one.pointType)]
    .map(([type, own]) => ({
      type,
      name: own[0]?.pointTypeName ?? type,
      points: own,
      worst: own.filter((one) => worst(one) !== null).sort((a, b) => (worst(b) ?? 0) - (worst(a) ?? 0))[0],
    }))
    .sort((a, b) => (b.worst ? (worst(b.worst) ?? -1) : -1) - (a.worst ? (worst(a.worst) ?? -1) : -1))
}

export interface ComparedPoint extends Pick<PitDay, 'deviceId' | 'pointCode' | 'pointTypeName' | 'unit' | 'share'> {
  earlier: number | null
  later: number | null
  change: number | null
  /** Null if the two readings are less than a day apart. */
  perDay: number | null
}
/** Points on two days, greatest movement first; points without a value on one of the days come last. */
export function comparedDays(earlier: readonly PitDay[], later: readonly PitDay[]): ComparedPoint[] {
  const keyOf = (one: PitDay) => `${one.deviceId} ${one.pointCode}`
  const before = new Map(earlier.map((one) => [keyOf(one), one]))
  return later
    .map((one): ComparedPoint => {
      const old = before.get(keyOf(one))
      const change = one.value === null || old === undefined || old.value === null ? null : one.value - old.value
      const days = one.time === null || !old || old.time === null ? 0 : (one.time - old.time) / 86_400_000
      return {
        deviceId: one.deviceId,
        pointCode: one.pointCode,
        pointTypeName: one.pointTypeName,
        unit: one.unit,
        share: one.share,
        earlier: old?.value ?? null,
        later: one.value,
        change,
        perDay: change === null || days < 1 ? null : change / days,
      }
    })
    .sort((a, b) => Math.abs(b.change ?? -1e-9) - Math.abs(a.change ?? -1e-9) || (a.pointCode < b.pointCode ? -1 : 1))
}
