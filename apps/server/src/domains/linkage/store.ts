import { type RunResult, type RunState, runResults, runStates } from '@zhugong/contract/linkage/codes'
import { linkageRun } from '@zhugong/contract/linkage/endpoints'
import { sql } from 'kysely'
import type { Tx } from '#kit/db'
import { allOf, anyOf, condition, equals, inProjects } from '#kit/list'
import { rowOf } from '#kit/row-of'
import { type Run, runColumns } from './run.ts'
import { commandName } from './step-result.ts'

interface RunRow extends Run {
  projectName: string
  blockedUntil: Date | null
  alarms: { id: string; label: string; deviceName: string; level: number; active: boolean }[] | null
}

const columns = sql`${runColumns}, p.name as project_name,
  (select until_time from linkage_block b where b.device_id = r.device_id) as blocked_until,
  (select jsonb_agg(jsonb_build_object('id', a.id, 'label', a.label, 'deviceName', a.device_name, 'level', a.level, 'active', a.active) order by j.joined_at, a.id)
   from linkage_run_alarm j join alarm a on a.id = j.alarm_id where j.run_id = r.id) as alarms`

export interface RunFilter {
  projects: readonly string[] | undefined
  state?: readonly string[] | undefined
  result?: readonly string[] | undefined
  deviceId?: string | undefined
  alarmId?: string | undefined
  execId?: string | undefined
}

export async function findRuns(db: Tx, f: RunFilter, slice: { limit: number; offset: number }, now: number) {
  const whole = [
    ...inProjects('r.project_code', f.projects),
    ...equals('r.device_id', f.deviceId),
    ...equals('r.exec_id', f.execId),
    ...(f.alarmId ? [condition(sql`r.id in (select run_id from linkage_run_alarm where alarm_id = ${f.alarmId})`)] : []),
  ]
  const where = allOf(...whole, ...anyOf('r.state', f.state), ...anyOf('r.result', f.result))
  const { rows } = await sql<RunRow>`select ${columns} from linkage_run r join project p on p.project_code = r.project_code
    where ${where} order by r.create_time desc, r.id limit ${slice.limit} offset ${slice.offset}`.execute(db)
  const { rows: counted } = await sql<{ n: number }>`select count(*)::int as n from linkage_run r where ${where}`.execute(db)
  const { rows: states } = await sql<{ running: number; waitingConfirm: number; held: number }>`
    select count(*) filter (where r.state in ('starting', 'running', 'stopping'))::int as running,
      count(*) filter (where r.state = 'waitingConfirm')::int as waiting_confirm, count(*) filter (where r.state = 'held')::int as held
    from linkage_run r where ${allOf(...whole)} and r.state <> 'ended'`.execute(db)
  return {
    list: rows.map((r) => toRun(r, now)),
    total: counted[0]?.n ?? 0,
    counts: states[0] ?? { running: 0, waitingConfirm: 0, held: 0 },
  }
}

export async function findRun(db: Tx, id: string, projects: readonly string[] | undefined): Promise<RunRow | undefined> {
  const { rows } = await sql<RunRow>`select ${columns} from linkage_run r join project p on p.project_code = r.project_code
    where r.id = ${id} and ${allOf(...inProjects('r.project_code', projects))} for update of r`.execute(db)
  return rows[0]
}

const ms = (at: Date | null) => at?.getTime() ?? null

export const toRun = (r: RunRow, now: number) =>
  rowOf(linkageRun, r, {
    commandName: commandName(r.command),
    stateName: runStates[r.state as RunState] ?? r.state,
    result: r.state === 'ended' ? r.result : null,
    resultName: r.state === 'ended' && r.result ? (runResults[r.result as RunResult] ?? r.result) : null,
    alarms: r.alarms ?? [],
    confirmUntil: ms(r.confirmUntil),
    startTime: ms(r.startTime),
    minUntil: ms(r.minUntil),
    maxUntil: ms(r.maxUntil),
    endTime: ms(r.endTime),
    cooldownUntil: ms(r.cooldownUntil),
    blockedUntil: r.blockedUntil && r.blockedUntil.getTime() > now ? r.blockedUntil.getTime() : null,
    createTime: r.createTime.getTime(),
  })
