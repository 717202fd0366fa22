/** Where a family's machines are watched, and the code that opens it; one is picked by `deviceId`. Families left out have no such page. */
export interface LivePage {
  path: string
  code: string
}

export const livePages: Readonly<Record<string, LivePage>> = {
  towerCrane: { path: '/tower/monitor', code: 'tower-crane.view' },
  lifter: { path: '/equipment/lifter', code: 'lifter.view' },
  unloadingPlatform: { path: '/unloading', code: 'unloading.view' },
  foundationPit: { path: '/foundationPit/monitor', code: 'foundation-pit.view' },
  highFormwork: { path: '/highFormwork/index', code: 'high-formwork.view' },
  pileFoundation: { path: '/foundation/monitor', code: 'foundation-pile.view' },
  environment: { path: '/monitor/environmental', code: 'environment.view' },
  // A spray is watched and started beside the stations it answers.
  sprayController: { path: '/monitor/environmental', code: 'environment.view' },
  electricMeter: { path: '/electric', code: 'meters.view' },
  waterMeter: { path: '/waterMeter', code: 'meters.view' },
  weighbridge: { path: '/loadometer/monitor', code: 'weighbridge.view' },
  smartHelmet: { path: '/helmet/location', code: 'helmet.view' },
  truckMonitor: { path: '/vehicle/location', code: 'vehicle.view' },
  videoAi: { path: '/VideoSurveillance', code: 'video.play' },
}

/** The live page of a family for whoever holds these codes. */
export function livePageFor(family: string, codes: { has: (code: string) => boolean }): string | undefined {
  const page = livePages[family]
  return page && codes.has(page.code) ? page.path : undefined
}
