import type { Generated } from 'kysely'
import type { Disclosed } from '#kit/columns'

interface StopapplyTable extends Disclosed {
  id: string
  code: string | null
  corpCode: string
  type: string
  reasonType: string | null
  reason: string
  stopDate: string | null
  planResumeDate: string | null
  ongoingParts: string | null
  guardPersons: string | null
  affectAttendance: boolean
  completeCert: string[]
  attachments: string[]
  applyGroup: string
  applicantName: string
  submitTime: Date | null
  authorityGroup: string | null
  auditName: string | null
  auditGroup: string | null
  auditTime: Date | null
  auditPassed: boolean | null
  auditOpinion: string | null
  checkDate: string | null
  officer: string | null
  secondOfficer: string | null
  decideName: string | null
  decideGroup: string | null
  decideTime: Date | null
  decidePassed: boolean | null
  decideOpinion: string | null
  docCode: string | null
  waitSince: Date | null
  state: Generated<string>
  version: Generated<number>
  createBy: string
  createTime: Date
  updateBy: string | null
  updateTime: Generated<Date>
}
interface StopapplyCheckTable extends Disclosed {
  applyId: string
  item: string
  corpCode: string
  passed: boolean | null
  note: string | null
  photos: Generated<string[]>
  sitePassed: boolean | null
  siteNote: string | null
}
interface ProjectStopTable {
  id: string
  projectCode: string
  source: 'stopapply' | 'rectify' | 'former'
  sourceId: string
  code: string | null
  orderedBy: Generated<string>
  reason: Generated<string>
  affectAttendance: Generated<boolean>
  planResumeDate: string | null
  fromDay: string
  untilDay: string | null
  begun: Generated<boolean>
  createTime: Generated<Date>
}

declare module '#kit/db' {
  interface Tables {
    stopapply: StopapplyTable
    stopapplyCheck: StopapplyCheckTable
    projectStop: ProjectStopTable
  }
}
