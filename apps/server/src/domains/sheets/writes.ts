import type { ParsedFor } from '@zhugong/contract/kit/endpoint'
import { AppError } from '@zhugong/contract/kit/errors'
import { parseInstant } from '@zhugong/contract/kit/fields'
import { isDictCode } from '@zhugong/contract/settings/dictionaries'
import type { changeSheet, createSheet } from '@zhugong/contract/sheets/calls'
import { leastContent, leastOfficers, meetings, opinions, personTitles, type SheetType } from '@zhugong/contract/sheets/moves'
import { sql } from 'kysely'
import { formatDay } from '#kit/clock'
import type { Context } from '#kit/context'
import { dropPhotoUses, fileIdsOf, keptFiles, showPhotoUses, usePhotos } from '../files/public.ts'
import { requirePresentUnit } from '../labour/public.ts'
import { drawNumber, type Outcome } from '../process/public.ts'
import type { Sheet } from './kind.ts'
import { personsOf, problemsOf } from './seats.ts'

export type Body = ParsedFor<typeof changeSheet>['body']
export type SheetFields = Omit<ParsedFor<typeof createSheet>['body'], 'id'>

const wrong = (field: string, message: string) => new AppError('invalidInput', message, { field })
/** Stage of the photographs of a sheet (`usePhotos`). */
export const photoStage = 'before'

/** Names of the caller's group that can sign as officers, in order. */
export async function officersOf(ctx: Pick<Context, 'db' | 'group'>): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`select distinct u.name from member m join app_user u on u.id = m.user_id
    where m.group_id = ${ctx.group.id} and m.enable = '1' and u.enable = '1' order by u.name`.execute(ctx.db)
  return rows.map((one) => one.name)
}

/** The columns that a draft fills. @throws AppError `invalidInput` at the field */
export async function draftColumns(ctx: Context, given: SheetFields, before?: Pick<Sheet, 'photos' | 'scans'>) {
  const { problems: _problems, persons: _persons, meetTime, meetPlace, photos, scans, ...fields } = given
  if (fields.progress && !isDictCode('projectPhase', fields.progress)) throw wrong('progress', '没有这个形象进度')
  if (fields.opinion && !isDictCode('checkResult', fields.opinion)) throw wrong('opinion', '没有这种处理意见')
  if (fields.checkDate && fields.checkDate > formatDay(ctx.clock.now())) throw wrong('checkDate', '检查日期不能晚于今天')
  const known = await officersOf(ctx)
  for (const [at, name] of fields.officers.entries()) if (!known.includes(name)) throw wrong(`officers.${at}`, `${name}不是本机构的人员`)
  const isMeeting = meetings.includes(fields.docType)
  const meeting = isMeeting && meetTime ? parseInstant(meetTime) : undefined
  return {
    ...fields,
    meetTime: meeting === undefined ? null : new Date(meeting),
    meetPlace: isMeeting ? meetPlace : null,
    photos: await keptFiles(ctx, fileIdsOf(photos), before?.photos, 'photos'),
    scans: await keptFiles(ctx, fileIdsOf(fields.onPaper ? scans : []), before?.scans, 'scans'),
  }
}

