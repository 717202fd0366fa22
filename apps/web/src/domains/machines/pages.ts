import { pages } from '#kit/pages.ts'

const supervision = { module: 'supervision' } as const

export const machinePages = pages([
  {
    ...supervision,
    path: '/jgt/spdevice/index',
    name: 'jgt-spdevice',
    keepAlive: true,
    load: () => import('./machine-list-page.tsx'),
  },
  {
    ...supervision,
    path: '/jgt/spdevice/details',
    name: 'jgt-spdevice-details',
    title: '监督设备详情',
    keepAlive: false,
    code: 'supervision.view',
    load: () => import('./machine-detail-page.tsx'),
  },
  {
    ...supervision,
    path: '/jgt/spdevice/edit',
    name: 'jgt-spdevice-edit',
    title: '监督设备编辑',
    keepAlive: false,
    code: 'supervision.deviceFile',
    load: () => import('./machine-edit-page.tsx'),
  },
])
