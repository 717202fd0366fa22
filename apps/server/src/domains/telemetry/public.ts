import { familyOf } from '@zhugong/contract/telemetry/families'

/** How often a device of a family usually reports, in seconds. */
export function intervalOf(family: string): number {
  return familyOf(family)?.intervalSeconds ?? 60
}

export { type EnteredReadings, enterReadings } from './entered.ts'
export { forgetPlaces } from './forget-places.ts'
export { askIngest, type CommandAnswer } from './local.ts'
