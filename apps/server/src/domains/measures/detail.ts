import type { getMeasure, MeasureDetail } from '@zhugong/contract/measures/measures'
import { sql } from 'kysely'
import { addDays, formatInstant } from '#kit/clock'
import { type Context, found } from '#kit/context'
import type { Row } from '#kit/db'
import type { HandlerOf } from '#kit/serve'
import { nameOfSeries, problemsOfSeries } from '../checks/public.ts'
import { linksOf, photoNotesOf } from '../files/public.ts'
import { historyOf, offersFor } from '../process/public.ts'
import { type Measure, measureKind, stepLabels } from './kind.ts'
import { measureFor } from './rows.ts'
import { stageOf } from './writes.ts'

/** Days before a measure begins from which its problems are counted. */
const daysBefore = 56

export const readMeasure: HandlerOf<typeof getMeasure> = async ({ params: { id } }, ctx) => {
  const row = found(await measureFor(ctx, id), '安全措施')
  const { rows } = await sql<Measure>`select m.*, array(select w.by_id from safety_measure_work w where w.measure_id = m.id) as workers
    from safety_measure m where m.id = ${id}`.execute(ctx.db)
  const measure = found(rows[0], '安全措施')
  const { seriesBy, seriesKey, projectCode } = measure
  const series =
    seriesBy && seriesKey
      ? await problemsOfSeries(ctx, { projectCode, by: seriesBy, key: seriesKey }, addDays(measure.startDate, -daysBefore))
      : { weeks: [], problems: [] }
  return {
    ...row,
    content: measure.content,
    seriesBy,
    seriesKey,
    seriesName: seriesBy && seriesKey ? nameOfSeries(seriesBy, seriesKey) : null,
    photos: linksOf(ctx, measure.photos),
    vouchers: linksOf(ctx, measure.vouchers),
    works: await worksOf(ctx, id),
    ...series,
    timeline: await historyOf(ctx, measureKind.kind, id, stepLabels),
    actions: offersFor(ctx, measureKind, measure),
  }
}

async function worksOf(ctx: Context, id: string): Promise<MeasureDetail['works']> {
  const { rows } = await sql<Row<'safetyMeasureWork'>>`select * from safety_measure_work where measure_id = ${id} order by at, id`.execute(
    ctx.db,
  )
  const notes = await photoNotesOf(ctx, id)
  return rows.map(({ id: own, note, photos, byName, at }, i) => ({
    id: own,
    note,
    photos: linksOf(ctx, photos),
    photoNotes: photos.map((file) => notes.get(`${stageOf(i)} ${file}`) ?? null),
    byName,
    at: formatInstant(at),
  }))
}
