import type { DeviceRow } from '../shared/devices.ts'
import { numberOr } from '../shared/family.ts'
import { usualRegister } from './usage.ts'

export type MeterFamily = 'electricMeter' | 'waterMeter'
export const meterKinds = {
  electricMeter: {
    counter: 'totalEnergy',
    unit: 'kWh',
    line: ['activePower', 'voltageA', 'currentA', 'residualCurrent', 'cableTemperature'],
    quota: 'monthQuota',
  },
  waterMeter: { counter: 'totalVolume', unit: 'm³', line: ['flowRate', 'pressure'], quota: 'dayQuota' },
} as const

export const familyOfKind = (kind: 'electric' | 'water'): MeterFamily => (kind === 'water' ? 'waterMeter' : 'electricMeter')

/** Current transformer ratio: the register counts a fraction of the current. Water has none. */
export const ratioOf = (row: DeviceRow): number => numberOr(row.params.ratio) || 1

/** Size of the register from the meter's nameplate, as entered. */
export const registerOf = (row: DeviceRow): number => numberOr(row.params.registerSize) || usualRegister
