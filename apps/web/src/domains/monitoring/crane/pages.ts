import { pages } from '#kit/pages.ts'

const cranes = { module: 'tower-crane', deviceType: 300 } as const
/** The view is in the address, so different addresses are one page. */
const inAddress = { keepAlive: false, cacheKey: 'path' } as const

export const cranePages = pages([
  {
    path: '/tower/monitor',
    name: 'tower-monitor',
    ...cranes,
    ...inAddress,
    load: () => import('./tower-monitor-page.tsx'),
  },
  {
    path: '/tower/monitoringRecord',
    name: 'tower-monitoring-record',
    keepAlive: true,
    ...cranes,
    load: () => import('./crane-reading-page.tsx'),
  },
  {
    path: '/tower/monitoringRecord_2',
    name: 'tower-monitoring-record-2',
    keepAlive: true,
    ...cranes,
    load: () => import('./crane-day-page.tsx'),
  },
  {
    path: '/tower/alarm',
    name: 'tower-alarm',
    keepAlive: true,
    ...cranes,
    load: () => import('./tower-alarm-page.tsx'),
  },
  {
    path: '/tower/playing',
    name: 'tower-playing',
    title: '塔机视频播放',
    module: 'tower-crane',
    code: 'tower-crane.video',
    deviceType: 300,
    ...inAddress,
    load: () => import('./crane-video-page.tsx'),
  },
  {
    path: '/tower/off',
    name: 'tower-off',
    keepAlive: true,
    ...cranes,
    load: () => import('./crane-offline-page.tsx'),
  },
  {
    path: '/tower/handling',
    name: 'tower-handling',
    keepAlive: true,
    ...cranes,
    load: () => import('./crane-cycle-page.tsx'),
  },
  {
    path: '/tower/handling_2',
    name: 'tower-handling-2',
    keepAlive: true,
    ...cranes,
    load: () => import('./crane-driver-page.tsx'),
  },
  {
    path: '/tower/analysis',
    name: 'tower-analysis',
    ...cranes,
    ...inAddress,
    load: () => import('./crane-analysis-page.tsx'),
  },
  {
    path: '/tower/analysis_2',
    name: 'tower-analysis-2',
    ...cranes,
    ...inAddress,
    load: () => import('./crane-rank-page.tsx'),
  },
])
