import type { PointMark, PointMarks } from '@zhugong/contract/telemetry/point-marks'
import type { FleetDevice } from '../equipment/public.ts'
import { leanOf, type Reading } from '../readings/public.ts'
import type { Work } from './work.ts'

const textOf = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined)
/** The monitoring point of a reading: from the reading, the device parameters, or the device name. */
const pointOf = (device: Pick<FleetDevice, 'name' | 'params'>, values: Readonly<Record<string, unknown>>): string =>
  textOf(values.pointCode) ?? textOf(device.params.pointCode) ?? device.name

const tidy = (value: number): number => Math.round(value * 1000) / 1000

/** Offset at a depth, interpolated between known depths; outside them the nearest value. */
export function shiftAt(profile: NonNullable<PointMark['profile']>, depth: number): number {
  const below = profile.findLast((one) => one.depth <= depth)
  const above = profile.find((one) => one.depth >= depth)
  if (!below || !above) return (below ?? above)?.value ?? 0
  if (above.depth === below.depth) return below.value
  return below.value + ((above.value - below.value) * (depth - below.depth)) / (above.depth - below.depth)
}

/** Adds the offsets to values by depth, so that the curve continues the previous one. */
function carried(points: unknown, profile: NonNullable<PointMark['profile']>): unknown {
  if (!Array.isArray(points)) return points
  return points.map((one: unknown) => {
    if (typeof one !== 'object' || one === null) return one
    const { depth, deepHorizontalDisplacement: value } = one as Record<string, unknown>
    if (typeof depth !== 'number' || typeof value !== 'number') return one
    return { ...one, deepHorizontalDisplacement: tidy(value + shiftAt(profile, depth)) }
  })
}

function marked(reading: Reading, mark: PointMark, byHand: boolean): Reading {
  if (reading.time < mark.since) return reading
  const numbers = Object.entries(reading.values).filter((one): one is [string, number] => typeof one[1] === 'number')
  if (mark.damaged !== undefined)
    return { ...reading, quality: { ...reading.quality, ...Object.fromEntries(numbers.map(([metric]) => [metric, 'fault'])) } }
  // Values entered by users are total displacements since the start and do not contain the instrument's zero.
  if (byHand) return reading
  const { shift = {}, profile } = mark
  const values = { ...reading.values }
  for (const [metric, value] of numbers) if (shift[metric] !== undefined) values[metric] = tidy(value + shift[metric])
  if (typeof values.tilt === 'number' && typeof values.tiltX === 'number' && typeof values.tiltY === 'number')
    values.tilt = leanOf(values.tiltX, values.tiltY)
  if (!profile) return { ...reading, values }
  if (values.points !== undefined) values.points = carried(values.points, profile)
  const { unknown } = reading
  return { ...reading, values, unknown: unknown?.points === undefined ? unknown : { ...unknown, points: carried(unknown.points, profile) } }
}

/**
 * Applies point marks (damage, offsets) to the readings of a message before it is stored. Curves, rules and values read after a restart
 * therefore agree.
 */
export function withMarks(work: Work): Work {
  const marks: PointMarks | undefined = work.device.points
  if (!marks) return work
  const { device } = work
  return {
    ...work,
    readings: work.readings.map((reading) => {
      const mark = marks[pointOf(device, reading.values)]
      return mark ? marked(reading, mark, work.byHand === true) : reading
    }),
  }
}
