import { pages } from '#kit/pages.ts'

const documents = { module: 'documents' } as const

export const paperPages = pages([
  {
    ...documents,
    path: '/useMonitor2',
    name: 'quality-papers',
    keepAlive: true,
    load: () => import('./quality-page.tsx'),
  },
  {
    ...documents,
    path: '/useMonitor3',
    name: 'safety-papers',
    keepAlive: true,
    load: () => import('./safety-page.tsx'),
  },
])
