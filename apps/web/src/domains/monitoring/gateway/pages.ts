import { pages } from '#kit/pages.ts'

export const gatewayPages = pages([
  {
    path: '/vehicleAccessRecord/list',
    name: 'vehicle-access-list',
    keepAlive: true,
    module: 'vehicle-access',
    deviceType: 711,
    load: () => import('./passage-list-page.tsx'),
  },
  {
    path: '/vehicleAccessRecord/details',
    name: 'vehicle-access-details',
    title: '车辆出入详情',
    keepAlive: false,
    module: 'vehicle-access',
    code: 'vehicle-access.view',
    deviceType: 711,
    load: () => import('./passage-page.tsx'),
  },
])
