import type { SprayRunState } from '@zhugong/contract/linkage/spray-plans'
import { commandResults } from '@zhugong/contract/telemetry/commands'
import { sql } from 'kysely'
import { formatInstant } from '#kit/clock'
import type { Db } from '#kit/db'
import { newId } from '#kit/ids'
import { holdingText, judgeInterlocks, readSite } from './interlocks.ts'
import type { RunnerDependencies } from './runner.ts'
import { dueWithin } from './spray-clock.ts'
import { blockOf } from './world.ts'

/** A run later than this is recorded as missed, not made up for: a road sprayed an hour late would be wet under the lorries. */
const lateMs = 3 * 60_000
/** How far back missed runs are recorded after a downtime. */
const lookBackMs = 24 * 3_600_000
/** Validity of a command. */
const expireMs = 9_500
/** A claim without a result for this long belongs to a process that stopped. */
const lostMs = 60_000
const interlocks = ['frost', 'rain', 'wind', 'lowWater'] as const
const byName = '喷淋定时计划'

interface Plan {
  id: string
  name: string
  projectCode: string
  deviceId: string
  days: number[]
  times: string[]
  minutes: number
  since: Date
}
interface Due extends Plan {
  runId: string
  at: number
}

/**
 * Starts due runs. A process claims a run by inserting its row, so each starts once. A command with an unknown result is not repeated,
 * because the line may be running.
 */
export async function turnSprayPlans(deps: RunnerDependencies): Promise<void> {
  const db = deps.database.kysely
  const now = deps.now()
  await sql`update spray_plan_run set state = 'failed', message = '启动时服务中断，结果未知' where state = 'sending' and at < ${new Date(now - lostMs)}`.execute(
    db,
  )
  const { rows: plans } = await sql<Plan>`select s.id, s.name, s.project_code, s.device_id, s.days, s.times, s.minutes, s.since
    from spray_plan s join device d on d.id = s.device_id where s.enabled and d.status = '1'`.execute(db)
  const dues: Due[] = []
  for (const plan of plans) {
    const from = Math.max(plan.since.getTime(), now - lookBackMs)
    for (const at of dueWithin(plan, from, now + 1)) {
      const runId = await claim(db, plan, at, now)
      if (runId && at >= now - lateMs) dues.push({ ...plan, runId, at })
    }
  }
  await Promise.all(
    dues.map((due) => start(deps, due).catch((error: unknown) => deps.log.warn({ err: error, plan: due.id }, 'spray plan'))),
  )
}

/** Id of the inserted row; undefined if another process inserted it first. */
async function claim(db: Db, plan: Plan, at: number, now: number): Promise<string | undefined> {
  const isLate = at < now - lateMs
  const { rows } = await sql<{ id: string }>`
    insert into spray_plan_run (id, plan_id, plan_name, project_code, device_id, due_at, minutes, state, message, at)
    values (${newId(now)}, ${plan.id}, ${plan.name}, ${plan.projectCode}, ${plan.deviceId}, ${new Date(at)}, ${plan.minutes}, ${isLate ? 'missed' : 'sending'},
      ${isLate ? '到时平台没有运行，不再补喷' : ''}, ${new Date(now)})
    on conflict (plan_id, due_at) do nothing returning id`.execute(db)
  return rows[0]?.id
}

async function start(deps: RunnerDependencies, due: Due): Promise<void> {
  const db = deps.database.kysely
  const why = await whyNot(db, due, deps.now())
  if (why) return end(db, due, 'held', why)
  const answer = await deps
    .send({
      deviceId: due.deviceId,
      cmdId: due.runId,
      cmd: 'spray.start',
      params: { durationSeconds: due.minutes * 60 },
      expireAt: deps.now() + expireMs,
      by: `${byName} ${due.name}`,
    })
    .catch(() => ({ result: commandResults.unreachable as number, message: '设备接入服务暂时不可用' }))
  return end(db, due, answer.result === commandResults.done ? 'sent' : 'failed', answer.message)
}

/** The reason not to start a line by schedule: the same checks as for a start by alarm. */
async function whyNot(db: Db, due: Due, now: number): Promise<string | undefined> {
  const block = await blockOf(db, due.deviceId, 'spray.stop', now)
  if (block) return `${block.by}人工停止，${formatInstant(block.until).slice(11, 16)} 前不自动启动`
  const holding = holdingText(judgeInterlocks(interlocks, await readSite(db, due.projectCode, due.deviceId), due.deviceId, now))
  if (holding) return `互锁：${holding}`
  const { rows } =
    await sql`select 1 from linkage_run where device_id = ${due.deviceId} and command = 'spray.start' and state in ('starting', 'running', 'stopping')`.execute(
      db,
    )
  return rows.length > 0 ? '告警联动正在喷淋，不重复启动' : undefined
}

const end = async (db: Db, due: Due, state: SprayRunState, message: string): Promise<void> => {
  await sql`update spray_plan_run set state = ${state}, message = ${message} where id = ${due.runId}`.execute(db)
}
