import { pages } from '#kit/pages.ts'

const supervision = { module: 'supervision' } as const

export const planPages = pages([
  { ...supervision, path: '/jgt/checkplan', name: 'checkplan-list', keepAlive: true, load: () => import('./plan-list-page.tsx') },
  {
    ...supervision,
    path: '/jgt/checkplan/edit',
    name: 'checkplan-edit',
    title: '监督计划编辑',
    keepAlive: false,
    code: 'supervision.planEdit',
    load: () => import('./plan-edit-page.tsx'),
  },
  {
    ...supervision,
    path: '/jgt/checkplan/details',
    name: 'checkplan-details',
    title: '监督计划详情',
    keepAlive: false,
    code: 'supervision.view',
    load: () => import('./plan-detail-page.tsx'),
  },
])
