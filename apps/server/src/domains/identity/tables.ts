import type { ColumnType, Generated } from 'kysely'

interface SessionTable {
  tokenHash: string
  userId: string
  groupId: string | null
  projectCode: Generated<string>
  live: boolean
  entry: string
  ip: string
  agent: Generated<string>
  createdAt: ColumnType<Date, Date, never>
  seenAt: Date
  expiresAt: Date
  hardExpiresAt: Date
}
interface CaptchaTable {
  key: string
  answerHash: string
  expiresAt: Date
}
interface OneTimeCodeTable {
  purpose: string
  subject: string
  codeHash: string
  tries: Generated<number>
  expiresAt: Date
}
interface SettingTable {
  key: string
  value: ColumnType<Record<string, unknown>, string, string>
  updateTime: ColumnType<Date, Date | undefined, Date>
  updateBy: string | null
}
interface ProjectMarkTable {
  userId: string
  projectCode: string
  /** The group in which the user starred or last visited it. */
  groupId: string | null
  starred: Generated<boolean>
  enteredAt: Date | null
}

interface KnownAddressTable {
  account: string
  address: string
  lastAt: Date
}
interface LoginFailureTable {
  account: string
  failures: number
  lastAt: Date
  lockedUntil: Date | null
}
interface LoginTryTable {
  account: string
  address: string
  failures: number
  lastAt: Date
  lockedUntil: Date | null
}

declare module '#kit/db' {
  interface Tables {
    session: SessionTable
    captcha: CaptchaTable
    oneTimeCode: OneTimeCodeTable
    setting: SettingTable
    projectMark: ProjectMarkTable
    knownAddress: KnownAddressTable
    loginFailure: LoginFailureTable
    loginTry: LoginTryTable
  }
}
