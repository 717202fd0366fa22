import type { BriefingState, BriefingType, managerKinds } from '@zhugong/contract/briefings/moves'
import type { Generated } from 'kysely'
import type { Disclosed } from '#kit/columns'

interface BriefingTable extends Disclosed {
  id: string
  type: BriefingType
  code: string | null
  corpCode: string
  authorGroup: string
  authorGroupName: string
  kind: keyof typeof managerKinds | null
  name: string
  workType: string | null
  part: string
  teamId: string | null
  bigProjectId: string | null
  measureIds: Generated<string[]>
  content: string
  files: Generated<string[]>
  scans: Generated<string[]>
  /** yyyy-MM-dd. */
  date: string
  discloser: string
  witness: string | null
  replacesId: string | null
  redo: Generated<boolean>
  remindedAt: Date | null
  state: Generated<BriefingState>
  version: Generated<number>
  createBy: string
  createTime: Date
  updateBy: string | null
  updateTime: Generated<Date>
}
interface BriefingReceiverTable extends Disclosed {
  id: string
  briefingId: string
  corpCode: string
  seq: number
  stayId: string
  workerId: string
  name: string
  unit: string
  role: string
  absentReason: string | null
  paperAt: Date | null
}
interface BriefingReminderTable {
  id: string
  projectCode: string
  kind: 'work' | 'team'
  subjectId: string
  byId: string
  byName: string
  at: Date
}

declare module '#kit/db' {
  interface Tables {
    briefing: BriefingTable
    briefingReceiver: BriefingReceiverTable
    briefingReminder: BriefingReminderTable
  }
}
