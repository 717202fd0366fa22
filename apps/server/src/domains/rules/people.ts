import { dayMs } from '@zhugong/contract/kit/time'
import { licencesByTrade, licenceTypes } from '@zhugong/contract/personnel/rules'
import type pg from 'pg'
import { formatDay, startOfDay } from '#kit/clock'
import { ReadAnew } from './read-anew.ts'

interface PersonState {
  black: boolean
  gone: boolean
}

/** A person inside, and the gate used to enter. */
export interface Inside {
  projectCode: string
  workerId: string
  deviceId: string | null
  since: number
}

/** The record kind of gate passages. */
export const passage = 'attendance'
const refreshMs = 5 * 60_000
/** People who left longer ago are no longer known to the gate. */
const goneDays = 60
/** People who entered longer ago no longer count as inside, as in attendance. */
const insideMs = dayMs
const workedOffMs = 120_000
const mostRecent = 100_000
const [entering, leaving] = ['0', '1']

/** Trades that need a licence with the accepted kinds, as rows, so that one query covers all people. */
const licences = JSON.stringify(Object.entries(licencesByTrade).map(([trade, kinds]) => ({ trade, kinds })))

/**
 * People that gates must check: blacklisted, no longer on the project, with expired documents, and people inside. Only these are kept and
 * reloaded every few minutes; all others are in order.
 */
export class People extends ReadAnew {
  private states = new Map<string, PersonState>()
  /** The first time at which the documents are no longer valid. */
  private expiredFrom = new Map<string, number>()
  private inside = new Map<string, Inside>()
  /** Recent passages that attendance may not have processed when it is read. */
  private recent: {
    device: { id: string; projectCode: string }
    values: Readonly<Record<string, unknown>>
    time: number
    heardAt: number
  }[] = []

  constructor() {
    super(refreshMs)
  }

  protected override async load(pool: pg.Pool, now: number): Promise<void> {
    const states = await pool.query<{ project_code: string; worker_id: string; black: boolean; gone: boolean }>(
      `select project_code, worker_id, bool_or(black_hit) as black, bool_and(exit_time is not null) as gone from project_worker
       group by 1, 2 having bool_or(black_hit) or (bool_and(exit_time is not null) and max(exit_time) > $1)`,
      [new Date(now - goneDays * dayMs)],
    )
    // Documents of people on site: an approved licence for the trade, and the contract for this project. Missing documents are checked
    // elsewhere.
    const papers = await pool.query<{ project_code: string; worker_id: string; ends: string }>(
      `select pw.project_code, pw.worker_id, least(lic.ends, contract.ends)::text as ends from project_worker pw
       left join jsonb_to_recordset($2::jsonb) as t(trade text, kinds text[]) on t.trade = pw.work_type
       left join lateral (
         select max(coalesce(c.valid_end, 'infinity'::date)) as ends from worker_cert c
         where t.trade is not null and c.worker_id = pw.worker_id and c.cert_type = any ($3) and c.audit_status = '1' and c.status = '1'
           and left(c.special_type, 2) = any (t.kinds)) lic on true
       left join lateral (
         select max(least(coalesce(k.end_date, 'infinity'::date), coalesce(k.terminate_date - 1, 'infinity'::date))) as ends from worker_contract k
         where k.worker_id = pw.worker_id and k.project_code = pw.project_code) contract on true
       where pw.exit_time is null and least(lic.ends, contract.ends) <= $1::date`,
      [formatDay(now), licences, licenceTypes],
    )
    const inside = await pool.query<{ project_code: string; worker_id: string; time: Date; device_id: string | null }>(
      `select p.project_code, p.worker_id, p.time, e.device_id from attendance_presence p
       left join lateral (
         select device_id from attendance_event e where e.project_code = p.project_code and e.worker_id = p.worker_id and e.time = p.time limit 1) e on true
       where p.direction = '01' and p.time > $1 and (p.cleared_at is null or p.cleared_at < p.time)`,
      [new Date(now - insideMs)],
    )
    const key = (r: { project_code: string; worker_id: string }) => `${r.project_code}|${r.worker_id}`
    this.states = new Map(states.rows.map((r) => [key(r), { black: r.black, gone: r.gone }]))
    this.expiredFrom = new Map(papers.rows.map((r) => [key(r), startOfDay(r.ends) + dayMs]))
    this.inside = new Map(
      inside.rows.map((r) => [
        key(r),
        { projectCode: r.project_code, workerId: r.worker_id, deviceId: r.device_id, since: r.time.getTime() },
      ]),
    )
    this.recent = this.recent.filter((r) => Date.now() - r.heardAt < workedOffMs)
    for (const { device, values, time } of this.recent) this.move(device, values, time)
  }
  isListed(projectCode: string, list: string, value: unknown): boolean | undefined {
    if (list !== 'laborBlack' || !this.isLoaded || typeof value !== 'string') return undefined
    return this.states.get(`${projectCode}|${value}`)?.black ?? false
  }

  is(projectCode: string, state: string, values: Readonly<Record<string, unknown>>, at: number): boolean | undefined {
    if (!this.isLoaded || typeof values.workerId !== 'string') return undefined
    const key = `${projectCode}|${values.workerId}`
    if (state === 'exited') return this.states.get(key)?.gone ?? false
    if (state === 'expired') return at >= (this.expiredFrom.get(key) ?? Number.POSITIVE_INFINITY)
    return undefined
  }

  /** Applies a passage of a site gate. Doors within the site must not be passed in. */
  passed(device: { id: string; projectCode: string }, values: Readonly<Record<string, unknown>>, time: number): void {
    if (this.recent.length < mostRecent) this.recent.push({ device, values, time, heardAt: Date.now() })
    this.move(device, values, time)
  }

  private move(device: { id: string; projectCode: string }, values: Readonly<Record<string, unknown>>, time: number): void {
    const { workerId, direction } = values
    if (typeof workerId !== 'string') return
    const key = `${device.projectCode}|${workerId}`
    const before = this.inside.get(key)
    if (before && time < before.since) return
    if (direction === leaving) this.inside.delete(key)
    else if (direction === entering) this.inside.set(key, { projectCode: device.projectCode, workerId, deviceId: device.id, since: time })
  }

  since(projectCode: string, state: string, values: Readonly<Record<string, unknown>>, at: number): number | null | undefined {
    if (state !== 'onSite' || !this.isLoaded || typeof values.workerId !== 'string') return undefined
    const since = this.inside.get(`${projectCode}|${values.workerId}`)?.since
    return since !== undefined && at - since <= insideMs ? since : null
  }

  everybodyInside(): Iterable<Inside> {
    return this.inside.values()
  }
}
