import type { ColumnType, Generated } from 'kysely'

type Timestamp = ColumnType<Date, Date | string, Date | string>
type Json<T> = ColumnType<T, string, string>

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
  lastLoginAt: ColumnType<Date | null, Date | null | undefined, Date>
  lastLoginIp: string | null
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
  /** Place in the group's chain, what stood before and what stands here: written by the database. */
  seq: Generated<number | null>
  prevHash: Generated<string | null>
  hash: Generated<string | null>
}

declare module '#kit/db' {
  interface Tables {
    tenant: TenantTable
    appUser: AppUserTable
    role: RoleTable
    member: MemberTable
    memberRole: MemberRoleTable
    auditLog: AuditLogTable
  }
}

export type { Json, Timestamp }
