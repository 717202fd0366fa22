import { once } from 'node:events'
import type { City } from '@zhugong/simulator/city-types'
import { attendanceRecord, dayEvents, type GateEvent, isStopDay, type StrangerEvent, strangerEvents } from '@zhugong/simulator/shifts'
import type pg from 'pg'
import { from as copyFrom } from 'pg-copy-streams'
import { type EntryRow, linkEntries } from '#domains/attendance/chain'
import { computePerson, type DayRow, type PresenceRow } from '#domains/attendance/day-rows'
import {
  canonical,
  dailyRoot,
  emptyChain,
  type LedgerRecord,
  rootHash,
  rootRecord,
  WorkerSequence,
} from '#domains/attendance/engine/ledger'
import { addDays, dateOf, datesFrom, startOf } from '#domains/attendance/engine/time'
import { calendarOf } from '#domains/attendance/engine/work-day'
import { factsFor, findSite, findStays, type Site, type Stay, toEvent } from '#domains/attendance/facts-store'
import { type Arrival, arrivalOf, type GateRecord } from '#domains/attendance/gate-record'
import { type EventRow, eventRow, placeOf, recordOf } from '#domains/attendance/ingest-events'
import { daysLock } from '#domains/attendance/recompute'
import type { Database } from '#kit/db'
import { newId } from '#kit/ids'
import { inTransaction } from '#kit/transaction'
import { throughPhones, usesPhones } from './seed-phones.ts'
import { insertAll } from './seed-trade.ts'
import { shanghai } from './trade-given.ts'

/** Days of history: more at the main site, fewer elsewhere, to keep the first start short. */
const storyDays = 45
const otherDays = 14
const historyDays = (city: City, projectCode: string) => (city.projects[0]?.projectCode === projectCode ? storyDays : otherDays)

const writtenKey = 'demo-attendance'

/** Projects without attendance history, in the order of the city. */
export async function missingHistory(database: Database, city: City): Promise<string[]> {
  const { rows } = await database.pool.query<{ value: string[] }>('select value from setting where key = $1', [writtenKey])
  const written = new Set(rows[0]?.value)
  return city.projects.map((p) => p.projectCode).filter((code) => !written.has(code))
}

/** Past passages of every project, chained and counted by the functions that process live ones. */
export async function seedAttendance(
  database: Database,
  city: City,
  now: number,
  projectCodes: readonly string[] = city.projects.map((p) => p.projectCode),
): Promise<{ events: number; days: number }> {
  const total = { events: 0, days: 0 }
  // One project is written while the next is computed; on one connection, because other seeds run at the same time.
  let writing = Promise.resolve()
  for (const projectCode of projectCodes) {
    await seedStates(database, city, projectCode, now)
    if (usesPhones(city, projectCode))
      await database.pool.query(`update attendance_setting set value = jsonb_set(value, '{allowMobile}', 'true') where project_code = $1`, [
        projectCode,
      ])
    const site = await findSite(database.kysely, projectCode)
    const stays = await findStays(database.kysely, projectCode)
    const history = await historyOf(city, site, stays, now)
    total.events += history.events.length
    total.days += history.days.length
    writing = writing.then(() => write(database, history))
    // A failure is thrown by the `await` below; until then it must not count as unhandled.
    writing.catch(() => undefined)
  }
  await writing
  return total
}

/** Stopped periods of a project, as entries of its state log. */
async function seedStates(database: Database, city: City, projectCode: string, now: number): Promise<void> {
  const last = dateOf(now)
  const first = addDays(last, -historyDays(city, projectCode))
  const db = database.kysely
  const stopped = [...datesFrom(first, last)].filter((day) => isStopDay(city, projectCode, day))
  const begins = stopped.filter((day) => !stopped.includes(addDays(day, -1)))
  const log = begins.flatMap((day) => {
    let end = day
    while (stopped.includes(addDays(end, 1))) end = addDays(end, 1)
    const from = { id: newId(), projectCode, fromState: '003', toState: '005', at: shanghai(day), reason: '停工整改' }
    const goesOn = end === last && city.projects.find((p) => p.projectCode === projectCode)?.prjStatus === '005'
    return goesOn
      ? [from]
      : [from, { id: newId(), projectCode, fromState: '005', toState: '003', at: shanghai(addDays(end, 1)), reason: '整改完成，恢复施工' }]
  })
  if (log.length === 0) return
  await db.transaction().execute(async (tx) => {
    await tx.deleteFrom('projectStateLog').where('projectCode', '=', projectCode).where('toState', '=', '005').execute()
    await insertAll(tx, 'projectStateLog', log)
  })
}

