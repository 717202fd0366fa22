import { pages } from '#kit/pages.ts'

const supervision = { module: 'supervision' } as const
const view = { ...supervision, keepAlive: false, code: 'supervision.view' } as const

export const campaignPages = pages([
  { ...supervision, path: '/jgt/provinces/list', name: 'provinces-list', keepAlive: true, load: () => import('./list-page.tsx') },
  {
    ...supervision,
    path: '/jgt/provinces/planManagement',
    name: 'provinces-plan-management',
    keepAlive: true,
    load: () => import('./manage-page.tsx'),
  },
  {
    ...supervision,
    path: '/jgt/provinces/addPlan',
    name: 'provinces-add-plan',
    title: '省市检查计划新增',
    keepAlive: false,
    code: 'supervision.campaignEdit',
    load: () => import('./edit-page.tsx'),
  },
  {
    ...supervision,
    path: '/jgt/provinces/addProject',
    name: 'provinces-add-project',
    title: '省市检查项目新增',
    aliases: ['/jgt/provinces/project/addProject'],
    keepAlive: false,
    code: 'supervision.campaignEdit',
    load: () => import('./draw-page.tsx'),
  },
  {
    ...supervision,
    path: '/jgt/provinces/checkList',
    name: 'provinces-check-list',
    title: '省市检查列表',
    aliases: ['/jgt/provinces/project/checkList'],
    keepAlive: true,
    code: 'supervision.view',
    load: () => import('./checks-page.tsx'),
  },
  {
    ...view,
    path: '/jgt/provinces/project/projectDetails',
    name: 'provinces-project-details',
    title: '省市检查项目详情',
    offline: true,
    load: () => import('./project-page.tsx'),
  },
  {
    ...view,
    path: '/jgt/provinces/project/momomerCheck',
    name: 'provinces-momomer-check',
    title: '省市检查记录单',
    code: 'supervision.campaignCheck',
    offline: true,
    load: () => import('./sheet-page.tsx'),
  },
  {
    ...view,
    path: '/jgt/provinces/checkResult',
    name: 'provinces-check-result',
    title: '省市检查结果',
    aliases: ['/jgt/provinces/project/checkResult'],
    load: () => import('./result-page.tsx'),
  },
])
