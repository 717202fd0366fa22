import type { ExportType } from '@zhugong/contract/exports/endpoints'
import type { ColumnType, Generated } from 'kysely'

export interface ExportRequest {
  /** Undefined in older tasks, which are workbooks. */
  exportType?: ExportType | undefined
  columns?: string[] | undefined
  query: Record<string, unknown>
  sensitive: boolean
  purpose?: string | undefined
  projectCode: string
}
interface ExportTaskTable {
  id: string
  userId: string
  groupId: string
  feature: string
  title: string
  fileName: string
  status: number
  progress: Generated<number>
  rowsDone: Generated<number>
  bytes: Generated<number>
  message: Generated<string>
  request: ColumnType<ExportRequest, string, never>
  path: string | null
  createTime: ColumnType<Date, Date, never>
  endTime: Date | null
  expireTime: Date | null
}

declare module '#kit/db' {
  interface Tables {
    exportTask: ExportTaskTable
  }
}
