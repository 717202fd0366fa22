import type { ParsedFor } from '@zhugong/contract/kit/endpoint'
import { AppError } from '@zhugong/contract/kit/errors'
import type { changeSpotCheck, createSpotCheck } from '@zhugong/contract/spotchecks/calls'
import { badSpot, goodSpot } from '@zhugong/contract/spotchecks/moves'
import { batchKinds, judge, testsOf } from '@zhugong/contract/spotchecks/readings'
import { sql } from 'kysely'
import { formatDay, startOfDay } from '#kit/clock'
import { type Context, groupTypes } from '#kit/context'
import { pick } from '#kit/pick'
import { dropPhotoUses, fileIdsOf, findingLeadMs, keptFiles, showPhotoUses, usePhotos } from '../files/public.ts'
import { requirePresentUnit } from '../labour/public.ts'
import { batchOf, blockBatch, releaseBatch } from '../materials/public.ts'
import { placeColumns } from '../places/public.ts'
import { drawNumber, type Outcome } from '../process/public.ts'
import { issueNotice } from '../rectify/public.ts'
import { type Spot, spotType } from './kind.ts'

export type Body = ParsedFor<typeof changeSpotCheck>['body']
type Of<A extends Body['action']> = Extract<Body, { action: A }>
type Created = ParsedFor<typeof createSpotCheck>['body']
/** What the checkers write. */
export type SpotFields = Omit<Extract<Created, { action: 'save' }>, 'id' | 'action' | 'projectCode'>

const refuse = (field: string, message: string) => new AppError('invalidInput', message, { field })

/** The columns that a draft fills. @throws AppError `invalidInput` at the field */
export async function spotColumns(ctx: Context, projectCode: string, fields: SpotFields, known: readonly string[] = []) {
  const { kind, part, unitId, placeId, batchId, corpCode, checkDate, checkers, method, readings } = fields
  if (!testsOf(kind).includes(readings.test)) throw refuse('readings', '检测记录与抽查对象不符，请重新选择抽查对象')
  if (checkDate > formatDay(ctx.clock.now())) throw refuse('checkDate', '抽查日期不能晚于今天')
  await requirePresentUnit(ctx, projectCode, corpCode)
  if (batchId !== null && !batchKinds.includes(kind)) throw refuse('batchId', '该类抽查不关联材料批次')
  if (batchId !== null) await batchOf(ctx, projectCode, batchId)
  if (unitId !== null) {
    const unit = await sql`select from unit_project where id = ${unitId} and project_code = ${projectCode}`.execute(ctx.db)
    if (unit.rows.length === 0) throw refuse('unitId', '单体不存在或不属于该项目')
  }
  await placeColumns(ctx, projectCode, [{ placeId }], (_at, name) => name)
  const verdict = judge(readings)
  return {
    kind,
    test: readings.test,
    part,
    unitId,
    placeId,
    batchId,
    corpCode,
    checkDate,
    checkers,
    method,
    designValue: fields.designValue || (verdict?.design ?? ''),
    readings: JSON.stringify(readings),
    photos: await keptFiles(ctx, fileIdsOf(fields.photos), known, 'photos'),
  }
}

/** Records the photographs as evidence. */
export async function usePictures(ctx: Context, row: Spot, files: readonly string[], checkDate: string): Promise<void> {
  await dropPhotoUses(ctx, row.id, 'before', files)
  const { id: objectId, projectCode, corpCode, shownAt, groups } = row
  const notBefore = new Date(startOfDay(checkDate) - findingLeadMs)
  await usePhotos(ctx, { kind: '质量抽查', objectId, stage: 'before', projectCode, corpCode, shownAt, groups, files, notBefore })
}

export async function writeSpot(ctx: Context, row: Spot, body: Body): Promise<Outcome<Spot>> {
  switch (body.action) {
    case 'save':
    case 'submitOnSite':
    case 'submitSample':
      return write(ctx, row, body)
    case 'report':
      return report(ctx, row, body, 'first', null)
    case 'amend':
      return report(ctx, row, body, 'changed', body.reason)
    case 'issue':
      return issue(ctx, row, body)
    case 'close':
      return close(ctx, row, body)
  }
}

