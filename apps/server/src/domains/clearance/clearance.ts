import { type CranePose, type CraneShape, fastest, mastPart, partsAfter } from './crane.ts'
import { segmentDistance } from './segments.ts'

/** Time step of the prediction, in seconds. */
export const stepSeconds = 0.1
/** Cranes that cannot come nearer than this are not checked as a pair. */
const pairMarginM = 5
/** Distances above this are equal to every rule and are not computed. */
export const careM = 20

export const isPair = (a: CraneShape, b: CraneShape): boolean => Math.hypot(a.x - b.x, a.y - b.y) <= reachOf(a) + reachOf(b) + pairMarginM
const reachOf = (shape: CraneShape) => Math.max(shape.jibLength, shape.counterJibLength)

/** Distance in metres between two cranes after some seconds: the minimum over all parts except between the two masts, which do not move. */
export function distanceAfter(a: CraneShape, poseA: CranePose, b: CraneShape, poseB: CranePose, seconds: number): number {
  const ours = partsAfter(a, poseA, seconds)
  const theirs = partsAfter(b, poseB, seconds)
  let least = Number.POSITIVE_INFINITY
  for (let i = 0; i < ours.length; i++) {
    for (let j = 0; j < theirs.length; j++) {
      if (i === mastPart && j === mastPart) continue
      const p = ours[i]
      const q = theirs[j]
      if (p && q) least = Math.min(least, segmentDistance(p, q))
    }
  }
  return least
}

/**
 * The minimum distance within `predictSeconds` at current speeds, in steps of 0.1 s, at most `careM`. Steps at which the cranes cannot be
 * nearer than the minimum so far, by their maximum speeds, are skipped; the result is exact.
 */
export function leastAhead(a: CraneShape, poseA: CranePose, b: CraneShape, poseB: CranePose, predictSeconds: number): number {
  const least = new Float64Array(Math.ceil(predictSeconds) + 1).fill(careM)
  lookAhead(a, poseA, b, poseB, predictSeconds, least)
  return least.at(-1) ?? careM
}

/** The same for every whole second: lowers `least[s]` to the minimum within `s` seconds, because rules use several horizons. */
export function lookAhead(
  a: CraneShape,
  poseA: CranePose,
  b: CraneShape,
  poseB: CranePose,
  predictSeconds: number,
  least: Float64Array,
): void {
  const approach = fastest(a, poseA) + fastest(b, poseB)
  const steps = Math.round(predictSeconds / stepSeconds)
  const perSecond = Math.round(1 / stepSeconds)
  let found = careM
  let second = 0
  for (let step = 0; step <= steps; ) {
    for (; second * perSecond < step; second++) if (found < (least[second] as number)) least[second] = found
    const distance = distanceAfter(a, poseA, b, poseB, step * stepSeconds)
    if (distance < found) found = distance
    if (found === 0 || approach === 0) break
    const free = (distance - found) / (approach * stepSeconds)
    step += Math.max(1, Math.ceil(Number.isFinite(free) ? free : 1))
  }
  for (; second < least.length; second++) if (found < (least[second] as number)) least[second] = found
}
