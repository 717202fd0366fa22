import { pages } from '#kit/pages.ts'

export const alarmPages = pages([
  {
    path: '/alarm/record',
    name: 'alarm-record',
    keepAlive: true,
    module: 'alarm',
    load: () => import('./record-page.tsx'),
  },
  {
    path: '/alarm/records',
    name: 'alarm-records',
    keepAlive: true,
    module: 'alarm',
    load: () => import('./records-page.tsx'),
  },
  {
    path: '/alarm/global',
    name: 'alarm-global',
    keepAlive: false,
    module: 'alarm',
    load: () => import('./global-page.tsx'),
  },
  {
    path: '/alarm/project',
    name: 'alarm-project',
    keepAlive: false,
    module: 'alarm',
    load: () => import('./project-page.tsx'),
  },
])
