import { pages } from '#kit/pages.ts'

export const weighPages = pages([
  {
    path: '/loadometer/monitor',
    name: 'loadometer-monitor',
    keepAlive: false,
    module: 'weighbridge',
    deviceType: 602,
    // URL parameters only select what the page shows: one cached page for all of them.
    cacheKey: 'path',
    load: () => import('./weigh-page.tsx'),
  },
  {
    path: '/loadometer/record',
    name: 'loadometer-record',
    keepAlive: true,
    module: 'weighbridge',
    deviceType: 602,
    load: () => import('./ticket-list-page.tsx'),
  },
  {
    path: '/loadometer/monitor_1',
    name: 'loadometer-monitor-1',
    keepAlive: false,
    module: 'weighbridge',
    deviceType: 602,
    cacheKey: 'path',
    load: () => import('./bridges-page.tsx'),
  },
  {
    path: '/loadometer/warning',
    name: 'loadometer-warning',
    keepAlive: true,
    module: 'weighbridge',
    deviceType: 602,
    load: () => import('./weigh-alarm-page.tsx'),
  },
  {
    path: '/loadometer/detail',
    name: 'loadometer-detail',
    title: '过磅记录详情',
    keepAlive: false,
    module: 'weighbridge',
    code: 'weighbridge.view',
    deviceType: 602,
    load: () => import('./ticket-page.tsx'),
  },
  {
    path: '/loadometer/edit',
    name: 'loadometer-edit',
    title: '过磅记录编辑',
    keepAlive: false,
    module: 'weighbridge',
    code: 'weighbridge.edit',
    deviceType: 602,
    load: () => import('./ticket-edit-page.tsx'),
  },
])
