import { pages } from '#kit/pages.ts'

export const formworkPages = pages([
  {
    path: '/highFormwork/index',
    name: 'high-formwork-monitor',
    title: '高支模实时监测',
    keepAlive: false,
    module: 'high-formwork',
    code: 'high-formwork.view',
    deviceType: 304,
    // What is in view stands in the address; it is one page all the same.
    cacheKey: 'path',
    load: () => import('./formwork-live-page.tsx'),
  },
  {
    path: '/highFormwork/warning',
    name: 'high-formwork-warning',
    title: '高支模告警记录',
    keepAlive: true,
    module: 'high-formwork',
    code: 'high-formwork.view',
    deviceType: 304,
    load: () => import('./formwork-warning-page.tsx'),
  },
  {
    path: '/highFormwork/record',
    name: 'high-formwork-record',
    title: '高支模监测记录',
    keepAlive: true,
    module: 'high-formwork',
    code: 'high-formwork.view',
    deviceType: 304,
    load: () => import('./formwork-record-page.tsx'),
  },
  {
    path: '/highFormwork/analyze',
    name: 'high-formwork-analyze',
    title: '高支模数据分析',
    keepAlive: false,
    module: 'high-formwork',
    code: 'high-formwork.view',
    deviceType: 304,
    cacheKey: 'path',
    load: () => import('./formwork-analyze-page.tsx'),
  },
])
