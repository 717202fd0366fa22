import { pages } from '#kit/pages.ts'

const supervision = { module: 'supervision' } as const

export const workPages = pages([
  {
    ...supervision,
    path: '/jgt/bigproject',
    name: 'jgt-bigproject',
    keepAlive: true,
    load: () => import('./work-list-page.tsx'),
  },
  {
    ...supervision,
    path: '/jgt/bigproject/details',
    name: 'jgt-bigproject-details',
    title: '危大工程详情',
    keepAlive: false,
    code: 'supervision.view',
    load: () => import('./work-detail-page.tsx'),
  },
  {
    ...supervision,
    path: '/jgt/bigproject/edit',
    name: 'jgt-bigproject-edit',
    title: '危大工程编辑',
    keepAlive: false,
    code: 'supervision.bigEdit',
    load: () => import('./work-edit-page.tsx'),
  },
])
