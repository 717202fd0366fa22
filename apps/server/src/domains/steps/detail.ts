import { dictName } from '@zhugong/contract/settings/dictionaries'
import type { getStep, StepDetail } from '@zhugong/contract/steps/calls'
import { stepDetail } from '@zhugong/contract/steps/calls'
import { sql } from 'kysely'
import { formatInstant } from '#kit/clock'
import { type Context, found } from '#kit/context'
import type { Row } from '#kit/db'
import { pick } from '#kit/pick'
import { rowOf } from '#kit/row-of'
import type { HandlerOf } from '#kit/serve'
import { linksOf, photoNotesOf } from '../files/public.ts'
import { pinOf, planPictures } from '../places/public.ts'
import { historyOf, offersFor, signaturesOf } from '../process/public.ts'
import { chainOf } from './chain.ts'
import { readStepRow, stepKind, stepLabels, stepType } from './kind.ts'
import { stepFor } from './rows.ts'

export const readStep: HandlerOf<typeof getStep> = async ({ params: { id } }, ctx) => {
  const row = found(await stepFor(ctx, id), '工序验收')
  const step = await readStepRow(ctx, id)
  const notes = await photoNotesOf(ctx, id)
  const at = (instant: Date | null) => instant && formatInstant(instant)
  const ofFile = (file: string) => [...notes].find(([key]) => key.endsWith(` ${file}`))?.[1] ?? null
  return rowOf(stepDetail, step, {
    ...row,
    pin: pinOf(step),
    plans: await planPictures(ctx, [step.planId]),
    begunAt: at(step.begunAt),
    acceptedAt: at(step.acceptedAt),
    photos: linksOf(ctx, step.photos),
    photoNotes: step.photos.map(ofFile),
    rounds: await roundsOf(ctx, id),
    chain: await chainOf(ctx, step.placeId, id),
    notice: await noticeOf(ctx, id),
    timeline: await historyOf(ctx, stepType, id, stepLabels),
    signatures: step.state === '0' ? [] : await signaturesOf(ctx, stepKind, step),
    actions: offersFor(ctx, stepKind, step),
  })
}

async function roundsOf(ctx: Context, id: string): Promise<StepDetail['rounds']> {
  const points = await pointsOf(ctx, id)
  return [...Map.groupBy(points, (one) => one.round).values()]
    .map((some) => ({
      round: some[0]?.round ?? 1,
      at: formatInstant(some[0]?.at ?? new Date(0)),
      byName: some[0]?.byName ?? '',
      points: some.map((one) => ({
        ...pick(one, 'key', 'name', 'unit', 'value', 'passed', 'note'),
        limit: one.limitText,
        photos: linksOf(ctx, one.photos),
      })),
    }))
    .reverse()
}

export async function pointsOf(ctx: Pick<Context, 'db'>, id: string): Promise<Row<'siteStepPoint'>[]> {
  const { rows } = await sql<Row<'siteStepPoint'>>`select * from site_step_point where step_id = ${id} order by round, seq`.execute(ctx.db)
  return rows
}

async function noticeOf(ctx: Pick<Context, 'db'>, id: string): Promise<StepDetail['notice']> {
  const { rows } = await sql<{ id: string; code: string | null; state: string; deadline: string }>`select r.id, r.code, r.state, r.deadline
    from rectify r where r.source_kind = ${stepType} and r.source_id = ${id} and r.shown_at is not null order by r.issue_time desc, r.id limit 1`.execute(
    ctx.db,
  )
  const one = rows[0]
  return (
    (one && {
      ...pick(one, 'id', 'code', 'deadline'),
      stateName: dictName('rectifyState', one.state) ?? one.state,
      closed: one.state === '7',
    }) ??
    null
  )
}