/** Yields to the event loop, so that the database can write one project while the next is computed. */
const breathe = () => new Promise((resolve) => setImmediate(resolve))
const peopleAtOnce = 25

interface History {
  projectCode: string
  chain: { seq: number; hash: string; received_at: string; days_from: string; opened_to: string }
  events: EventRow[]
  entries: EntryRow[]
  days: DayRow[]
  presence: PresenceRow[]
  roots: { project_code: string; date: string; record: string; hash: string }[]
}

/** Delay from a passage to its arrival. */
const transitMs = 2_000

async function arrivals(city: City, projectCode: string, first: string, now: number): Promise<Arrival[]> {
  const gates = new Map(city.devices.filter((d) => d.projectCode === projectCode).map((d) => [d.deviceSn, d]))
  const byKey = new Map<string, Arrival>()
  const take = (event: GateEvent | StrangerEvent, delaySeconds: number) => {
    const gate = gates.get(event.deviceSn)
    const receivedAt = event.time + delaySeconds * 1000 + transitMs
    if (!gate || receivedAt > now) return
    const record: GateRecord = {
      deviceId: gate.id,
      projectCode,
      deviceName: gate.name,
      params: gate.params,
      time: event.time,
      receivedAt,
      seq: 0,
      id: event.recordId,
      data: attendanceRecord(event),
    }
    const arrival = arrivalOf(record, { sn: gate.deviceSn, name: gate.name })
    const existing = byKey.get(arrival.dedupKey)
    if (!existing || arrival.receivedAt < existing.receivedAt) byKey.set(arrival.dedupKey, arrival)
  }
  for (const day of datesFrom(first, dateOf(now))) {
    for (const event of dayEvents(city, projectCode, day)) take(event, event.delaySeconds)
    for (const event of strangerEvents(city, projectCode, day)) take(event, 0)
    await breathe()
  }
  return [...byKey.values()].sort((a, b) => a.receivedAt - b.receivedAt || (a.dedupKey < b.dedupKey ? -1 : 1))
}

async function historyOf(city: City, site: Site, stays: ReadonlyMap<string, Stay[]>, now: number): Promise<History> {
  const { projectCode } = site
  const first = addDays(dateOf(now), -historyDays(city, site.projectCode))
  const list = throughPhones(city, projectCode, await arrivals(city, projectCode, first, now))
  // Same format as newId, but deterministic for a passage.
  const ids = list.map((a) => a.receivedAt.toString(16).padStart(12, '0') + a.dedupKey.slice(0, 20))
  const linked = linkEntries(
    emptyChain(projectCode),
    new WorkerSequence(),
    list.map((arrival, i) => ({
      workerId: arrival.workerId,
      kind: 'event' as const,
      eventId: ids[i]!,
      receivedAt: arrival.receivedAt,
      record: (at) => recordOf(arrival, at),
    })),
  )
  const calendars = new Map([...stays].map(([id, rows]) => [id, calendarOf(site.versions, rows)]))
  const nobody = calendarOf(site.versions, [])
  await breathe()
  const events = list.map((a, i) =>
    eventRow(a, ids[i]!, placeOf(a, (a.workerId && calendars.get(a.workerId)) || nobody, site.versions), linked.rows[i]!),
  )
  const stored = events.map((e) =>
    toEvent({
      id: e.id,
      workerId: e.worker_id,
      time: new Date(e.time),
      receivedAt: new Date(e.received_at),
      direction: e.direction,
      terminalCode: e.terminal_code,
      attendType: e.attend_type,
      pass: e.pass,
      live: e.live,
      clockOffsetMs: e.clock_offset_ms,
      outsideFence: e.outside_fence,
      recordId: e.record_id,
      pictureHash: e.picture_hash,
    }),
  )
  const days: DayRow[] = []
  const presence: PresenceRow[] = []
  const today = calendarOf(site.versions, []).workDayOf(now)
  for (const [i, facts] of [...factsFor(site, stays, stored, [], now).values()].entries()) {
    if (i % peopleAtOnce === 0) await breathe()
    const computed = computePerson(projectCode, facts, first, dateOf(now))
    days.push(...computed.days)
    presence.push(computed.presence)
  }
  return {
    projectCode,
    chain: {
      seq: linked.head.seq,
      hash: linked.head.hash,
      received_at: new Date(Math.max(linked.head.receivedAt, startOf(dateOf(now)))).toISOString(),
      days_from: first,
      opened_to: today,
    },
    events,
    entries: linked.rows,
    days,
    presence,
    roots: rootsOf(projectCode, linked.rows, dateOf(now)),
  }
}

