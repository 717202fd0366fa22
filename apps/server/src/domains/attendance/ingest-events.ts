import type { liveGatePass } from '@zhugong/contract/telemetry/topics'
import { sql } from 'kysely'
import type { z } from 'zod'
import type { Db } from '#kit/db'
import { newId } from '#kit/ids'
import { pick } from '#kit/pick'
import { appendEntries, lockChain } from './chain.ts'
import { markDays, markEverybody } from './dirty.ts'
import { affectedByEvent } from './engine/affected.ts'
import { isSuspicious } from './engine/intake.ts'
import { eventRecord, ledgerScore } from './engine/ledger.ts'
import { outOfPlace, rowAt } from './engine/stay.ts'
import { addDays, datesFrom } from './engine/time.ts'
import { type Calendar, calendarOf, versionOn } from './engine/work-day.ts'
import { findStays, findVersions, type Stay } from './facts-store.ts'
import { type Arrival, arrivalOf, type GateRecord, receivedNotBefore } from './gate-record.ts'

/** A passage to push to screens after the commit. */
export interface LivePass {
  projectCode: string
  message: z.infer<typeof liveGatePass.schema>
}

export interface Ingested {
  accepted: number
  /** Number of records already stored; they are acknowledged as success. */
  duplicated: number
  passes: LivePass[]
}

/** An event as a database row. */
export interface EventRow {
  project_code: string
  id: string
  dedup_key: string
  worker_id: string | null
  corp_code: string | null
  team_id: string | null
  time: string
  received_at: string
  work_day: string
  direction: string | null
  attend_type: string
  terminal_code: string
  device_id: string | null
  channel: string | null
  score: number | null
  live: string | null
  pass: string | null
  picture: string | null
  picture_hash: string | null
  person_hint: string | null
  temperature: number | null
  source: string
  record_id: string | null
  clock_offset_ms: number | null
  lng: number | null
  lat: number | null
  point_hash: string | null
  outside_fence: boolean
  quarantine: string | null
  flags: string[]
  late: boolean
  duplicated: number
  seq: number
}

/**
 * Stores a batch of gate records in the caller's transaction: removes duplicates by key, appends to the ledger and queues the days.
 * Projects are processed in order of their codes, so that two batches cannot deadlock.
 */
export async function ingestGateRecords(db: Db, batch: readonly GateRecord[], now: number): Promise<Ingested> {
  const gates = await findGateNames(db, batch)
  const arrivals = batch.map((record) => arrivalOf(record, gates.get(record.deviceId) ?? { sn: record.deviceId, name: record.deviceName }))
  const done: Ingested = { accepted: 0, duplicated: 0, passes: [] }
  const byProject = [...Map.groupBy(arrivals, (a) => a.projectCode)].sort(([a], [b]) => (a < b ? -1 : 1))
  for (const [projectCode, list] of byProject) {
    const one = await ingestProject(db, projectCode, list, now)
    done.accepted += one.accepted
    done.duplicated += one.duplicated
    done.passes.push(...one.passes)
  }
  return done
}

async function findGateNames(db: Db, batch: readonly GateRecord[]): Promise<Map<string, { sn: string; name: string }>> {
  const ids = [...new Set(batch.map((r) => r.deviceId))]
  const { rows } = await sql<{ id: string; sn: string; name: string }>`
    select id, device_sn as sn, name from device where id = any (${ids})`.execute(db)
  return new Map(rows.map((r) => [r.id, r]))
}

async function ingestProject(db: Db, projectCode: string, arrivals: readonly Arrival[], now: number): Promise<Ingested> {
  const first = firstOfEachKey(arrivals)
  const stays = await findStays(db, projectCode, [...new Set([...first.values()].flatMap((a) => a.workerId ?? []))])
  const versions = await findVersions(db, projectCode)
  // After this lock no other process stores for the project, so unknown keys are new.
  const chain = await lockChain(db, projectCode)
  const { rows: known } = await sql<{ dedupKey: string }>`
    select dedup_key from attendance_event where project_code = ${projectCode} and dedup_key = any (${[...first.keys()]})`.execute(db)
  const stored = new Set(known.map((r) => r.dedupKey))
  const fresh = [...first.values()]
    .filter((a) => !stored.has(a.dedupKey))
    .map((a) => receivedNotBefore(a, chain.receivedAt))
    .sort((a, b) => a.receivedAt - b.receivedAt)
  await countRepeats(db, projectCode, arrivals, stored)

  const calendars = new Map<string | null, Calendar>()
  const calendarFor = (workerId: string | null): Calendar => {
    let calendar = calendars.get(workerId)
    if (!calendar) {
      calendar = calendarOf(versions, workerId === null ? [] : (stays.get(workerId) ?? []))
      calendars.set(workerId, calendar)
    }
    return calendar
  }
  const prepared = fresh.map((arrival) => ({ arrival, id: newId(now), place: placeOf(arrival, calendarFor(arrival.workerId), versions) }))
  const entries = await appendEntries(
    db,
    chain,
    prepared.map(({ arrival, id }) => ({
      workerId: arrival.workerId,
      kind: 'event' as const,
      eventId: id,
      receivedAt: arrival.receivedAt,
      record: (at) => recordOf(arrival, at),
    })),
  )
  const events = prepared.map(({ arrival, id, place }, i) => eventRow(arrival, id, place, entries[i]!))
  if (events.length) {
    await sql`insert into attendance_event select * from jsonb_populate_recordset(null::attendance_event, ${JSON.stringify(events)}::jsonb)`.execute(
      db,
    )
    await markAffected(db, chain, prepared)
  }
  return {
    accepted: events.length,
    duplicated: arrivals.length - events.length,
    passes: prepared.flatMap(({ arrival, id, place }) => livePass(arrival, id, place)),
  }
}

