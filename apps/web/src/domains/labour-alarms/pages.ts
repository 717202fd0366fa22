import { pages } from '#kit/pages.ts'

export const labourAlarmPages = pages([
  {
    path: '/alarmSet',
    name: 'labour-alarm-set',
    title: '考勤预警设置',
    keepAlive: false,
    module: 'attendance',
    code: 'attendance.view',
    load: () => import('./alarm-set-page.tsx'),
  },
])
