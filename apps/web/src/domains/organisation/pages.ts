import { pages } from '#kit/pages.ts'

export const organisationPages = pages([
  {
    path: '/gov/project',
    name: 'gov-project',
    title: '监管项目',
    keepAlive: true,
    module: 'organisation',
    code: 'project.view',
    load: () => import('./project-list-page.tsx'),
  },
])
