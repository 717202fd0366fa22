import { pages } from '#kit/pages.ts'

const safety = { module: 'safety-management' } as const

export const hazardPages = pages([
  {
    ...safety,
    path: '/safety/dangerous',
    name: 'hazards',
    keepAlive: true,
    load: () => import('./hazard-list-page.tsx'),
  },
  {
    ...safety,
    path: '/safety/dangerous/create',
    offline: true,
    name: 'hazard-create',
    title: '危险源新建',
    keepAlive: false,
    code: 'safety-management.edit',
    load: () => import('./hazard-create-page.tsx'),
  },
  {
    ...safety,
    path: '/safety/dangerous/details',
    name: 'hazard-details',
    title: '危险源详情',
    keepAlive: false,
    code: 'safety-management.view',
    load: () => import('./hazard-detail-page.tsx'),
  },
])
