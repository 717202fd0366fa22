import { pages } from '#kit/pages.ts'

export const gatewayPages = pages([
  {
    path: '/vehicleAccessRecord/list',
    name: 'vehicle-access-list',
    title: '车辆出入记录',
    keepAlive: true,
    module: 'vehicle-access',
    code: 'vehicle-access.view',
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
