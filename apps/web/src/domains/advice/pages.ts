import { pages } from '#kit/pages.ts'

const supervision = { module: 'supervision' } as const

export const advicePages = pages([
  {
    ...supervision,
    path: '/jgt/adviceReply/index',
    name: 'jgt-advice-reply-index',
    keepAlive: true,
    load: () => import('./advice-list-page.tsx'),
  },
  {
    ...supervision,
    path: '/jgt/adviceReply/reply',
    name: 'jgt-advice-reply-reply',
    title: '意见反馈回复',
    keepAlive: false,
    code: 'supervision.view',
    load: () => import('./advice-reply-page.tsx'),
  },
])
