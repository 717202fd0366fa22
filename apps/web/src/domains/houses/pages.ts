import { pages } from '#kit/pages.ts'

export const housePages = pages([
  {
    module: 'inspection',
    path: '/house_async',
    name: 'house-sync',
    keepAlive: true,
    load: () => import('./house-page.tsx'),
  },
])
