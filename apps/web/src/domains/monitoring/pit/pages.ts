import { pages } from '#kit/pages.ts'

export const pitPages = pages([
  {
    path: '/foundationPit/monitor',
    name: 'foundation-pit-monitor',
    keepAlive: false,
    module: 'foundation-pit',
    deviceType: 303,
    // URL parameters only select what the page shows: one cached page for all of them.
    cacheKey: 'path',
    load: () => import('./pit-live-page.tsx'),
  },
  {
    path: '/foundationPit/monitor_1',
    name: 'foundation-pit-overview',
    keepAlive: false,
    module: 'foundation-pit',
    deviceType: 303,
    load: () => import('./pit-overview-page.tsx'),
  },
  {
    path: '/foundationPit/record',
    name: 'foundation-pit-record',
    keepAlive: true,
    module: 'foundation-pit',
    deviceType: 303,
    load: () => import('./pit-record-page.tsx'),
  },
  {
    path: '/foundationPit/warning',
    name: 'foundation-pit-warning',
    keepAlive: true,
    module: 'foundation-pit',
    deviceType: 303,
    load: () => import('./pit-warning-page.tsx'),
  },
])
