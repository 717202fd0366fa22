import type * as calls from '@zhugong/contract/monitoring/helmets'
import { dayMs } from '#kit/clock'
import { type Context, projectsFor } from '#kit/context'
import { pageSlice } from '#kit/list'
import type { HandlerOf } from '#kit/serve'
import { recordsOfSeen, type Veil, veilFor } from '../readings/public.ts'
import { periodOf } from '../telemetry/views/public.ts'
import { numberOr } from './family.ts'
import { findHelmets, type HelmetRow, helmetFamilies, seesPersons } from './helmet-store.ts'
import { findKeyedRecords, type RecordRow, toKeyedRecord } from './records.ts'

// ---- pictures and films

export async function media(
  ctx: Context,
  record: 'snapshot' | 'video',
  query: {
    deviceId?: string | undefined
    projectCode?: string | undefined
    page: number
    size: number
    startTime?: string | undefined
    endTime?: string | undefined
  },
) {
  const projects = projectsFor(ctx, query.projectCode)
  const filter = {
    record,
    projects,
    deviceId: query.deviceId,
    period: periodOf(query, ctx.clock.now(), 30 * dayMs, 400 * dayMs),
    where: [recordsOfSeen(ctx)],
  }
  const { rows, total } = await findKeyedRecords(ctx.db, filter, pageSlice(query))
  const wearers = await wearersOf(ctx, rows)
  return { rows, total, projects, wearer: (row: RecordRow) => wearers.get(row.deviceId), veil: await veilFor(ctx, [...wearers.values()]) }
}

export async function wearersOf(ctx: Context, rows: readonly RecordRow[]) {
  const ids = [...new Set(rows.map((r) => r.deviceId))]
  if (ids.length === 0 || !seesPersons(ctx)) return new Map<string, HelmetRow>()
  const projects = [...new Set(rows.map((r) => r.projectCode))]
  return new Map((await findHelmets(ctx, { families: helmetFamilies, projects })).filter((h) => ids.includes(h.id)).map((h) => [h.id, h]))
}

export const shownRecord = (veil: Veil, wearer: HelmetRow | undefined, row: RecordRow & { key: string }) => ({
  ...toKeyedRecord(row),
  data: wearer ? veil.record(wearer, row.data) : {},
})

export const lateMs = 10 * 60_000

export const helmetSnaps: HandlerOf<typeof calls.helmetSnaps> = async ({ query }, ctx) => {
  // Pictures a person took are that person's round: a regulator is told of alarms instead.
  if (!seesPersons(ctx)) return { list: [], total: 0 }
  const { rows, total, wearer, veil } = await media(ctx, 'snapshot', query)
  return {
    list: rows.map((r) => ({
      ...shownRecord(veil, wearer(r), r),
      workerName: wearer(r)?.workerName ?? null,
      teamName: wearer(r)?.teamName ?? null,
      late: r.receivedAt.getTime() - r.ts.getTime() > lateMs,
    })),
    total,
  }
}

export const helmetVideos: HandlerOf<typeof calls.helmetVideos> = async ({ query }, ctx) => {
  if (!seesPersons(ctx)) return { list: [], total: 0, cameras: [] }
  const { rows, total, projects, wearer, veil } = await media(ctx, 'video', query)
  const all = (await findHelmets(ctx, { families: ['smartHelmet'], projects })).filter(
    (h) => h.params.camera === '1' || h.params.camera === true,
  )
  const seen = await veilFor(ctx, all)
  const cameras = all.filter((h) => seen.seesPerson(h))
  return {
    list: rows.map((r) => ({ ...shownRecord(veil, wearer(r), r), workerName: wearer(r)?.workerName ?? null })),
    total,
    cameras: cameras.map((h) => ({
      deviceId: h.id,
      name: h.workerName ?? h.name,
      online: h.online ?? false,
      batteryPercent: numberOr(h.v?.batteryPercent),
      signal: numberOr(h.v?.signal),
    })),
  }
}
