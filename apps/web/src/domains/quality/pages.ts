import { pages } from '#kit/pages.ts'

const inspection = { module: 'inspection' } as const

export const qualityPages = pages([
  {
    ...inspection,
    path: '/qualityInspectionList',
    offline: true,
    name: 'quality-inspection-list',
    keepAlive: true,
    load: () => import('./check-list-page.tsx'),
  },
  {
    ...inspection,
    path: '/addqualityInspection',
    offline: true,
    name: 'quality-inspection-add',
    title: '质量检查新增',
    keepAlive: false,
    code: 'inspection.check',
    load: () => import('./check-add-page.tsx'),
  },
  {
    ...inspection,
    path: '/qualityInspectiondetail',
    name: 'quality-inspection-detail',
    title: '质量检查详情',
    keepAlive: false,
    code: 'inspection.view',
    load: () => import('./check-detail-page.tsx'),
  },
  {
    ...inspection,
    path: '/qualityImprovementList',
    name: 'quality-improvement-list',
    keepAlive: true,
    load: () => import('./improvement-list-page.tsx'),
  },
  {
    ...inspection,
    path: '/addqualityImprovement',
    name: 'quality-improvement-add',
    title: '质量改进新增',
    keepAlive: false,
    code: 'inspection.rectifyIssue',
    load: () => import('./improvement-form-page.tsx'),
  },
  {
    ...inspection,
    path: '/qualityImprovementdetail',
    name: 'quality-improvement-detail',
    title: '质量改进详情',
    keepAlive: false,
    code: 'inspection.view',
    load: () => import('./improvement-detail-page.tsx'),
  },
])
