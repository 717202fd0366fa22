import { pages } from '#kit/pages.ts'

const inspection = { module: 'inspection' } as const

export const spotCheckPages = pages([
  {
    ...inspection,
    path: '/qualitySpotCheck',
    name: 'quality-spot-checks',
    keepAlive: true,
    load: () => import('./spot-list-page.tsx'),
  },
  {
    ...inspection,
    path: '/qualitySpotCheckEdit',
    offline: true,
    name: 'quality-spot-check-edit',
    title: '质量抽查编辑',
    keepAlive: false,
    code: 'inspection.spotcheckEdit',
    load: () => import('./spot-edit-page.tsx'),
  },
  {
    ...inspection,
    path: '/qualitySpotCheckDetails',
    name: 'quality-spot-check-details',
    title: '质量抽查详情',
    keepAlive: false,
    code: 'inspection.view',
    load: () => import('./spot-detail-page.tsx'),
  },
])
