import type { changeDayCheck } from '@zhugong/contract/daychecks/calls'
import { dayCheckStates, disciplines, farFromFenceM, leastOfficers } from '@zhugong/contract/daychecks/moves'
import type { ParsedFor } from '@zhugong/contract/kit/endpoint'
import { AppError } from '@zhugong/contract/kit/errors'
import { parseInstant } from '@zhugong/contract/kit/fields'
import type { Fence } from '@zhugong/contract/organisation/fence'
import { majorLevel } from '@zhugong/contract/rectify/moves'
import { itemResults, mustBeIssued } from '@zhugong/contract/scoring/score'
import { sql } from 'kysely'
import { changedMeanwhile, changeRow } from '#kit/change-row'
import type { Context } from '#kit/context'
import type { Row } from '#kit/db'
import { metresOutside } from '#kit/fence'
import { pick } from '#kit/pick'
import { keyPostPresence, runningDay } from '../attendance/public.ts'
import { changeCheck, issueProblems, showCheck, showProblems, widenCheck, writeProblems } from '../checks/public.ts'
import { fileIdsOf, keptFiles, showPhotoUses, usePhotos } from '../files/public.ts'
import { drawNumber, fillSeat, type Outcome, widenRecord } from '../process/public.ts'
import { freezeScore, markSaved, scoreOf, sheetsOf, showSheets, widenSheets, writeResults } from '../scoring/public.ts'
import { authoritiesOf } from './create.ts'
import type { DayCheck } from './day-check.ts'
import { ownSheets } from './followers.ts'
import { dayCheckType } from './kind.ts'
import { dayCheckSeats } from './seats.ts'

export type Body = ParsedFor<typeof changeDayCheck>['body']
export type BodyOf<A extends Body['action']> = Extract<Body, { action: A }>
type Content = Pick<BodyOf<'submit'>, 'progress' | 'conclusion' | 'summary' | 'problems'>

/** Clocks of devices differ; more than this ahead is a mistake. */
const aheadMs = 5 * 60_000
/** A check-in that waited on the device is dated by it, back to this long ago. */
const mostDelayMs = 72 * 3_600_000

/**
 * Arrival: position and distance to the fence, photographs, and who of the key posts is on the site at this minute. The authorities of the
 * area learn of a surprise now.
 * @throws AppError `invalidInput` at `abnormalReason` when the position is far away or unknown and no reason is given
 */
export async function checkIn(ctx: Context, row: DayCheck, body: BodyOf<'checkIn'>): Promise<Outcome<DayCheck>> {
  const now = ctx.clock.now()
  const given = body.at ? (parseInstant(body.at) ?? now) : now
  if (given > now + aheadMs) throw new AppError('invalidInput', '签到时间不能晚于现在', { field: 'at' })
  if (given < now - mostDelayMs) throw new AppError('invalidInput', '签到时间过早，请重新签到', { field: 'at' })
  const at = Math.min(given, now)
  const position = body.lng != null && body.lat != null ? { lng: body.lng, lat: body.lat } : null
  const { rows } = await sql<{ areaRule: Fence | null }>`select area_rule from project where project_code = ${row.projectCode}`.execute(
    ctx.db,
  )
  const outside = position ? metresOutside(rows[0]?.areaRule, position) : null
  const abnormal = position === null || (outside !== null && outside > farFromFenceM)
  if (abnormal && !body.abnormalReason)
    throw new AppError('invalidInput', position ? `距项目围栏 ${outside} 米，请说明原因` : '未取得定位，请说明原因', {
      field: 'abnormalReason',
    })
  const photos = await keptFiles(ctx, fileIdsOf(body.photos), [], 'photos')
  const groups = row.surprise ? [...new Set([...row.groups, ...(await authoritiesOf(ctx, row.projectCode))])] : row.groups
  await widen(ctx, row, groups)
  const { id: objectId, projectCode, corpCode, shownAt } = row
  await usePhotos(ctx, { kind: '检查', objectId, stage: 'arrival', projectCode, corpCode, shownAt, groups, files: photos })
  await changeCheck(ctx, row.id, { checkTime: new Date(at) })
  const posts = await keyPostPresence(ctx.db, projectCode, await runningDay(ctx, projectCode), at)
  if (posts.length > 0)
    await ctx.db
      .insertInto('dayCheckPresence')
      .values(posts.map((one, seq) => ({ checkId: row.id, seq, projectCode, corpCode, shownAt, groups: [...groups], ...one })))
      .execute()
  const values = {
    groups: [...groups],
    checkInAt: new Date(at),
    checkInBy: ctx.user.name,
    checkInLng: position?.lng ?? null,
    checkInLat: position?.lat ?? null,
    outsideM: outside,
    locationAbnormal: abnormal,
    abnormalReason: abnormal ? (body.abnormalReason ?? null) : null,
    checkInPhotos: photos,
    progress: body.progress ?? null,
    lastAct: body.actKey ?? null,
  }
  return { values, opinion: abnormal ? `签到异常：${body.abnormalReason}` : null }
}

