import type { PatrolAction } from '@zhugong/contract/checks/patrol-moves'
import type { createCivilCheck } from '@zhugong/contract/civil/inspection'
import { areaName, type CivilPointResult, scoreCivil } from '@zhugong/contract/civil/score'
import type { ParsedFor } from '@zhugong/contract/kit/endpoint'
import { AppError } from '@zhugong/contract/kit/errors'
import { itemResults } from '@zhugong/contract/scoring/score'
import { sql } from 'kysely'
import { formatDay } from '#kit/clock'
import type { Context } from '#kit/context'
import type { Row } from '#kit/db'
import type { PatrolFields } from '../checks/public.ts'
import { fileIdsOf, keptFiles } from '../files/public.ts'
import { beginScore, freezeScore, insertSheet, markSaved, type StoredSheet, sheetsOf, showSheets, writeResults } from '../scoring/public.ts'
import { itemsFor, prefix, standardName, versionFor } from './library.ts'
import { itemsAt, pointsOf } from './points.ts'

type Check = Row<'siteCheck'>
type Given = Omit<ParsedFor<typeof createCivilCheck>['body'], 'id' | 'action'>
/** What the checker writes, with what a walk does not ask for. */
export type CivilFields = Given & PatrolFields
export const fieldsOf = (given: Given): CivilFields => ({ ...given, part: wholeSite, placeId: null, photos: [] })
const wholeSite = '全场'

const refuse = (field: string, message: string) => new AppError('invalidInput', message, { field })

/**
 * Stores the points of a walk: what a point is judged by was fixed when it was first stored.
 * @throws AppError `invalidInput` at the point when it is submitted and not whole
 */
export async function writePoints(ctx: Context, check: Check, { points, problems }: CivilFields, action: PatrolAction): Promise<void> {
  const walk = await walkOf(ctx, check)
  const site = await pointsOf(ctx, check.projectCode)
  const stored = await sheetsOf(ctx, check.id)
  const { rows: shots } = await sql<Row<'civilShot'>>`select * from civil_shot where check_id = ${check.id}`.execute(ctx.db)
  const sheetAt = new Map(shots.map((one) => [one.pointId, stored.find(({ sheet }) => sheet.id === one.sheetId)]))
  const all = await itemsFor(ctx, check.projectCode, walk.versionId)
  const seen = new Set<string>()
  for (const [at, given] of points.entries()) {
    const field = (name: string) => `points.${at}.${name}`
    const point = site.find((one) => one.id === given.pointId)
    if (!point || seen.has(given.pointId)) throw refuse(field('pointId'), point ? '点位重复' : '点位不存在或已停用')
    seen.add(given.pointId)
    const known = sheetAt.get(point.id) ?? (await addSheet(ctx, check, point, at, itemsAt(point, all)))
    if (action === 'submit') requireWhole(given, known, problems, point.name, field)
    const before = shots.find((one) => one.pointId === point.id)?.photos ?? []
    const photos = await keptFiles(ctx, fileIdsOf(given.photos), before, field('photos'))
    const judged = given.items.map((one) => ({
      ...one,
      photos: [],
      reason: one.result === itemResults.notApplicable ? (one.note ?? '不涉及') : null,
    }))
    await writeResults(ctx, known.sheet, judged, (i) => field(`items.${i}`))
    await markSaved(ctx, known.sheet, given.skipped)
    await sql`update civil_shot set photos = ${photos}, note = ${given.note} where sheet_id = ${known.sheet.id}`.execute(ctx.db)
  }
  if (action === 'submit')
    await freeze(
      ctx,
      check,
      site.filter((one) => !seen.has(one.id)).map((one) => one.name),
    )
}

/** The standard that the walk began with; the first time the one in force. */
async function walkOf(ctx: Context, check: Check): Promise<Row<'civilWalk'>> {
  const find = async () => (await sql<Row<'civilWalk'>>`select * from civil_walk where check_id = ${check.id}`.execute(ctx.db)).rows[0]
  const known = await find()
  if (known) return known
  const version = await versionFor(ctx, check.projectCode, formatDay(ctx.clock.now()))
  const { id: checkId, projectCode, corpCode, shownAt, groups } = check
  const row = {
    checkId,
    projectCode,
    corpCode,
    shownAt,
    groups,
    versionId: version?.id ?? null,
    versionName: version?.name ?? standardName,
  }
  await ctx.db.insertInto('civilWalk').values(row).execute()
  await beginScore(ctx, check)
  return row
}

