import { pages } from '#kit/pages.ts'

const platform = { module: 'platform' } as const

export const workflowPages = pages([
  {
    ...platform,
    path: '/workbench/approval',
    name: 'approval-list',
    keepAlive: true,
    load: () => import('./approval-list-page.tsx'),
  },
  {
    ...platform,
    path: '/workbench/approvalDetail',
    name: 'approval-detail',
    title: '审批详情',
    keepAlive: false,
    code: 'approval.view',
    aliases: ['/approvalDetail'],
    load: () => import('./approval-detail-page.tsx'),
  },
  {
    ...platform,
    path: '/workbench/approvalSettings',
    name: 'approval-settings',
    keepAlive: false,
    aliases: ['/approvalSettings'],
    load: () => import('./flow-settings-page.tsx'),
  },
])
