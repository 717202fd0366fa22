import { pages } from '#kit/pages.ts'

export const monitoringPages = pages([
  {
    path: '/tower/monitor',
    name: 'tower-monitor',
    title: '塔机实时监测',
    keepAlive: false,
    module: 'tower-crane',
    code: 'tower-crane.view',
    deviceType: 300,
    // The crane in view stands in the address; it is one page all the same.
    cacheKey: 'path',
    load: () => import('./tower-monitor-page.tsx'),
  },
  {
    path: '/tower/alarm',
    name: 'tower-alarm',
    title: '塔机告警记录',
    keepAlive: true,
    module: 'tower-crane',
    code: 'tower-crane.view',
    deviceType: 300,
    load: () => import('./tower-alarm-page.tsx'),
  },
  {
    path: '/monitor/environmental',
    name: 'monitor-environmental',
    title: '环境实时监测',
    keepAlive: false,
    module: 'environment',
    code: 'environment.view',
    deviceType: 500,
    cacheKey: 'path',
    load: () => import('./environment-page.tsx'),
  },
])
