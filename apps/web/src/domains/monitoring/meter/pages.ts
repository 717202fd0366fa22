import { pages } from '#kit/pages.ts'

export const meterPages = pages([
  {
    path: '/electric',
    name: 'electric',
    keepAlive: false,
    module: 'meters',
    deviceType: 600,
    // URL parameters only select what the page shows: one cached page for all of them.
    cacheKey: 'path',
    load: () => import('./electric-page.tsx'),
  },
  {
    path: '/electric/record',
    name: 'electric-record',
    keepAlive: true,
    module: 'meters',
    deviceType: 600,
    load: () => import('./electric-record-page.tsx'),
  },
  {
    path: '/electric/record_2',
    name: 'electric-record-2',
    keepAlive: true,
    module: 'meters',
    deviceType: 600,
    load: () => import('./settlement-page.tsx'),
  },
  {
    path: '/electric/alarm',
    name: 'electric-alarm',
    keepAlive: true,
    module: 'meters',
    deviceType: 600,
    load: () => import('./electric-alarm-page.tsx'),
  },
  {
    path: '/waterMeter',
    name: 'water-meter',
    keepAlive: false,
    module: 'meters',
    deviceType: 601,
    cacheKey: 'path',
    load: () => import('./water-page.tsx'),
  },
  {
    path: '/waterMeterAlarm',
    name: 'water-meter-alarm',
    keepAlive: true,
    module: 'meters',
    deviceType: 601,
    load: () => import('./water-alarm-page.tsx'),
  },
])
