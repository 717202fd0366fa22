import type { ColumnType, Generated } from 'kysely'

/** A jsonb column with a default: read as its value, written as JSON text. */
export type Json<T> = ColumnType<T, string | undefined, string>
/** A jsonb column without a default. */
export type JsonGiven<T> = ColumnType<T, string, string>
/** A jsonb column that may be empty. */
export type JsonOrNull<T> = ColumnType<T | null, string | null | undefined, string | null>
/** An instant that the database sets by default. */
export type Stamp = ColumnType<Date, Date | undefined, Date>

/** Who created a row and who changed it last; `version` counts the changes. */
export interface Trail {
  createTime: Stamp
  createBy: string | null
  updateTime: Date | null
  updateBy: string | null
  version: Generated<number>
}

/** Columns of a row that is disclosed together with its record (`zg_until_shown`). */
export interface Disclosed {
  projectCode: string
  /** The responsible company; companies without a wider part see only their own. */
  corpCode: string | null
  /** Null: known to `groups` only. */
  shownAt: Date | null
  groups: string[]
}
