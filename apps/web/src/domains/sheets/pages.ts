import { pages } from '#kit/pages.ts'

const supervision = { module: 'supervision' } as const

export const sheetPages = pages([
  {
    ...supervision,
    path: '/jgt/manualsheet',
    name: 'jgt-manualsheet',
    keepAlive: true,
    load: () => import('./sheet-list-page.tsx'),
  },
  {
    ...supervision,
    path: '/jgt/manualsheet/details',
    name: 'jgt-manualsheet-details',
    title: '手工检查单详情',
    keepAlive: false,
    code: 'supervision.view',
    load: () => import('./sheet-detail-page.tsx'),
  },
  {
    ...supervision,
    path: '/jgt/manualsheet/edit',
    name: 'jgt-manualsheet-edit',
    title: '手工检查单编辑',
    keepAlive: false,
    code: 'supervision.sheetEdit',
    offline: true,
    load: () => import('./sheet-edit-page.tsx'),
  },
])
