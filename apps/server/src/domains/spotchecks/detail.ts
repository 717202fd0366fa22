import { dictName } from '@zhugong/contract/settings/dictionaries'
import type { getSpotCheck, SpotDetail } from '@zhugong/contract/spotchecks/calls'
import { spotDetail } from '@zhugong/contract/spotchecks/calls'
import { judge } from '@zhugong/contract/spotchecks/readings'
import { sql } from 'kysely'
import { formatInstant } from '#kit/clock'
import { type Context, found } from '#kit/context'
import type { Row } from '#kit/db'
import { pick } from '#kit/pick'
import { rowOf } from '#kit/row-of'
import type { HandlerOf } from '#kit/serve'
import { linksOf } from '../files/public.ts'
import { historyOf, offersFor } from '../process/public.ts'
import { readSpotRow, type Spot, spotKind, spotType, stepLabels } from './kind.ts'
import { spotFor } from './rows.ts'

const stageNames = { first: '首次报告', changed: '更改报告', again: '复检报告' } as const

export const readSpot: HandlerOf<typeof getSpotCheck> = async ({ params: { id } }, ctx) => {
  const row = found(await spotFor(ctx, id), '质量抽查')
  const spot = await readSpotRow(ctx, id)
  const place = await sql<{ fullName: string }>`select full_name from site_place where id = ${spot.placeId}`.execute(ctx.db)
  const reports = await reportsOf(ctx, id)
  return rowOf(spotDetail, spot, {
    ...row,
    placeName: place.rows[0]?.fullName ?? null,
    calculation: [...(judge(spot.readings)?.lines ?? [])],
    photos: linksOf(ctx, spot.photos),
    batch: await batchFor(ctx, spot.batchId),
    reports: reports.map(({ files, at, stage, ...one }) => ({
      ...pick(one, 'id', 'reportNo', 'labOrg', 'reportDate', 'actualValue', 'passed', 'reason', 'byName'),
      stage,
      stageName: stageNames[stage],
      files: linksOf(ctx, files),
      at: formatInstant(at),
    })),
    waitingFloors: await floorsAbove(ctx, spot),
    notice: await noticeOf(ctx, id),
    timeline: await historyOf(ctx, spotType, id, stepLabels),
    actions: offersFor(ctx, spotKind, spot),
  })
}

export async function reportsOf(ctx: Pick<Context, 'db'>, id: string): Promise<Row<'spotCheckReport'>[]> {
  const { rows } = await sql<Row<'spotCheckReport'>>`select * from spot_check_report where check_id = ${id} order by seq`.execute(ctx.db)
  return rows
}

async function batchFor(ctx: Pick<Context, 'db'>, id: string | null): Promise<SpotDetail['batch']> {
  if (id === null) return null
  const { rows } = await sql<{ id: string; name: string; spec: string; batchNo: string | null; blocked: boolean }>`
    select id, name, spec, batch_no, blocked_by is not null as blocked from material_batch where id = ${id}`.execute(ctx.db)
  const one = rows[0]
  return one ? { id: one.id, words: [one.name, one.spec, one.batchNo].filter(Boolean).join(' '), blocked: one.blocked } : null
}

/** Floors above a failed part of the structure: what stands on it waits for it. */
async function floorsAbove(ctx: Pick<Context, 'db'>, spot: Spot): Promise<string[]> {
  if (spot.test !== 'rebound' || spot.placeId === null || (spot.state !== '3' && spot.state !== '4')) return []
  const { rows } = await sql<{ name: string }>`select above.name from site_place own
    join site_place floor on floor.id = any (own.path) and floor.kind = 'floor'
    join site_place above on above.parent_id = floor.parent_id and above.kind = 'floor' and above.seq > floor.seq and above.archived_at is null
    where own.id = ${spot.placeId} order by above.seq limit 60`.execute(ctx.db)
  return rows.map((one) => one.name)
}

async function noticeOf(ctx: Pick<Context, 'db'>, id: string): Promise<SpotDetail['notice']> {
  const { rows } = await sql<{ id: string; code: string | null; state: string; deadline: string; origin: string }>`
    select r.id, r.code, r.state, r.deadline, r.origin from rectify r where r.source_kind = ${spotType} and r.source_id = ${id}
      and r.shown_at is not null order by r.issue_time desc, r.id limit 1`.execute(ctx.db)
  const one = rows[0]
  if (!one) return null
  return {
    ...pick(one, 'id', 'code', 'deadline'),
    link: one.origin === 'gov' ? `/safetySupervisionRectification/details?id=${one.id}` : `/safetyP/abarbeitung/details?id=${one.id}`,
    stateName: dictName('rectifyState', one.state) ?? one.state,
    closed: one.state === '7',
  }
}
