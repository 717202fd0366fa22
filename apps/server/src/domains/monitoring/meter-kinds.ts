import type { DeviceRow } from '../telemetry/views/public.ts'
import { numberOr } from './family.ts'
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

/** Current transformers: the register shows a part of what flows. Water has none. */
export const ratioOf = (row: DeviceRow): number => numberOr(row.params.ratio) || 1

/** Where the counter begins anew, as somebody has entered it from the meter's plate. */
export const registerOf = (row: DeviceRow): number => numberOr(row.params.registerSize) || usualRegister