type Written = Of<'save'> | Of<'submitOnSite'> | Of<'submitSample'>
type WithoutKey<T> = T extends unknown ? Omit<T, 'id' | 'version'> : never

/** Stores what the checkers wrote; when it is submitted, the site learns of it, and a failure blocks its batch. */
export async function write(ctx: Context, row: Spot, body: WithoutKey<Written>): Promise<Outcome<Spot>> {
  const columns = await spotColumns(ctx, row.projectCode, body, row.photos)
  const values = columns as unknown as Partial<Spot>
  await usePictures(ctx, row, columns.photos, columns.checkDate)
  if (body.action === 'save') return { values }
  if (!columns.designValue) throw refuse('designValue', '请填写设计/标准值')
  const shownAt = new Date(ctx.clock.now())
  await showPhotoUses(ctx, row.id, shownAt)
  if (body.action === 'submitSample') return submitSample(ctx, row, body, { ...values, shownAt })
  const verdict = judge(body.readings)
  const passed = verdict?.passed ?? body.passed
  const actualValue = verdict?.actual ?? body.actualValue
  if (passed === null) throw refuse('passed', '请选择现场结论')
  if (!actualValue) throw refuse('actualValue', '请填写实测值')
  const code = await numberOf(ctx, row.projectCode)
  const after = { ...row, ...values, shownAt, code, actualValue }
  if (!passed) await block(ctx, after, null)
  return {
    to: passed ? goodSpot : badSpot,
    values: { ...values, shownAt, code, actualValue, result: resultOf(passed) },
    opinion: `${passed ? '合格' : '不合格'}：${actualValue}`,
  }
}

async function submitSample(
  ctx: Context,
  row: Spot,
  { sampleNo, labOrg, labDue, checkDate, photos }: Pick<Of<'submitSample'>, 'sampleNo' | 'labOrg' | 'labDue' | 'checkDate' | 'photos'>,
  values: Partial<Spot>,
): Promise<Outcome<Spot>> {
  if (labDue < checkDate) throw refuse('labDue', '报告期限不能早于抽查日期')
  if (photos.length === 0) throw refuse('photos', '取样送检须附样品封条照片')
  // The sample may be of a site that the caller does not see.
  const taken = await sql`select from spot_check where sample_no = ${sampleNo} and id <> ${row.id}`.execute(ctx.system)
  if (taken.rows.length > 0) throw refuse('sampleNo', `样品编号 ${sampleNo} 已使用，请核对封条`)
  const code = await numberOf(ctx, row.projectCode)
  return { values: { ...values, code, sampleNo, labOrg, labDue }, opinion: `样品 ${sampleNo}，送${labOrg}，报告期限 ${labDue}` }
}

const resultOf = (passed: boolean) => (passed ? '1' : '2')
/** The batch of a failed check may not be used. */
async function block(ctx: Context, row: Pick<Spot, 'id' | 'batchId' | 'code' | 'actualValue'>, reportNo: string | null): Promise<void> {
  if (row.batchId === null) return
  await blockBatch(ctx, row.batchId, { by: row.id, reason: `质量抽查 ${row.code ?? ''} ${row.actualValue ?? ''}`.trim(), reportNo })
}
async function release(ctx: Context, row: Pick<Spot, 'id' | 'batchId' | 'code'>, reportNo: string): Promise<void> {
  if (row.batchId === null) return
  await releaseBatch(ctx, row.batchId, { by: row.id, reason: `质量抽查 ${row.code ?? ''} 复检合格`, reportNo })
}

type Reported = Pick<Of<'report'>, 'reportNo' | 'reportDate' | 'actualValue' | 'passed' | 'files'>

