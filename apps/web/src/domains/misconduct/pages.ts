import { pages } from '#kit/pages.ts'

const inspection = { module: 'inspection' } as const

export const misconductPages = pages([
  { ...inspection, path: '/misconduct', name: 'misconduct', keepAlive: true, load: () => import('./bad-list-page.tsx') },
  {
    ...inspection,
    path: '/misconductDetails',
    name: 'misconduct-details',
    title: '不良行为详情',
    keepAlive: false,
    code: ['inspection.view', 'experts.view'],
    load: () => import('./bad-detail-page.tsx'),
  },
  {
    ...inspection,
    path: '/misconductEdit',
    name: 'misconduct-edit',
    title: '不良行为编辑',
    keepAlive: false,
    code: ['inspection.badPropose', 'experts.misconduct'],
    load: () => import('./bad-edit-page.tsx'),
  },
  {
    module: 'experts',
    path: '/person/expert/misconduct',
    name: 'person-expert-misconduct',
    keepAlive: true,
    load: () => import('./expert-bad-page.tsx'),
  },
])
