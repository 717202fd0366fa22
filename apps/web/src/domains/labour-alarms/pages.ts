import { pages } from '#kit/pages.ts'

export const labourAlarmPages = pages([
  {
    path: '/alarmSet',
    name: 'labour-alarm-set',
    keepAlive: false,
    module: 'attendance',
    load: () => import('./alarm-set-page.tsx'),
  },
])
