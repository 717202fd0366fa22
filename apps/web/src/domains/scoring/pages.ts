import { pages } from '#kit/pages.ts'

const inspection = { module: 'inspection' } as const

export const scoringPages = pages([
  {
    ...inspection,
    path: '/safetyInspection/list',
    name: 'safety-inspection-list',
    keepAlive: true,
    load: () => import('./inspection-list-page.tsx'),
  },
  {
    ...inspection,
    path: '/safetyInspection/details',
    name: 'safety-inspection-details',
    title: '安全巡检详情',
    keepAlive: false,
    code: 'inspection.view',
    load: () => import('./inspection-detail-page.tsx'),
  },
  {
    ...inspection,
    path: '/safetyInspection/edit',
    name: 'safety-inspection-edit',
    title: '安全巡检编辑',
    offline: true,
    keepAlive: false,
    code: 'inspection.check',
    load: () => import('./inspection-edit-page.tsx'),
  },
  {
    ...inspection,
    path: '/safetyInspection/checkItems',
    name: 'safety-inspection-check-items',
    keepAlive: true,
    load: () => import('./check-item-page.tsx'),
  },
])
