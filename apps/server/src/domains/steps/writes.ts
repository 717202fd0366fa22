import type { ParsedFor } from '@zhugong/contract/kit/endpoint'
import { AppError } from '@zhugong/contract/kit/errors'
import { parseInstant } from '@zhugong/contract/kit/fields'
import type { changeStep, createStep } from '@zhugong/contract/steps/calls'
import { concealed, hasKind, linkName, pointPasses, type StepPoint, stepKinds, witnessedKinds, workOf } from '@zhugong/contract/steps/chain'
import type { PointInput } from '@zhugong/contract/steps/moves'
import { sql } from 'kysely'
import { formatDay, startOfDay } from '#kit/clock'
import type { Context } from '#kit/context'
import type { Row } from '#kit/db'
import { pick } from '#kit/pick'
import { dropPhotoUses, fileIdsOf, findingLeadMs, keptFiles, showPhotoUses, usePhotos } from '../files/public.ts'
import { requirePresentUnit } from '../labour/public.ts'
import { pinOf, placeColumns } from '../places/public.ts'
import { drawNumber, fillSeat, type Outcome } from '../process/public.ts'
import { issueNotice } from '../rectify/public.ts'
import { requireOpen } from './chain.ts'
import { type Step, stepType } from './kind.ts'
import { stepSeats } from './seats.ts'

export type Body = ParsedFor<typeof changeStep>['body']
/** What the author writes. */
export type StepFields = Omit<ParsedFor<typeof createStep>['body'], 'id' | 'action'>
type Of<A extends Body['action']> = Extract<Body, { action: A }>
type Point = Row<'siteStepPoint'>

const refuse = (field: string, message: string) => new AppError('invalidInput', message, { field })

/** The columns that a draft fills. @throws AppError `invalidInput` at the field */
export async function stepColumns(ctx: Context, projectCode: string, fields: StepFields, known: readonly string[] = []) {
  const { points: _points, pin, checkers, begunAt, checkTime, ...given } = fields
  if (!hasKind(given)) throw refuse('kind', `${workOf(given.work)?.name ?? given.work}没有${stepKinds[given.kind] ?? ''}这一验收`)
  const now = ctx.clock.now()
  const at = checkTime ? (parseInstant(checkTime) ?? now) : now
  if (at > now) throw refuse('checkTime', '检查时间不能晚于现在')
  const begun = begunAt ? (parseInstant(begunAt) ?? null) : null
  if (begun !== null && begun > at) throw refuse('begunAt', '开工时间不能晚于检查时间')
  await requirePresentUnit(ctx, projectCode, given.corpCode)
  const [place] = await placeColumns(ctx, projectCode, [{ placeId: given.placeId, pin }], (_at, name) => name)
  return {
    ...given,
    planId: place?.planId ?? null,
    pinX: place?.pinX ?? null,
    pinY: place?.pinY ?? null,
    begunAt: begun === null ? null : new Date(begun),
    checkTime: new Date(at),
    checkers: checkers.length > 0 ? checkers : [ctx.user.name],
    photos: await keptFiles(ctx, fileIdsOf(given.photos), known, 'photos'),
  }
}

/** Replaces the points of the round. @returns those that do not pass */
export async function writePoints(
  ctx: Context,
  row: Row<'siteStep'>,
  round: number,
  given: readonly PointInput[],
  whole: boolean,
): Promise<Point[]> {
  const work = workOf(row.work)
  if (!work) throw refuse('work', '工序不正确')
  const before = await sql<{
    photos: string[]
  }>`delete from site_step_point where step_id = ${row.id} and round = ${round} returning photos`.execute(ctx.db)
  const known = before.rows.flatMap((one) => one.photos)
  const unknown = given.findIndex((one) => !work.points.some((point) => point.key === one.key))
  if (unknown >= 0) throw refuse(`points.${unknown}.key`, '没有这个检查点')
  const failed: Point[] = []
  for (const [seq, point] of work.points.entries()) {
    const at = given.findIndex((one) => one.key === point.key)
    const one = given[at]
    if (whole) requireSaid(point, one, at >= 0 ? at : seq)
    if (!one) continue
    const made: Point = {
      id: ctx.newId(),
      stepId: row.id,
      ...pick(row, 'projectCode', 'corpCode', 'shownAt', 'groups'),
      round,
      seq: seq + 1,
      key: point.key,
      name: point.name,
      limitText: point.limit,
      unit: point.unit ?? null,
      value: one.value,
      passed: pointPasses(point, one.value, one.fine),
      note: one.note,
      photos: await keptFiles(ctx, fileIdsOf(one.photos), known, `points.${at}.photos`),
      byName: ctx.user.name,
      at: new Date(ctx.clock.now()),
    }
    await ctx.db.insertInto('siteStepPoint').values(made).execute()
    if (!made.passed) failed.push(made)
  }
  return failed
}

