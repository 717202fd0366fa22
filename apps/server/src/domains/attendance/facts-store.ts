import type {
  AttendanceEvent,
  Correction,
  CorrectionKind,
  Direction,
  GateRole,
  PlaceRow,
  ProjectState,
} from '@zhugong/contract/attendance/facts'
import { type AttendanceSetting, attendanceSetting, type SettingVersion } from '@zhugong/contract/attendance/setting-model'
import { hourMs } from '@zhugong/contract/kit/time'
import { projectStates } from '@zhugong/contract/organisation/codes'
import { sql } from 'kysely'
import type { Db } from '#kit/db'
import { pick } from '#kit/pick'
import type { Facts } from './engine/day.ts'
import { directionOf } from './engine/intake.ts'
import { addDays, clockMs, startOf } from './engine/time.ts'
import type { CorrectionValue } from './tables.ts'

/** The facts shared by everyone on a site. */
export interface Site {
  projectCode: string
  versions: SettingVersion[]
  states: ProjectState[]
  gates: Record<string, GateRole>
  /** The latest start of a work day among all teams, in ms after midnight. */
  latestCutMs: number
}

/** One stay of a person, with the columns shown in lists. */
export interface Stay extends PlaceRow {
  id: string
  workerId: string
  workerName: string
  teamId: string | null
  teamName: string | null
  workRole: string
  workType: string | null
  post: string | null
}

// Cache of parsed settings by id. Settings are few and never change after saving.
const parsed = new Map<string, AttendanceSetting>()
const maxParsed = 5_000

function settingOf(id: string, value: unknown): AttendanceSetting {
  const known = parsed.get(id)
  if (known) return known
  if (parsed.size > maxParsed) parsed.clear()
  const setting = attendanceSetting.parse(value)
  parsed.set(id, setting)
  return setting
}

export async function findVersions(db: Db, projectCode: string): Promise<SettingVersion[]> {
  const { rows: found } = await sql<{ start: string | null; end: string | null; id: string | null; effectiveFrom: string; value: unknown }>`
    select p.attendance_start_time as start, p.attendance_end_time as end, s.id, s.effective_from, s.value
    from (select ${projectCode}::text as code) one left join project p on p.project_code = one.code
      left join attendance_setting s on s.project_code = one.code order by s.effective_from, s.id`.execute(db)
  const rows = found.flatMap(({ id, effectiveFrom, value }) => (id === null ? [] : [{ id, effectiveFrom, value }]))
  if (rows.length) return rows.map((r) => ({ version: r.id, effectiveFrom: r.effectiveFrom, setting: settingOf(r.id, r.value) }))
  const own = attendanceSetting.safeParse({ workStart: found[0]?.start, workEnd: found[0]?.end })
  return [{ version: 'default', effectiveFrom: '0001-01-01', setting: own.success ? own.data : attendanceSetting.parse({}) }]
}

export async function findStates(db: Db, projectCode: string): Promise<ProjectState[]> {
  const rows = await db
    .selectFrom('projectStateLog')
    .select(['fromState', 'toState', 'at', 'keepsAttendance'])
    .where('projectCode', '=', projectCode)
    .orderBy('at')
    .execute()
  const first = rows[0]
  const before = first
    ? first.fromState
    : (await db.selectFrom('project').select('prjStatus').where('projectCode', '=', projectCode).executeTakeFirst())?.prjStatus
  return [
    ...(before ? [{ state: before, from: Number.MIN_SAFE_INTEGER }] : []),
    // A stop that keeps the attendance is no stop here.
    ...rows.map((r) => ({ state: r.keepsAttendance ? projectStates.building : r.toState, from: r.at.getTime() })),
  ]
}

/** The gate's own direction is stored as devices send it (0 in, 1 out). */
export const gateRoleOf = (device: {
  direction: string | null
  gateRole: string | null
  params: Readonly<Record<string, unknown>>
}): GateRole => ({
  direction: directionOf(device.direction ?? (device.params.direction as string | number | undefined)),
  role: (device.gateRole ?? device.params.role) === 'inner' ? 'inner' : 'perimeter',
})

export async function findGates(db: Db, projectCode: string): Promise<Record<string, GateRole>> {
  const { rows } = await sql<{ deviceSn: string; direction: string | null; gateRole: string | null; params: Record<string, unknown> }>`
    select device_sn, direction, gate_role, params from device where project_code = ${projectCode} and family = 'faceGate'`.execute(db)
  return Object.fromEntries(rows.map((r) => [r.deviceSn, gateRoleOf(r)]))
}

export async function findSite(db: Db, projectCode: string): Promise<Site> {
  const versions = await findVersions(db, projectCode)
  return {
    projectCode,
    versions,
    states: await findStates(db, projectCode),
    gates: await findGates(db, projectCode),
    latestCutMs: latestCutOf(versions),
  }
}

function latestCutOf(versions: readonly SettingVersion[]): number {
  const cuts = versions.flatMap((v) => [v.setting.dayCut, ...Object.values(v.setting.shifts).flatMap((s) => s.dayCut ?? [])])
  return Math.max(...cuts.map(clockMs))
}