/** Lets further groups know of a check and all that belongs to it. */
async function widen(ctx: Context, row: DayCheck, groups: readonly string[]): Promise<void> {
  if (groups.length === row.groups.length) return
  await widenCheck(ctx, row.id, groups)
  await widenSheets(ctx, row.id, groups)
  await widenRecord(ctx, dayCheckType, row.id, groups)
  await sql`update day_check_unit set groups = ${[...groups]} where check_id = ${row.id}`.execute(ctx.db)
}

const siteCheckOf = async (ctx: Pick<Context, 'db'>, id: string): Promise<Row<'siteCheck'>> => {
  const { rows } = await sql<Row<'siteCheck'>>`select * from site_check where id = ${id}`.execute(ctx.db)
  const [check] = rows
  if (!check) throw new AppError('notFound', '检查不存在或已删除')
  return check
}

/** Problems and words of a running check. */
export async function saveContent(ctx: Context, row: DayCheck, content: Content): Promise<Partial<DayCheck>> {
  await changeCheck(ctx, row.id, { remark: content.summary ?? null })
  await writeProblems(ctx, await siteCheckOf(ctx, row.id), content.problems)
  return { progress: content.progress ?? row.progress, conclusion: content.conclusion ?? null }
}

/**
 * Writes the items of one unit. Its own version decides, so that two officers in two units do not meet.
 * @throws AppError `conflict` when the unit was saved meanwhile; `invalidInput` at `items.N.field`, also for a failed item without photo or
 * words
 */
export async function saveUnit(ctx: Context, row: DayCheck, body: BodyOf<'saveUnit'>): Promise<void> {
  const { rows } = await sql<Row<'dayCheckUnit'>>`select * from day_check_unit where id = ${body.taskId} and check_id = ${row.id}
    for update`.execute(ctx.db)
  const unit = rows[0]
  if (!unit) throw new AppError('notFound', '受检单体不存在或已移出')
  if (body.actKey && unit.lastAct === body.actKey) return
  const own = await ownSheets(ctx, row)
  const inUnit = (await sheetsOf(ctx, row.id)).filter(({ sheet }) => sheet.taskId === unit.id)
  const sheets = inUnit.filter(({ sheet }) => own?.has(sheet.sheetCode) ?? true)
  // Where each has sheets of his own, only another on the same sheets is met.
  const met = own === undefined || sheets.some(({ sheet }) => sheet.savedBy !== null && sheet.savedBy !== ctx.user.name)
  if (unit.version !== body.version && met) throw changedMeanwhile(unit.name, { by: unit.savedBy ?? '他人', version: unit.version })
  const reasons = new Map(body.notApplicable.map((one) => [one.sheetId, one.reason]))
  const strange = [...body.items, ...body.notApplicable].find(({ sheetId }) => !inUnit.some(({ sheet }) => sheet.id === sheetId))
  if (strange) throw new AppError('invalidInput', '检查表不属于该单体，请刷新', { field: 'items' })
  for (const [at, item] of body.items.entries()) {
    if (item.result === itemResults.wrong && item.photos.length === 0 && !item.note)
      throw new AppError('invalidInput', '不合格的检查项须附照片或写明问题', { field: `items.${at}.note` })
  }
  for (const { sheet } of sheets) {
    const given = body.items.map((item, at) => ({ item, at })).filter(({ item }) => item.sheetId === sheet.id)
    await writeResults(
      ctx,
      sheet,
      given.map(({ item }) => item),
      (i) => `items.${given[i]?.at ?? i}`,
    )
    await markSaved(ctx, sheet, reasons.get(sheet.id) ?? null)
  }
  if (body.done) await requireDone(ctx, row, unit)
  const now = new Date(ctx.clock.now())
  const done = { doneAt: body.done ? now : null, doneBy: body.done ? ctx.user.name : null }
  const values = { savedBy: ctx.user.name, savedAt: now, ...done, lastAct: body.actKey ?? null }
  await changeRow(ctx, 'dayCheckUnit', { key: { id: unit.id }, version: null, noun: '单体检查', values })
}

