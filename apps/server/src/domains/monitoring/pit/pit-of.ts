import { pick } from '#kit/pick'
import type { DeviceRow } from '../shared/devices.ts'
import { numberOr, rounded, textOr } from '../shared/family.ts'
import type { PointReading } from '../shared/points.ts'

export const pitFamily = 'foundationPit'
/** Percent of the control value: 70 warns, 85 alarms, 100 exceeds. */
const marks = { warning: 70, alarm: 85, over: 100 }
type PointState = 'fine' | 'warning' | 'alarm' | 'over' | 'unset' | 'silent'

export function pitState(share: number | null, isSilent: boolean): PointState {
  if (isSilent) return 'silent'
  if (share === null) return 'unset'
  return share >= marks.over ? 'over' : share >= marks.alarm ? 'alarm' : share >= marks.warning ? 'warning' : 'fine'
}

/** A pit is the set of a site's points with the same installation place. */
export const pitNameOf = (row: DeviceRow): string => textOr(row.params.pitName) ?? row.installPlace ?? '基坑'

export const shareOf = (value: number | null, control: number | null): number | null =>
  value === null || !control ? null : rounded((Math.abs(value) / control) * 100)

export const worstOf = (p: { share: number | null; rateShare: number | null }) => Math.max(p.share ?? -1, p.rateShare ?? -1)

export const placeOf = (device: DeviceRow) => ({
  deviceId: device.id,
  ...pick(device, 'projectCode', 'projectName', 'lng', 'lat'),
  pitName: pitNameOf(device),
  x: numberOr(device.params.x),
  y: numberOr(device.params.y),
  depth: numberOr(device.params.depth),
  grade: textOr(device.params.safetyGrade),
  online: device.online ?? false,
})

/** Measured and entered by people, not sent by a logger. */
export const isManual = (reading: PointReading): boolean =>
  reading.values.source === 'manual' || Object.values(reading.quality ?? {}).includes('manual')
