import { pages } from '#kit/pages.ts'

const supervision = { module: 'supervision' } as const

export const dayCheckPages = pages([
  { ...supervision, path: '/jgt/daycheck', name: 'daycheck-list', keepAlive: true, load: () => import('./day-list-page.tsx') },
  {
    ...supervision,
    path: '/jgt/daycheck/details',
    name: 'daycheck-details',
    title: '日常检查详情',
    keepAlive: false,
    code: 'supervision.view',
    load: () => import('./day-detail-page.tsx'),
  },
  {
    ...supervision,
    path: '/jgt/daycheck/edit',
    name: 'daycheck-edit',
    title: '日常检查编辑',
    offline: true,
    keepAlive: false,
    code: 'supervision.check',
    load: () => import('./day-edit-page.tsx'),
  },
  {
    ...supervision,
    path: '/jgt/daycheck/checkResult',
    name: 'daycheck-result',
    title: '日常检查结果',
    keepAlive: false,
    code: 'supervision.view',
    load: () => import('./day-result-page.tsx'),
  },
  {
    ...supervision,
    path: '/jgt/daycheck/momomerCheck',
    name: 'daycheck-unit',
    title: '日常检查记录单',
    offline: true,
    keepAlive: false,
    code: 'supervision.view',
    load: () => import('./unit-page.tsx'),
  },
])
