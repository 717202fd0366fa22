import { pages } from '#kit/pages.ts'

const safety = { module: 'safety-management' } as const

export const themePages = pages([
  {
    ...safety,
    path: '/safetyP/checksP/list',
    name: 'theme-list',
    keepAlive: true,
    load: () => import('./theme-list-page.tsx'),
  },
  {
    ...safety,
    path: '/safetyP/checksP/create',
    offline: true,
    name: 'theme-create',
    title: '项目专项检查新建',
    keepAlive: false,
    code: 'safety-management.edit',
    load: () => import('./theme-create-page.tsx'),
  },
  {
    ...safety,
    path: '/safetyP/checksP/details',
    name: 'theme-details',
    title: '项目专项检查详情',
    keepAlive: false,
    code: 'safety-management.view',
    load: () => import('./theme-detail-page.tsx'),
  },
])
