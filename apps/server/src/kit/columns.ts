import type { ColumnType, Generated } from 'kysely'

/** A jsonb column with a default: read as its value, written as JSON text. */
export type Json<T> = ColumnType<T, string | undefined, string>
/** An instant the database writes when nobody does. */
export type Stamp = ColumnType<Date, Date | undefined, Date>

/** Who made a row and who changed it last; `version` counts the changes. */
export interface Trail {
  createTime: Stamp
  createBy: string | null
  updateTime: Date | null
  updateBy: string | null
  version: Generated<number>
}
