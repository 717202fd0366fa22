import { pages } from '#kit/pages.ts'

export const formworkPages = pages([
  {
    path: '/highFormwork/index',
    name: 'high-formwork-monitor',
    keepAlive: false,
    module: 'high-formwork',
    deviceType: 304,
    // URL parameters only select what the page shows: one cached page for all of them.
    cacheKey: 'path',
    load: () => import('./formwork-live-page.tsx'),
  },
  {
    path: '/highFormwork/warning',
    name: 'high-formwork-warning',
    keepAlive: true,
    module: 'high-formwork',
    deviceType: 304,
    load: () => import('./formwork-warning-page.tsx'),
  },
  {
    path: '/highFormwork/record',
    name: 'high-formwork-record',
    keepAlive: true,
    module: 'high-formwork',
    deviceType: 304,
    load: () => import('./formwork-record-page.tsx'),
  },
  {
    path: '/highFormwork/analyze',
    name: 'high-formwork-analyze',
    keepAlive: false,
    module: 'high-formwork',
    deviceType: 304,
    cacheKey: 'path',
    load: () => import('./formwork-analyze-page.tsx'),
  },
])
