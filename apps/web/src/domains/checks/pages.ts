import { pages } from '#kit/pages.ts'

const inspection = { module: 'inspection' } as const

export const checkPages = pages([
  {
    ...inspection,
    path: '/securityCheck/securityCheckList',
    offline: true,
    name: 'security-check-list',
    keepAlive: true,
    load: () => import('./security-list-page.tsx'),
  },
  {
    ...inspection,
    path: '/securityCheck/addsecurityCheck',
    offline: true,
    name: 'security-check-add',
    title: '安全检查新增',
    keepAlive: false,
    code: 'inspection.check',
    load: () => import('./security-add-page.tsx'),
  },
  {
    ...inspection,
    path: '/securityCheck/securityCheckdetail',
    name: 'security-check-detail',
    title: '安全检查详情',
    keepAlive: false,
    code: 'inspection.view',
    load: () => import('./security-detail-page.tsx'),
  },
])
