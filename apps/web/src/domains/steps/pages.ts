import { pages } from '#kit/pages.ts'

const quality = { module: 'safety-management' } as const

export const stepPages = pages([
  {
    ...quality,
    path: '/safetyP/qualityP/list',
    name: 'quality-steps',
    keepAlive: true,
    load: () => import('./step-list-page.tsx'),
  },
  {
    ...quality,
    path: '/safetyP/qualityP/create',
    offline: true,
    name: 'quality-step-create',
    title: '工序验收',
    keepAlive: false,
    code: 'safety-management.edit',
    load: () => import('./step-form-page.tsx'),
  },
  {
    ...quality,
    path: '/safetyP/qualityP/details',
    name: 'quality-step-details',
    title: '工序验收详情',
    keepAlive: false,
    code: 'safety-management.view',
    load: () => import('./step-detail-page.tsx'),
  },
])
