import { disciplines, type UnitInput } from '@zhugong/contract/daychecks/moves'
import { AppError } from '@zhugong/contract/kit/errors'
import { sql } from 'kysely'
import type { Context } from '#kit/context'
import { isUniqueViolation, type Row } from '#kit/db'
import {
  insertSheet,
  itemsForSheets,
  type NewItem,
  proposalFor,
  qualityItems,
  qualitySheets,
  sheetName,
  sheetOf,
  standardSheets,
} from '../scoring/public.ts'
import type { DayCheck } from './day-check.ts'

/** Sheets about the project as a whole; the others are filled in for each unit. */
const ofWholeProject: ReadonlySet<string> = new Set(['01', '02', '04', '07', '10', 'Q20', 'Q21'])
/** The quality sheet of each phase (dictionary projectPhase). */
const sheetOfPhase: Readonly<Record<string, string>> = { 2: 'Q01', 3: 'Q02', 4: 'Q03', 5: 'Q04', 6: 'Q03' }
/** Name of the part that concerns no unit. */
export const wholeProject = '项目整体'
/** Units proposed for one visit; more are added on the site. */
const mostProposed = 8
/** 施工准备 and 已竣工 in dictionary projectPhase: nothing to check in such a unit. */
const idlePhases = ['1', '7']

export interface ProposedSheet {
  code: string
  name: string
  whole: boolean
  proposed: boolean
  why: string | null
}

/** Every sheet of the disciplines, with whether it fits the site: no crane sheet where no crane stands. */
export async function proposedSheets(
  ctx: Pick<Context, 'db'>,
  projectCode: string,
  discipline: readonly string[],
): Promise<ProposedSheet[]> {
  const machines = await sql<{ family: string; n: number }>`select family, count(*)::int as n from device
    where project_code = ${projectCode} and status = '1' group by 1`.execute(ctx.db)
  const counted = new Map(machines.rows.map(({ family, n }) => [family, n]))
  const phases = await sql<{
    phase: string | null
  }>`select distinct phase from (select phase from unit_project where project_code = ${projectCode}
    union all select phase from project where project_code = ${projectCode}) p`.execute(ctx.db)
  const reached = new Set(phases.rows.map(({ phase }) => sheetOfPhase[phase ?? '']))
  const whole = (code: string) => ofWholeProject.has(code)
  const isQuality = discipline.includes(disciplines.quality)
  const isSafety = discipline.some((one) => one !== disciplines.quality)
  return [
    ...(isSafety ? standardSheets : []).map(({ code, category }) => ({
      code,
      name: sheetName(code),
      whole: whole(code),
      ...proposalFor(code, category, counted),
    })),
    ...(isQuality ? qualitySheets : []).map(({ code, name }) => ({
      code,
      name,
      whole: whole(code),
      proposed: whole(code) || reached.has(code),
      why: whole(code) || reached.has(code) ? null : '现场尚未进入该分部',
    })),
  ]
}

/** The units of a new check: the project as a whole, and every unit under construction. */
export async function proposedUnits(ctx: Pick<Context, 'db'>, row: DayCheck): Promise<UnitInput[]> {
  const sheets =
    row.template ?? (await proposedSheets(ctx, row.projectCode, row.discipline)).flatMap((one) => (one.proposed ? one.code : []))
  const { rows } = await sql<Pick<Row<'unitProject'>, 'id' | 'phase'>>`select id, phase from unit_project
    where project_code = ${row.projectCode} and (phase is null or phase <> all (${idlePhases})) order by seq limit ${mostProposed}`.execute(
    ctx.db,
  )
  const whole = sheets.filter((code) => ofWholeProject.has(code))
  const each = sheets.filter((code) => !ofWholeProject.has(code))
  const units = rows.map(({ id, phase }) => {
    const own = each.filter(
      (code) => !Object.values(sheetOfPhase).includes(code) || row.template !== null || sheetOfPhase[phase ?? ''] === code,
    )
    return { unitId: id, name: '', sheets: own }
  })
  // A site that has registered no units is checked as one.
  const first = { unitId: null, name: wholeProject, sheets: rows.length > 0 ? whole : sheets }
  return [first, ...units].filter((one) => one.sheets.length > 0)
}

/**
 * Adds a unit with the items of the library as it is now. @returns its id
 * @throws AppError `invalidInput` at `unitId`, `name` or `sheets`
 */
export async function addUnit(ctx: Context, row: DayCheck, given: UnitInput): Promise<string> {
  const strange = given.sheets.find((code) => !sheetOf(code))
  if (strange) throw new AppError('invalidInput', '没有这张检查表', { field: 'sheets' })
  const name = await nameOf(ctx, row, given)
  const { id: checkId, projectCode, corpCode, shownAt, groups } = row
  const id = given.id ?? ctx.newId()
  await ctx.db
    .insertInto('dayCheckUnit')
    .values({
      id,
      checkId,
      projectCode,
      corpCode,
      shownAt,
      groups,
      seq: sql<number>`(select coalesce(max(u.seq), 0) + 1 from day_check_unit u where u.check_id = ${checkId})`,
      unitId: given.unitId ?? null,
      name,
      doneAt: null,
      doneBy: null,
      savedBy: null,
      savedAt: null,
      lastAct: null,
    })
    .execute()
    .catch((error: unknown) => {
      throw isUniqueViolation(error) ? new AppError('refused', `${name}已在本次检查中`, { field: 'unitId' }) : error
    })
  const items = await itemsOf(ctx, given.sheets)
  for (const [seq, sheetCode] of given.sheets.entries())
    await insertSheet(ctx, row, { seq, sheetCode, label: '', assignee: null, taskId: id }, items.get(sheetCode) ?? [])
  return id
}

async function nameOf(ctx: Context, row: DayCheck, { unitId, name }: UnitInput): Promise<string> {
  if (!unitId) {
    if (!name) throw new AppError('invalidInput', '请填写单体名称', { field: 'name' })
    return name
  }
  const { rows } = await sql<{
    name: string
  }>`select name from unit_project where id = ${unitId} and project_code = ${row.projectCode}`.execute(ctx.db)
  if (!rows[0]) throw new AppError('invalidInput', '单体不属于该项目', { field: 'unitId' })
  return rows[0].name
}

async function itemsOf(ctx: Context, sheets: readonly string[]): Promise<Map<string, NewItem[]>> {
  const safety = await itemsForSheets(ctx, 'safety', sheets)
  const quality = qualityItems.map(({ code, name, sheet, guarantee, maxScore }) => ({
    id: null,
    itemCode: code,
    name,
    sheetCode: sheet,
    guarantee,
    maxScore,
    clause: null,
    rule: null,
  }))
  return Map.groupBy<string, NewItem & { sheetCode: string }>([...safety, ...quality], ({ sheetCode }) => sheetCode)
}