async function requireDone(ctx: Context, row: DayCheck, unit: Row<'dayCheckUnit'>): Promise<void> {
  const sheets = (await sheetsOf(ctx, row.id)).filter(({ sheet }) => sheet.taskId === unit.id && sheet.notApplicable === null)
  const open = sheets.flatMap(({ results }) => results.filter((one) => one.result === itemResults.unchecked))
  if (open.length > 0) throw new AppError('refused', `${unit.name}还有 ${open.length} 项未检查`, { field: 'done' })
}

/** Signs off one discipline of a group's check; a repeated one keeps the first. */
export async function writeDiscipline(ctx: Context, row: DayCheck, { discipline }: BodyOf<'submitDiscipline'>): Promise<void> {
  if (!row.discipline.includes(discipline)) throw new AppError('invalidInput', '该专业不在本次检查之列', { field: 'discipline' })
  const { id: checkId, projectCode, corpCode, shownAt, groups } = row
  const values = { checkId, discipline, projectCode, corpCode, shownAt, groups, byId: ctx.user.id, byName: ctx.user.name }
  await ctx.db
    .insertInto('dayCheckDiscipline')
    .values({ ...values, at: new Date(ctx.clock.now()) })
    .onConflict((on) => on.columns(['checkId', 'discipline']).doNothing())
    .execute()
}

/** Conclusions of dictionary checkResult. */
const conclusions = { fine: '1', mended: '2', term: '3', stop: '4' } as const
const stopTypes = ['3', '4']

/**
 * Freezes the score, issues the notices, and shows the check to the site.
 * @throws AppError `invalidInput` when an item that lost half of its marks has no problem, the conclusion is missing or does not fit the
 * problems, or fewer than two officers have signed
 */
