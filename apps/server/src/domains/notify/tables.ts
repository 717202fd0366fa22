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

declare module '#kit/db' {
  interface Tables {
    dutyShift: DutyShiftTable
  }
}
