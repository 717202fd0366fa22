import type { ParsedFor } from '@zhugong/contract/kit/endpoint'
import { AppError } from '@zhugong/contract/kit/errors'
import type { changeMeasure, createMeasure } from '@zhugong/contract/measures/measures'
import { sql } from 'kysely'
import { formatDay, startOfDay } from '#kit/clock'
import type { Context } from '#kit/context'
import { fileIdsOf, keptFiles, usePhotos } from '../files/public.ts'
import { requirePresentUnit } from '../labour/public.ts'
import { placeColumns } from '../places/public.ts'
import type { Outcome } from '../process/public.ts'
import type { Measure } from './kind.ts'

export type Body = ParsedFor<typeof changeMeasure>['body']
/** What the author writes. */
export type MeasureFields = Omit<ParsedFor<typeof createMeasure>['body'], 'id' | 'action'>

/** The columns that a draft fills. @throws AppError `invalidInput` at the field */
export async function measureColumns(
  ctx: Context,
  projectCode: string,
  fields: MeasureFields,
  known: Pick<Measure, 'photos' | 'vouchers'> = { photos: [], vouchers: [] },
) {
  const refuse = (field: string, message: string) => new AppError('invalidInput', message, { field })
  if (fields.endDate < fields.startDate) throw refuse('endDate', '截止日期不能早于开始日期')
  if ((fields.seriesBy === null) !== (fields.seriesKey === null)) throw refuse('seriesKey', '请从频发问题中选择，或清除')
  await requirePresentUnit(ctx, projectCode, fields.corpCode)
  await requireWithin(ctx, projectCode, fields)
  const [place] = await placeColumns(ctx, projectCode, [{ placeId: fields.placeId }], (_at, name) => name)
  return {
    ...fields,
    placeId: place?.placeId ?? null,
    photos: await keptFiles(ctx, fileIdsOf(fields.photos), known.photos, 'photos'),
    vouchers: await keptFiles(ctx, fileIdsOf(fields.vouchers), known.vouchers, 'vouchers'),
  }
}

/** A measure lies within the time of its project, as far as that is known. */
async function requireWithin(ctx: Context, projectCode: string, { startDate, endDate }: Pick<MeasureFields, 'startDate' | 'endDate'>) {
  // A planned completion that has passed without being reached limits nothing.
  const { rows } = await sql<{ begin: string | null; end: string | null }>`
    select coalesce(actual_start_date, start_date) as begin,
      coalesce(actual_complete_date, case when complete_date >= ${formatDay(ctx.clock.now())}::date then complete_date end) as end
    from project where project_code = ${projectCode}`.execute(ctx.db)
  const { begin = null, end = null } = rows[0] ?? {}
  if (begin !== null && startDate < begin) throw new AppError('invalidInput', `不能早于项目开工（${begin}）`, { field: 'startDate' })
  if (end !== null && endDate > end) throw new AppError('invalidInput', `不能晚于项目竣工（${end}）`, { field: 'endDate' })
}

/** What each action changes beside the state. */
export async function writeMeasure(ctx: Context, row: Measure, body: Body): Promise<Outcome<Measure>> {
  switch (body.action) {
    case 'save':
    case 'submit': {
      const { action, version: _version, ...fields } = body
      const values = await measureColumns(ctx, row.projectCode, fields, row)
      return { values: action === 'save' ? values : { ...values, shownAt: new Date(ctx.clock.now()) } }
    }
    case 'implement':
      return implement(ctx, row, body)
    case 'extend':
      return extend(ctx, row, body)
    case 'archive':
      return { opinion: body.opinion }
  }
}

/** Stage of the photographs of the work that was shown as number `index`, from 0. */
export const stageOf = (index: number): string => `after ${index + 1}`

async function implement(ctx: Context, row: Measure, { photos, note }: Extract<Body, { action: 'implement' }>): Promise<Outcome<Measure>> {
  const at = new Date(ctx.clock.now())
  const { id: measureId, projectCode, corpCode, groups } = row
  const files = await keptFiles(ctx, fileIdsOf(photos), [], 'photos')
  await ctx.db
    .insertInto('safetyMeasureWork')
    .values({
      id: ctx.newId(),
      measureId,
      projectCode,
      corpCode,
      shownAt: at,
      groups,
      note,
      photos: files,
      byId: ctx.user.id,
      byName: ctx.user.name,
      at,
    })
    .execute()
  const use = { kind: '安全措施', objectId: measureId, stage: stageOf(row.workers.length), files }
  await usePhotos(ctx, { ...use, projectCode, corpCode, shownAt: at, groups, notBefore: new Date(startOfDay(row.startDate)) })
  return { values: { doneAt: row.doneAt ?? at }, opinion: note }
}

async function extend(ctx: Context, row: Measure, { until, reason }: Extract<Body, { action: 'extend' }>): Promise<Outcome<Measure>> {
  if (until <= row.endDate) throw new AppError('invalidInput', `须晚于现截止日期 ${row.endDate}`, { field: 'until' })
  await requireWithin(ctx, row.projectCode, { startDate: row.startDate, endDate: until }).catch((error: unknown) => {
    throw error instanceof AppError ? new AppError('invalidInput', error.message, { field: 'until' }) : error
  })
  return { values: { endDate: until }, opinion: `由 ${row.endDate} 延至 ${until}：${reason}` }
}
