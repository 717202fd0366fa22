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
  {
    path: '/institutionalFramework',
    name: 'institutional-framework',
    title: '组织架构',
    keepAlive: true,
    module: 'organisation',
    code: 'government.view',
    load: () => import('./government-chart-page.tsx'),
  },
  {
    path: '/system/organProject',
    name: 'system-organ-project',
    title: '组织项目',
    keepAlive: true,
    module: 'organisation',
    code: 'projectGroup.view',
    load: () => import('./folder-page.tsx'),
  },
  {
    path: '/system/organization',
    name: 'system-organization',
    title: '组织管理',
    keepAlive: true,
    module: 'organisation',
    code: 'org.view',
    load: () => import('./org-page.tsx'),
  },
])
