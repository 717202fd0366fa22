import { pages } from '#kit/pages.ts'

const inspection = { module: 'inspection' } as const

export const civilPages = pages([
  {
    ...inspection,
    path: '/civiConsInspection/list',
    offline: true,
    name: 'civil-list',
    keepAlive: true,
    load: () => import('./civil-list-page.tsx'),
  },
  {
    ...inspection,
    path: '/civiConsInspection/details',
    name: 'civil-details',
    title: '文明施工检查详情',
    keepAlive: false,
    code: 'inspection.view',
    load: () => import('./civil-detail-page.tsx'),
  },
  {
    ...inspection,
    path: '/civiConsInspection/edit',
    offline: true,
    name: 'civil-edit',
    title: '文明施工检查编辑',
    keepAlive: false,
    code: 'inspection.check',
    load: () => import('./civil-edit-page.tsx'),
  },
  {
    ...inspection,
    path: '/civiConsInspection/check-item-list',
    name: 'civil-items',
    keepAlive: true,
    load: () => import('./civil-items-page.tsx'),
  },
  {
    ...inspection,
    path: '/civiConsInspection/check-item-detail',
    name: 'civil-item',
    title: '文明施工检查项详情',
    keepAlive: false,
    code: 'inspection.view',
    load: () => import('./civil-item-page.tsx'),
  },
])