function requireSaid(point: StepPoint, one: PointInput | undefined, at: number): void {
  const measured = point.low !== undefined
  if (!one || (measured ? one.value === null : one.fine === null))
    throw refuse(`points.${at}.${measured ? 'value' : 'fine'}`, `请${measured ? '填写' : '判定'}“${point.name}”`)
}

/** Records the photographs of a round as evidence. */
async function usePictures(ctx: Context, row: Row<'siteStep'>, round: number, photos: readonly string[], notBefore: Date): Promise<void> {
  const { rows } = await sql<{
    photos: string[]
  }>`select photos from site_step_point where step_id = ${row.id} and round = ${round}`.execute(ctx.db)
  const files = [...photos, ...rows.flatMap((one) => one.photos)]
  const stage = stageOf(round)
  await dropPhotoUses(ctx, row.id, stage, files)
  const { id: objectId, projectCode, corpCode, shownAt, groups } = row
  await usePhotos(ctx, { kind: '工序验收', objectId, stage, projectCode, corpCode, shownAt, groups, files, notBefore })
}
/** Stage of the photographs of a round. */
export const stageOf = (round: number): string => (round === 1 ? 'before' : `after ${round - 1}`)

const leadOf = (at: Date) => new Date(startOfDay(formatDay(at)) - findingLeadMs)

export async function writeStep(ctx: Context, row: Step, body: Body): Promise<Outcome<Step>> {
  switch (body.action) {
    case 'save':
    case 'submit': {
      const { action, version: _version, ...fields } = body
      return write(ctx, row, action, fields)
    }
    case 'accept': {
      const seat = (await stepSeats(ctx, row)).find((one) => one.seat === 'supervisor')
      if (seat) await fillSeat(ctx, stepType, row, seat, { image: body.signature })
      return { values: { acceptedAt: new Date(ctx.clock.now()), result: '1' }, opinion: body.opinion }
    }
    case 'refuse':
      return refused(ctx, row, body)
    case 'recheck':
      return recheck(ctx, row, body)
    case 'archive':
      return {}
  }
}

/** Stores what the author wrote; when it is submitted, it becomes known, and what fails becomes an order. */
export async function write(ctx: Context, row: Step, action: 'save' | 'submit', fields: StepFields): Promise<Outcome<Step>> {
  const columns = await stepColumns(ctx, row.projectCode, fields, row.photos)
  if (action === 'save') {
    await writePoints(ctx, { ...row, ...columns }, 1, fields.points, false)
    await usePictures(ctx, { ...row, ...columns }, 1, columns.photos, leadOf(columns.checkTime))
    return { values: columns }
  }
  if (columns.kind === concealed && columns.photos.length === 0) throw refuse('photos', '隐蔽工程须附覆盖前的照片')
  const acceptedBefore = await requireOpen(ctx, columns.placeId, columns, row.id)
  const shownAt = new Date(ctx.clock.now())
  const early = acceptedBefore !== undefined && columns.begunAt !== null && columns.begunAt < acceptedBefore
  const shown = { ...row, ...columns, shownAt }
  const failed = await writePoints(ctx, shown, 1, fields.points, true)
  await usePictures(ctx, shown, 1, columns.photos, leadOf(columns.checkTime))
  await showPhotoUses(ctx, row.id, shownAt)
  const code = await numberOf(ctx, row.projectCode)
  const values = { ...columns, shownAt, early, code }
  if (failed.length === 0) return { ...passed(columns.kind), values: { ...values, ...verdict(ctx, columns.kind) } }
  if (columns.deadline === null) throw refuse('deadline', '有不合格的检查点，请填写整改期限')
  const rectifyId = await order(
    ctx,
    { ...shown, code },
    {
      deadline: columns.deadline,
      person: columns.person,
      lines: failed.map((one) => ({
        description: `${one.name}${one.value === null ? '不符合要求' : ` ${one.value}${one.unit ?? ''}`}（要求 ${one.limitText}）${one.note ? `：${one.note}` : ''}`,
        requirement: `整改至 ${one.limitText}，复验合格后方可进行下一工序`,
        photos: one.photos.length > 0 ? one.photos : columns.photos,
      })),
    },
  )
  return { to: '3', values: { ...values, result: '2', rectifyId }, opinion: `${failed.length} 个检查点不合格` }
}

