import { pages } from '#kit/pages.ts'

const supervision = { module: 'supervision' } as const

export const stopPages = pages([
  {
    ...supervision,
    path: '/jgt/stopapply',
    name: 'jgt-stopapply',
    keepAlive: true,
    load: () => import('./stop-list-page.tsx'),
  },
  {
    ...supervision,
    path: '/jgt/stopapply/details',
    name: 'jgt-stopapply-details',
    title: '停工申请详情',
    keepAlive: false,
    code: 'supervision.view',
    load: () => import('./stop-detail-page.tsx'),
  },
  {
    ...supervision,
    path: '/jgt/stopapply/edit',
    name: 'jgt-stopapply-edit',
    title: '停工申请编辑',
    keepAlive: false,
    code: 'supervision.stopApply',
    load: () => import('./stop-edit-page.tsx'),
  },
])
