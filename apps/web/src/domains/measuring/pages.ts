import { pages } from '#kit/pages.ts'

const inspection = { module: 'inspection' } as const

export const measuringPages = pages([
  {
    ...inspection,
    path: '/measure_task',
    offline: true,
    name: 'measure-task',
    keepAlive: true,
    load: () => import('./task-page.tsx'),
  },
  {
    ...inspection,
    path: '/measure_history',
    name: 'measure-history',
    keepAlive: true,
    load: () => import('./history-page.tsx'),
  },
  {
    ...inspection,
    path: '/measure_standard',
    name: 'measure-standard',
    keepAlive: true,
    load: () => import('./standard-page.tsx'),
  },
])
