import { registerCraneExports } from './crane/crane-exports.ts'
import { registerStationExports } from './environment/station-exports.ts'
import { registerPourExports } from './formwork/pour-exports.ts'
import { registerGatewayExports } from './gateway/gateway-exports.ts'
import { registerHelmetExports } from './helmet/helmet-page.ts'
import { registerLiftExports } from './lift/lift-exports.ts'
import { registerMeterExports } from './meter/meter-exports.ts'
import { registerPileExports } from './pile/piles.ts'
import { registerPileRegisterExports } from './pile/register/exports.ts'
import { registerPitExports } from './pit/pit-exports.ts'
import { registerFamilyExports } from './shared/family-exports.ts'
import { registerUnloadingExports } from './unloading/unloading-exports.ts'
import { registerTruckEvidence } from './vehicle/truck-evidence.ts'
import { registerAiExports } from './video/ai-exports.ts'
import { registerWeighExports } from './weigh/weigh-exports.ts'

export function registerMonitoringExports(): void {
  registerFamilyExports()
  registerPitExports()
  registerPourExports()
  registerAiExports()
  registerWeighExports()
  registerTruckEvidence()
  registerMeterExports()
  registerUnloadingExports()
  registerGatewayExports()
  registerHelmetExports()
  registerLiftExports()
  registerPileExports()
  registerPileRegisterExports()
  registerCraneExports()
  registerStationExports()
}
