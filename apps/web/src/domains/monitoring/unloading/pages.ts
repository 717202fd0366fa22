import { pages } from '#kit/pages.ts'

export const unloadingPages = pages([
  {
    path: '/unloading',
    name: 'unloading',
    title: '卸料平台监测',
    keepAlive: false,
    module: 'unloading',
    code: 'unloading.view',
    deviceType: 302,
    // What is in view stands in the address; it is one page all the same.
    cacheKey: 'path',
    load: () => import('./unloading-page.tsx'),
  },
  {
    path: '/unloading/alert',
    name: 'unloading-alert',
    title: '卸料平台告警记录',
    keepAlive: true,
    module: 'unloading',
    code: 'unloading.view',
    deviceType: 302,
    load: () => import('./unloading-alarm-page.tsx'),
  },
  {
    path: '/unloading/monitor',
    name: 'unloading-monitor',
    title: '卸料平台监测记录',
    keepAlive: true,
    module: 'unloading',
    code: 'unloading.view',
    deviceType: 302,
    load: () => import('./load-page.tsx'),
  },
  {
    path: '/unloading/monitor_2',
    name: 'unloading-monitor-2',
    title: '卸料平台汇总',
    keepAlive: true,
    module: 'unloading',
    code: 'unloading.view',
    deviceType: 302,
    load: () => import('./load-day-page.tsx'),
  },
])
