import type { ColumnType, Generated } from 'kysely'
import type { Disclosed } from '#kit/columns'

export type FileSource = 'attendance' | 'device' | 'video' | 'document'

interface StoredFileTable {
  id: string
  projectCode: string | null
  groupId: string
  name: string
  mime: string
  bytes: number
  sha256: string
  /** Source of an automatic file, deleted after its retention time; null for files uploaded by users. */
  source: ColumnType<FileSource | null, FileSource | null | undefined, FileSource>
  createTime: ColumnType<Date, Date | undefined, never>
  createBy: string
  takenAt: Date | null
  takenFrom: 'exif' | 'device' | null
  lng: number | null
  lat: number | null
  device: string | null
  sentSha256: string | null
  /** Content of the small picture for lists, a JPEG. */
  smallSha256: string | null
}

interface UploadTaskTable {
  id: string
  groupId: string
  createBy: string
  projectCode: string | null
  name: string
  size: number
  sha256: string
  createTime: ColumnType<Date, Date | undefined, never>
  touchTime: Date
}

interface PhotoUseTable extends Disclosed {
  id: string
  sha256: string
  fileId: string
  kind: string
  objectId: string
  stage: string
  early: Generated<boolean>
  farM: number | null
  reusedKind: string | null
  reusedAt: Date | null
  reusedHere: boolean | null
  takenAt: Date | null
  at: Date
}

interface UploadUseTable {
  groupId: string
  userId: string
  hour: Date
  bytes: number
  files: number
}

declare module '#kit/db' {
  interface Tables {
    storedFile: StoredFileTable
    photoUse: PhotoUseTable
    uploadUse: UploadUseTable
    uploadTask: UploadTaskTable
  }
}
