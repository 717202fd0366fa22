import { pages } from '#kit/pages.ts'

export const vehiclePages = pages([
  {
    path: '/vehicle/location',
    name: 'vehicle-location',
    title: '车辆实时定位',
    keepAlive: false,
    module: 'vehicle',
    code: 'vehicle.view',
    deviceType: 710,
    // What is in view stands in the address; it is one page all the same.
    cacheKey: 'path',
    load: () => import('./location-page.tsx'),
  },
  {
    path: '/vehicle/track',
    name: 'vehicle-track',
    title: '车辆轨迹',
    keepAlive: false,
    module: 'vehicle',
    code: 'vehicle.track',
    deviceType: 710,
    cacheKey: 'path',
    load: () => import('./track-page.tsx'),
  },
  {
    path: '/vehicle/video',
    name: 'vehicle-video',
    title: '车辆实时视频',
    keepAlive: false,
    module: 'vehicle',
    code: 'vehicle.video',
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
