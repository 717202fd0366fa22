import type { Generated } from 'kysely'

interface DutyShiftTable {
  id: string
  projectCode: string
  userId: string
  fromTime: Date
  untilTime: Date
  remark: Generated<string>
  createTime: Generated<Date>
  createBy: string | null
  updateTime: Date | null
  updateBy: string | null
  version: Generated<number>
}

interface ExecLogTable {
  id: string
  projectCode: string
  alarmId: string | null
  alarmIds: Generated<string[]>
  execId: string | null
  kind: string
  step: string
  level: number
  channel: string
  receiverId: string | null
  receiverName: string
  receiverMask: string | null
  title: string
  text: string
  state: string
  result: Generated<string>
  attempts: Generated<number>
  nextChannels: Generated<string[]>
  dueAt: Date | null
  sentAt: Date | null
  createTime: Generated<Date>
}
interface MessageTable {
  id: string
  userId: string
  projectCode: string | null
  kind: string
  level: number | null
  title: string
  text: string
  link: string | null
  alarmId: string | null
  simulated: Generated<boolean>
  readTime: Date | null
  createTime: Generated<Date>
}
interface NoticeGroupTable {
  id: string
  projectCode: string
  family: string
  level: number
  step: string
  execId: string
  alarmIds: string[]
  dueAt: Date
  digest: Generated<boolean>
  afterTold: Generated<boolean>
}
interface NoticeWatchTable {
  alarmId: string
  execId: string
  projectCode: string
  level: number
  rung: Generated<number>
  beganAt: Date
  repeatAt: Date | null
  nextRoles: Generated<string[]>
  escalateAt: Date | null
}

declare module '#kit/db' {
  interface Tables {
    dutyShift: DutyShiftTable
    execLog: ExecLogTable
    message: MessageTable
    noticeGroup: NoticeGroupTable
    noticeWatch: NoticeWatchTable
  }
}
