import type { ColumnType } from 'kysely'

interface StoredFileTable {
  id: string
  projectCode: string | null
  groupId: string
  name: string
  mime: string
  bytes: number
  sha256: string
  createTime: ColumnType<Date, Date | undefined, never>
  createBy: string
}

declare module '#kit/db' {
  interface Tables {
    storedFile: StoredFileTable
  }
}