/** A3: keeps the first received copy. */
function firstOfEachKey(arrivals: readonly Arrival[]): Map<string, Arrival> {
  const first = new Map<string, Arrival>()
  for (const arrival of arrivals) {
    const existing = first.get(arrival.dedupKey)
    if (!existing || arrival.receivedAt < existing.receivedAt) first.set(arrival.dedupKey, arrival)
  }
  return first
}

async function countRepeats(db: Db, projectCode: string, arrivals: readonly Arrival[], stored: ReadonlySet<string>): Promise<void> {
  if (stored.size === 0) return
  const counts = new Map<string, number>()
  for (const { dedupKey } of arrivals) if (stored.has(dedupKey)) counts.set(dedupKey, (counts.get(dedupKey) ?? 0) + 1)
  await sql`update attendance_event e set duplicated = e.duplicated + k.n
    from unnest(${[...counts.keys()]}::text[], ${[...counts.values()]}::int[]) as k(key, n)
    where e.project_code = ${projectCode} and e.dedup_key = k.key`.execute(db)
}

export interface EventPlace {
  workDay: string
  /** The person's stay at that time; undefined for strangers and people not in place. */
  stay: Stay | undefined
  flags: string[]
}

export function placeOf(arrival: Arrival, calendar: Calendar, versions: Parameters<typeof versionOn>[0]): EventPlace {
  const workDay = calendar.workDayOf(arrival.time)
  const stay = arrival.workerId === null ? undefined : calendar.stayOn(workDay)
  const { setting } = versionOn(versions, workDay)
  const flags = [
    ...(arrival.workerId === null ? ['stranger'] : []),
    ...(arrival.refused ? ['refused'] : []),
    ...(arrival.workerId !== null && !stay ? [outOfPlace(calendar.stays, workDay)] : []),
    ...(isSuspicious(arrival.score, setting.faceThreshold) && !arrival.refused ? ['suspicious'] : []),
  ]
  const current = stay ? rowAt(stay, arrival.time) : calendar.stays.at(-1)?.rows.at(-1)
  return { workDay, stay: current as Stay | undefined, flags }
}

export const recordOf = (a: Arrival, at: { seq: number; receivedAt: number; workerSeq: number | null }) =>
  eventRecord({
    ...pick(
      a,
      'attendType',
      'channel',
      'clockOffsetMs',
      'direction',
      'live',
      'pass',
      'pictureHash',
      'projectCode',
      'recordId',
      'source',
      'time',
      'workerId',
    ),
    pointHash: null,
    ...pick(at, 'receivedAt', 'seq', 'workerSeq'),
    score: ledgerScore(a.score),
    terminalCode: a.gate,
  })

export function eventRow(a: Arrival, id: string, place: EventPlace, entry: { seq: number; received_at: string }): EventRow {
  return {
    project_code: a.projectCode,
    id,
    dedup_key: a.dedupKey,
    worker_id: a.workerId,
    corp_code: place.stay?.corpCode ?? null,
    team_id: place.stay?.teamId ?? null,
    time: new Date(a.time).toISOString(),
    received_at: entry.received_at,
    work_day: place.workDay,
    ...pick(a, 'direction', 'channel', 'score', 'live', 'pass', 'picture', 'temperature', 'source', 'quarantine', 'late'),
    attend_type: a.attendType,
    terminal_code: a.gate,
    device_id: a.deviceId,
    picture_hash: a.pictureHash,
    person_hint: a.personHint,
    record_id: a.recordId,
    clock_offset_ms: a.clockOffsetMs,
    lng: a.place?.lng ?? null,
    lat: a.place?.lat ?? null,
    point_hash: null,
    outside_fence: a.place?.outsideFence ?? false,
    flags: place.flags,
    duplicated: 0,
    seq: entry.seq,
  }
}

/** A48. Events that do not count change no day. The first event starts the keeping of days for the whole site. */
async function markAffected(
  db: Db,
  chain: { projectCode: string; daysFrom: string | null },
  prepared: readonly { arrival: Arrival; place: EventPlace }[],
): Promise<void> {
  const days: [string, string][] = []
  for (const { arrival, place } of prepared) {
    if (arrival.workerId === null || arrival.quarantine !== null || arrival.refused) continue
    const range = affectedByEvent(place.workDay)
    for (const day of datesFrom(range.from, range.to)) days.push([arrival.workerId, day])
  }
  await markDays(db, chain.projectCode, days)
  if (chain.daysFrom !== null) return
  const live = prepared.filter((p) => p.arrival.quarantine === null && !p.arrival.late).map((p) => p.place.workDay)
  if (live.length === 0) return
  const daysFrom = live.reduce((a, b) => (a < b ? a : b))
  await db
    .updateTable('attendanceChain')
    .set({ daysFrom, openedTo: addDays(daysFrom, -1) })
    .where('projectCode', '=', chain.projectCode)
    .execute()
  await markEverybody(db, chain.projectCode, { from: daysFrom, to: daysFrom })
}

/** Only current passages are pushed: not late records, and not quarantined ones. */
function livePass(arrival: Arrival, id: string, place: EventPlace): LivePass[] {
  if (arrival.late || arrival.quarantine !== null) return []
  return [
    {
      projectCode: arrival.projectCode,
      message: {
        eventId: id,
        ...pick(arrival, 'time', 'direction', 'workerId'),
        gate: arrival.channel ?? arrival.gate,
        name: place.stay?.workerName ?? (arrival.workerId === null ? '陌生人' : '未登记人员'),
        teamName: place.stay?.teamName ?? '',
        pass: !arrival.refused,
        late: false,
      },
    },
  ]
}