type Point = Awaited<ReturnType<typeof pointsOf>>[number]
async function addSheet(ctx: Context, check: Check, point: Point, seq: number, items: ReturnType<typeof itemsAt>): Promise<StoredSheet> {
  // The name keeps points of one area apart.
  const sheet = { seq, sheetCode: `${prefix}-${point.area}`, label: point.name, assignee: null, taskId: null }
  const rows = items.map(({ id, itemCode, name, maxScore, clause, rule }) => ({
    id,
    itemCode,
    name,
    maxScore,
    guarantee: false,
    clause,
    rule,
  }))
  if (rows.length === 0) throw refuse('points', `点位“${point.name}”没有检查项，请在检查项中启用`)
  await insertSheet(ctx, check, sheet, rows)
  const stored = (await sheetsOf(ctx, check.id)).find((one) => one.sheet.sheetCode === sheet.sheetCode && one.sheet.label === sheet.label)
  if (!stored) throw new Error('the sheet was not stored')
  const { id: checkId, projectCode, corpCode, shownAt, groups } = check
  await ctx.db
    .insertInto('civilShot')
    .values({ sheetId: stored.sheet.id, checkId, pointId: point.id, projectCode, corpCode, shownAt, groups, note: null })
    .execute()
  return stored
}

function requireWhole(
  { skipped, photos, items }: Given['points'][number],
  { results }: StoredSheet,
  problems: Given['problems'],
  name: string,
  field: (name: string) => string,
): void {
  if (skipped !== null) return
  if (photos.length === 0) throw refuse(field('photos'), `点位“${name}”还没有照片`)
  for (const known of results) {
    const at = items.findIndex((one) => one.itemCode === known.itemCode)
    const result = items[at]?.result ?? known.result
    if (result === itemResults.unchecked) throw refuse(field('items'), `点位“${name}”的“${known.name}”还没有结果`)
    if (result === itemResults.wrong && !problems.some((one) => one.itemCode === known.itemCode && one.part === name))
      throw refuse(field('items'), `点位“${name}”的“${known.name}”不合格，须写明责任人和期限`)
  }
}

/** Keeps the score as it stands. @throws AppError when points of the site were neither walked nor skipped with a reason */
async function freeze(ctx: Context, check: Check, missing: readonly string[]): Promise<void> {
  if (missing.length > 0)
    throw refuse('points', `还有 ${missing.length} 个点位没有走：${missing.slice(0, 5).join('、')}，请检查或填写跳过原因`)
  const score = scoreOf(await sheetsOf(ctx, check.id))
  if (score.score === null) throw new AppError('refused', '所有点位都没有检查，没有可提交的得分')
  const categories = score.areas.map(({ code, got, full, score: own }) => ({
    code,
    name: areaName(code),
    weight: Math.round((full / score.full) * 100),
    score: own,
    points: Math.round((got / score.full) * 10_000) / 100,
  }))
  const worst = categories.filter((one) => (one.score ?? 100) < 100).sort((a, b) => (a.score ?? 0) - (b.score ?? 0))[0] ?? null
  await freezeScore(ctx, check, {
    score: score.score,
    grade: null,
    reason: `应得 ${score.full} 分，实得 ${score.got} 分`,
    categories,
    weakest: worst,
  })
  const shownAt = new Date(ctx.clock.now())
  await showSheets(ctx, check.id, shownAt)
  for (const table of ['civil_walk', 'civil_shot'])
    await sql`update ${sql.table(table)} set shown_at = ${shownAt} where check_id = ${check.id}`.execute(ctx.db)
}

const areaOf = (sheetCode: string): string => sheetCode.slice(prefix.length + 1)
export const scoreOf = (sheets: readonly StoredSheet[]) =>
  scoreCivil(
    sheets.map(
      ({ sheet, results }): CivilPointResult => ({ area: areaOf(sheet.sheetCode), skipped: sheet.notApplicable !== null, items: results }),
    ),
  )
