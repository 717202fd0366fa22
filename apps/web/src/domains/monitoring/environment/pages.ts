import { pages } from '#kit/pages.ts'

const stations = { module: 'environment', deviceType: 500 } as const

export const environmentPages = pages([
  {
    path: '/environmental',
    name: 'environmental',
    keepAlive: false,
    ...stations,
    // URL parameters only select what the page shows: one cached page for all of them.
    cacheKey: 'path',
    load: () => import('./environment-overview-page.tsx'),
  },
  {
    path: '/monitor/environmental',
    name: 'monitor-environmental',
    keepAlive: false,
    ...stations,
    cacheKey: 'path',
    load: () => import('./environment-page.tsx'),
  },
  {
    path: '/alarmrecord',
    aliases: ['/monitor/alarmrecord', '/environmental/alarmrecord'],
    name: 'environment-alarm',
    keepAlive: true,
    ...stations,
    load: () => import('./environment-alarm-page.tsx'),
  },
  {
    path: '/sprayrecord',
    aliases: ['/monitor/sprayrecord', '/environmental/sprayrecord'],
    name: 'spray-record',
    keepAlive: true,
    ...stations,
    load: () => import('./spray-record-page.tsx'),
  },
  {
    path: '/sprayrecordto',
    aliases: ['/monitor/sprayrecordto', '/environmental/sprayrecordto'],
    name: 'spray-record-to',
    keepAlive: true,
    ...stations,
    load: () => import('./spray-day-page.tsx'),
  },
  {
    path: '/analysisrecord',
    aliases: ['/monitor/analysisrecord', '/environmental/analysisrecord'],
    name: 'environment-analysis',
    keepAlive: false,
    ...stations,
    cacheKey: 'path',
    load: () => import('./environment-analysis-page.tsx'),
  },
  {
    path: '/analysisrecord_2',
    aliases: ['/monitor/analysisrecord_2', '/environmental/analysisrecord_2'],
    name: 'environment-analysis-2',
    keepAlive: false,
    ...stations,
    cacheKey: 'path',
    load: () => import('./station-rank-page.tsx'),
  },
])
