import { AppError } from '@zhugong/contract/kit/errors'
import { type ItemResult, itemResults, type TotalScore } from '@zhugong/contract/scoring/score'
import { sql } from 'kysely'
import { changeRow } from '#kit/change-row'
import type { Disclosed } from '#kit/columns'
import type { Context } from '#kit/context'
import type { Row } from '#kit/db'
import { pick } from '#kit/pick'
import { fileIdsOf, keptFiles } from '../files/public.ts'
import { sheetOf } from './standard.ts'

/** A check of any kind, as far as its sheets and score need it. */
export type Scored = Pick<Row<'siteCheck'>, 'id'> & Disclosed

/** Columns that every child row of a check has. */
export const disclosed = ({ projectCode, corpCode, shownAt, groups }: Disclosed): Disclosed => ({ projectCode, corpCode, shownAt, groups })

/** An item as the library has it when its sheet is added. */
export interface NewItem {
  /** The revision of an own item; null for the standard's. */
  id: string | null
  itemCode: string
  name: string
  /** 0: it is judged without marks. */
  maxScore: number
  guarantee: boolean
  clause: string | null
  rule: string | null
}
type NewSheet = Pick<Row<'checkSheet'>, 'seq' | 'sheetCode' | 'label' | 'assignee' | 'taskId'>

/** Adds a sheet with the items of the library as it is now. */
export async function insertSheet(ctx: Context, check: Scored, sheet: NewSheet, items: readonly NewItem[]): Promise<void> {
  const own = { checkId: check.id, ...disclosed(check) }
  const sheetId = ctx.newId()
  await ctx.db
    .insertInto('checkSheet')
    .values({
      id: sheetId,
      ...own,
      ...sheet,
      category: sheetOf(sheet.sheetCode)?.category ?? sheet.sheetCode,
      notApplicable: null,
      savedBy: null,
      savedAt: null,
    })
    .execute()
  const rows = items.map((item, at) => ({
    sheetId,
    itemCode: item.itemCode,
    ...own,
    seq: at,
    itemId: item.id,
    ...pick(item, 'name', 'maxScore', 'guarantee', 'clause', 'rule'),
    note: null,
    reason: null,
  }))
  await ctx.db.insertInto('checkResult').values(rows).execute()
}

/** Takes a sheet out of a check that is not submitted. */
export async function removeSheet(ctx: Pick<Context, 'db'>, { id }: Pick<Row<'checkSheet'>, 'id'>): Promise<void> {
  await sql`delete from check_sheet where id = ${id} and shown_at is null`.execute(ctx.db)
}

interface GivenResult {
  itemCode: string
  result: ItemResult
  deduction: number
  note?: string | null | undefined
  photos: readonly string[]
  reason?: string | null | undefined
}

/**
 * Writes the items that are given of one sheet.
 * @throws AppError `invalidInput` at `<at>.field`; `at` names the item in the call by its position
 */
export async function writeResults(
  ctx: Context,
  sheet: Pick<Row<'checkSheet'>, 'id'>,
  items: readonly GivenResult[],
  fieldOf: (at: number) => string,
): Promise<void> {
  const { rows } = await sql<Row<'checkResult'>>`select * from check_result where sheet_id = ${sheet.id}`.execute(ctx.db)
  const known = new Map(rows.map((one) => [one.itemCode, one]))
  for (const [at, item] of items.entries()) {
    const before = known.get(item.itemCode)
    const refuse = (field: string, message: string) => new AppError('invalidInput', message, { field: `${fieldOf(at)}.${field}` })
    if (!before) throw refuse('itemCode', '检查表没有这一项，请刷新')
    const isWrong = item.result === itemResults.wrong
    if (isWrong && item.deduction > before.maxScore) throw refuse('deduction', `“${before.name}”最多扣 ${before.maxScore} 分`)
    if (isWrong && item.deduction === 0 && before.maxScore > 0) throw refuse('deduction', `“${before.name}”不合格，请填写扣分`)
    if (item.result === itemResults.notApplicable && !item.reason) throw refuse('reason', `“${before.name}”不涉及，请填写原因`)
    const photos = await keptFiles(ctx, fileIdsOf(item.photos), before.photos, `${fieldOf(at)}.photos`)
    await sql`update check_result set result = ${item.result}, deduction = ${isWrong ? item.deduction : 0}, note = ${item.note ?? null},
      photos = ${photos}, reason = ${item.result === itemResults.notApplicable ? (item.reason ?? null) : null}
      where sheet_id = ${sheet.id} and item_code = ${item.itemCode}`.execute(ctx.db)
  }
}

/** Counts the version of a sheet. `notApplicable`: why the whole sheet does not apply. */
export async function markSaved(ctx: Context, { id }: Pick<Row<'checkSheet'>, 'id'>, notApplicable: string | null): Promise<void> {
  const values = { notApplicable, savedBy: ctx.user.name, savedAt: new Date(ctx.clock.now()) }
  await changeRow(ctx, 'checkSheet', { key: { id }, version: null, noun: '检查表', values })
}

/** Begins the score of a check; it has none until it is submitted. */
export async function beginScore(ctx: Context, check: Scored): Promise<void> {
  const none = { score: null, grade: null, reason: null, weakest: null }
  await ctx.db
    .insertInto('checkScore')
    .values({ checkId: check.id, ...disclosed(check), ...none })
    .execute()
}

/** Keeps the score as it stands: closing the problems later does not raise it. */
export async function freezeScore(ctx: Context, check: Scored, score: TotalScore): Promise<void> {
  await sql`update check_score set score = ${score.score}, grade = ${score.grade}, reason = ${score.reason},
    weakest = ${score.weakest?.code ?? null} where check_id = ${check.id}`.execute(ctx.db)
  const categories = score.categories.flatMap(({ code, weight, score: own, points }) =>
    own === null || points === null ? [] : [{ checkId: check.id, ...disclosed(check), category: code, weight, score: own, points }],
  )
  if (categories.length > 0) await ctx.db.insertInto('checkCategory').values(categories).execute()
}

const children = ['check_score', 'check_category', 'check_sheet', 'check_result'] as const
/** Shows score and sheets together with their check. */
export async function showSheets(ctx: Pick<Context, 'db'>, checkId: string, shownAt: Date): Promise<void> {
  for (const table of children) await sql`update ${sql.table(table)} set shown_at = ${shownAt} where check_id = ${checkId}`.execute(ctx.db)
}

/** Lets further groups know of score and sheets before they are shown. */
export async function widenSheets(ctx: Pick<Context, 'db'>, checkId: string, groups: readonly string[]): Promise<void> {
  for (const table of children)
    await sql`update ${sql.table(table)} set groups = ${[...groups]} where check_id = ${checkId}`.execute(ctx.db)
}
