import { pages } from '#kit/pages.ts'

const inspection = { module: 'inspection' } as const

export const schedulePages = pages([
  {
    ...inspection,
    path: '/schedule/management',
    name: 'schedule-management',
    keepAlive: true,
    load: () => import('./management-page.tsx'),
  },
  {
    ...inspection,
    path: '/schedule/detail',
    name: 'schedule-detail',
    title: '进度详情',
    keepAlive: false,
    code: 'inspection.view',
    load: () => import('./detail-page.tsx'),
  },
])
