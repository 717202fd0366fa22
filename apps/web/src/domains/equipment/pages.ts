import { pages } from '#kit/pages.ts'

export const equipmentPages = pages([
  {
    path: '/administration',
    name: 'administration',
    title: '设备管理',
    keepAlive: true,
    module: 'device-admin',
    code: 'device-admin.view',
    load: () => import('./device-list-page.tsx'),
  },
  {
    path: '/administrationDetails',
    name: 'administration-details',
    title: '设备管理详情',
    keepAlive: false,
    module: 'device-admin',
    code: 'device-admin.view',
    load: () => import('./device-detail-page.tsx'),
  },
  {
    path: '/gateway',
    name: 'gateway',
    title: '网关管理',
    keepAlive: true,
    module: 'device-admin',
    code: 'device-admin.gateway',
    load: () => import('./gateway-list-page.tsx'),
  },
  {
    path: '/gateway/edit',
    name: 'gateway-edit',
    title: '网关编辑',
    keepAlive: false,
    module: 'device-admin',
    code: 'device-admin.gateway',
    load: () => import('./gateway-form.tsx'),
  },
  {
    path: '/gateway/details',
    name: 'gateway-details',
    title: '网关详情',
    keepAlive: false,
    module: 'device-admin',
    code: 'device-admin.gateway',
    load: () => import('./gateway-detail-page.tsx'),
  },
])
