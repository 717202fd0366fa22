import { pages } from '#kit/pages.ts'

const inspection = { module: 'inspection' } as const

export const measurePages = pages([
  {
    ...inspection,
    path: '/safetyMeasuresList',
    offline: true,
    name: 'safety-measures-list',
    keepAlive: true,
    load: () => import('./measure-list-page.tsx'),
  },
  {
    ...inspection,
    path: '/addsafetyMeasures',
    offline: true,
    name: 'safety-measures-add',
    title: '安全措施新增',
    keepAlive: false,
    code: 'inspection.riskEdit',
    load: () => import('./measure-form-page.tsx'),
  },
  {
    ...inspection,
    path: '/safetyMeasuresdetail',
    name: 'safety-measures-detail',
    title: '安全措施详情',
    keepAlive: false,
    code: 'inspection.view',
    load: () => import('./measure-detail-page.tsx'),
  },
])
