import { pages } from '#kit/pages.ts'

const lifts = { module: 'lifter', code: 'lifter.view', deviceType: 301 } as const

export const liftPages = pages([
  {
    path: '/equipment/lifter',
    name: 'lifter-monitor',
    title: '升降机实时监测',
    keepAlive: false,
    ...lifts,
    // What is in view stands in the address; it is one page all the same.
    cacheKey: 'path',
    load: () => import('./lift-page.tsx'),
  },
  {
    path: '/equipment/monitor',
    aliases: ['/equipment/lifter/monitor'],
    name: 'lifter-reading',
    title: '升降机监测记录',
    keepAlive: true,
    ...lifts,
    load: () => import('./lift-reading-page.tsx'),
  },
  {
    path: '/equipment/monitor_2',
    aliases: ['/equipment/lifter/monitor_2'],
    name: 'lifter-day',
    title: '多机监测记录',
    keepAlive: true,
    ...lifts,
    load: () => import('./lift-day-page.tsx'),
  },
  {
    path: '/equipment/warn',
    aliases: ['/equipment/lifter/warn'],
    name: 'lifter-alarm',
    title: '升降机告警记录',
    keepAlive: true,
    ...lifts,
    load: () => import('./lift-alarm-page.tsx'),
  },
  {
    path: '/equipment/handling',
    aliases: ['/equipment/lifter/handling'],
    name: 'lifter-run',
    title: '升降机运行循环',
    keepAlive: true,
    ...lifts,
    load: () => import('./lift-run-page.tsx'),
  },
  {
    path: '/equipment/handling_2',
    aliases: ['/equipment/lifter/handling_2'],
    name: 'lifter-driver',
    title: '运行循环汇总',
    keepAlive: true,
    ...lifts,
    load: () => import('./lift-driver-page.tsx'),
  },
  {
    path: '/equipment/analyze',
    aliases: ['/equipment/lifter/analyze'],
    name: 'lifter-analysis',
    title: '升降机数据分析',
    keepAlive: false,
    ...lifts,
    // What is in view stands in the address; it is one page all the same.
    cacheKey: 'path',
    load: () => import('./lift-analysis-page.tsx'),
  },
  {
    path: '/equipment/analyze_2',
    aliases: ['/equipment/lifter/analyze_2'],
    name: 'lifter-rank',
    title: '多机数据分析',
    keepAlive: false,
    ...lifts,
    // What is in view stands in the address; it is one page all the same.
    cacheKey: 'path',
    load: () => import('./lift-rank-page.tsx'),
  },
])
