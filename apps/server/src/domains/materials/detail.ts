import type { getMaterial, MaterialDetail } from '@zhugong/contract/materials/calls'
import { materialDetail } from '@zhugong/contract/materials/calls'
import { materialEvents } from '@zhugong/contract/materials/moves'
import { dictName } from '@zhugong/contract/settings/dictionaries'
import { sql } from 'kysely'
import { formatInstant } from '#kit/clock'
import { type Context, found } from '#kit/context'
import type { Row } from '#kit/db'
import { pick } from '#kit/pick'
import { rowOf } from '#kit/row-of'
import type { HandlerOf } from '#kit/serve'
import { linksOf, photoNotesOf } from '../files/public.ts'
import { pinOf, placeNameOf, planPictures } from '../places/public.ts'
import { historyOf, offersFor, signaturesOf } from '../process/public.ts'
import { materialKind, readBatch, stepLabels } from './kind.ts'
import { batchFor } from './rows.ts'

export const readMaterial: HandlerOf<typeof getMaterial> = async ({ params: { id } }, ctx) => {
  const row = found(await batchFor(ctx, id), '材料批次')
  const batch = await readBatch(ctx, id)
  const events = await eventsOf(ctx, id)
  return rowOf(materialDetail, batch, {
    ...row,
    certFiles: linksOf(ctx, batch.certFiles),
    photos: linksOf(ctx, batch.photos),
    tickets: await ticketsOf(ctx, id),
    events,
    plans: await planPictures(
      ctx,
      events.flatMap((one) => one.pin?.planId ?? []),
    ),
    spotChecks: await spotChecksOf(ctx, id),
    timeline: await historyOf(ctx, materialKind.kind, id, stepLabels),
    signatures: await signaturesOf(ctx, materialKind, batch),
    actions: offersFor(ctx, materialKind, batch),
  })
}

const stageOf: Readonly<Record<string, string>> = { receive: 'receive', accept: 'accept', withdraw: 'exit' }

async function eventsOf(ctx: Context, id: string): Promise<MaterialDetail['events']> {
  const { rows } = await sql<Row<'materialEvent'> & { placeName: string | null }>`select e.*, ${placeNameOf('e.place_id')} as place_name
    from material_event e where e.batch_id = ${id} order by e.seq`.execute(ctx.db)
  const notes = await photoNotesOf(ctx, id)
  let samples = 0
  return rows.map((e) => {
    if (e.action === 'sample') samples++
    const stage = e.action === 'sample' ? `sample ${samples}` : (stageOf[e.action] ?? '')
    return {
      ...pick(e, 'id', 'action', 'part', 'sampleNo', 'reportNo', 'result', 'note', 'team', 'placeId', 'placeName'),
      at: formatInstant(e.at),
      actionName: materialEvents[e.action],
      quantity: e.quantity === null ? null : Number(e.quantity),
      operator: `${e.byName} · ${e.groupName}`,
      files: linksOf(ctx, e.files),
      fileNotes: e.files.map((file) => notes.get(`${stage} ${file}`) ?? null),
      pin: pinOf(e),
    }
  })
}

export async function ticketsOf(ctx: Pick<Context, 'db'>, id: string): Promise<MaterialDetail['tickets']> {
  const { rows } = await sql<
    Row<'materialWeigh'>
  >`select * from material_weigh where batch_id = ${id} order by weighed_at, weigh_id`.execute(ctx.db)
  return rows.map(({ weighId, direction, billNo, plateNo, weighedAt, gross, tare, net, actual, bill }) => ({
    weighId,
    direction,
    billNo,
    plateNo,
    weighedAt: formatInstant(weighedAt),
    gross,
    tare,
    net,
    actual,
    bill,
  }))
}

/** What was sampled of the batch by others; row-level security leaves out what is not disclosed yet. */
async function spotChecksOf(ctx: Pick<Context, 'db'>, id: string): Promise<MaterialDetail['spotChecks']> {
  const { rows } = await sql<{ id: string; label: string; checkDate: string; state: string }>`
    select id, kind || '' as label, check_date, state from spot_check where batch_id = ${id} and state <> '0' order by check_date desc, id`.execute(
    ctx.db,
  )
  return rows.map(({ id: own, label, checkDate, state }) => ({
    id: own,
    label: dictName('spotCheckKind', label) ?? label,
    checkDate,
    stateName: dictName('spotCheckState', state) ?? state,
    failed: state === '3' || state === '4',
  }))
}
