import { pages } from '#kit/pages.ts'

const experts = { module: 'experts' } as const

export const expertPages = pages([
  {
    ...experts,
    path: '/expert/apply',
    name: 'expert-apply',
    title: '专家入库申请',
    keepAlive: false,
    auth: 'public',
    load: () => import('./apply-page.tsx'),
  },
  { ...experts, path: '/person/expert/list', name: 'person-expert-list', keepAlive: true, load: () => import('./expert-list-page.tsx') },
  {
    ...experts,
    path: '/person/expert/form',
    name: 'person-expert-form',
    title: '专家信息登记',
    keepAlive: false,
    code: 'experts.view',
    load: () => import('./expert-form-page.tsx'),
  },
  {
    ...experts,
    path: '/person/expert/dailyActivity',
    name: 'person-expert-daily-activity',
    keepAlive: true,
    load: () => import('./activity-page.tsx'),
  },
  {
    ...experts,
    path: '/person/expert/outActivity',
    name: 'person-expert-out-activity',
    keepAlive: true,
    load: () => import('./trip-page.tsx'),
  },
  {
    ...experts,
    path: '/person/expert/evaluate',
    name: 'person-expert-evaluate',
    keepAlive: true,
    load: () => import('./evaluate-page.tsx'),
  },
  {
    ...experts,
    path: '/person/expert/evaluateDetail',
    name: 'person-expert-evaluate-detail',
    title: '专家评价详情',
    keepAlive: false,
    code: 'experts.view',
    load: () => import('./evaluate-detail-page.tsx'),
  },
])
