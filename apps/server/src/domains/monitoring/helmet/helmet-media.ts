import { dayMs } from '@zhugong/contract/kit/time'
import {
  mediaTriggers,
  type helmetSnaps as snapsCall,
  type helmetVideos as videosCall,
} from '@zhugong/contract/monitoring/helmet/helmet-media'
import { sql } from 'kysely'
import { type Context, projectsFor } from '#kit/context'
import { anywhere, type Condition, condition, pageSlice } from '#kit/list'
import type { HandlerOf } from '#kit/serve'
import { fileIdsOf, linkOf } from '../../files/public.ts'
import { recordsOfSeen, type Veil, veilFor } from '../../readings/public.ts'
import { numberOr, textOr } from '../shared/family.ts'
import { periodOf } from '../shared/period.ts'
import { field } from '../shared/record-fields.ts'
import { findKeyedRecords, type RecordRow, toKeyedRecord } from '../shared/records.ts'
import { findHelmets, type HelmetRow, helmetFamilies, isRacked, seesPersons } from './helmet-store.ts'

// ---- pictures and films

interface MediaQuery {
  deviceId?: string | undefined
  projectCode?: string | undefined
  page: number
  size: number
  startTime?: string | undefined
  endTime?: string | undefined
  trigger?: string[] | undefined
  name?: string | undefined
}

/** Condition on the current wearer's name. */
const wornBy = (name: string): Condition =>
  condition(sql`exists (
    select 1 from project_worker pw where pw.project_code = r.project_code and pw.worker_id = d.params ->> 'workerId' and pw.worker_name ilike ${anywhere(name)})`)

async function media(ctx: Context, record: 'snapshot' | 'video', query: MediaQuery) {
  const projects = projectsFor(ctx, query.projectCode)
  const filter = {
    record,
    projects,
    deviceId: query.deviceId,
    period: periodOf(query, ctx.clock.now(), 30 * dayMs, 400 * dayMs),
    where: [
      recordsOfSeen(ctx),
      ...(query.trigger?.length ? [condition(sql`coalesce(${field('trigger')}, 'manual') = any (${query.trigger})`)] : []),
      ...(query.name ? [wornBy(query.name)] : []),
    ],
  }
  const { rows, total } = await findKeyedRecords(ctx.db, filter, pageSlice(query))
  const wearers = await wearersOf(ctx, rows)
  return { rows, total, projects, wearer: (row: RecordRow) => wearers.get(row.deviceId), veil: await veilFor(ctx, [...wearers.values()]) }
}

async function wearersOf(ctx: Context, rows: readonly RecordRow[]) {
  const ids = [...new Set(rows.map((r) => r.deviceId))]
  if (ids.length === 0 || !seesPersons(ctx)) return new Map<string, HelmetRow>()
  const projects = [...new Set(rows.map((r) => r.projectCode))]
  return new Map((await findHelmets(ctx, { families: helmetFamilies, projects })).filter((h) => ids.includes(h.id)).map((h) => [h.id, h]))
}

type KeyedRow = RecordRow & { key: string }

const shownRecord = (veil: Veil, wearer: HelmetRow | undefined, row: KeyedRow) => ({
  ...toKeyedRecord(row),
  data: wearer ? veil.record(wearer, row.data) : {},
})

const lateMs = 10 * 60_000
type Trigger = keyof typeof mediaTriggers
const isTrigger = (value: unknown): value is Trigger => typeof value === 'string' && Object.hasOwn(mediaTriggers, value)
const triggerOf = (data: Readonly<Record<string, unknown>>): Trigger => (isTrigger(data.trigger) ? data.trigger : 'manual')

/** URLs of pictures by row: only files of the same project, whatever id a device's record contains. */
async function photosOf(ctx: Context, rows: readonly KeyedRow[]): Promise<Map<string, string>> {
  const named = rows.flatMap((row) => {
    const [id] = fileIdsOf([textOr(row.data.photoUrl) ?? textOr(row.data.url) ?? ''])
    return id ? [{ key: row.key, id, projectCode: row.projectCode }] : []
  })
  if (named.length === 0) return new Map()
  const { rows: found } = await sql<{ key: string; id: string }>`
    select u.key, f.id from unnest(${named.map((n) => n.key)}::text[], ${named.map((n) => n.id)}::text[], ${named.map((n) => n.projectCode)}::text[])
      u(key, id, project_code) join stored_file f on f.id = u.id and f.project_code = u.project_code`.execute(ctx.db)
  return new Map(found.flatMap(({ key, id }) => (linkOf(ctx, id) ? [[key, linkOf(ctx, id) ?? '']] : [])))
}

