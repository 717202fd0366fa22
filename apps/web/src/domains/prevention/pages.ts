import { pages } from '#kit/pages.ts'

const module = 'attendance'

export const preventionPages = pages([
  {
    path: '/Novel/record',
    name: 'temperature-record',
    keepAlive: true,
    module,
    load: () => import('./temperature-page.tsx'),
  },
  {
    path: '/Novel/manage',
    name: 'epidemic-manage',
    keepAlive: true,
    module,
    load: () => import('./epidemic-page.tsx'),
  },
  {
    path: '/tempAlarmSet',
    name: 'temp-alarm-set',
    keepAlive: false,
    module,
    load: () => import('./temp-setting-page.tsx'),
  },
  {
    path: '/tempAlarmRecord',
    name: 'temp-alarm-record',
    keepAlive: true,
    module,
    load: () => import('./temp-alarm-page.tsx'),
  },
  {
    path: '/tempAlarmRecord/detail',
    name: 'temp-alarm-detail',
    title: '体温预警详情',
    keepAlive: false,
    module,
    code: 'attendance.view',
    load: () => import('./temp-alarm-detail-page.tsx'),
  },
])
