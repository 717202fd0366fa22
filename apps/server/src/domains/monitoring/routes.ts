import type { Config } from '#kit/config'
import type { Outgoing } from '#kit/outgoing'
import type { Serve } from '#kit/serve'
import { alarmFindingRoutes } from './alarm-findings.ts'
import { alarmReadingRoutes } from './alarm-readings.ts'
import { craneRoutes } from './crane/crane-routes.ts'
import { craneZoneRoutes } from './crane/crane-zones.ts'
import { environmentRoutes } from './environment/environment-routes.ts'
import { nightPermitRoutes } from './environment/night-permits.ts'
import { exceedCauseRoutes } from './exceed-causes.ts'
import { formworkRoutes } from './formwork/formwork.ts'
import { formworkZeroRoutes } from './formwork/formwork-zero.ts'
import { pourAdviceRoutes } from './formwork/pour-advice.ts'
import { gateShareRoutes } from './gateway/gate-shares.ts'
import { passagePairRoutes } from './gateway/passage-pairs.ts'
import { passageRoutes } from './gateway/passages.ts'
import { vehicleRegistryRoutes } from './gateway/vehicle-registry.ts'
import { helmetCareRoutes } from './helmet/helmet-care.ts'
import { helmetGroupRoutes } from './helmet/helmet-groups.ts'
import { helmetRoutes } from './helmet/helmets.ts'
import { liftStopRoutes } from './lift/lift-stops.ts'
import { liftTestRoutes } from './lift/lift-tests.ts'
import { lifterRoutes } from './lift/lifters.ts'
import { meterEntryRoutes } from './meter/meter-entries.ts'
import { meterIntensityRoutes } from './meter/meter-intensity.ts'
import { meterSettleRoutes } from './meter/meter-settle.ts'
import { meterRoutes } from './meter/meters.ts'
import { pileWorkRoutes } from './pile/pile-work.ts'
import { pileRoutes } from './pile/piles.ts'
import { pileRegisterRoutes } from './pile/register/routes.ts'
import { pitPointRoutes } from './pit/pit-points.ts'
import { pitRoutes } from './pit/pits.ts'
import { type Enqueue, pitSurveyRoutes } from './pit/survey/routes.ts'
import { platformMoveRoutes } from './unloading/platform-moves.ts'
import { platformRoutes } from './unloading/platforms.ts'
import { vehicleFenceRoutes } from './vehicle/vehicle-fences.ts'
import { vehicleRoutes } from './vehicle/vehicles.ts'
import { aiEventRoutes } from './video/ai-events.ts'
import { cameraAiRoutes } from './video/camera-ai.ts'
import { GbMedia } from './video/media-gb.ts'
import { videoRoutes } from './video/video.ts'
import { videoMarkRoutes } from './video/video-marks.ts'
import { videoPatrolRoutes } from './video/video-patrols.ts'
import { videoSiteRoutes } from './video/video-sites.ts'
import { videoWallRoutes } from './video/video-walls.ts'
import { weighCheckRoutes } from './weigh/weigh-checks.ts'
import { weighingRoutes } from './weigh/weighing.ts'

export function monitoringRoutes(serve: Serve, enqueue: Enqueue, media: Outgoing, config: Pick<Config, 'ingestSocket'>): void {
  craneRoutes(serve)
  craneZoneRoutes(serve)
  environmentRoutes(serve, config)
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