/** An alarm within this time of a picture belongs to it. */
const besideMs = 2 * 60_000

async function alarmsBeside(ctx: Context, rows: readonly KeyedRow[]) {
  if (rows.length === 0) return new Map<string, { id: string; label: string; level: number }>()
  const { rows: found } = await sql<{ key: string; id: string; label: string; level: number }>`
    select u.key, a.id, a.label, a.level from unnest(${rows.map((r) => r.key)}::text[], ${rows.map((r) => r.deviceId)}::text[], ${rows.map((r) => r.ts)}::timestamptz[])
      u(key, device_id, ts), lateral (
        select a.id, a.label, a.level from alarm a where a.device_id = u.device_id and not a.simulated and a.alarm_key not in ('offline', 'batteryLow')
          and a.start_time between u.ts - ${besideMs} * interval '1 millisecond' and u.ts + ${besideMs} * interval '1 millisecond'
        order by a.level, a.start_time limit 1) a`.execute(ctx.db)
  return new Map(found.map(({ key, ...alarm }) => [key, alarm]))
}

export const helmetSnaps: HandlerOf<typeof snapsCall> = async ({ query }, ctx) => {
  // Pictures reveal the wearer's round: regulators get none, they see the alarms instead.
  if (!seesPersons(ctx)) return { list: [], total: 0 }
  const { rows, total, wearer, veil } = await media(ctx, 'snapshot', query)
  const photos = await photosOf(ctx, rows)
  const alarms = await alarmsBeside(ctx, rows)
  return {
    list: rows.map((r) => {
      const shown = shownRecord(veil, wearer(r), r)
      const [lng, lat] = [numberOr(shown.data.longitude), numberOr(shown.data.latitude)]
      return {
        ...shown,
        workerName: wearer(r)?.workerName ?? null,
        teamName: wearer(r)?.teamName ?? null,
        late: r.receivedAt.getTime() - r.ts.getTime() > lateMs,
        trigger: triggerOf(r.data),
        photo: wearer(r) ? (photos.get(r.key) ?? null) : null,
        at: lng === null || lat === null ? null : { lng, lat },
        alarm: alarms.get(r.key) ?? null,
      }
    }),
    total,
  }
}

export const helmetVideos: HandlerOf<typeof videosCall> = async ({ query }, ctx) => {
  if (!seesPersons(ctx)) return { list: [], total: 0, cameras: [] }
  const { rows, total, projects, wearer, veil } = await media(ctx, 'video', query)
  const all = (await findHelmets(ctx, { families: ['smartHelmet'], projects })).filter(
    (h) => h.params.camera === '1' || h.params.camera === true,
  )
  const seen = await veilFor(ctx, all)
  const cameras = all.filter((h) => seen.seesPerson(h))
  return {
    list: rows.map((r) => {
      const endTime = Date.parse(String(r.data.endTime ?? '')) || r.ts.getTime()
      return {
        ...shownRecord(veil, wearer(r), r),
        workerName: wearer(r)?.workerName ?? null,
        teamName: wearer(r)?.teamName ?? null,
        startTime: Math.min(endTime, Date.parse(String(r.data.startTime ?? '')) || endTime),
        endTime,
        sizeBytes: numberOr(r.data.size) ?? 0,
        trigger: triggerOf(r.data),
      }
    }),
    total,
    cameras: cameras.map((h) => {
      const now = seen.values(h, h.v ?? {}, 'now')
      return {
        deviceId: h.id,
        name: h.workerName ?? h.name,
        teamName: h.teamName,
        online: h.online ?? false,
        wearing: typeof h.v?.wearing === 'boolean' ? h.v.wearing : null,
        racked: isRacked(h, ctx.clock.now()),
        batteryPercent: numberOr(h.v?.batteryPercent),
        signal: numberOr(h.v?.signal),
        lng: numberOr(now.longitude),
        lat: numberOr(now.latitude),
      }
    }),
  }
}
