import { pages } from '#kit/pages.ts'

export const unloadingPages = pages([
  {
    path: '/unloading',
    name: 'unloading',
    keepAlive: false,
    module: 'unloading',
    deviceType: 302,
    // URL parameters only select what the page shows: one cached page for all of them.
    cacheKey: 'path',
    load: () => import('./unloading-page.tsx'),
  },
  {
    path: '/unloading/alert',
    name: 'unloading-alert',
    keepAlive: true,
    module: 'unloading',
    deviceType: 302,
    load: () => import('./unloading-alarm-page.tsx'),
  },
  {
    path: '/unloading/monitor',
    name: 'unloading-monitor',
    keepAlive: true,
    module: 'unloading',
    deviceType: 302,
    load: () => import('./load-page.tsx'),
  },
  {
    path: '/unloading/monitor_2',
    name: 'unloading-monitor-2',
    keepAlive: true,
    module: 'unloading',
    deviceType: 302,
    load: () => import('./load-day-page.tsx'),
  },
])