/** Adds a report; reports are never changed, so the first one stays beside a changed one. */
async function addReport(
  ctx: Context,
  row: Spot,
  given: Reported,
  stage: 'first' | 'changed' | 'again',
  reason: string | null,
): Promise<void> {
  if (given.reportDate < row.checkDate) throw refuse('reportDate', '报告日期不能早于抽查日期')
  if (given.reportDate > formatDay(ctx.clock.now())) throw refuse('reportDate', '报告日期不能晚于今天')
  const { rows } = await sql<{ seq: number; known: boolean }>`select coalesce(max(seq), 0)::int + 1 as seq,
      coalesce(bool_or(report_no = ${given.reportNo}), false) as known from spot_check_report where check_id = ${row.id}`.execute(ctx.db)
  if (rows[0]?.known) throw refuse('reportNo', '该报告编号已录入，请填写新的报告编号')
  const { reportNo, reportDate, actualValue, passed } = given
  await ctx.db
    .insertInto('spotCheckReport')
    .values({
      id: ctx.newId(),
      checkId: row.id,
      ...pick(row, 'projectCode', 'corpCode', 'shownAt', 'groups'),
      seq: rows[0]?.seq ?? 1,
      stage,
      reportNo,
      labOrg: row.labOrg ?? row.checkerGroupName,
      reportDate,
      actualValue,
      passed,
      reason,
      files: await keptFiles(ctx, fileIdsOf(given.files), [], 'files'),
      byId: ctx.user.id,
      byName: ctx.user.name,
      at: new Date(ctx.clock.now()),
    })
    .execute()
}

async function report(ctx: Context, row: Spot, given: Reported, stage: 'first' | 'changed', reason: string | null): Promise<Outcome<Spot>> {
  await addReport(ctx, row, given, stage, reason)
  const { reportNo, actualValue, passed } = given
  const after = { ...row, actualValue }
  if (!passed) await block(ctx, after, reportNo)
  else if (row.state === badSpot) await release(ctx, after, reportNo)
  return {
    to: passed ? goodSpot : badSpot,
    values: { reportNo, actualValue, result: resultOf(passed) },
    opinion: `${reportNo} ${passed ? '合格' : '不合格'}：${actualValue}${reason ? `（${reason}）` : ''}`,
  }
}

/** 日常监督抽查 and 企业自查; 限期整改通知书, 工程质量, 一般隐患. */
const sourceTypes = { authority: '01', company: '11' } as const
const words = { noticeType: '2', category: '02', level: '1' } as const

async function issue(ctx: Context, row: Spot, { handle, deadline, person }: Of<'issue'>): Promise<Outcome<Spot>> {
  const { rows } = await sql<{ name: string }>`select pm_name as name from project_corp
    where project_code = ${row.projectCode} and corp_code = ${row.corpCode} and exit_time is null order by entry_time limit 1`.execute(
    ctx.db,
  )
  const { notice } = await issueNotice(ctx, {
    projectCode: row.projectCode,
    source: { kind: spotType, id: row.id },
    corpCode: row.corpCode,
    sourceType: ctx.group.type === groupTypes.government ? sourceTypes.authority : sourceTypes.company,
    ...words,
    majorClause: null,
    checkDate: row.checkDate,
    deadline,
    responsiblePerson: person ?? rows[0]?.name ?? '项目负责人',
    lines: [
      {
        description: `${row.method}：标准 ${row.designValue}，实测 ${row.actualValue ?? ''}，不合格`,
        part: row.part.slice(0, 100),
        placeId: row.placeId,
        pin: null,
        clause: null,
        requirement: handle,
        person,
        photos: row.photos,
      },
    ],
  })
  return { values: { handle, rectifyId: notice.id }, opinion: `${notice.code ?? ''}，期限 ${deadline}` }
}

async function close(ctx: Context, row: Spot, given: Of<'close'>): Promise<Outcome<Spot>> {
  await addReport(ctx, row, given, 'again', null)
  const { reportNo, actualValue, passed } = given
  const opinion = `复检 ${reportNo} ${passed ? '合格' : '不合格'}：${actualValue}`
  if (!passed) return { to: '4', values: { reportNo, actualValue }, opinion }
  await release(ctx, row, reportNo)
  return { to: '5', values: { reportNo, actualValue, closedAt: new Date(ctx.clock.now()) }, opinion }
}

/** Letters of the series of numbers of a site's spot checks. */
const series = 'CC'
async function numberOf(ctx: Context, projectCode: string): Promise<string> {
  const { rows } = await sql<{
    name: string
  }>`select coalesce(short_name, name) as name from project where project_code = ${projectCode}`.execute(ctx.db)
  const { year, no } = await drawNumber(ctx, projectCode, series)
  return `${rows[0]?.name ?? projectCode}-${series}-${year}-${String(no).padStart(3, '0')}`
}
