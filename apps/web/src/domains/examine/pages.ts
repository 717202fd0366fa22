import { pages } from '#kit/pages.ts'

const safety = { module: 'safety-management' } as const

export const examinePages = pages([
  {
    ...safety,
    path: '/safetyP/examine/list',
    name: 'examine-list',
    keepAlive: true,
    load: () => import('./examine-list-page.tsx'),
  },
  {
    ...safety,
    path: '/safetyP/examine/create',
    offline: true,
    name: 'examine-create',
    title: '项目安全检查新建',
    keepAlive: false,
    code: 'safety-management.edit',
    load: () => import('./examine-create-page.tsx'),
  },
  {
    ...safety,
    path: '/safetyP/examine/details',
    name: 'examine-details',
    title: '项目安全检查详情',
    keepAlive: false,
    code: 'safety-management.view',
    load: () => import('./examine-detail-page.tsx'),
  },
])
