import type { MenuPage, MenuTab } from './menu-tree.ts'
import { machineTabs } from './menus-machines.ts'
import { peopleTabs } from './menus-people.ts'
import { safetyTabs } from './menus-safety.ts'

const tabs = [
  {
    name: 'home',
    title: '首页',
    icon: 'home',
    entries: [{ path: '/main', title: '首页', icon: 'home', code: 'home.view', related: ['/mainHs'] }],
  },
  ...peopleTabs,
  ...machineTabs,
  ...safetyTabs,
  {
    name: 'system',
    title: '综合管理',
    icon: 'sliders',
    entries: [
      {
        path: '/workbench/approval',
        title: '审批列表',
        icon: 'records',
        code: 'approval.view',
        buttons: ['approval'],
        related: ['/workbench/approvalDetail'],
      },
      {
        path: '/jgt/adviceReply/index',
        title: '意见反馈',
        icon: 'bell',
        code: 'supervision.view',
        buttons: ['supervision'],
        related: ['/jgt/adviceReply/reply'],
      },
      {
        path: '/notice',
        title: '通知公告',
        icon: 'alert',
        code: 'home.view',
        // Everybody reads what was sent to him.
        opensWith: 'anyone',
        buttons: ['documents', 'alarm'],
        related: ['/createNotice', '/infoNotice'],
      },
      {
        path: '/projectAlter',
        title: '项目变更',
        icon: 'project',
        code: 'documents.view',
        opensWith: ['documents.alterApply', 'documents.alterAudit', 'project.assign'],
        buttons: ['documents'],
      },
      { path: '/policyCompilation', title: '政策汇编', icon: 'roster', code: 'documents.view', buttons: ['documents'] },
      {
        title: '资料',
        icon: 'briefcase',
        pages: [
          { path: '/userProfile', title: '文档资料', code: 'documents.view', buttons: ['documents'] },
          { path: '/useMonitor', title: '监督资料', code: 'documents.view', buttons: ['documents'], types: [1, 2, 3] },
          {
            path: '/useMonitor2',
            title: '质量资料',
            code: 'documents.view',
            buttons: ['documents', 'safety-management'],
            types: [1, 2, 3],
          },
          {
            path: '/useMonitor3',
            title: '安全资料',
            code: 'documents.view',
            buttons: ['documents', 'safety-management'],
            types: [1, 2, 3],
          },
          { path: '/useMonitor4', title: '生产物资资料', code: 'documents.view', buttons: ['documents'], types: [1, 2, 3] },
          { path: '/useMonitor5', title: '分级资料', code: 'documents.view', buttons: ['documents'], types: [1, 2, 3] },
          { path: '/recycleBin', title: '回收站', code: 'documents.delete', opensWith: ['documents.restore'] },
        ],
      },
      { path: '/workbench/approvalSettings', title: '审批设置', icon: 'bars', code: 'approval.set', buttons: ['approval'] },
      { path: '/reportPushSet', title: '报表推送设置', icon: 'calendar', code: 'report.set', opensWith: 'anyone', buttons: ['report'] },
      { path: '/RegulatoryDocking', title: '监管对接', icon: 'globe', code: 'docking.view', opensWith: 'anyone', buttons: ['docking'] },
      { path: '/system/organization', title: '组织管理', icon: 'team', code: 'org.view', buttons: ['org'] },
      { path: '/organizationSettings', title: '组织设置', icon: 'copies', code: 'org.set', buttons: ['org'] },
      { path: '/organizationList', title: '机构列表', icon: 'ledger', code: 'government.view', buttons: ['government'], types: [0, 1] },
      {
        path: '/institutionalFramework',
        title: '组织架构',
        icon: 'layers',
        code: 'government.view',
        buttons: ['government'],
        types: [0, 1],
      },
      {
        title: '设置',
        icon: 'sliders',
        pages: [
          {
            path: '/system/personal',
            title: '个人设置',
            code: 'home.view',
            opensWith: 'anyone',
            related: ['user', 'certificate', 'record', 'poorRecord', 'contract', 'material', 'request'].map(
              (tab) => `/system/personal/${tab}`,
            ),
          },
          {
            path: '/informationSettings',
            title: '信息设置',
            code: 'setting.view',
            buttons: ['setting', 'dashboard', 'project'],
            related: ['project/information', 'places', 'material', 'dashboard', 'orgLogoSetting', 'electronicFence'].map(
              (tab) => `/informationSettings/${tab}`,
            ),
            types: [3],
          },
          {
            path: '/system/project',
            title: '项目设置',
            code: 'setting.view',
            buttons: ['setting', 'dashboard', 'project'],
            related: ['information', 'places', 'material', 'dashboard', 'screenSetting', 'electronicFence'].map(
              (tab) => `/system/project/${tab}`,
            ),
            types: [0, 1, 2],
          },
          {
            path: '/system/electronicFence',
            title: '电子围栏',
            code: 'project.view',
            buttons: ['project'],
            types: [0, 1, 2],
          },
          {
            path: '/system/enterprise',
            title: '企业设置',
            code: 'setting.view',
            buttons: ['corporation', 'setting'],
            related: ['message', 'material', 'aptitude', 'history', 'projectList', 'screenSetting'].map(
              (tab) => `/system/enterprise/${tab}`,
            ),
            types: [0, 1, 2],
          },
          {
            path: '/system/govemment',
            title: '政府机构设置',
            code: 'government.view',
            buttons: ['government'],
            related: ['information', 'projectList', 'screenSetting'].map((tab) => `/system/govemment/${tab}`),
            types: [0, 1],
          },
          {
            path: '/system/orgInfo',
            title: '机构信息',
            code: 'org.set',
            opensWith: ['org.view'],
            buttons: ['org', 'brand'],
            related: ['/system/orgInfo/orgLogoSetting', '/system/orgInfo/orgInfoSetting'],
            types: [0, 1, 2],
          },
          {
            path: '/system/set',
            title: '系统设置',
            code: 'dict.edit',
            opensWith: ['system.set'],
            buttons: ['dict', 'system', 'audit'],
            types: [0, 1, 2],
          },
        ],
      },
      {
        title: '账号与权限',
        icon: 'idcard',
        pages: [
          {
            path: '/system/jurisdiction',
            title: '权限管理',
            code: 'role.view',
            buttons: ['role', 'tempRole'],
            related: ['/system/jurisdictionSet'],
            types: [1, 2, 3],
          },
          { path: '/accountList', title: '账号列表', code: 'user.view', buttons: ['user'] },
          { path: '/administratorList', title: '管理员列表', code: 'adminGrant.view', buttons: ['adminGrant'] },
          {
            path: '/rolePermissionList',
            title: '角色权限列表',
            code: 'role.view',
            buttons: ['role', 'tempRole', 'roleGroup'],
            related: ['/rolePermissionEdit'],
            types: [0],
          },
          { path: '/functionList', title: '功能列表', code: 'function.view', buttons: ['function'] },
          { path: '/authoritySettings', title: '授权设置', code: 'delegation.set', buttons: ['delegation'] },
          { path: '/system/visable', title: '可见范围设置', code: 'visible.view', buttons: ['visible'] },
        ],
      },
      {
        title: '应用',
        icon: 'box',
        pages: [
          { path: '/applyCentre', title: '应用中心', code: 'app.view', buttons: ['app'], related: ['/iframePath'] },
          { path: '/grantCenter', title: '授权中心', code: 'grant.view', buttons: ['grant'] },
          { path: '/applyAuthorization', title: '应用授权', code: 'grant.view', buttons: ['grant'], types: [0] },
          { path: '/system/appEmpower', title: '应用授权设置', code: 'grant.pass', buttons: ['grant'] },
          { path: '/system/mulitiAppEmpower', title: '批量应用授权', code: 'grant.batch', buttons: ['grant'] },
          { path: '/informationSettings/application', title: '应用设置', code: 'app.order', buttons: ['app'], types: [3] },
          {
            path: '/system/enterprise/appPowerRange',
            title: '应用授权范围',
            code: 'appRange.edit',
            buttons: ['appRange'],
            types: [2],
          },
          { path: '/system/govemment/appPowerRange', title: '人员应用范围', code: 'appRange.edit', buttons: ['appRange'], types: [1] },
        ],
      },
      {
        title: '应用与菜单维护',
        icon: 'plug',
        pages: [
          { path: '/appGroupManage', title: '应用分组管理', code: 'appCategory.edit', buttons: ['app', 'appCategory'] },
          { path: '/applicationSchema', title: '应用方案', code: 'appPackage.edit', buttons: ['appPackage', 'grant'] },
          { path: '/projectAppModule', title: '项目默认应用', code: 'appDefault.edit', buttons: ['appDefault', 'grant'] },
          { path: '/system/project/application', title: '项目应用', code: 'grant.pass', buttons: ['grant'] },
          { path: '/system/project/appPowerRange', title: '项目应用范围', code: 'appRange.edit', buttons: ['appRange'] },
          { path: '/menuList', title: '菜单列表', code: 'menu.view', buttons: ['menu'] },
          { path: '/menuMatching', title: '菜单匹配', code: 'menu.view', buttons: ['menu', 'uiRule'] },
        ],
      },
      {
        path: '/huangshiScreen/main',
        title: '数据大屏',
        icon: 'monitor',
        code: 'screens.view',
        opensWith: ['screens.set'],
        buttons: ['screens'],
        types: [1, 2, 3],
      },
      { path: '/screenTemplateManage', title: '大屏模板管理', icon: 'formwork', code: 'screens.edit', buttons: ['screens'] },
    ],
  },
] as const satisfies readonly MenuTab[]

export const menuTabs: readonly MenuTab[] = tabs

type PathOf<Entry> = Entry extends { pages: readonly { path: infer P }[] } ? P : Entry extends { path: infer P } ? P : never
/** The paths of pages with a menu entry. */
export type MenuPath = PathOf<(typeof tabs)[number]['entries'][number]>

/** Every page with a menu entry, by path. */
export const menuPages: ReadonlyMap<string, MenuPage> = new Map(
  menuTabs.flatMap((tab) => tab.entries.flatMap((entry) => ('pages' in entry ? entry.pages : [entry]))).map((page) => [page.path, page]),
)

/** The codes any of which opens the page; undefined = any logged-in user. */
export const codesToOpen = ({ code, opensWith }: MenuPage): readonly string[] | undefined =>
  opensWith === 'anyone' ? undefined : [code, ...(opensWith ?? [])]
