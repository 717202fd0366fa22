import type { Device } from './city-types.ts'

export interface CraneParams {
  jibLength: number
  minRadius: number
  maxRadius: number
  maxHeight: number
  maxLoad: number
  ratedMoment: number
  fall: number
  towerHeight: number
  x: number
  y: number
  /** Sector the jib must not enter, as bearings, clockwise. */
  forbidden: [number, number] | null
}

/** Rated load at a radius: the hyperbola of the rated moment, limited by the rope. */
export function ratedLoadAt(params: Pick<CraneParams, 'maxLoad' | 'ratedMoment' | 'fall'>, radius: number): number {
  const rope = params.fall >= 4 ? params.maxLoad : params.maxLoad / 2
  return Math.min(rope, params.ratedMoment / Math.max(radius, 1))
}

export function craneParams(device: Device): CraneParams {
  const number = (key: string, otherwise: number) => (typeof device.params[key] === 'number' ? (device.params[key] as number) : otherwise)
  const jibLength = number('jibLength', 50)
  const from = number('slewLimitFrom', -1)
  return {
    jibLength,
    minRadius: number('minRadius', 3),
    maxRadius: number('maxRadius', jibLength),
    maxHeight: number('maxHeight', 60),
    maxLoad: number('maxLoad', 6),
    ratedMoment: number('ratedMoment', 80),
    fall: number('fallDefault', 2),
    towerHeight: number('towerHeight', 66),
    x: device.x,
    y: device.y,
    forbidden: from < 0 ? null : [from, number('slewLimitTo', from)],
  }
}

/** Mechanical limits: speeds per second, accelerations per second squared. Tests check them. */
export const craneLimits = {
  slewSpeed: 3.4,
  slewAcceleration: 0.4,
  trolleySpeed: 0.8,
  trolleyAcceleration: 0.25,
  hoistSpeed: 1.1,
  hoistAcceleration: 0.35,
}
