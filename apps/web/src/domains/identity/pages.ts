import { pages } from '#kit/pages.ts'

export const identityPages = pages([
  {
    path: '/login',
    name: 'login',
    title: '登录',
    keepAlive: false,
    module: 'identity',
    auth: 'public',
    load: () => import('./login-page.tsx'),
  },
  {
    path: '/login/v1',
    name: 'login-v1',
    title: '登录（经典版）',
    keepAlive: false,
    module: 'identity',
    auth: 'public',
    load: () => import('./classic-login-page.tsx'),
  },
  {
    path: '/hqwladmin',
    name: 'hqwladmin',
    title: '管理员登录',
    keepAlive: false,
    module: 'identity',
    auth: 'public',
    load: () => import('./admin-login-page.tsx'),
  },
  {
    path: '/admin',
    name: 'admin',
    title: '管理员登录入口',
    keepAlive: false,
    module: 'identity',
    auth: 'public',
    load: () => import('./admin-entrance-page.tsx'),
  },
  {
    path: '/invite',
    name: 'invite',
    title: '接受管理员邀请',
    keepAlive: false,
    module: 'identity',
    auth: 'public',
    load: () => import('./invite-page.tsx'),
  },
])
