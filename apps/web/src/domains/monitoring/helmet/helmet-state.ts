import { placeMinutes } from '@zhugong/contract/monitoring/helmet/helmet-care'
import type { Point } from '../crane-geometry.ts'

const far = (a: Point, b: Point) => Math.hypot(a[0] - b[0], a[1] - b[1])

/** The person nearest to a place, and the distance in metres. */
export function nearest<Person extends { id: string; at: Point | undefined }>(
  people: readonly Person[],
  id: string,
  count: number,
): { person: Person; metres: number }[] {
  const own = people.find((one) => one.id === id)?.at
  if (!own) return []
  return people
    .flatMap((person) => (person.id !== id && person.at ? [{ person, metres: far(own, person.at) }] : []))
    .sort((a, b) => a.metres - b.metres)
    .slice(0, count)
}

/** Wearing state; outside working hours a helmet that is not worn counts as not in use. */
export const wearingWord = ({ wearing, racked }: { wearing: boolean | null; racked: boolean }): '佩戴中' | '未佩戴' | '未使用' | null =>
  wearing === null ? null : wearing ? '佩戴中' : racked ? '未使用' : '未佩戴'

/** A circle on the site's plane, in metres. */
export interface Circle {
  center: Point
  radius: number
}
interface Placed {
  id: string
  at: Point | undefined
  online: boolean
  time: number | undefined
}
/** People within a circle, and those of them who cannot be called: offline, or with an outdated position. */
export function within<P extends Placed>(people: readonly P[], { center, radius }: Circle, now: number): { called: P[]; missed: P[] } {
  const inside = people.filter((one) => one.at && far(one.at, center) <= radius)
  const isReachable = (one: P) => one.online && one.time !== undefined && now - one.time <= placeMinutes * 60_000
  return { called: inside.filter(isReachable), missed: inside.filter((one) => !isReachable(one)) }
}

export interface TrackTime {
  at: number
}
/** The newest point not after a moment. */
export function pointAt<P extends { time: number }>(points: readonly P[], at: number): P | undefined {
  let found: P | undefined
  for (const one of points) {
    if (one.time > at) break
    found = one
  }
  return found
}

/** Gaps between the lines of a track. */
export function silences(segments: readonly (readonly { time: number }[])[]): { from: number; to: number }[] {
  return segments.slice(1).flatMap((segment, i) => {
    const from = segments[i]?.at(-1)?.time
    const to = segment[0]?.time
    return from === undefined || to === undefined ? [] : [{ from, to }]
  })
}

const chainage = /^K(\d+)\+(\d+)/

/** Metres along a tunnel: K0+120 is 120. */
export function metresAlong(floorName: string): number | undefined {
  const match = chainage.exec(floorName)
  return match ? Number(match[1]) * 1000 + Number(match[2]) : undefined
}

/** Floors from the highest to the lowest: 三层, 一层, 地下一层, 地下三层. */
const digits = '零一二三四五六七八九十'
export function levelOf(floorName: string): number {
  const under = floorName.startsWith('地下') || /^B\d/i.test(floorName)
  const number = Number(/\d+/.exec(floorName)?.[0] ?? digits.indexOf([...floorName].find((one) => digits.includes(one)) ?? '一'))
  return under ? -number : number
}
