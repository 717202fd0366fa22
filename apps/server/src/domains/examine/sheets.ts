import type { PatrolAction } from '@zhugong/contract/checks/patrol-moves'
import type { createExamine } from '@zhugong/contract/examine/calls'
import type { ParsedFor } from '@zhugong/contract/kit/endpoint'
import { AppError } from '@zhugong/contract/kit/errors'
import { itemResults } from '@zhugong/contract/scoring/score'
import { sql } from 'kysely'
import type { Context } from '#kit/context'
import type { Check, PatrolFields } from '../checks/public.ts'
import { requirePresentUnit } from '../labour/public.ts'
import {
  beginScore,
  freezeScore,
  insertSheet,
  itemsForSheets,
  markSaved,
  removeSheet,
  type StoredSheet,
  scoreOf,
  sheetOf,
  sheetsOf,
  sheetTitle,
  showSheets,
  writeResults,
} from '../scoring/public.ts'

type Given = Omit<ParsedFor<typeof createExamine>['body'], 'id' | 'action'>
/** What the checker writes, with what a scored check does not ask for. */
export type ExamineFields = Given & PatrolFields
export const fieldsOf = (given: Given): ExamineFields => ({ ...given, placeId: null, photos: [] })

const refuse = (field: string, message: string) => new AppError('invalidInput', message, { field })
const keyOf = ({ sheetCode, label }: { sheetCode: string; label: string }): string => `${sheetCode} ${label}`

/**
 * Stores head and sheets of a check. A sheet keeps the items that the library had when it was added.
 * @throws AppError `invalidInput` at the field; when it is submitted also where something is missing
 */
export async function writeSheets(ctx: Context, check: Check, fields: ExamineFields, action: PatrolAction): Promise<void> {
  await writeHead(ctx, check, fields)
  const before = new Map((await sheetsOf(ctx, check.id)).map((one) => [keyOf(one.sheet), one]))
  const items = Map.groupBy(
    await itemsForSheets(ctx, 'safety', [...new Set(fields.sheets.map((one) => one.sheetCode))]),
    (one) => one.sheetCode,
  )
  const wanted = new Set<string>()
  for (const [at, sheet] of fields.sheets.entries()) {
    const key = keyOf(sheet)
    if (!sheetOf(sheet.sheetCode)) throw refuse(`sheets.${at}.sheetCode`, '没有这张检查表')
    if (wanted.has(key)) throw refuse(`sheets.${at}.label`, `${sheetTitle(sheet)}重复，请写明各自的对象`)
    wanted.add(key)
    if (!before.has(key)) {
      const own = items.get(sheet.sheetCode) ?? []
      await insertSheet(ctx, check, { seq: at, sheetCode: sheet.sheetCode, label: sheet.label, assignee: null, taskId: null }, own)
    }
  }
  for (const [key, { sheet }] of before) if (!wanted.has(key)) await removeSheet(ctx, sheet)
  const stored = new Map((await sheetsOf(ctx, check.id)).map((one) => [keyOf(one.sheet), one]))
  for (const [at, sheet] of fields.sheets.entries()) {
    const known = stored.get(keyOf(sheet))
    if (!known) continue
    await writeResults(ctx, known.sheet, sheet.items, (i) => `sheets.${at}.items.${i}`)
    await markSaved(ctx, known.sheet, sheet.notApplicable)
  }
  if (action === 'submit') await freeze(ctx, check, fields)
}

async function writeHead(ctx: Context, check: Check, { round, corpCodes }: ExamineFields): Promise<void> {
  for (const [at, code] of corpCodes.entries()) await requirePresentUnit(ctx, check.projectCode, code, `corpCodes.${at}`)
  const { id: checkId, projectCode, corpCode, shownAt, groups } = check
  const { numInsertedOrUpdatedRows } = await ctx.db
    .insertInto('siteExamine')
    .values({ checkId, projectCode, corpCode, shownAt, groups, round, corpCodes, archivedAt: null, archivedBy: null })
    .onConflict((conflict) => conflict.column('checkId').doNothing())
    .executeTakeFirst()
  if (numInsertedOrUpdatedRows) await beginScore(ctx, check)
  else await sql`update site_examine set round = ${round}, corp_codes = ${corpCodes} where check_id = ${checkId}`.execute(ctx.db)
}

/** Keeps the score as it stands. @throws AppError where an item has no result, or a failed one no problem */
async function freeze(ctx: Context, check: Check, { sheets, problems }: ExamineFields): Promise<void> {
  const stored = await sheetsOf(ctx, check.id)
  for (const [at, given] of sheets.entries()) {
    const own = stored.find(({ sheet }) => keyOf(sheet) === keyOf(given))
    if (own) requireDone(own, `sheets.${at}.items`)
  }
  requireProblems(stored, problems)
  const score = scoreOf(stored)
  if (score.score === null) throw new AppError('refused', '所有检查表都不涉及，没有可提交的得分')
  await freezeScore(ctx, check, score)
  const shownAt = new Date(ctx.clock.now())
  await showSheets(ctx, check.id, shownAt)
  await sql`update site_examine set shown_at = ${shownAt} where check_id = ${check.id}`.execute(ctx.db)
}

function requireDone({ sheet, results }: StoredSheet, field: string): void {
  if (sheet.notApplicable !== null) return
  const open = results.filter((one) => one.result === itemResults.unchecked)
  if (open.length > 0) throw refuse(field, `${sheetTitle(sheet)}还有 ${open.length} 项没有结果：${open[0]?.name}`)
}

/** Every failed item names what is wrong and who mends it; a sheet that is used twice needs a problem each time. */
function requireProblems(stored: readonly StoredSheet[], problems: ExamineFields['problems']): void {
  const failed = stored.flatMap(({ sheet, results }) =>
    sheet.notApplicable === null ? results.filter((one) => one.result === itemResults.wrong) : [],
  )
  const written = Map.groupBy(problems, (one) => one.itemCode)
  for (const [code, own] of Map.groupBy(failed, (one) => one.itemCode))
    if ((written.get(code)?.length ?? 0) < own.length) throw refuse('problems', `“${own[0]?.name}”不合格，须写明问题、责任单位和期限`)
}
