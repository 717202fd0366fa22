import { type PageEntry, pages } from '#kit/pages.ts'

const person = { module: 'personnel', code: 'personnel.view' } as const
const child = (tab: string, title: string, load: PageEntry['load']): PageEntry => ({
  ...person,
  path: `/personnelSystem/info/${tab}`,
  name: `personnel-system-info-${tab.replace(/[A-Z]/g, (c) => `-${c.toLowerCase()}`)}`,
  title,
  keepAlive: false,
  parent: '/personnelSystem/info',
  load,
})

export const personnelPages = pages([
  { ...person, path: '/personList', name: 'person-list', title: '人员列表', keepAlive: true, load: () => import('./stay-list-page.tsx') },
  {
    module: 'personnel',
    code: ['personnel.edit', 'personnel.create'],
    path: '/personListEdit',
    name: 'person-list-edit',
    title: '人员编辑',
    keepAlive: false,
    load: () => import('./worker-form-page.tsx'),
  },
  {
    ...person,
    path: '/personListDetails',
    name: 'person-list-details',
    title: '人员详情',
    keepAlive: false,
    load: () => import('./stay-page.tsx'),
  },
  {
    ...person,
    path: '/PersonRoster',
    name: 'person-roster',
    title: '人员花名册',
    keepAlive: true,
    load: () => import('./roster-page.tsx'),
  },
  {
    ...person,
    path: '/personnelSystem',
    name: 'personnel-system',
    title: '人员管理',
    keepAlive: true,
    load: () => import('./file-list-page.tsx'),
  },
  {
    ...person,
    path: '/personnelSystem/info',
    name: 'personnel-system-info',
    title: '人员信息',
    keepAlive: false,
    redirect: '/personnelSystem/info/basic',
    load: () => import('./info-page.tsx'),
  },
  child('basic', '基本信息', () => import('./info-basic.tsx')),
  child('resume', '从业经历', () => import('./info-resume.tsx')),
  child('bad', '不良记录', () => import('./info-bad.tsx')),
  child('contract', '合同信息', () => import('./info-contract.tsx')),
  child('certificate', '资格证书', () => import('./info-certificate.tsx')),
  child('virusProtect', '防疫信息', () => import('./info-health.tsx')),
])
