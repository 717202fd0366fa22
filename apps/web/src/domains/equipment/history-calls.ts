import { towerLine } from '@zhugong/contract/telemetry/endpoints'
import { envLine } from '@zhugong/contract/telemetry/environment-endpoints'

/** Families whose curves can be asked for; the calls differ in their address alone. */
export const historyCalls: Readonly<Record<string, typeof towerLine | undefined>> = {
  towerCrane: towerLine,
  environment: envLine as unknown as typeof towerLine,
}