function rootsOf(projectCode: string, entries: readonly EntryRow[], today: string): History['roots'] {
  if (entries.length === 0) return []
  const byDate = Map.groupBy(entries, (e) => dateOf(Date.parse(e.received_at)))
  let lastHash = emptyChain(projectCode).hash
  let prevRoot: string | null = null
  const first = dateOf(Date.parse(entries[0]!.received_at))
  return [...datesFrom(first, addDays(today, -1))].map((date) => {
    const root = dailyRoot(projectCode, date, byDate.get(date) ?? [], { lastHash, prevRoot })
    lastHash = root.lastHash
    prevRoot = rootHash(root)
    return { project_code: projectCode, date, record: canonical(rootRecord(root)), hash: prevRoot }
  })
}

async function write(database: Database, history: History): Promise<void> {
  const { projectCode, chain } = history
  await inTransaction(database.pool, async (client) => {
    await client.query('set local synchronous_commit = off')
    const early = await takeEarly(client, history)
    await copyRows(client, 'attendance_event', history.events)
    await copyRows(client, 'attendance_ledger', history.entries)
    await copyRows(client, 'attendance_day', history.days)
    await copyRows(client, 'attendance_presence', history.presence)
    await copyRows(client, 'attendance_root', history.roots)
    await client.query(
      `update attendance_chain set seq = $2, hash = $3, received_at = $4, days_from = $5, opened_to = $6 where project_code = $1`,
      [projectCode, chain.seq, chain.hash, chain.received_at, chain.days_from, chain.opened_to],
    )
    await appendEarly(client, history, early)
    // Each root was delivered to the authority and the contractor shortly after midnight.
    await client.query(
      `insert into attendance_root_copy (group_id, project_code, date, hash, delivered_at)
       select t.id, r.project_code, r.date, r.hash, ((r.date + 1)::timestamp + interval '3 minutes') at time zone 'Asia/Shanghai'
       from attendance_root r join project p using (project_code)
         join tenant t on (t.type = 1 and t.code = p.supervise_org) or (t.type = 2 and t.code = p.contractor_corp_code)
       where r.project_code = $1 on conflict do nothing`,
      [projectCode],
    )
    await client.query(
      `insert into setting (key, value) values ($1, jsonb_build_array($2::text))
       on conflict (key) do update set value = setting.value || excluded.value`,
      [writtenKey, projectCode],
    )
  })
}

type Early = (Pick<EntryRow, 'worker_id' | 'kind' | 'event_id' | 'entry'> & { seq: number; received_at: Date })[]

/**
 * The city's own gates wait until the history is written, but gates connected by users do not. The history precedes such passages, so they are
 * chained again behind it: the only time the ledger is rewritten, before anybody relies on it.
 */
