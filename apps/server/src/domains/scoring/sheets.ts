import type { InspectionSheet } from '@zhugong/contract/scoring/inspections'
import { itemResults, type ScoredSheet, scoreAll, scoreSheet, type TotalScore } from '@zhugong/contract/scoring/score'
import { sql } from 'kysely'
import { formatInstant } from '#kit/clock'
import type { Context } from '#kit/context'
import type { Row } from '#kit/db'
import { pick } from '#kit/pick'
import { linksOf } from '../files/public.ts'
import { sheetName, sheetTitle, standardCategories } from './standard.ts'

/** A sheet with its results, as stored. */
export interface StoredSheet {
  sheet: Row<'checkSheet'>
  results: Row<'checkResult'>[]
}

export async function sheetsOf(ctx: Pick<Context, 'db'>, checkId: string): Promise<StoredSheet[]> {
  const sheets = await sql<Row<'checkSheet'>>`select * from check_sheet where check_id = ${checkId} order by seq, id`.execute(ctx.db)
  const results = await sql<Row<'checkResult'>>`select * from check_result where check_id = ${checkId} order by seq, item_code`.execute(
    ctx.db,
  )
  const bySheet = Map.groupBy(results.rows, (one) => one.sheetId)
  return sheets.rows.map((sheet) => ({ sheet, results: bySheet.get(sheet.id) ?? [] }))
}

const scored = ({ sheet, results }: StoredSheet): ScoredSheet => ({
  name: sheetTitle(sheet),
  category: sheet.category,
  notApplicable: sheet.notApplicable !== null,
  items: results,
})

/** The score of an inspection from what is stored of its sheets. */
export const scoreOf = (sheets: readonly StoredSheet[]): TotalScore => scoreAll(sheets.map(scored), standardCategories)

export const isDone = ({ sheet, results }: StoredSheet): boolean =>
  sheet.notApplicable !== null || results.every((one) => one.result !== itemResults.unchecked)

/** A sheet as its page shows it. `phrases` are keyed by item code. */
export function toSheet(
  ctx: Pick<Context, 'secrets' | 'clock'>,
  stored: StoredSheet,
  phrases: ReadonlyMap<string, readonly string[]>,
): InspectionSheet {
  const { sheet, results } = stored
  const score = scoreSheet(scored(stored))
  return {
    ...pick(sheet, 'id', 'sheetCode', 'label', 'category', 'seq', 'assignee', 'notApplicable', 'version', 'savedBy'),
    name: sheetName(sheet.sheetCode),
    done: isDone(stored),
    savedAt: sheet.savedAt && formatInstant(sheet.savedAt),
    score: score?.score ?? null,
    got: score?.got ?? null,
    full: score?.full ?? null,
    zero: score?.zero ?? null,
    items: results.map((one) => ({
      itemCode: one.itemCode,
      name: one.name,
      maxScore: one.maxScore,
      guarantee: one.guarantee,
      own: one.itemId !== null,
      clause: one.clause,
      rule: one.rule,
      phrases: [...(phrases.get(one.itemCode) ?? [])],
      result: one.result,
      deduction: one.deduction,
      note: one.note,
      photos: linksOf(ctx, one.photos),
      reason: one.reason,
    })),
  }
}
