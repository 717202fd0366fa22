import { formworkLine, liftLine, unloadingLine } from '@zhugong/contract/monitoring/machines'
import { electricLine, waterLine } from '@zhugong/contract/monitoring/meters'
import { envLine, towerLine } from '@zhugong/contract/telemetry/endpoints'

type LineCall = typeof towerLine

/** Where the curve of a family's metric is asked for; the calls differ in their address and in what they answer beside the curve. */
export const lineCalls: Readonly<Record<string, LineCall>> = {
  towerCrane: towerLine,
  environment: envLine as unknown as LineCall,
  lifter: liftLine as unknown as LineCall,
  unloadingPlatform: unloadingLine as unknown as LineCall,
  highFormwork: formworkLine as unknown as LineCall,
  electricMeter: electricLine as unknown as LineCall,
  waterMeter: waterLine as unknown as LineCall,
}
