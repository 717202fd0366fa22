import { confirmMinutes } from '@zhugong/contract/linkage/codes'
import { type Linkage, linkagePart } from '@zhugong/contract/rules/exec-model'
import { sql } from 'kysely'
import { type Db, isConnectionLoss, type Tx } from '#kit/db'
import { newId } from '#kit/ids'
import type { Log } from '#kit/log'
import { pick } from '#kit/pick'
import { markLinked } from '../alarms/public.ts'
import { rulesInForce } from '../rules/public.ts'
import { blockText, holdMs } from './decide.ts'
import { type Run, runColumns, stillOpen } from './run.ts'
import { commandName, tell, tellAlarm } from './step-result.ts'
import { selectTargets } from './targets.ts'
import { blockOf } from './world.ts'

interface Happening {
  id: number
  alarmId: string
  event: string
  createTime: Date
  historical: boolean
}

interface OpenAlarm {
  id: string
  projectCode: string
  deviceId: string
  alarmKey: string
  level: number
  ruleId: string | null
  simulated: boolean
}

interface Exec {
  id: string
  name: string
  definition: unknown
}

/** Older events are ignored: after a downtime the jobs role starts nothing for them. */
const staleMs = 10 * 60_000
const atOnce = 200
const starts = new Set(['open', 'upgrade', 'reopen'])
const ends = new Set(['clear', 'close', 'false', 'ignore'])
/** Key of the alarm that a device did not obey; it starts no linkage itself. */
export const failedKey = 'linkageFailed'

/** Reads alarm events and writes the resulting runs in the same transaction. Returns true if more may be waiting. */
export function takeHappenings(db: Db, log: Log, now: number): Promise<boolean> {
  return db.transaction().execute(async (tx) => {
    const { rows } = await sql<Happening>`
      select o.id, o.alarm_id, o.event, o.create_time, a.historical from alarm_outbox o join alarm a on a.id = o.alarm_id
      where not o.linked order by o.id limit ${atOnce} for update of o skip locked`.execute(tx)
    if (rows.length === 0) return false
    const fresh = rows.filter((h) => h.createTime.getTime() > now - staleMs)
    const passed = rows.filter((h) => starts.has(h.event) && h.createTime.getTime() <= now - staleMs).length
    if (passed) log.warn({ passed }, 'linkage: alarms of more than ten minutes ago start nothing')
    for (const one of fresh) {
      if (starts.has(one.event) && !one.historical) await alone(tx, log, one, () => beginFor(tx, one.alarmId, log, now))
      if (ends.has(one.event)) await wakeRunsOf(tx, one.alarmId, now)
    }
    await markLinked(
      tx,
      rows.map((r) => r.id),
    )
    return rows.length === atOnce
  })
}

/**
 * Processes one alarm in a savepoint, so that a failing alarm does not block the others. Errors that may be temporary are left for the
 * next attempt.
 */
async function alone(tx: Tx, log: Log, one: Happening, work: () => Promise<void>): Promise<void> {
  await sql`savepoint one_alarm`.execute(tx)
  try {
    await work()
    await sql`release savepoint one_alarm`.execute(tx)
  } catch (error) {
    if (isConnectionLoss(error) || String((error as { code?: unknown }).code ?? '').startsWith('40')) throw error
    log.error({ err: error, alarm: one.alarmId }, 'linkage of an alarm')
    await sql`rollback to savepoint one_alarm`.execute(tx)
  }
}

async function wakeRunsOf(tx: Tx, alarmId: string, now: number): Promise<void> {
  await sql`update linkage_run set due_at = least(due_at, ${new Date(now)}), wake = true
    where state <> 'ended' and id in (select run_id from linkage_run_alarm where alarm_id = ${alarmId})`.execute(tx)
}

/** Starts the linkage actions of an alarm's rule, if the alarm is still open. */
export async function beginFor(tx: Tx, alarmId: string, log: Log, now: number, only?: { execId: string; deviceId: string }): Promise<void> {
  const { rows } = await sql<OpenAlarm>`select a.id, a.project_code, a.device_id, a.alarm_key, a.level, a.rule_id, a.simulated from alarm a
    where a.id = ${alarmId} and ${stillOpen(new Date(now))}`.execute(tx)
  const alarm = rows[0]
  if (!alarm || alarm.alarmKey === failedKey) return
  for (const exec of await execsOf(tx, alarm)) {
    if (only && only.execId !== exec.id) continue
    const parsed = linkagePart.safeParse(exec.definition)
    if (!parsed.success) {
      log.warn({ exec: exec.id, issues: parsed.error.issues.map((i) => i.message) }, 'linkage: an action that may not be carried out')
      await tellAlarm(tx, alarm.id, `${exec.name}：未执行，${parsed.error.issues[0]?.message ?? '动作内容不正确'}`, now)
      continue
    }
    const targets = (await selectTargets(tx, parsed.data, alarm.deviceId, alarm.projectCode)).filter((t) => !only || t.id === only.deviceId)
    if (targets.length === 0 && !only) {
      const about = { ...aboutOf(alarm, exec, parsed.data), target: undefined }
      await tell(
        tx,
        about,
        {
          step: 'hold',
          state: 'skipped',
          text: `没有可联动的设备，未${commandName(parsed.data.command)}`,
          result: '没有可联动的设备',
          attempts: 0,
        },
        now,
      )
    }
    for (const target of targets) await joinOrBegin(tx, alarm, exec, parsed.data, target, now)
  }
}

