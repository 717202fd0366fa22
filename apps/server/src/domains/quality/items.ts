import type { PatrolAction } from '@zhugong/contract/checks/patrol-moves'
import type { ParsedFor } from '@zhugong/contract/kit/endpoint'
import { AppError } from '@zhugong/contract/kit/errors'
import type { createQualityCheck, QualityItem } from '@zhugong/contract/quality/inspection'
import { itemFault } from '@zhugong/contract/quality/inspection-moves'
import { dictionaryOf, dictName } from '@zhugong/contract/settings/dictionaries'
import { sql } from 'kysely'
import type { Context } from '#kit/context'
import type { Row } from '#kit/db'

type Check = Row<'siteCheck'>
/** What the checker writes. */
export type QualityFields = Omit<ParsedFor<typeof createQualityCheck>['body'], 'id' | 'action'>

/**
 * Replaces what a check looked at.
 * @throws AppError `invalidInput` when it is submitted and items and problems do not fit
 */
export async function writeItems(ctx: Context, check: Check, { items, problems }: QualityFields, action: PatrolAction): Promise<void> {
  const fault = action === 'submit' ? itemFault(items, problems) : undefined
  if (fault) throw new AppError('invalidInput', fault.message, { field: fault.field })
  await sql`delete from quality_check_item where check_id = ${check.id}`.execute(ctx.db)
  const { id: checkId, projectCode, corpCode, groups } = check
  const shownAt = action === 'submit' ? new Date(ctx.clock.now()) : null
  const rows = items.map((item, at) => ({ checkId, projectCode, corpCode, groups, shownAt, seq: at + 1, ...item }))
  if (rows.length > 0) await ctx.db.insertInto('qualityCheckItem').values(rows).execute()
}

const groupOf = new Map(
  (dictionaryOf('qualityCheckItem')?.items ?? []).map((one) => [one.code, (one as { parent?: string }).parent ?? one.code]),
)
export const itemName = (code: string): string => dictName('qualityCheckItem', code) ?? code

export async function itemsOf(ctx: Pick<Context, 'db'>, checkId: string): Promise<QualityItem[]> {
  const { rows } = await sql<Row<'qualityCheckItem'>>`select * from quality_check_item where check_id = ${checkId} order by seq`.execute(
    ctx.db,
  )
  return rows.map(({ itemCode, result, measured, standard, note }) => ({
    itemCode,
    name: itemName(itemCode),
    groupName: itemName(groupOf.get(itemCode) ?? itemCode),
    result,
    resultName: dictName('itemResult', result) ?? result,
    measured,
    standard,
    note,
  }))
}
