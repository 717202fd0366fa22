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
  {
    path: '/alarm/records',
    name: 'alarm-records',
    title: '告警记录汇总',
    keepAlive: true,
    module: 'alarm',
    code: 'alarm.view',
    load: () => import('./records-page.tsx'),
  },
  {
    path: '/alarm/global',
    name: 'alarm-global',
    title: '全局告警',
    keepAlive: false,
    module: 'alarm',
    code: 'alarm.view',
    load: () => import('./global-page.tsx'),
  },
  {
    path: '/alarm/project',
    name: 'alarm-project',
    title: '项目告警',
    keepAlive: false,
    module: 'alarm',
    code: 'alarm.view',
    load: () => import('./project-page.tsx'),
  },
  {
    path: '/notice',
    name: 'site-notice',
    title: '现场通知',
    keepAlive: false,
    module: 'alarm',
    code: 'alarm.view',
    load: () => import('./notice-page.tsx'),
  },
])
