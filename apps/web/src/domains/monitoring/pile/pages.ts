import { pages } from '#kit/pages.ts'

export const pilePages = pages([
  {
    path: '/equipment/mechanicsMonitor/index',
    name: 'pile-rig',
    keepAlive: false,
    module: 'foundation-pile',
    // URL parameters only select what the page shows: one cached page for all of them.
    cacheKey: 'path',
    load: () => import('./pile-page.tsx'),
  },
  {
    path: '/foundation/monitor',
    name: 'pile-monitor',
    keepAlive: false,
    module: 'foundation-pile',
    cacheKey: 'path',
    load: () => import('./pile-list-page.tsx'),
  },
])
