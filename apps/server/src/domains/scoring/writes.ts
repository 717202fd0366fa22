import type { ParsedFor } from '@zhugong/contract/kit/endpoint'
import { AppError } from '@zhugong/contract/kit/errors'
import { parseInstant } from '@zhugong/contract/kit/fields'
import { majorLevel } from '@zhugong/contract/rectify/moves'
import type { changeInspection, createInspection } from '@zhugong/contract/scoring/inspections'
import type { SheetInput } from '@zhugong/contract/scoring/moves'
import { itemResults, mustBeIssued } from '@zhugong/contract/scoring/score'
import { sql } from 'kysely'
import { changedMeanwhile } from '#kit/change-row'
import type { Context } from '#kit/context'
import type { Row } from '#kit/db'
import { issueProblems, showProblems, writeProblems } from '../checks/public.ts'
import { drawNumber, type Outcome } from '../process/public.ts'
import { itemsForSheets } from './items.ts'
import type { Inspection } from './kind.ts'
import { disclosed, freezeScore, insertSheet, markSaved, showSheets, writeResults } from './sheet-writes.ts'
import { scoreOf, sheetsOf } from './sheets.ts'
import { sheetOf, sheetTitle } from './standard.ts'

type Body = ParsedFor<typeof changeInspection>['body']
export type BodyOf<A extends Body['action']> = Extract<Body, { action: A }>
type Task = Omit<ParsedFor<typeof createInspection>['body'], 'id'>

/** Clocks of devices differ; more than this ahead is a mistake. */
const aheadMs = 5 * 60_000

/** The columns of the task. @throws AppError `invalidInput` */
export function taskValues(ctx: Pick<Context, 'clock'>, { inspectType, checkTime, checkers, part, remark, sheets }: Task) {
  const at = parseInstant(checkTime) ?? 0
  if (at > ctx.clock.now() + aheadMs) throw new AppError('invalidInput', '检查时间不能晚于现在', { field: 'checkTime' })
  if (new Set(checkers).size < checkers.length) throw new AppError('invalidInput', '检查人重复', { field: 'checkers' })
  const seen = new Set<string>()
  for (const [at, sheet] of sheets.entries()) {
    const field = (name: string) => `sheets.${at}.${name}`
    if (!sheetOf(sheet.sheetCode)) throw new AppError('invalidInput', '没有这张检查表', { field: field('sheetCode') })
    if (sheet.assignee && !checkers.includes(sheet.assignee))
      throw new AppError('invalidInput', `${sheet.assignee}不在检查人之列`, { field: field('assignee') })
    const key = `${sheet.sheetCode} ${sheet.label}`
    if (seen.has(key)) throw new AppError('invalidInput', `${sheetTitle(sheet)}重复，请写明各自的对象`, { field: field('label') })
    seen.add(key)
  }
  return { inspectType, checkTime: new Date(at), checkers, part, remark: remark ?? null }
}

/**
 * Brings the sheets of an inspection to those of the task: new ones with the items of the library as it is now, others keep theirs.
 * @throws AppError `refused` when a sheet that has results would be dropped
 */
export async function writeSheets(ctx: Context, check: Row<'siteCheck'>, given: readonly SheetInput[]): Promise<void> {
  const before = await sheetsOf(ctx, check.id)
  const kept = new Map(before.map((one) => [one.sheet.id, one]))
  const strange = given.findIndex(({ id, sheetCode }) => id && kept.get(id)?.sheet.sheetCode !== sheetCode)
  if (strange >= 0) throw new AppError('invalidInput', '检查表不属于这次检查，请刷新', { field: `sheets.${strange}.id` })
  const wanted = new Set(given.map(({ id }) => id))
  for (const { sheet, results } of before.filter((one) => !wanted.has(one.sheet.id))) {
    if (results.some((one) => one.result !== itemResults.unchecked))
      throw new AppError('refused', `${sheetTitle(sheet)}已有检查结果，不能移出；可整表标为不涉及`, { field: 'sheets' })
    await sql`delete from check_sheet where id = ${sheet.id}`.execute(ctx.db)
  }
  const items = Map.groupBy(
    await itemsForSheets(ctx, 'safety', [...new Set(given.map(({ sheetCode }) => sheetCode))]),
    ({ sheetCode }) => sheetCode,
  )
  for (const [seq, { id, sheetCode, label, assignee }] of given.entries()) {
    if (id) {
      await sql`update check_sheet set seq = ${seq}, label = ${label}, assignee = ${assignee ?? null} where id = ${id}`.execute(ctx.db)
      continue
    }
    await insertSheet(ctx, check, { seq, sheetCode, label, assignee: assignee ?? null, taskId: null }, items.get(sheetCode) ?? [])
  }
}

