import type { Report, ReportContent } from '@zhugong/contract/reports/endpoints'
import type { ColumnType, Generated } from 'kysely'
import type { Json, Stamp, Trail } from '#kit/columns'

type Day = ColumnType<string, string, string>

interface ReportPushTable extends Trail {
  id: string
  groupId: string
  name: string
  reportType: string
  content: ReportContent[]
  projects: Generated<string[]>
  userIds: Generated<string[]>
  roleIds: Generated<string[]>
  channels: string[]
  webhookUrl: Generated<string>
  webhookSecret: Buffer | null
  sendAt: string
  weekday: Generated<number>
  monthday: Generated<number>
  weekend: Generated<'send' | 'skip' | 'monday'>
  enable: Generated<string>
  nextAt: Date | null
  lastTurn: string | null
  lastTime: Date | null
  leftBy: Generated<string[]>
}

interface ReportSendingTable {
  id: string
  groupId: string
  pushId: string | null
  pushName: string
  turn: string
  reportType: string
  content: ReportContent[]
  projects: Generated<string[]>
  fromDay: Day
  toDay: Day
  userId: string | null
  receiver: string
  channel: string
  state: Generated<'0' | '1' | '2' | '3'>
  reason: Generated<string>
  attempts: Generated<number>
  dueAt: Date | null
  test: Generated<boolean>
  report: Json<Report> | null
  createTime: Stamp
  sentTime: Date | null
}

declare module '#kit/db' {
  interface Tables {
    reportPush: ReportPushTable
    reportSending: ReportSendingTable
  }
}
