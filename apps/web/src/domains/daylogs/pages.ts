import { pages } from '#kit/pages.ts'

const safety = { module: 'safety-management' } as const
const view = 'safety-management.view'
const edit = 'safety-management.edit'

export const dayLogPages = pages([
  { ...safety, path: '/safety/log', name: 'safety-log', keepAlive: true, load: () => import('./supervise-list-page.tsx') },
  {
    ...safety,
    path: '/safety/log/create',
    name: 'safety-log-create',
    title: '安全日志新建',
    keepAlive: false,
    code: edit,
    load: () => import('./own-form-page.tsx'),
  },
  {
    ...safety,
    path: '/safety/log/details',
    name: 'safety-log-details',
    title: '安全日志详情',
    keepAlive: false,
    code: view,
    load: () => import('./supervise-detail-page.tsx'),
  },
  { ...safety, path: '/safetyP/log/list', name: 'site-log', keepAlive: true, load: () => import('./site-list-page.tsx') },
  {
    ...safety,
    path: '/safetyP/log/create',
    offline: true,
    name: 'site-log-create',
    title: '项目安全日志新建',
    keepAlive: false,
    code: edit,
    load: () => import('./site-form-page.tsx'),
  },
  {
    ...safety,
    path: '/safetyP/log/details',
    name: 'site-log-details',
    title: '项目安全日志详情',
    keepAlive: false,
    code: view,
    load: () => import('./site-detail-page.tsx'),
  },
  {
    ...safety,
    path: '/safetyP/construction/list',
    name: 'construction-log',
    keepAlive: true,
    load: () => import('./construction-list-page.tsx'),
  },
  {
    ...safety,
    path: '/safetyP/construction/create',
    offline: true,
    name: 'construction-log-create',
    title: '施工日志新建',
    keepAlive: false,
    code: edit,
    load: () => import('./construction-form-page.tsx'),
  },
  {
    ...safety,
    path: '/safetyP/construction/details',
    name: 'construction-log-details',
    title: '施工日志详情',
    keepAlive: false,
    code: view,
    load: () => import('./construction-detail-page.tsx'),
  },
])