/** Stays in a project, of everyone or of some people; by person, in order of entry. */
export async function findStays(db: Db, projectCode: string, workerIds?: readonly string[]): Promise<Map<string, Stay[]>> {
  const some = workerIds ? sql`and pw.worker_id = any (${[...workerIds]})` : sql``
  const { rows } = await sql<RawStay>`
    select pw.id, pw.worker_id, pw.worker_name, pw.corp_code, pw.team_id, t.team_sys_no::text as team_sys_no, t.team_name,
      pw.work_role, pw.work_type, pw.post, pw.entry_time, pw.exit_time, pw.formal_from,
      coalesce((select jsonb_agg(jsonb_build_object('from', extract(epoch from s.from_at) * 1000, 'until', extract(epoch from s.until_at) * 1000)
        order by s.from_at) from stay_pause s where s.project_code = pw.project_code and s.worker_id = pw.worker_id), '[]') as pauses
    from project_worker pw left join team t on t.id = pw.team_id
    where pw.project_code = ${projectCode} ${some} order by pw.worker_id, pw.entry_time, pw.id`.execute(db)
  return Map.groupBy(
    rows.map(({ entryTime, exitTime, formalFrom, ...rest }) => ({
      ...rest,
      teamSysNo: rest.teamSysNo,
      entryTime: entryTime.getTime(),
      exitTime: exitTime?.getTime() ?? null,
      formalFrom: formalFrom?.getTime() ?? null,
    })),
    (s) => s.workerId,
  )
}
type RawStay = Omit<Stay, 'entryTime' | 'exitTime' | 'formalFrom'> & { entryTime: Date; exitTime: Date | null; formalFrom: Date | null }

export interface RawEvent {
  id: string
  workerId: string | null
  time: Date
  receivedAt: Date
  direction: string | null
  terminalCode: string
  attendType: string
  pass: string | null
  live: string | null
  clockOffsetMs: number | null
  outsideFence: boolean
  recordId: string | null
  pictureHash: string | null
}

export const toEvent = (r: RawEvent): AttendanceEvent => ({
  ...pick(r, 'id', 'workerId', 'clockOffsetMs', 'outsideFence', 'recordId', 'pictureHash'),
  time: r.time.getTime(),
  receivedAt: r.receivedAt.getTime(),
  direction: r.direction as Direction | null,
  gate: r.terminalCode,
  type: r.attendType,
  pass: r.pass as AttendanceEvent['pass'],
  live: r.live as AttendanceEvent['live'],
})

const eventColumns = sql.raw(
  'id, worker_id, time, received_at, direction, terminal_code, attend_type, pass, live, clock_offset_ms, outside_fence, record_id, picture_hash',
)

/** Events of some people on the dates, with half a day's margin at either end, and events named by corrections. */
export async function findEvents(
  db: Db,
  projectCode: string,
  workerIds: readonly string[],
  dates: { from: string; to: string },
  corrections: readonly Correction[],
): Promise<AttendanceEvent[]> {
  const from = new Date(startOf(dates.from))
  const to = new Date(startOf(addDays(dates.to, 1)) + 12 * hourMs)
  const { rows } = await sql<RawEvent>`
    select ${eventColumns} from attendance_event
    where project_code = ${projectCode} and worker_id = any (${[...workerIds]}) and time >= ${from} and time < ${to}`.execute(db)
  const named = corrections.flatMap((c) => c.target ?? [])
  const periods = corrections.filter((c) => c.kind === 'release' && c.gate !== null && c.fromTime !== null && c.toTime !== null)
  const known = new Map(rows.map((r) => [r.id, r]))
  if (named.length) {
    const more = await sql<RawEvent>`
      select ${eventColumns} from attendance_event where project_code = ${projectCode} and id = any (${named})`.execute(db)
    for (const row of more.rows) known.set(row.id, row)
  }
  for (const c of periods) {
    const more = await sql<RawEvent>`
      select ${eventColumns} from attendance_event where project_code = ${projectCode} and worker_id = any (${[...workerIds]})
        and terminal_code = ${c.gate} and time between ${new Date(c.fromTime!)} and ${new Date(c.toTime!)}`.execute(db)
    for (const row of more.rows) known.set(row.id, row)
  }
  return [...known.values()].map(toEvent)
}

export async function findCorrections(db: Db, projectCode: string): Promise<Correction[]> {
  const rows = await db.selectFrom('attendanceCorrection').selectAll().where('projectCode', '=', projectCode).execute()
  return rows.map((r) => ({
    ...pick(r, 'id', 'state', 'requestedBy', 'approvedBy', 'byCompany', 'workerId'),
    kind: r.kind as CorrectionKind,
    requestedAt: r.requestedAt.getTime(),
    approvedAt: r.approvedAt?.getTime() ?? null,
    ...(r.value as CorrectionValue),
  }))
}

/** The facts of each person, from which the engine computes days. */
export function factsFor(
  site: Site,
  stays: ReadonlyMap<string, readonly Stay[]>,
  events: readonly AttendanceEvent[],
  corrections: readonly Correction[],
  now: number,
): Map<string, Facts> {
  const own = Map.groupBy(events, (e) => e.workerId)
  const strangers = own.get(null) ?? []
  const facts = new Map<string, Facts>()
  for (const [workerId, rows] of stays) {
    facts.set(workerId, {
      ...pick(site, 'versions', 'states', 'gates'),
      worker: { workerId, rows },
      events: strangers.length ? [...(own.get(workerId) ?? []), ...strangers] : (own.get(workerId) ?? []),
      corrections,
      now,
    })
  }
  return facts
}

/** Facts of some people (default: everyone with a stay) for a range of work days. */
export async function findFacts(
  db: Db,
  projectCode: string,
  range: { from: string; to: string },
  now: number,
  workerIds?: readonly string[],
): Promise<{ site: Site; stays: Map<string, Stay[]>; facts: Map<string, Facts>; events: AttendanceEvent[] }> {
  const site = await findSite(db, projectCode)
  const stays = await findStays(db, projectCode, workerIds)
  const corrections = await findCorrections(db, projectCode)
  const dates = { from: addDays(range.from, -2), to: addDays(range.to, 2) }
  const events = await findEvents(db, projectCode, [...stays.keys()], dates, corrections)
  return { site, stays, facts: factsFor(site, stays, events, corrections, now), events }
}
