import { pages } from '#kit/pages.ts'

const module = 'attendance'

export const attendancePages = pages([
  {
    path: '/checkingList',
    name: 'attendance-day-list',
    title: '考勤列表',
    keepAlive: true,
    module,
    code: 'attendance.view',
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
    title: '考勤管理',
    keepAlive: true,
    module,
    code: 'attendance.view',
    load: () => import('./month-sheet-page.tsx'),
  },
  {
    path: '/SingleAttendance',
    name: 'attendance-person',
    title: '个人考勤',
    keepAlive: true,
    module,
    code: 'attendance.view',
    load: () => import('./person-page.tsx'),
  },
  {
    path: '/workerCheck/checkTime',
    name: 'attendance-setting',
    title: '工人考勤时间',
    keepAlive: false,
    module,
    code: 'attendance.setting',
    load: () => import('./setting-page.tsx'),
  },
])
