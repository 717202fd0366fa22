import { pages } from '#kit/pages.ts'

const inspection = { module: 'inspection' } as const

export const upkeepPages = pages([
  {
    ...inspection,
    path: '/deviceInspect',
    offline: true,
    name: 'device-inspect',
    keepAlive: true,
    load: () => import('./inspect-list-page.tsx'),
  },
  {
    ...inspection,
    path: '/deviceInspect/details',
    name: 'device-inspect-detail',
    title: '设备检查详情',
    keepAlive: false,
    code: ['inspection.view', 'device-admin.view'],
    load: () => import('./inspect-detail-page.tsx'),
  },
  {
    ...inspection,
    path: '/deviceInspect/rectReply',
    offline: true,
    name: 'device-inspect-reply',
    title: '设备检查整改回复',
    keepAlive: false,
    code: 'inspection.rectifyReply',
    load: () => import('./defect-reply-page.tsx'),
  },
  {
    ...inspection,
    path: '/deviceRect/details',
    name: 'device-rect-detail',
    title: '设备整改详情',
    keepAlive: false,
    code: 'inspection.view',
    load: () => import('./defect-page.tsx'),
  },
  {
    ...inspection,
    path: '/deviceMaintenance',
    name: 'device-maintenance',
    keepAlive: true,
    load: () => import('./maintain-list-page.tsx'),
  },
  {
    ...inspection,
    path: '/deviceMaintenance/details',
    name: 'device-maintenance-detail',
    title: '设备维保详情',
    keepAlive: false,
    code: ['inspection.view', 'device-admin.view'],
    load: () => import('./maintain-detail-page.tsx'),
  },
])
