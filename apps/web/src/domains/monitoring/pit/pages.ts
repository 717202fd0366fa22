import { pages } from '#kit/pages.ts'

export const pitPages = pages([
  {
    path: '/foundationPit/monitor',
    name: 'foundation-pit-monitor',
    title: '基坑实时监测',
    keepAlive: false,
    module: 'foundation-pit',
    code: 'foundation-pit.view',
    deviceType: 303,
    // What is in view stands in the address; it is one page all the same.
    cacheKey: 'path',
    load: () => import('./pit-live-page.tsx'),
  },
  {
    path: '/foundationPit/monitor_1',
    name: 'foundation-pit-overview',
    title: '多基坑总览',
    keepAlive: false,
    module: 'foundation-pit',
    code: 'foundation-pit.view',
    deviceType: 303,
    load: () => import('./pit-overview-page.tsx'),
  },
  {
    path: '/foundationPit/record',
    name: 'foundation-pit-record',
    title: '基坑监测记录',
    keepAlive: true,
    module: 'foundation-pit',
    code: 'foundation-pit.view',
    deviceType: 303,
    load: () => import('./pit-record-page.tsx'),
  },
  {
    path: '/foundationPit/warning',
    name: 'foundation-pit-warning',
    title: '基坑告警记录',
    keepAlive: true,
    module: 'foundation-pit',
    code: 'foundation-pit.view',
    deviceType: 303,
    load: () => import('./pit-warning-page.tsx'),
  },
])
