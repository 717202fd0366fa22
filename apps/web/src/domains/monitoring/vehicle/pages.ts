import { pages } from '#kit/pages.ts'

export const vehiclePages = pages([
  {
    path: '/vehicle/location',
    name: 'vehicle-location',
    keepAlive: false,
    module: 'vehicle',
    deviceType: 710,
    // URL parameters only select what the page shows: one cached page for all of them.
    cacheKey: 'path',
    load: () => import('./location-page.tsx'),
  },
  {
    path: '/vehicle/track',
    name: 'vehicle-track',
    keepAlive: false,
    module: 'vehicle',
    deviceType: 710,
    cacheKey: 'path',
    load: () => import('./track-page.tsx'),
  },
  {
    path: '/vehicle/video',
    name: 'vehicle-video',
    keepAlive: false,
    module: 'vehicle',
    deviceType: 710,
    cacheKey: 'path',
    load: () => import('./video-page.tsx'),
  },
  {
    path: '/vehicle/video/history',
    name: 'vehicle-video-history',
    title: '车辆历史视频',
    keepAlive: false,
    module: 'vehicle',
    code: 'vehicle.video',
    deviceType: 710,
    cacheKey: 'path',
    load: () => import('./clips-page.tsx'),
  },
])
