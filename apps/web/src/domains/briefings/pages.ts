import { pages } from '#kit/pages.ts'

const safety = { module: 'safety-management' } as const
const view = 'safety-management.view'
const edit = 'safety-management.edit'

export const briefingPages = pages([
  {
    ...safety,
    path: '/safety/technical',
    name: 'briefings',
    keepAlive: true,
    load: () => import('./oversee-page.tsx'),
  },
  {
    ...safety,
    path: '/safety/technical/create',
    name: 'briefing-managers-create',
    title: '安全技术交底新建',
    keepAlive: false,
    code: edit,
    load: () => import('./manager-form-page.tsx'),
  },
  {
    ...safety,
    path: '/safety/technical/details',
    name: 'briefing-details',
    title: '安全技术交底详情',
    keepAlive: false,
    code: view,
    offline: true,
    load: () => import('./oversee-detail-page.tsx'),
  },
  {
    ...safety,
    path: '/safetyP/technical/list',
    aliases: ['/safetyP/technical'],
    name: 'gang-briefings',
    keepAlive: true,
    offline: true,
    load: () => import('./gang-list-page.tsx'),
  },
  {
    ...safety,
    path: '/safetyP/technical/create',
    name: 'gang-briefing-create',
    title: '项目技术交底新建',
    keepAlive: false,
    code: edit,
    offline: true,
    load: () => import('./gang-form-page.tsx'),
  },
  {
    ...safety,
    path: '/safetyP/technical/details',
    name: 'gang-briefing-details',
    title: '项目技术交底详情',
    keepAlive: false,
    code: view,
    offline: true,
    load: () => import('./gang-detail-page.tsx'),
  },
])