export async function submitCheck(ctx: Context, row: DayCheck, body: BodyOf<'submit'>): Promise<Outcome<DayCheck>> {
  const { problems, conclusion } = body
  if (!body.progress && !row.progress) throw new AppError('invalidInput', '请选择形象进度', { field: 'progress' })
  if (!conclusion) throw new AppError('invalidInput', '请选择检查结论', { field: 'conclusion' })
  const refuse = (message: string) => new AppError('invalidInput', message, { field: 'conclusion' })
  if (problems.length > 0 && conclusion === conclusions.fine) throw refuse('有问题时结论不能为“符合要求”')
  if (problems.length === 0 && conclusion !== conclusions.fine) throw refuse('没有问题时结论应为“符合要求”')
  const stops = problems.some((one) => one.noticeType && stopTypes.includes(one.noticeType))
  if (stops !== (conclusion === conclusions.stop))
    throw refuse(stops ? '有停工整改时结论应为“停工整改”' : '没有停工整改通知，结论不能为“停工整改”')
  const signed = body.signatures.filter(({ seat }) => seat.startsWith('checker')).length
  if (signed < leastOfficers) throw new AppError('invalidInput', `须有至少 ${leastOfficers} 名检查人员签名`, { field: 'signatures' })
  const sheets = await sheetsOf(ctx, row.id)
  const grave = sheets.flatMap(({ sheet, results }) =>
    sheet.notApplicable === null ? results.filter((one) => one.maxScore > 0 && mustBeIssued(one)) : [],
  )
  const missing = grave.find((one) => !problems.some(({ itemCode }) => itemCode === one.itemCode))
  if (missing) throw new AppError('invalidInput', `“${missing.name}”失分过半，须列为问题并下发整改`, { field: 'problems' })
  const values = await saveContent(ctx, row, body)
  const score = scoreOf(sheets)
  const shownAt = new Date(ctx.clock.now())
  await freezeScore(ctx, row, score)
  const code = await numberOf(ctx, row)
  const major = problems.some((one) => one.dangerLevel === majorLevel)
  const mended = problems.every((one) => one.mended)
  await showCheck(ctx, row.id, {
    code,
    state: mended ? '7' : '1',
    shownAt,
    problemCount: problems.length,
    dangerLevel: major ? majorLevel : (problems[0]?.dangerLevel ?? null),
  })
  await showSheets(ctx, row.id, shownAt)
  await showProblems(ctx, row, shownAt)
  await showPhotoUses(ctx, row.id, shownAt)
  for (const table of ['day_check_unit', 'day_check_presence', 'day_check_discipline'])
    await sql`update ${sql.table(table)} set shown_at = ${shownAt} where check_id = ${row.id}`.execute(ctx.db)
  const check = await siteCheckOf(ctx, row.id)
  const notices = await issueProblems(ctx, check, { category: categoryOf(row), noticeType: '2' })
  const opinion = [score.score === null ? null : score.reason, notices ? `下发整改 ${notices} 份` : '未发现问题'].filter(Boolean).join('；')
  return {
    to: notices === 0 ? dayCheckStates.clean : mended ? dayCheckStates.closed : dayCheckStates.rectifying,
    values: { ...values, shownAt, submitAt: shownAt, code, lastAct: body.actKey ?? null },
    opinion,
  }
}

/** Dictionary rectifyCategory by the first discipline of the check. */
const categories: Readonly<Record<string, string>> = { 1: '01', 2: '02', 3: '06', 4: '05', 5: '07', 6: '08' }
const categoryOf = ({ discipline }: DayCheck): string => categories[discipline[0] ?? ''] ?? '99'

/** For example 滨江区安监站监查〔2026〕第0012号; numbered by institution. */
async function numberOf(ctx: Context, row: DayCheck): Promise<string> {
  const { year, no } = await drawNumber(ctx, ctx.group.id, docTypeOf(row))
  return `${ctx.group.name}监查〔${year}〕第${String(no).padStart(4, '0')}号`
}

/** The printed record (dictionary superviseDocType): 104 where quality alone was checked, otherwise 103. */
export const docTypeOf = ({ discipline }: Pick<DayCheck, 'discipline'>): '103' | '104' =>
  discipline.every((one) => one === disciplines.quality) ? '104' : '103'

/** The signatures that were drawn on the officers' tablet, over the check as it was submitted. */
export async function writeSignatures(ctx: Context, row: DayCheck, signatures: BodyOf<'submit'>['signatures']): Promise<void> {
  const seats = await dayCheckSeats(ctx, row)
  for (const [at, given] of signatures.entries()) {
    const seat = seats.find((one) => one.seat === given.seat)
    if (!seat) throw new AppError('invalidInput', '没有这个签名栏，请刷新', { field: `signatures.${at}.seat` })
    const name = given.name ?? seat.expects
    if (!name) throw new AppError('invalidInput', `请填写${seat.role}姓名`, { field: `signatures.${at}.name` })
    await fillSeat(ctx, dayCheckType, row, seat, {
      ...pick(given, 'id', 'place', 'image'),
      name: name === ctx.user.name ? undefined : name,
    })
  }
}