const passed = (kind: string) =>
  witnessedKinds.includes(kind) ? { to: '1', opinion: '检查点全部合格，报监理验收' } : { to: '2', opinion: '检查点全部合格' }
const verdict = (ctx: Context, kind: string) => ({
  result: '1',
  acceptedAt: witnessedKinds.includes(kind) ? null : new Date(ctx.clock.now()),
})

interface Order {
  deadline: string
  person: string | null
  lines: readonly { description: string; requirement: string; photos: readonly string[] }[]
}
/** 工程质量, 限期整改通知书 and 一般隐患. */
const [quality, inTime, usualLevel] = ['02', '2', '1'] as const

/** An order of the site to the company whose work failed. */
async function order(ctx: Context, row: Row<'siteStep'>, { deadline, person, lines }: Order): Promise<string> {
  const { rows } = await sql<{ name: string }>`select pm_name as name from project_corp
    where project_code = ${row.projectCode} and corp_code = ${row.corpCode} and exit_time is null order by entry_time limit 1`.execute(
    ctx.db,
  )
  const supervised = ctx.principal.scope.supervised.includes(row.projectCode)
  const { notice } = await issueNotice(ctx, {
    projectCode: row.projectCode,
    source: { kind: stepType, id: row.id },
    corpCode: row.corpCode,
    // 监理检查 or 项目自查.
    sourceType: supervised ? '13' : '12',
    noticeType: inTime,
    category: quality,
    level: usualLevel,
    majorClause: null,
    checkDate: formatDay(row.checkTime),
    deadline,
    responsiblePerson: person ?? rows[0]?.name ?? '项目负责人',
    lines: lines.map(({ description, requirement, photos }) => ({
      description,
      part: row.part,
      placeId: row.placeId,
      pin: pinOf(row),
      clause: null,
      requirement,
      person,
      photos: [...photos],
    })),
  })
  return notice.id
}

async function refused(ctx: Context, row: Step, { opinion, requirement, deadline }: Of<'refuse'>): Promise<Outcome<Step>> {
  const rectifyId = await order(ctx, row, {
    deadline,
    person: row.person,
    lines: [{ description: `${linkName(row)}：${opinion}`, requirement, photos: row.photos }],
  })
  return { values: { rectifyId, deadline, result: '2' }, opinion }
}

async function recheck(ctx: Context, row: Step, { points, photos, remark }: Of<'recheck'>): Promise<Outcome<Step>> {
  const round = row.round + 1
  const files = await keptFiles(ctx, fileIdsOf(photos), row.photos, 'photos')
  if (row.kind === concealed && files.length === 0) throw refuse('photos', '隐蔽工程须附覆盖前的照片')
  const failed = await writePoints(ctx, row, round, points, true)
  await usePictures(ctx, row, round, files, row.checkTime)
  const values = {
    round,
    photos: [...new Set([...row.photos, ...files])],
    checkTime: new Date(ctx.clock.now()),
    remark: remark ?? row.remark,
  }
  if (failed.length > 0)
    return { to: '3', values: { ...values, result: '2' }, opinion: `第 ${round} 次检查，仍有 ${failed.length} 个检查点不合格` }
  return { ...passed(row.kind), values: { ...values, ...verdict(ctx, row.kind) } }
}

/** Letters of the series of numbers of a site's acceptances. */
const series = 'GX'
async function numberOf(ctx: Context, projectCode: string): Promise<string> {
  const { rows } = await sql<{
    name: string
  }>`select coalesce(short_name, name) as name from project where project_code = ${projectCode}`.execute(ctx.db)
  const { year, no } = await drawNumber(ctx, projectCode, series)
  return `${rows[0]?.name ?? projectCode}-${series}-${year}-${String(no).padStart(3, '0')}`
}
