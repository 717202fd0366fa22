import { pages } from '#kit/pages.ts'

const safety = { module: 'safety-management' } as const

export const driverPages = pages([
  {
    ...safety,
    path: '/safety/driver',
    name: 'drivers',
    keepAlive: true,
    load: () => import('./driver-list-page.tsx'),
  },
  {
    ...safety,
    path: '/safety/driver/create',
    name: 'driver-create',
    title: '司机新建',
    keepAlive: false,
    code: 'safety-management.driverEdit',
    load: () => import('./driver-form-page.tsx'),
  },
  {
    ...safety,
    path: '/safety/driver/details',
    name: 'driver-details',
    title: '司机详情',
    keepAlive: false,
    code: 'safety-management.view',
    load: () => import('./driver-detail-page.tsx'),
  },
])
