import { sql } from 'kysely'
import type { Clock } from '#kit/clock'
import type { Db, Tx } from '#kit/db'
import { newId } from '#kit/ids'
import { pick } from '#kit/pick'
import { keyPostWarnings, thresholdsOf } from '../attendance/public.ts'
import './tables.ts'
import { type Found, lookAt } from './look.ts'

/** Closing text for alarms that ended without handling. */
const overWords = '情况已消除'
/** Kinds neither raised nor ended while a gate is offline: missing data must not count as absence (A68). */
const keptByGates = ['205', '206']
/** Kinds about past events: when over, they stay open for handling, without the closing text. */
const past = ['206', '209']

export interface Kept {
  raised: number
  counted: number
  ended: number
}

/** Evaluates every project: raises new alarms, updates continuing ones, ends those no longer true. One transaction per project. */
export async function keepLabourAlarms(db: Db, clock: Clock): Promise<Kept> {
  const { rows } = await sql<{ projectCode: string }>`
    select project_code from project_worker where exit_time is null group by 1
    union select project_code from labor_alarm where active order by 1`.execute(db)
  const sum: Kept = { raised: 0, counted: 0, ended: 0 }
  for (const { projectCode } of rows) {
    const done = await keepProject(db, projectCode, clock.now())
    sum.raised += done.raised
    sum.counted += done.counted
    sum.ended += done.ended
  }
  return sum
}

/** Prevents concurrent evaluation of one project by two processes. */
const lookLock = 47_110_823

export async function keepProject(db: Db, projectCode: string, now: number): Promise<Kept> {
  const thresholds = await thresholdsOf(db, projectCode, now)
  const posts = await keyPostWarnings(db, projectCode, now)
  return db.transaction().execute(async (tx) => {
    await sql`select pg_advisory_xact_lock(${lookLock}, hashtext(${projectCode}))`.execute(tx)
    const left = await endOfLeft(tx, projectCode, now)
    const found = await lookAt(tx, projectCode, thresholds, posts, now)
    if (!found) return { raised: 0, counted: 0, ended: left }
    const current = (await gatesSilent(tx, projectCode)) ? keptByGates : []
    const wanted = found.filter((f) => !current.includes(f.type))
    return { ...(await raise(tx, projectCode, wanted, now)), ended: left + (await endOfOver(tx, projectCode, wanted, current)) }
  })
}

async function gatesSilent(tx: Tx, projectCode: string): Promise<boolean> {
  const { rows } = await sql<{ silent: boolean }>`
    select exists (select 1 from device v left join device_latest l on l.device_id = v.id
      where v.project_code = ${projectCode} and v.family = 'faceGate' and v.status = '1' and (l.device_id is null or not l.online)) as silent`.execute(
    tx,
  )
  return rows[0]?.silent ?? false
}

/** Ends the alarms of people who have left. */
async function endOfLeft(tx: Tx, projectCode: string, now: number): Promise<number> {
  const { numAffectedRows } = await sql`
    update labor_alarm a set active = false, state = case when state = '1' then '4' else state end,
      handle_time = case when state = '1' then ${new Date(now)} else handle_time end, version = version + 1
    where project_code = ${projectCode} and active
      and not exists (select 1 from project_worker w where w.project_code = a.project_code and w.worker_id = a.worker_id and w.exit_time is null)`.execute(
    tx,
  )
  return Number(numAffectedRows ?? 0)
}

async function raise(tx: Tx, projectCode: string, wanted: readonly Found[], now: number): Promise<Pick<Kept, 'raised' | 'counted'>> {
  if (wanted.length === 0) return { raised: 0, counted: 0 }
  const rows = wanted.map((f) => ({
    id: newId(now),
    project_code: projectCode,
    worker_id: f.workerId,
    stay_id: f.stayId,
    corp_code: f.corpCode,
    team_id: f.teamId,
    ...pick(f, 'type', 'period', 'content', 'amount'),
    time: new Date(now).toISOString(),
    last_time: new Date(now).toISOString(),
  }))
  const { rows: done } = await sql<{ fresh: boolean }>`
    insert into labor_alarm as a (id, project_code, worker_id, stay_id, corp_code, team_id, type, period, content, amount, time, last_time)
    select id, project_code, worker_id, stay_id, corp_code, team_id, type, period, content, amount, time, last_time
    from jsonb_populate_recordset(null::labor_alarm, ${JSON.stringify(rows)}::jsonb)
    on conflict (project_code, worker_id, type, period) where active do update set content = excluded.content, amount = excluded.amount,
      last_time = excluded.last_time, stay_id = excluded.stay_id, corp_code = excluded.corp_code, team_id = excluded.team_id
    where (a.content, a.stay_id) is distinct from (excluded.content, excluded.stay_id)
    returning xmax = 0 as fresh`.execute(tx)
  const raised = done.filter((d) => d.fresh).length
  return { raised, counted: done.length - raised }
}

async function endOfOver(tx: Tx, projectCode: string, wanted: readonly Found[], current: readonly string[]): Promise<number> {
  const { numAffectedRows } = await sql`
    update labor_alarm a set active = false, version = version + 1,
      state = case when state = '1' and type <> all (${past}) then '2' else state end,
      handle_remark = case when state = '1' and type <> all (${past}) then ${overWords} else handle_remark end,
      handle_time = case when state = '1' and type <> all (${past}) then now() else handle_time end
    where project_code = ${projectCode} and active and type <> all (${[...current]}) and (worker_id, type, period) not in (
      select * from unnest(${wanted.map((f) => f.workerId)}::text[], ${wanted.map((f) => f.type)}::text[], ${wanted.map((f) => f.period)}::text[]))`.execute(
    tx,
  )
  return Number(numAffectedRows ?? 0)
}
