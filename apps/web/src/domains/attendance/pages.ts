import { pages } from '#kit/pages.ts'

const module = 'attendance'

export const attendancePages = pages([
  {
    path: '/checkingList',
    name: 'attendance-day-list',
    keepAlive: true,
    module,
    load: () => import('./day-list-page.tsx'),
  },
  {
    path: '/CheckingDetail',
    name: 'attendance-day-detail',
    title: '考勤详情',
    keepAlive: false,
    module,
    code: 'attendance.view',
    load: () => import('./day-detail-page.tsx'),
  },
  {
    path: '/attendance',
    name: 'attendance-month',
    keepAlive: true,
    module,
    load: () => import('./month-sheet-page.tsx'),
  },
  {
    path: '/SingleAttendance',
    name: 'attendance-person',
    keepAlive: true,
    module,
    load: () => import('./person-page.tsx'),
  },
  {
    path: '/workerCheck/checkTime',
    name: 'attendance-setting',
    keepAlive: false,
    module,
    load: () => import('./setting-page.tsx'),
  },
  {
    path: '/statisticalUnit',
    name: 'attendance-unit',
    keepAlive: false,
    module,
    load: () => import('./unit-stats-page.tsx'),
  },
  {
    path: '/statisticalTeam',
    name: 'attendance-team',
    keepAlive: false,
    module,
    load: () => import('./team-stats-page.tsx'),
  },
  {
    path: '/checkAnalysis',
    name: 'attendance-analysis',
    keepAlive: false,
    module,
    load: () => import('./analysis-page.tsx'),
  },
  {
    path: '/checkRecord',
    name: 'attendance-record',
    keepAlive: true,
    module,
    load: () => import('./record-page.tsx'),
  },
  {
    path: '/signIn',
    name: 'attendance-sign-in',
    keepAlive: true,
    module,
    load: () => import('./sign-in-page.tsx'),
  },
])
