import { compoundSurnames } from '@zhugong/contract/kit/checks'
import { sql } from 'kysely'
import { type Condition, condition } from '#kit/list'

/** Whether the text is a surname, the part shown of a masked name. */
export const isShownStart = (text: string): boolean => [...text].length === 1 || compoundSurnames.has(text)

/** Searches masked names by the visible part only, so that hidden characters cannot be guessed. */
export function byMaskedName(column: string, text: string | undefined): Condition[] {
  const q = text?.trim()
  if (!q) return []
  return [isShownStart(q) ? condition(sql`starts_with(${sql.ref(column)}, ${q})`) : condition(sql`false`)]
}
