/** Live page of a family's machines and the permission code that opens it; `deviceId` selects a machine. Families not listed have none. */
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
  // Spray lines are shown and started on the page of the stations that trigger them.
  sprayController: { path: '/monitor/environmental', code: 'environment.view' },
  electricMeter: { path: '/electric', code: 'meters.view' },
  waterMeter: { path: '/waterMeter', code: 'meters.view' },
  weighbridge: { path: '/loadometer/monitor', code: 'weighbridge.view' },
  smartHelmet: { path: '/helmet/location', code: 'helmet.view' },
  truckMonitor: { path: '/vehicle/location', code: 'vehicle.view' },
  videoAi: { path: '/VideoSurveillance', code: 'video.play' },
}

/** Live page of a family for a caller with these codes. */
export function livePageFor(family: string, codes: { has: (code: string) => boolean }): string | undefined {
  const page = livePages[family]
  return page && codes.has(page.code) ? page.path : undefined
}
