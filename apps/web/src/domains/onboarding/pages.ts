import { pages } from '#kit/pages.ts'

export const onboardingPages = pages([
  {
    path: '/projectNavigation',
    name: 'project-navigation',
    keepAlive: true,
    module: 'platform',
    load: () => import('./navigation-page.tsx'),
  },
  {
    path: '/projectNavigationDetails',
    name: 'project-navigation-details',
    title: '项目导航详情',
    keepAlive: false,
    module: 'platform',
    code: 'projectNav.view',
    load: () => import('./navigation-detail-page.tsx'),
  },
  {
    path: '/projectOpening',
    name: 'project-opening',
    title: '开通向导',
    keepAlive: true,
    module: 'platform',
    code: ['projectNav.onboard', 'project.create'],
    load: () => import('./opening-page.tsx'),
  },
])