async function takeEarly(client: pg.PoolClient, { projectCode, chain }: History): Promise<Early> {
  await client.query('select pg_advisory_xact_lock($1, hashtext($2))', [daysLock, projectCode])
  await client.query(
    `insert into attendance_chain (project_code, seq, hash) values ($1, 0, $2)
     on conflict (project_code) do update set seq = attendance_chain.seq`,
    [projectCode, chain.hash],
  )
  const { rows } = await client.query<Early[number]>(
    'delete from attendance_ledger where project_code = $1 returning seq, worker_id, kind, received_at, event_id, entry',
    [projectCode],
  )
  if (rows.length) {
    await client.query('delete from attendance_day where project_code = $1', [projectCode])
    await client.query('delete from attendance_presence where project_code = $1', [projectCode])
    await client.query('delete from attendance_root where project_code = $1', [projectCode])
  }
  return rows.toSorted((a, b) => a.seq - b.seq)
}

async function appendEarly(client: pg.PoolClient, history: History, early: Early): Promise<void> {
  if (early.length === 0) return
  const { projectCode, chain } = history
  const last = new Map<string, number>()
  for (const e of history.entries) if (e.worker_id && e.worker_seq) last.set(e.worker_id, e.worker_seq)
  const { head, rows } = linkEntries(
    { projectCode, seq: chain.seq, hash: chain.hash, receivedAt: Date.parse(chain.received_at) },
    new WorkerSequence(last),
    early.map((e) => ({
      workerId: e.worker_id,
      kind: e.kind as 'event',
      eventId: e.event_id,
      receivedAt: e.received_at.getTime(),
      record: (place) => ({ ...(JSON.parse(e.entry) as LedgerRecord), ...place }),
    })),
  )
  await copyRows(client, 'attendance_ledger', rows)
  await client.query('update attendance_chain set seq = $2, hash = $3, received_at = $4 where project_code = $1', [
    projectCode,
    head.seq,
    head.hash,
    new Date(head.receivedAt).toISOString(),
  ])
  await client.query(
    `update attendance_event e set seq = l.seq, received_at = l.received_at from attendance_ledger l
     where e.project_code = $1 and l.project_code = $1 and l.event_id = e.id and l.seq > $2`,
    [projectCode, chain.seq],
  )
  await client.query(
    `insert into attendance_dirty (project_code, worker_id, work_day)
     select distinct e.project_code, e.worker_id, e.work_day + d from attendance_event e, generate_series(-1, 1) as d
     where e.project_code = $1 and e.seq > $2 and e.worker_id is not null and e.work_day is not null`,
    [projectCode, chain.seq],
  )
}

/** Rows per COPY chunk, after which the event loop gets its turn. */
const chunk = 2_000

async function copyRows<T extends object>(client: pg.PoolClient, table: string, rows: readonly T[]): Promise<void> {
  const head = rows[0]
  if (!head) return
  const columns = Object.keys(head) as (keyof T & string)[]
  // Through a temporary table: COPY cannot write to tables with row-level security.
  await client.query(`create temporary table through (like ${table} including defaults) on commit drop`)
  const stream = client.query(copyFrom(`copy through (${columns.join(', ')}) from stdin`))
  const finished = once(stream, 'finish')
  for (let i = 0; i < rows.length; i += chunk) {
    const text = rows
      .slice(i, i + chunk)
      .map((row) => `${columns.map((c) => cell(row[c], lists.has(c))).join('\t')}\n`)
      .join('')
    if (!stream.write(text)) await once(stream, 'drain')
  }
  stream.end()
  await finished
  await client.query(`insert into ${table} (${columns.join(', ')}) select ${columns.join(', ')} from through`)
  await client.query('drop table through')
}

/** Columns with array type; other lists are JSON. */
const lists = new Set(['flags', 'results'])

/** COPY's text format. */
function cell(value: unknown, isList: boolean): string {
  if (value === null || value === undefined) return '\\N'
  if (typeof value === 'boolean') return value ? 't' : 'f'
  if (typeof value === 'number') return String(value)
  const text = typeof value === 'string' ? value : isList ? `{${(value as (string | number)[]).join(',')}}` : JSON.stringify(value)
  return /[\\\t\n\r]/.test(text)
    ? text.replaceAll('\\', '\\\\').replaceAll('\t', '\\t').replaceAll('\n', '\\n').replaceAll('\r', '\\r')
    : text
}
