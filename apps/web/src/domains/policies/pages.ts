import { pages } from '#kit/pages.ts'

export const policyPages = pages([
  {
    module: 'documents',
    path: '/policy',
    name: 'policy',
    title: '政策汇编',
    keepAlive: false,
    auth: 'public',
    load: () => import('./policy-page.tsx'),
  },
  {
    module: 'documents',
    path: '/policyCompilation',
    name: 'policy-compilation',
    keepAlive: true,
    load: () => import('./compilation-page.tsx'),
  },
])