const aboutOf = (alarm: OpenAlarm, exec: Exec, linkage: Linkage) => ({
  ...pick(alarm, 'projectCode', 'level', 'simulated'),
  execId: exec.id,
  execName: exec.name,
  command: linkage.command,
  alarmIds: [alarm.id],
})

/** The linkage actions of an alarm's rule. A drill without a rule uses the rule currently in force for its key. */
async function execsOf(tx: Tx, alarm: OpenAlarm): Promise<Exec[]> {
  const ruleId = alarm.ruleId ?? (await ruleInForce(tx, alarm))
  if (!ruleId) return []
  const { rows } = await sql<Exec>`select e.id, e.name, e.definition from rule_trigger t join rule_exec e on e.id = any (t.exec_ids)
    where t.id = ${ruleId} and e.kind = 'linkage' and e.enabled and (e.project_code is null or e.project_code = ${alarm.projectCode})
    order by array_position(t.exec_ids, e.id)`.execute(tx)
  return rows
}

async function ruleInForce(tx: Tx, alarm: OpenAlarm): Promise<string | undefined> {
  const { rows } = await sql<{ family: string; gatewayId: string | null }>`select family, gateway_id from device
    where id = ${alarm.deviceId} and project_code = ${alarm.projectCode}`.execute(tx)
  const device = rows[0]
  if (!device) return undefined
  const rules = await rulesInForce(tx, { id: alarm.deviceId, projectCode: alarm.projectCode, ...device })
  return rules.find((r) => r.alarmKey === alarm.alarmKey)?.id
}

interface Target {
  id: string
  name: string
  family: string
}

/** Each device and command has one run; further alarms join it. */
async function joinOrBegin(tx: Tx, alarm: OpenAlarm, exec: Exec, linkage: Linkage, target: Target, now: number): Promise<void> {
  const at = new Date(now)
  const about = { ...aboutOf(alarm, exec, linkage), target }
  const join = async (runId: string) => {
    const { numAffectedRows } = await sql`insert into linkage_run_alarm (run_id, alarm_id, project_code, joined_at)
      values (${runId}, ${alarm.id}, ${alarm.projectCode}, ${at}) on conflict do nothing`.execute(tx)
    return Number(numAffectedRows ?? 0) > 0
  }
  for (let again = 0; again < 3; again++) {
    const { rows } = await sql<Run>`select ${runColumns} from linkage_run r
      where r.device_id = ${target.id} and r.command = ${linkage.command} and r.state <> 'ended' for update of r`.execute(tx)
    const live = rows[0]
    if (live) {
      if (!(await join(live.id))) return
      // A run started by a drill becomes real when a real alarm joins; the most serious alarm sets the level.
      await sql`update linkage_run set simulated = simulated and ${alarm.simulated}, level = least(level, ${alarm.level}) where id = ${live.id}`.execute(
        tx,
      )
      await tellAlarm(tx, alarm.id, `${exec.name} · ${target.name}：已加入正在进行的联动`, now)
      return
    }
    const block = await blockOf(tx, target.id, linkage.stopCommand, now)
    if (block) {
      await tell(tx, about, { step: 'hold', state: 'held', text: blockText(block), result: '人工停止期内', attempts: 0 }, now)
      return
    }
    const id = newId(now)
    const confirms = linkage.confirm === 'person'
    const { numAffectedRows } =
      await sql`insert into linkage_run (id, project_code, exec_id, exec_name, rule_id, command, device_id, device_name, family, definition, level,
        simulated, state, reason, cmd_id, stop_cmd_id, confirm_until, hold_until, due_at, create_time)
      values (${id}, ${alarm.projectCode}, ${exec.id}, ${exec.name}, ${alarm.ruleId}, ${linkage.command}, ${target.id}, ${target.name}, ${target.family},
        ${JSON.stringify(linkage)}::jsonb, ${alarm.level}, ${alarm.simulated}, ${confirms ? 'waitingConfirm' : 'starting'}, ${confirms ? '等待人工确认' : ''},
        ${newId(now)}, ${newId(now)}, ${confirms ? new Date(now + confirmMinutes * 60_000) : null}, ${new Date(now + holdMs)}, ${at}, ${at})
      on conflict (device_id, command) where state <> 'ended' do nothing`.execute(tx)
    if (Number(numAffectedRows ?? 0) === 0) continue
    await join(id)
    if (confirms) {
      const text = `等待人工确认，${confirmMinutes} 分钟内有效`
      await tell(tx, about, { step: 'hold', state: 'held', text, result: '等待人工确认', attempts: 0 }, now)
    }
    return
  }
}
