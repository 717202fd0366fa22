import { pages } from '#kit/pages.ts'

export const announcementPages = pages([
  {
    module: 'documents',
    path: '/notice',
    name: 'notice',
    keepAlive: false,
    load: () => import('./notice-page.tsx'),
  },
  {
    module: 'documents',
    path: '/createNotice',
    name: 'notice-edit',
    title: '通知发布',
    code: 'documents.noticeEdit',
    keepAlive: false,
    load: () => import('./edit-page.tsx'),
  },
  {
    module: 'documents',
    path: '/infoNotice',
    name: 'notice-info',
    title: '通知详情',
    keepAlive: false,
    load: () => import('./detail-page.tsx'),
  },
])
