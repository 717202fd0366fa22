import { pages } from '#kit/pages.ts'

const inspection = { module: 'inspection' } as const

export const materialPages = pages([
  {
    ...inspection,
    path: '/material/management',
    name: 'material-management',
    keepAlive: true,
    load: () => import('./material-management-page.tsx'),
  },
  {
    ...inspection,
    path: '/material/records',
    name: 'material-records',
    keepAlive: true,
    load: () => import('./material-records-page.tsx'),
  },
  {
    ...inspection,
    path: '/material/details',
    name: 'material-details',
    title: '物资详情',
    keepAlive: false,
    code: 'inspection.view',
    load: () => import('./material-detail-page.tsx'),
  },
])
