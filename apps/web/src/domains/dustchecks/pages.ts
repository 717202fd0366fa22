import { pages } from '#kit/pages.ts'

const inspection = { module: 'inspection' } as const

export const dustPages = pages([
  {
    ...inspection,
    path: '/dustInspection',
    offline: true,
    name: 'dust-inspection',
    keepAlive: true,
    load: () => import('./dust-list-page.tsx'),
  },
  {
    ...inspection,
    path: '/dustInspectionEdit',
    offline: true,
    name: 'dust-inspection-edit',
    title: '扬尘检查编辑',
    keepAlive: false,
    code: 'inspection.dustCheck',
    load: () => import('./dust-edit-page.tsx'),
  },
  {
    ...inspection,
    path: '/dustInspectionDetails',
    name: 'dust-inspection-details',
    title: '扬尘检查详情',
    keepAlive: false,
    code: 'inspection.view',
    load: () => import('./dust-detail-page.tsx'),
  },
])
