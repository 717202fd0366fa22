import { towerLine } from '@zhugong/contract/monitoring/crane/crane-endpoints'
import { envLine } from '@zhugong/contract/monitoring/environment/environment-endpoints'

/** History endpoint by family. All have the same input and output and differ in their path only. */
export const historyCalls: Readonly<Record<string, typeof towerLine | undefined>> = {
  towerCrane: towerLine,
  environment: envLine as unknown as typeof towerLine,
}
