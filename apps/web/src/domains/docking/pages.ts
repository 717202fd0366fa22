import { pages } from '#kit/pages.ts'

export const dockingPages = pages([
  {
    path: '/RegulatoryDocking',
    name: 'regulatory-docking',
    keepAlive: false,
    module: 'settings',
    load: () => import('./docking-page.tsx'),
  },
])