/** Replaces the problems, persons and evidence of a draft. */
export async function writeChildren(ctx: Context, row: Sheet, given: SheetFields): Promise<void> {
  const { id: sheetId, projectCode, corpCode, shownAt, groups } = row
  const ofSheet = { sheetId, projectCode, corpCode, shownAt, groups }
  const before = await sql<{ photos: string[] }>`delete from manualsheet_problem where sheet_id = ${sheetId} returning photos`.execute(
    ctx.db,
  )
  const known = before.rows.flatMap((one) => one.photos)
  const evidence = [...row.photos]
  for (const [seq, { photos, corpCode: unitCode, ...problem }] of given.problems.entries()) {
    if (unitCode) await requirePresentUnit(ctx, projectCode, unitCode, `problems.${seq}.corpCode`)
    const kept = await keptFiles(ctx, fileIdsOf(photos), known, `problems.${seq}.photos`)
    evidence.push(...kept)
    await ctx.db
      .insertInto('manualsheetProblem')
      .values({ ...ofSheet, seq, ...problem, unitCode, photos: kept })
      .execute()
  }
  await sql`delete from manualsheet_person where sheet_id = ${sheetId}`.execute(ctx.db)
  const persons = personTitles[given.docType] ? given.persons : []
  for (const [seq, person] of persons.entries())
    await ctx.db
      .insertInto('manualsheetPerson')
      .values({ ...ofSheet, seq, ...person })
      .execute()
  await dropPhotoUses(ctx, sheetId, photoStage, evidence)
  await usePhotos(ctx, {
    kind: '监督记录单',
    objectId: sheetId,
    stage: photoStage,
    projectCode,
    corpCode,
    shownAt,
    groups,
    files: evidence,
  })
}

/** @throws AppError at the field that the document requires and the draft lacks */
async function requireComplete(ctx: Context, row: Sheet): Promise<void> {
  const problems = await problemsOf(ctx, row.id)
  if (!row.checkDate) throw wrong('checkDate', '请选择检查日期')
  if (row.officers.length < leastOfficers) throw wrong('officers', `监督人员至少 ${leastOfficers} 名`)
  if (!row.progress) throw wrong('progress', '请选择形象进度')
  if (!row.checkPart) throw wrong('checkPart', '请填写检查部位')
  if ([...row.content].length < leastContent) throw wrong('content', `检查情况至少 ${leastContent} 个字`)
  if (!row.opinion) throw wrong('opinion', '请选择处理意见')
  if (row.opinion === opinions.fine && problems.length > 0) throw wrong('opinion', '列有问题，处理意见不能是“符合要求”')
  if (row.opinion !== opinions.fine && problems.length === 0) throw wrong('problems', '处理意见为存在问题，请逐条列出问题')
  if (row.photos.length === 0) throw wrong('photos', '请至少附一张现场照片')
  const persons = personTitles[row.docType]
  if (persons && (await personsOf(ctx, row.id)).length === 0) throw wrong('persons', `请填写${persons}`)
  if (meetings.includes(row.docType)) {
    if (!row.meetTime) throw wrong('meetTime', '请选择约谈时间')
    if (!row.meetPlace) throw wrong('meetPlace', '请填写约谈地点')
  }
  if (row.onPaper) {
    if (row.scans.length === 0) throw wrong('scans', '补录的记录单须上传签字的原件扫描')
    return
  }
  const unsigned = row.officers.filter((_name, i) => !row.filled.includes(`officer${i + 1}`))
  if (unsigned.length > 0) throw new AppError('refused', `${unsigned.join('、')}尚未签名，监督人员签名后才能提交`)
}

/** What submitting sets: from now on the three parties know of the sheet, by its number. */
export async function submitted(ctx: Context, row: Sheet): Promise<Outcome<Sheet>> {
  await requireComplete(ctx, row)
  const now = new Date(ctx.clock.now())
  for (const table of ['manualsheet_problem', 'manualsheet_person'])
    await sql`update ${sql.table(table)} set shown_at = ${now} where sheet_id = ${row.id}`.execute(ctx.db)
  await showPhotoUses(ctx, row.id, now)
  const { year, no } = await drawNumber(ctx, ctx.group.id, row.docType)
  const code = `${ctx.group.name}${seriesWords[row.docType]}〔${year}〕第${String(no).padStart(4, '0')}号`
  return { to: row.onPaper ? '2' : '1', values: { shownAt: now, submitTime: now, code }, opinion: code }
}

/** The word of each document in its number. */
export const seriesWords: Readonly<Record<SheetType, string>> = {
  102: '交底',
  105: '施质查',
  106: '监质查',
  208: '约谈',
  304: '分户查',
  305: '竣验',
  306: '监督报告',
}
