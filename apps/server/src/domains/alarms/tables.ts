import type { ColumnType, Generated } from 'kysely'
import type { Json } from '#kit/columns'

interface AlarmTable {
  id: string
  projectCode: string
  deviceId: string
  deviceName: string
  point: Generated<string>
  family: string
  alarmKey: string
  label: string
  level: number
  maxLevel: number
  state: Generated<string>
  active: Generated<boolean>
  stale: Generated<boolean>
  startTime: Date
  fireTime: Date
  clearTime: Date | null
  clearReason: string | null
  peakValue: number | null
  peakTime: Date | null
  metric: string | null
  thresholdText: Generated<string>
  ruleId: string | null
  ruleVersion: number | null
  sources: Generated<string[]>
  reopened: Generated<number>
  flapping: Generated<boolean>
  valuesUsed: ColumnType<Record<string, unknown>, string | undefined, string>
  simulated: Generated<boolean>
  historical: Generated<boolean>
  handlerName: string | null
  handleTime: Date | null
  measure: string | null
  photos: ColumnType<string[], string | undefined, string>
  outcome: string | null
  createTime: Generated<Date>
  version: Generated<number>
}
interface AlarmLogTable {
  id: string
  alarmId: string
  projectCode: string
  at: Date
  event: string
  text: string
  byName: string | null
}

interface AlarmOutboxTable {
  id: Generated<number>
  alarmId: string
  projectCode: string
  event: string
  level: number
  at: Date
  detail: Json<unknown>
  createTime: Generated<Date>
  noticed: Generated<boolean>
  linked: Generated<boolean>
  rectified: Generated<boolean>
}
interface DeviceSuppressTable {
  id: string
  projectCode: string
  deviceId: string
  point: Generated<string>
  alarmKeys: string[]
  kind: string
  reason: string
  personName: string
  fromTime: Date
  untilTime: Date
  createTime: Generated<Date>
  createBy: string | null
  updateTime: Date | null
  updateBy: string | null
  version: Generated<number>
  state: Generated<'1' | '2' | '3' | '4'>
  askedBy: string | null
  askedGroup: string | null
  opinion: string | null
  decidedName: string | null
  decideTime: Date | null
}
interface SiteNoticeTable {
  id: string
  projectCode: string
  batch: string
  kind: 'dust' | 'urge' | 'supervise' | 'talk'
  text: string
  deadline: Date
  replyWanted: boolean
  deviceId: string | null
  alarmId: string | null
  subject: Generated<string>
  fromId: string
  fromName: string
  fromGroup: string | null
  fromGroupName: string
  readTime: Date | null
  readName: string | null
  state: Generated<'1' | '2' | '3' | '4' | '5'>
  answer: string | null
  files: Generated<string[]>
  doneName: string | null
  doneTime: Date | null
  createTime: Date
  version: Generated<number>
  photoWanted: Generated<boolean>
  redone: Generated<number>
  checkText: string | null
  checkName: string | null
  checkTime: Date | null
}
interface SiteNoticeStepTable {
  id: string
  noticeId: string
  projectCode: string
  at: Date
  action: 'send' | 'read' | 'answer' | 'return' | 'withdraw' | 'accept' | 'redo'
  text: Generated<string>
  byName: string
  byGroup: Generated<string>
  deadline: Date | null
  files: Generated<string[]>
}

declare module '#kit/db' {
  interface Tables {
    alarm: AlarmTable
    alarmLog: AlarmLogTable
    alarmOutbox: AlarmOutboxTable
    deviceSuppress: DeviceSuppressTable
    siteNotice: SiteNoticeTable
    siteNoticeStep: SiteNoticeStepTable
  }
}
