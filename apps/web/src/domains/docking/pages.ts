import { pages } from '#kit/pages.ts'

export const dockingPages = pages([
  {
    path: '/RegulatoryDocking',
    name: 'regulatory-docking',
    title: '监管对接',
    keepAlive: false,
    module: 'settings',
    load: () => import('./docking-page.tsx'),
  },
])
