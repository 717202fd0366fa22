import type { Config } from '#kit/config'
import type { Outgoing } from '#kit/outgoing'
import type { Serve } from '#kit/serve'
import { aiEventRoutes } from './ai-events.ts'
import { alarmFindingRoutes } from './alarm-findings.ts'
import { alarmReadingRoutes } from './alarm-readings.ts'
import { cameraAiRoutes } from './camera-ai.ts'
import { craneZoneRoutes } from './crane-zones.ts'
import { exceedCauseRoutes } from './exceed-causes.ts'
import { formworkRoutes } from './formwork.ts'
import { formworkZeroRoutes } from './formwork-zero.ts'
import { gateShareRoutes } from './gate-shares.ts'
import { helmetCareRoutes } from './helmet-care.ts'
import { helmetGroupRoutes } from './helmet-groups.ts'
import { helmetRoutes } from './helmets.ts'
import { liftStopRoutes } from './lift-stops.ts'
import { liftTestRoutes } from './lift-tests.ts'
import { lifterRoutes } from './lifters.ts'
import { GbMedia } from './media-gb.ts'
import { meterEntryRoutes } from './meter-entries.ts'
import { meterIntensityRoutes } from './meter-intensity.ts'
import { meterSettleRoutes } from './meter-settle.ts'
import { meterRoutes } from './meters.ts'
import { nightPermitRoutes } from './night-permits.ts'
import { passagePairRoutes } from './passage-pairs.ts'
import { passageRoutes } from './passages.ts'
import { pileRegisterRoutes } from './pile-register/routes.ts'
import { pileWorkRoutes } from './pile-work.ts'
import { pileRoutes } from './piles.ts'
import { pitPointRoutes } from './pit-points.ts'
import { pitRoutes } from './pits.ts'
import { platformMoveRoutes } from './platform-moves.ts'
import { platformRoutes } from './platforms.ts'
import { pourAdviceRoutes } from './pour-advice.ts'
import { type Enqueue, pitSurveyRoutes } from './survey/routes.ts'
import { vehicleFenceRoutes } from './vehicle-fences.ts'
import { vehicleRegistryRoutes } from './vehicle-registry.ts'
import { vehicleRoutes } from './vehicles.ts'
import { videoRoutes } from './video.ts'
import { videoMarkRoutes } from './video-marks.ts'
import { videoPatrolRoutes } from './video-patrols.ts'
import { videoSiteRoutes } from './video-sites.ts'
import { videoWallRoutes } from './video-walls.ts'
import { weighCheckRoutes } from './weigh-checks.ts'
import { weighingRoutes } from './weighing.ts'

/** The calls of the device families that stand beside cranes and environment. */
export function monitoringRoutes(serve: Serve, enqueue: Enqueue, media: Outgoing, config: Pick<Config, 'ingestSocket'>): void {
  craneZoneRoutes(serve)
  alarmReadingRoutes(serve)
  exceedCauseRoutes(serve)
  alarmFindingRoutes(serve)
  nightPermitRoutes(serve)
  liftTestRoutes(serve)
  liftStopRoutes(serve)
  lifterRoutes(serve)
  platformRoutes(serve)
  platformMoveRoutes(serve)
  meterEntryRoutes(serve)
  meterIntensityRoutes(serve)
  pitRoutes(serve)
  pitPointRoutes(serve)
  pitSurveyRoutes(serve, enqueue)
  pileRoutes(serve)
  pileWorkRoutes(serve)
  pileRegisterRoutes(serve)
  formworkRoutes(serve)
  formworkZeroRoutes(serve)
  pourAdviceRoutes(serve)
  meterRoutes(serve)
  meterSettleRoutes(serve)
  helmetRoutes(serve)
  helmetGroupRoutes(serve)
  helmetCareRoutes(serve, config)
  vehicleFenceRoutes(serve)
  vehicleRoutes(serve)
  passageRoutes(serve)
  passagePairRoutes(serve)
  gateShareRoutes(serve)
  vehicleRegistryRoutes(serve)
  weighingRoutes(serve)
  weighCheckRoutes(serve)
  videoRoutes(serve, new GbMedia(media))
  videoMarkRoutes(serve)
  videoWallRoutes(serve)
  videoSiteRoutes(serve)
  videoPatrolRoutes(serve)
  aiEventRoutes(serve)
  cameraAiRoutes(serve)
}
