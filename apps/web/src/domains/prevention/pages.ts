import { pages } from '#kit/pages.ts'

const module = 'attendance'

export const preventionPages = pages([
  {
    path: '/Novel/record',
    name: 'temperature-record',
    title: '人员体温监测',
    keepAlive: true,
    module,
    code: 'attendance.view',
    load: () => import('./temperature-page.tsx'),
  },
  {
    path: '/Novel/manage',
    name: 'epidemic-manage',
    title: '疫情信息管理',
    keepAlive: true,
    module,
    code: 'attendance.view',
    load: () => import('./epidemic-page.tsx'),
  },
  {
    path: '/tempAlarmSet',
    name: 'temp-alarm-set',
    title: '体温预警设置',
    keepAlive: false,
    module,
    code: 'attendance.view',
    load: () => import('./temp-setting-page.tsx'),
  },
  {
    path: '/tempAlarmRecord',
    name: 'temp-alarm-record',
    title: '体温预警记录',
    keepAlive: true,
    module,
    code: 'attendance.view',
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
