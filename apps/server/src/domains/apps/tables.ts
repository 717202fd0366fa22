import type { RangeRule } from '@zhugong/contract/apps/grant-endpoints'
import type { Arrangement, RuleConditions } from '@zhugong/contract/apps/menu-endpoints'
import type { ColumnType, Generated } from 'kysely'
import type { Json, Stamp, Trail } from '#kit/columns'

interface Changed {
  updateTime: Date | null
  updateBy: string | null
  version: Generated<number>
}
interface AppCategoryTable extends Changed {
  id: string
  name: string
  icon: Generated<string>
  hiddenTypes: Generated<number[]>
  sort: Generated<number>
}
interface AppTable extends Trail {
  id: string
  code: string
  name: string
  summary: Generated<string>
  categoryId: string
  appType: '1' | '2'
  icon: Generated<string>
  entry: string | null
  groupTypes: Generated<number[]>
  prerequisites: Generated<string[]>
  defaultDays: number | null
  codes: Generated<string[]>
  modules: Generated<string[]>
  devices: Generated<string>
  builtIn: Generated<boolean>
  base: Generated<boolean>
  enable: Generated<string>
  sort: Generated<number>
}
interface AppGrantTable extends Trail {
  id: string
  groupId: string
  appId: string
  startDay: string
  deadline: string | null
  source: 'default' | 'scheme' | 'single' | 'passed'
  byGroup: string | null
  parentId: string | null
  contractNo: string | null
  reason: Generated<string>
  required: Generated<boolean>
  visible: Generated<boolean>
  sort: Generated<number>
  batchId: string | null
  revokedAt: Date | null
  revokeReason: string | null
}
interface AppRangeTable extends Changed {
  groupId: string
  appId: string
  rule: ColumnType<RangeRule, string, string>
}
interface AppDefaultTable {
  areaCode: string
  category: string
  appId: string
  days: number | null
  required: Generated<boolean>
  off: Generated<boolean>
  updateTime: Date | null
  updateBy: string | null
}
interface AppPackageTable extends Trail {
  id: string
  name: string
  groupType: number
  appIds: string[]
  days: number | null
  roleIds: Generated<string[]>
  uiSchemeId: string | null
  isDefault: Generated<boolean>
  builtIn: Generated<boolean>
  remark: Generated<string>
}
interface AppPackageUseTable {
  packageId: string
  groupId: string
  appliedAt: Stamp
  appliedBy: string | null
}
interface AppUseTable {
  groupId: string
  appId: string
  userId: string
  day: string
}
interface MenuTable extends Changed {
  id: string
  parentId: string | null
  appId: string | null
  name: string
  title: string
  menuType: 'MENU' | 'DIR'
  path: string | null
  icon: string | null
  sort: Generated<number>
  enable: Generated<string>
  delivered: Generated<boolean>
  removed: Generated<boolean>
  createTime: Stamp
}
interface UiSchemeTable extends Changed {
  id: string
  name: string
  remark: Generated<string>
  draft: Json<Arrangement>
  published: ColumnType<Arrangement | null, string | null | undefined, string | null>
  previous: ColumnType<Arrangement | null, string | null | undefined, string | null>
  publishedAt: Date | null
  publishedBy: string | null
  createTime: Stamp
}
interface UiRuleTable extends Changed {
  id: string
  name: string
  sort: Generated<number>
  conditions: Json<RuleConditions>
  schemeId: string | null
  homePath: Generated<string>
  enable: Generated<string>
  isDefault: Generated<boolean>
  createTime: Stamp
}

interface AppApplyTable {
  id: string
  groupId: string
  projectCode: string | null
  appIds: string[]
  deadline: string | null
  reason: string
  state: Generated<string>
  opinion: string | null
  filedBy: string
  filedName: string
  createTime: Date
  decidedName: string | null
  decideTime: Date | null
  version: Generated<number>
}

declare module '#kit/db' {
  interface Tables {
    appCategory: AppCategoryTable
    app: AppTable
    appGrant: AppGrantTable
    appRange: AppRangeTable
    appDefault: AppDefaultTable
    appPackage: AppPackageTable
    appPackageUse: AppPackageUseTable
    appUse: AppUseTable
    appApply: AppApplyTable
    menu: MenuTable
    uiScheme: UiSchemeTable
    uiRule: UiRuleTable
  }
}
