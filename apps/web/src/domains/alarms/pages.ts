import { pages } from '#kit/pages.ts'

export const alarmPages = pages([
  {
    path: '/alarm/record',
    name: 'alarm-record',
    title: '告警记录',
    keepAlive: true,
    module: 'alarm',
    code: 'alarm.view',
    load: () => import('./record-page.tsx'),
  },
])
