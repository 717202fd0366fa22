import { pages } from '#kit/pages.ts'

const documents = { module: 'documents' } as const

export const documentPages = pages([
  {
    ...documents,
    path: '/userProfile',
    name: 'documents',
    keepAlive: true,
    load: () => import('./documents-page.tsx'),
  },
  {
    ...documents,
    path: '/recycleBin',
    name: 'document-bin',
    keepAlive: true,
    load: () => import('./bin-page.tsx'),
  },
  {
    ...documents,
    path: '/useMonitor',
    name: 'document-supervision',
    keepAlive: true,
    load: () => import('./supervision-page.tsx'),
  },
  {
    ...documents,
    path: '/useMonitor4',
    name: 'document-goods',
    keepAlive: true,
    load: () => import('./goods-page.tsx'),
  },
  {
    ...documents,
    path: '/useMonitor5',
    name: 'document-travel',
    keepAlive: true,
    load: () => import('./travel-page.tsx'),
  },
])
