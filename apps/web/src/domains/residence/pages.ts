import { pages } from '#kit/pages.ts'

const safety = { module: 'safety-management' } as const

export const residencePages = pages([
  {
    ...safety,
    path: '/residence',
    name: 'residence',
    keepAlive: true,
    load: () => import('./residence-page.tsx'),
  },
  {
    ...safety,
    path: '/residence/create',
    name: 'residence-create',
    title: '生活区新建',
    keepAlive: false,
    code: 'safety-management.residenceEdit',
    load: () => import('./residence-form-page.tsx'),
  },
  {
    ...safety,
    path: '/residence/details',
    name: 'residence-details',
    title: '生活区详情',
    keepAlive: false,
    code: 'safety-management.view',
    load: () => import('./residence-detail-page.tsx'),
  },
])
