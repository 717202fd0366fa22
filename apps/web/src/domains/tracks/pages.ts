import { pages } from '#kit/pages.ts'

const inspection = { module: 'inspection' } as const

export const trackPages = pages([
  {
    ...inspection,
    path: '/supervisionLocation',
    name: 'supervision-location',
    keepAlive: false,
    load: () => import('./location-page.tsx'),
  },
  { ...inspection, path: '/supervisionTrack', name: 'supervision-track', keepAlive: false, load: () => import('./track-page.tsx') },
])