/**
 * Writes one sheet: only the items that are given. Its own version decides, so that two people on two sheets do not meet and two on one
 * sheet do not overwrite each other.
 * @throws AppError `conflict` when the sheet was saved meanwhile; `invalidInput` at `items.N.field`
 */
export async function saveSheet(ctx: Context, check: Inspection, body: BodyOf<'saveSheet'>): Promise<void> {
  const { rows: sheets } = await sql<Row<'checkSheet'>>`select * from check_sheet where id = ${body.sheetId} and check_id = ${check.id}
    for update`.execute(ctx.db)
  const sheet = sheets[0]
  if (!sheet) throw new AppError('notFound', '检查表不存在或已移出')
  if (sheet.version !== body.version) throw changedMeanwhile(sheetTitle(sheet), { by: sheet.savedBy ?? '他人', version: sheet.version })
  await writeResults(ctx, sheet, body.items, (at) => `items.${at}`)
  await markSaved(ctx, sheet, body.notApplicable ?? null)
}

const words = { category: '01', noticeType: '2' }
const closed = '7'
const issued = '1'

/**
 * Freezes the score, shows the inspection to the site, and turns its problems into notices.
 * @throws AppError `invalidInput` when an item that lost half of its marks has no problem
 */
export async function submitInspection(ctx: Context, check: Inspection, { problems }: BodyOf<'submit'>): Promise<Outcome<Inspection>> {
  const sheets = await sheetsOf(ctx, check.id)
  const grave = sheets.flatMap(({ sheet, results }) => (sheet.notApplicable === null ? results.filter(mustBeIssued) : []))
  const missing = grave.find((one) => !problems.some(({ itemCode }) => itemCode === one.itemCode))
  if (missing) throw new AppError('invalidInput', `“${missing.name}”失分过半，须下发整改，请写明问题和责任单位`, { field: 'problems' })
  const score = scoreOf(sheets)
  if (score.score === null) throw new AppError('refused', '所有检查表都不涉及，没有可提交的得分')
  const shownAt = new Date(ctx.clock.now())
  await freezeScore(ctx, check, score)
  const submitted = { ...check, shownAt }
  await writeProblems(ctx, submitted, problems)
  await showSheets(ctx, check.id, shownAt)
  await showProblems(ctx, check, shownAt)
  const notices = await issueProblems(ctx, submitted, words)
  const mended = problems.every((one) => one.mended)
  const major = problems.some((one) => one.dangerLevel === majorLevel)
  const values = {
    shownAt,
    problemCount: problems.length,
    dangerLevel: major ? majorLevel : (problems[0]?.dangerLevel ?? null),
    code: await numberOf(ctx, check.projectCode),
  }
  const opinion = `${score.reason}${notices ? `；下发整改 ${notices} 份` : ''}`
  return { to: problems.length === 0 || mended ? closed : issued, values, opinion }
}

/** For example 东湾-XJ-2026-003. */
async function numberOf(ctx: Context, projectCode: string): Promise<string> {
  const { rows } = await sql<{ name: string }>`select coalesce(short_name, name) as name from project
    where project_code = ${projectCode}`.execute(ctx.db)
  const { year, no } = await drawNumber(ctx, projectCode, 'XJ')
  return `${rows[0]?.name ?? projectCode}-XJ-${year}-${String(no).padStart(3, '0')}`
}

export async function writeSign(ctx: Context, check: Inspection, side: 'site' | 'supervisor', opinion: string): Promise<void> {
  await ctx.db
    .insertInto('checkSign')
    .values({
      checkId: check.id,
      side,
      ...disclosed(check),
      byId: ctx.user.id,
      name: ctx.user.name,
      groupName: ctx.group.name,
      opinion,
      at: new Date(ctx.clock.now()),
    })
    .execute()
}
