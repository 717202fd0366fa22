import { pages } from '#kit/pages.ts'

export const reportPages = pages([
  {
    path: '/reportPushSet',
    name: 'report-push-set',
    keepAlive: true,
    module: 'platform',
    load: () => import('./report-push-page.tsx'),
  },
])
