import type { OpeningIssue } from '@zhugong/contract/onboarding/openings'
import type { ColumnType, Generated } from 'kysely'
import type { Json } from '#kit/columns'

type Day = ColumnType<string | null, string | null, string | null>

interface ProjectOnboardingTable {
  projectCode: string
  step: string
  assigneeId: string | null
  assigneeName: string | null
  dueDay: Day
  note: Generated<string>
  notNeeded: string | null
  updateTime: Date
  updateBy: string
  version: Generated<number>
}
interface AdminLinkTable {
  id: string
  groupId: string
  byGroup: string
  tokenHash: string
  turn: Generated<number>
  name: string
  phone: Buffer | null
  phoneMask: string | null
  expiresAt: Date
  usedAt: Date | null
  usedBy: string | null
  revokedAt: Date | null
  openingId: string | null
  createTime: Date
  createBy: string
  giverId: string | null
  updateTime: Date | null
  version: Generated<number>
}
interface OpeningTable {
  id: string
  groupId: string
  kind: 'district' | 'company' | 'site'
  packages: Json<Partial<Record<'1' | '2' | '3', string>>>
  linkDays: number
  fileName: string
  state: Generated<'0' | '1' | '2' | '3'>
  total: number
  createTime: Date
  createBy: string
  createName: string
  updateTime: Date
  version: Generated<number>
}
interface OpeningRowTable {
  openingId: string
  rowNo: number
  sheet: 'groups' | 'sites'
  line: number
  cells: Buffer
  name: string
  issues: Json<OpeningIssue[]>
  state: Generated<'faulty' | 'ready' | 'done' | 'failed'>
  message: Generated<string>
  code: string | null
  linkId: string | null
}

declare module '#kit/db' {
  interface Tables {
    projectOnboarding: ProjectOnboardingTable
    adminLink: AdminLinkTable
    opening: OpeningTable
    openingRow: OpeningRowTable
  }
}
