import { pages } from '#kit/pages.ts'

const lifts = { module: 'lifter', deviceType: 301 } as const
/** The view is in the address, so different addresses are one page. */
const inAddress = { keepAlive: false, cacheKey: 'path' } as const

export const liftPages = pages([
  {
    path: '/equipment/lifter',
    name: 'lifter-monitor',
    ...lifts,
    ...inAddress,
    load: () => import('./lift-page.tsx'),
  },
  {
    path: '/equipment/monitor',
    aliases: ['/equipment/lifter/monitor'],
    name: 'lifter-reading',
    keepAlive: true,
    ...lifts,
    load: () => import('./lift-reading-page.tsx'),
  },
  {
    path: '/equipment/monitor_2',
    aliases: ['/equipment/lifter/monitor_2'],
    name: 'lifter-day',
    keepAlive: true,
    ...lifts,
    load: () => import('./lift-day-page.tsx'),
  },
  {
    path: '/equipment/warn',
    aliases: ['/equipment/lifter/warn'],
    name: 'lifter-alarm',
    keepAlive: true,
    ...lifts,
    load: () => import('./lift-alarm-page.tsx'),
  },
  {
    path: '/equipment/handling',
    aliases: ['/equipment/lifter/handling'],
    name: 'lifter-run',
    keepAlive: true,
    ...lifts,
    load: () => import('./lift-run-page.tsx'),
  },
  {
    path: '/equipment/handling_2',
    aliases: ['/equipment/lifter/handling_2'],
    name: 'lifter-driver',
    keepAlive: true,
    ...lifts,
    load: () => import('./lift-driver-page.tsx'),
  },
  {
    path: '/equipment/analyze',
    aliases: ['/equipment/lifter/analyze'],
    name: 'lifter-analysis',
    ...lifts,
    ...inAddress,
    load: () => import('./lift-analysis-page.tsx'),
  },
  {
    path: '/equipment/analyze_2',
    aliases: ['/equipment/lifter/analyze_2'],
    name: 'lifter-rank',
    ...lifts,
    ...inAddress,
    load: () => import('./lift-rank-page.tsx'),
  },
])
