import { pages } from '#kit/pages.ts'

export const rulePages = pages([
  {
    path: '/reg2_regulationManage',
    name: 'reg2-regulation-manage',
    keepAlive: true,
    module: 'rules',
    load: () => import('./trigger-list-page.tsx'),
  },
  {
    path: '/reg2_createRegView',
    name: 'reg2-create-reg-view',
    title: '规则新建',
    keepAlive: false,
    module: 'rules',
    code: ['rules.edit', 'rules.template'],
    load: () => import('./trigger-edit-page.tsx'),
  },
  {
    path: '/reg2_template',
    name: 'reg2-template',
    keepAlive: true,
    module: 'rules',
    load: () => import('./template-list-page.tsx'),
  },
  {
    path: '/reg2_execManage',
    name: 'reg2-exec-manage',
    keepAlive: true,
    module: 'rules',
    load: () => import('./exec-list-page.tsx'),
  },
  {
    path: '/reg2_createActionView',
    name: 'reg2-create-action-view',
    title: '执行动作新建',
    keepAlive: false,
    module: 'rules',
    code: ['rules.edit', 'rules.linkage'],
    load: () => import('./exec-edit-page.tsx'),
  },
  {
    path: '/reg2_riskLevelManage',
    name: 'reg2-risk-level-manage',
    keepAlive: false,
    module: 'rules',
    load: () => import('./level-page.tsx'),
  },
])
