import type { ColumnType, Generated } from 'kysely'
import type { JsonGiven } from '#kit/columns'

type Timestamp = ColumnType<Date, Date | string, Date | string>

interface TenantTable {
  id: string
  type: number
  code: string
  name: string
  sysName: string | null
  logo: string | null
  screen: string | null
  lng: number | null
  lat: number | null
  primaryColor: string | null
  areaCode: string | null
  settings: ColumnType<Record<string, unknown>, string | undefined, string>
  enable: Generated<string>
  createTime: Generated<Date>
  updateTime: Date | null
  updateBy: string | null
  version: Generated<number>
}
interface AppUserTable {
  id: string
  account: string
  name: string
  phone: Buffer | null
  phoneHash: string | null
  phoneMask: string | null
  email: Buffer | null
  emailMask: string | null
  passwordHash: string
  passwordAt: ColumnType<Date, Date | undefined, Date>
  passwordHistory: Generated<string[]>
  mustChange: Generated<boolean>
  enable: Generated<string>
  otpSecret: Buffer | null
  otpStep: number | null
  /** Secret shown for set-up, not yet confirmed. */
  otpPending: Buffer | null
  /** Keyed hashes. */
  recoveryCodes: Generated<string[]>
  workerId: string | null
  preferences: ColumnType<Record<string, unknown>, string | undefined, string>
  lastLoginAt: ColumnType<Date | null, Date | null | undefined, Date>
  lastLoginIp: string | null
  /** The group in which the account was opened; null if unknown. Set by the database with the first membership. */
  homeGroupId: Generated<string | null>
  createTime: Generated<Date>
  createBy: string | null
}
interface RoleTable {
  id: string
  groupId: string | null
  groupsType: number
  name: string
  codes: string[]
  builtIn: Generated<boolean>
  remark: Generated<string>
  createTime: Generated<Date>
  createBy: string | null
  enable: Generated<string>
  roleScope: string | null
  dataScope: string | null
  projects: Generated<string[]>
  projectGroups: Generated<string[]>
  templateId: string | null
  administrator: Generated<boolean>
  updateTime: Generated<Date>
  updateBy: string | null
  version: Generated<number>
}
interface MemberTable {
  id: string
  userId: string
  groupId: string
  deadline: string | null
  isDefault: Generated<boolean>
  enable: Generated<string>
  lastVisitAt: ColumnType<Date | null, Date | null | undefined, Date>
  lastProject: string | null
  createTime: Generated<Date>
}
interface MemberRoleTable {
  memberId: string
  roleId: string
  deadline: string | null
  id: Generated<string>
  enable: Generated<string>
  reason: Generated<string>
  grantBy: string | null
  createTime: Generated<Date>
  version: Generated<number>
}
interface RoleNarrowingTable {
  roleId: string
  groupId: string
  codes: string[]
  /** Removed codes by the group that removed them. */
  parts: Generated<JsonGiven<Record<string, string[]>>>
  reason: Generated<string>
  updateTime: Generated<Date>
  updateBy: string
  version: Generated<number>
}
interface TempRoleTable {
  id: string
  groupId: string
  name: string
  codes: string[]
  projects: string[] | null
  memberIds: string[]
  startTime: ColumnType<Date, Date, Date>
  endTime: ColumnType<Date, Date, Date>
  reason: string
  grantBy: string
  /** Null: unknown, or the account was deleted. */
  giverId: string | null
  createTime: Generated<Date>
  version: Generated<number>
}
interface SightRuleTable {
  id: string
  groupId: string
  memberId: string | null
  roleId: string | null
  party: string | null
  projectCode: string
  shows: boolean
  modules: string[] | null
  codes: Generated<string[]>
  reason: string
  until: string | null
  grantBy: string
  createTime: Generated<Date>
}
interface FunctionStateTable {
  code: string
  title: string | null
  remark: Generated<string>
  risk: string | null
  enable: Generated<string>
  reason: Generated<string>
  updateTime: Generated<Date>
  updateBy: string
  version: Generated<number>
}
interface JoinRequestTable {
  id: string
  userId: string
  groupId: string
  giverId: string
  byGroup: string
  needs: string[]
  administrator: Generated<boolean>
  roleIds: string[]
  deadline: string | null
  reason: string
  createTime: Date
  createBy: string
  expiresAt: Date
  answeredAt: Date | null
  answer: 'accepted' | 'refused' | 'withdrawn' | null
}
interface DelegationRuleTable {
  groupId: string
  rules: JsonGiven<Record<string, unknown>>
  locked: Generated<string[]>
  updateTime: Generated<Date>
  updateBy: string
  version: Generated<number>
}
interface AuditLogTable {
  id: string
  at: Timestamp
  userId: string | null
  account: string
  userName: string
  groupId: string | null
  groupName: string
  action: string
  summary: string
  objectId: string | null
  projectCode: string | null
  result: Generated<string>
  ip: string
  /** Position in the group's hash chain, previous hash and own hash; set by the database. */
  seq: Generated<number | null>
  prevHash: Generated<string | null>
  hash: Generated<string | null>
}

interface AuditChainTable {
  chain: string
  seq: number
  hash: string
}
interface PermissionVersionTable {
  groupId: string
  version: number
}

declare module '#kit/db' {
  interface Tables {
    tenant: TenantTable
    appUser: AppUserTable
    role: RoleTable
    member: MemberTable
    memberRole: MemberRoleTable
    roleNarrowing: RoleNarrowingTable
    tempRole: TempRoleTable
    sightRule: SightRuleTable
    functionState: FunctionStateTable
    joinRequest: JoinRequestTable
    delegationRule: DelegationRuleTable
    auditLog: AuditLogTable
    auditChain: AuditChainTable
    permissionVersion: PermissionVersionTable
  }
}
