import { pages } from '#kit/pages.ts'

export const reportPages = pages([
  {
    path: '/reportPushSet',
    name: 'report-push-set',
    title: '报表推送设置',
    keepAlive: true,
    module: 'platform',
    load: () => import('./report-push-page.tsx'),
  },
])
