import type { ColumnType } from 'kysely'

export type FileSource = 'attendance' | 'device' | 'video'

interface StoredFileTable {
  id: string
  projectCode: string | null
  groupId: string
  name: string
  mime: string
  bytes: number
  sha256: string
  /** Came by itself and is forgotten in time; null: filed by somebody, and kept. */
  source: ColumnType<FileSource | null, FileSource | null | undefined, FileSource>
  createTime: ColumnType<Date, Date | undefined, never>
  createBy: string
}

declare module '#kit/db' {
  interface Tables {
    storedFile: StoredFileTable
  }
}
