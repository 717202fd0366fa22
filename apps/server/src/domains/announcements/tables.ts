import type { AnnouncementState, LineKind } from '@zhugong/contract/announcements/model'
import type { Generated } from 'kysely'

interface AnnouncementTable {
  id: string
  groupId: string
  groupName: string
  above: Generated<string[]>
  title: string
  type: string
  content: string
  body: string
  files: Generated<string[]>
  needReceipt: boolean
  needSignature: boolean
  deadline: Date | null
  top: boolean
  publishAt: Date | null
  publishTime: Date | null
  state: Generated<AnnouncementState>
  submitBy: string | null
  recallReason: string | null
  recallTime: Date | null
  urgedAt: Date | null
  version: Generated<number>
  createBy: string
  createName: string
  createTime: Date
  updateBy: string | null
  updateTime: Generated<Date>
}
interface AnnouncementLineTable {
  id: string
  announcementId: string
  groupId: string
  seq: number
  kind: LineKind
  areas: Generated<string[]>
  groups: Generated<string[]>
  members: Generated<string[]>
  roles: Generated<string[]>
  except: Generated<string[]>
  words: string
}
interface AnnouncementUnitTable {
  announcementId: string
  groupId: string
  fromGroup: string
  roles: string[] | null
}
interface AnnouncementReaderTable {
  announcementId: string
  userId: string
  groupId: string
  groupName: string
  groupType: number
  projectCode: string | null
  projectName: string | null
  areaCode: string | null
  name: string
  phoneMask: string | null
  role: Generated<string>
  fromGroup: string
  above: Generated<string[]>
  readTime: Date | null
  receiptTime: Date | null
  signFile: string | null
}

declare module '#kit/db' {
  interface Tables {
    announcement: AnnouncementTable
    announcementLine: AnnouncementLineTable
    announcementUnit: AnnouncementUnitTable
    announcementReader: AnnouncementReaderTable
  }
}
