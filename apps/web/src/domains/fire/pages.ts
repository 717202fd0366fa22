import { pages } from '#kit/pages.ts'

const fire = { module: 'fire-acceptance' } as const

export const firePages = pages([
  {
    ...fire,
    path: '/fireProtection/assessment',
    aliases: ['/assessment'],
    name: 'fire-assessment',
    keepAlive: true,
    load: () => import('./list-page.tsx'),
  },
  {
    ...fire,
    path: '/fireProtection/assessmentDetail',
    aliases: ['/assessmentDetail'],
    name: 'fire-assessment-detail',
    title: '消防现场评定详情',
    offline: true,
    keepAlive: false,
    code: 'fire-acceptance.view',
    load: () => import('./detail-page.tsx'),
  },
  { ...fire, path: '/fireProtection/items', name: 'fire-items', keepAlive: true, load: () => import('./items-page.tsx') },
  {
    ...fire,
    path: '/fireProtection/place',
    aliases: ['/place'],
    name: 'fire-place',
    keepAlive: true,
    load: () => import('./place-page.tsx'),
  },
])
