import { pages } from '#kit/pages.ts'

const piles = { module: 'foundation-pile', code: 'foundation-pile.view' } as const

export const pilePages = pages([
  {
    path: '/equipment/mechanicsMonitor/index',
    name: 'pile-rig',
    title: '桩基机械监测',
    keepAlive: false,
    ...piles,
    // What is in view stands in the address; it is one page all the same.
    cacheKey: 'path',
    load: () => import('./pile-page.tsx'),
  },
  {
    path: '/foundation/monitor',
    name: 'pile-monitor',
    title: '桩基监测',
    keepAlive: false,
    ...piles,
    cacheKey: 'path',
    load: () => import('./pile-list-page.tsx'),
  },
])
