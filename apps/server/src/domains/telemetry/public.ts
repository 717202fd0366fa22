import { familyOf } from '@zhugong/contract/telemetry/families'

/** How often a device of a family usually reports, in seconds. */
export function intervalOf(family: string): number {
  return familyOf(family)?.intervalSeconds ?? 60
}

export { decodeTrial, type Trial, type TrialAccess } from './decode-trial.ts'
export { askIngest } from './local.ts'
export { isHealth, isPersonal, onlookerOf, personalKeys, recordsOfSeen, type Veil, veilFor } from './personal.ts'
export { fromColumns, readTelemetry } from './sample.ts'
