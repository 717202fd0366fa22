import { compoundSurnames } from '@zhugong/contract/kit/checks'
import { sql } from 'kysely'
import { type Condition, condition } from '#kit/list'

/** Whether a text is what a masked name shows: the surname. */
export const isShownStart = (text: string): boolean => [...text].length === 1 || compoundSurnames.has(text)

/** Rows whose names are shown masked are found by what is shown of them, and by nothing that is hidden. */
export function byMaskedName(column: string, text: string | undefined): Condition[] {
  const q = text?.trim()
  if (!q) return []
  return [isShownStart(q) ? condition(sql`starts_with(${sql.ref(column)}, ${q})`) : condition(sql`false`)]
}
