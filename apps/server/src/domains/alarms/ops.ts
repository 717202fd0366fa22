import type pg from 'pg'
import { newId } from '#kit/ids'
import { pick } from '#kit/pick'

/** Operations of the rules on alarms. Written in the transaction of the reading that caused them. */
export interface OpenAlarm {
  op: 'open'
  id: string
  projectCode: string
  deviceId: string
  deviceName: string
  point: string
  family: string
  alarmKey: string
  label: string
  level: number
  startTime: number
  fireTime: number
  metric: string | null
  value: number | null
  thresholdText: string
  ruleId: string | null
  ruleVersion: number | null
  source: string
  /** Number of alarms of the same subject in the previous ten minutes. */
  reopened?: number
  values: Record<string, unknown>
  historical?: boolean
}
export interface ChangeLevel {
  op: 'upgrade' | 'downgrade'
  id: string
  level: number
  time: number
  value: number | null
  text: string
}
export interface ClearAlarm {
  op: 'clear'
  id: string
  time: number
  reason: ClearReason
}
export interface RaisePeak {
  op: 'peak'
  id: string
  value: number
  time: number
}
/** Marks an alarm as flapping, which keeps it open. `again` counts a recurrence that would otherwise be a new alarm. */
export interface MarkAlarm {
  op: 'flapping' | 'again'
  id: string
  time: number
}
export interface AddSource {
  op: 'source'
  id: string
  time: number
  source: string
}
/** Ends an alarm found in late readings. */
export interface EndPast {
  op: 'endPast'
  id: string
  time: number
}
export type AlarmOp = OpenAlarm | ChangeLevel | ClearAlarm | RaisePeak | MarkAlarm | AddSource | EndPast

export type ClearReason = 'recovered' | 'schedule' | 'ruleChanged' | 'ruleDisabled' | 'manual' | 'deviceRemoved' | 'simulatedEnd'
export const clearReasons: Record<ClearReason, string> = {
  recovered: '恢复正常',
  schedule: '超出生效时段',
  ruleChanged: '规则已修改',
  ruleDisabled: '规则已停用',
  manual: '人工解除',
  deviceRemoved: '设备已移除',
  simulatedEnd: '演练结束',
}

export interface OpenAlarmRow {
  id: string
  deviceId: string
  point: string
  alarmKey: string
  level: number
  maxLevel: number
  peakValue: number | null
  ruleId: string | null
  startTime: number
}

/** Alarm of a crane or lift that works while its project is stopped. */
export const stoppedKey = 'workWhileStopped'
/** Alarm of a crane or lift that works while a check has suspended it. */
export const suspendedKey = 'workWhileSuspended'

export async function openAlarms(client: pg.Pool | pg.ClientBase): Promise<OpenAlarmRow[]> {
  const { rows } = await client.query<{
    id: string
    device_id: string
    point: string
    alarm_key: string
    level: number
    max_level: number
    peak_value: number | null
    rule_id: string | null
    start_time: Date
  }>(
    // The alarms that a machine did not obey, or works while it must stand, belong to no rule; those who open them end them.
    `select id, device_id, point, alarm_key, level, max_level, peak_value, rule_id, start_time from alarm
     where active and not simulated and not historical and alarm_key not in ('linkageFailed', '${stoppedKey}', '${suspendedKey}')`,
  )
  return rows.map((r) => ({
    ...pick(r, 'id', 'point', 'level'),
    deviceId: r.device_id,
    alarmKey: r.alarm_key,
    maxLevel: r.max_level,
    peakValue: r.peak_value,
    ruleId: r.rule_id,
    startTime: r.start_time.getTime(),
  }))
}

const iso = (ms: number) => new Date(ms).toISOString()

/** Splits operations into batches: an alarm opened after the same subject was cleared must be written later. */
function inSteps(ops: readonly AlarmOp[]): AlarmOp[][] {
  const steps: AlarmOp[][] = []
  let step: AlarmOp[] = []
  let opened = new Set<string>()
  for (const op of ops) {
    if (op.op === 'open' && !op.historical) {
      const subject = `${op.deviceId}|${op.point}|${op.alarmKey}`
      if (opened.has(subject) || step.some((o) => o.op === 'clear')) {
        steps.push(step)
        step = []
        opened = new Set()
      }
      opened.add(subject)
    }
    step.push(op)
  }
  return step.length ? [...steps, step] : steps
}

/**
 * Writes alarms, their log lines and outbox events. If another process has already opened the same alarm, that one is adopted; the
 * result maps the new id to the existing one.
 */
export async function writeAlarmOps(client: pg.ClientBase, ops: readonly AlarmOp[]): Promise<Map<string, string>> {
  const adopted = new Map<string, string>()
  for (const step of inSteps(ops)) await writeStep(client, step, adopted)
  return adopted
}

async function writeStep(client: pg.ClientBase, given: readonly AlarmOp[], adopted: Map<string, string>): Promise<void> {
  const opens = given.filter((o) => o.op === 'open')
  if (opens.length) await insertOpens(client, opens, adopted)
  const ops = given.filter((o) => o.op !== 'open').map((op) => ({ ...op, id: adopted.get(op.id) ?? op.id }))
  for (const op of ops) if (op.op === 'upgrade' || op.op === 'downgrade') await writeLevel(client, op)
  const peaks = ops.filter((o) => o.op === 'peak')
  if (peaks.length) await writePeaks(client, peaks)
  for (const op of ops) if (op.op === 'flapping' || op.op === 'again') await writeMark(client, op)
  for (const op of ops) if (op.op === 'source') await writeSource(client, op)
  for (const op of ops) if (op.op === 'endPast') await writeEndOfPast(client, op)
  const clears = ops.filter((o) => o.op === 'clear')
  const ended = clears.length ? await writeClears(client, clears) : new Set<string>()
  const lines = [...opens.filter((o) => !adopted.has(o.id)).map(lineOfOpen), ...linesOf(ops, ended)]
  if (lines.length) await writeLines(client, lines)
}

async function writeLevel(client: pg.ClientBase, { id, level }: ChangeLevel): Promise<void> {
  await client.query('update alarm set level = $2, max_level = least(max_level, $2) where id = $1 and active', [id, level])
}

async function writePeaks(client: pg.ClientBase, peaks: readonly RaisePeak[]): Promise<void> {
  await client.query(
    `update alarm a set peak_value = p.value, peak_time = p.at::timestamptz
     from jsonb_to_recordset($1::jsonb) as p(id text, value float8, at text) where a.id = p.id`,
    [JSON.stringify(peaks.map(({ id, value, time }) => ({ id, value, at: iso(time) })))],
  )
}

async function writeMark(client: pg.ClientBase, { id, op }: MarkAlarm): Promise<void> {
  await client.query('update alarm set flapping = true, reopened = reopened + $2 where id = $1 and active', [id, op === 'again' ? 1 : 0])
}

async function writeSource(client: pg.ClientBase, { id, source }: AddSource): Promise<void> {
  await client.query('update alarm set sources = sources || $2::text where id = $1 and $2 <> all (sources)', [id, source])
}

async function writeEndOfPast(client: pg.ClientBase, { id, time }: EndPast): Promise<void> {
  await client.query('update alarm set clear_time = greatest($2::timestamptz, start_time) where id = $1 and historical', [id, iso(time)])
}

/** Returns the ids of the alarms ended here; another process may have ended some first. */
async function writeClears(client: pg.ClientBase, clears: readonly ClearAlarm[]): Promise<Set<string>> {
  // Recovery closes an unacknowledged alarm of levels 3 and 4; a drill closes when it ends.
  const { rows } = await client.query<{ id: string }>(
    `update alarm a set active = false, stale = false, clear_time = greatest(c.at::timestamptz, a.start_time), clear_reason = c.reason,
       state = case when a.simulated or (a.state = 'open' and a.max_level >= 3) then 'closed' else a.state end
     from jsonb_to_recordset($1::jsonb) as c(id text, at text, reason text) where a.id = c.id and a.active returning a.id`,
    [JSON.stringify(clears.map(({ id, time, reason }) => ({ id, at: iso(time), reason })))],
  )
  return new Set(rows.map((row) => row.id))
}

/** A line of an alarm's log. */
interface Line {
  alarm: string
  at: number
  event: string
  text: string
}

const lineOfOpen = (o: OpenAlarm): Line => ({
  alarm: o.id,
  at: o.fireTime,
  event: 'open',
  text: `${o.historical ? '历史补报，' : ''}${o.label}：${o.thresholdText}${o.value === null ? '' : `，当前 ${o.value}`}`,
})

/** Order: level changes first, endings last. */
function linesOf(ops: readonly Exclude<AlarmOp, OpenAlarm>[], ended: ReadonlySet<string>): Line[] {
  const levels: Line[] = []
  const marks: Line[] = []
  const sources: Line[] = []
  const clears: Line[] = []
  for (const op of ops) {
    const line = (event: string, text: string): Line => ({ alarm: op.id, at: op.time, event, text })
    if (op.op === 'upgrade' || op.op === 'downgrade') levels.push(line(op.op, op.text))
    else if (op.op === 'flapping') marks.push(line('flapping', '10 分钟内反复触发 4 次，不再逐次通知'))
    else if (op.op === 'source') sources.push(line('source', op.source === 'device' ? '设备自身同时告警' : '平台规则同时告警'))
    // An alarm ended by another process has already been logged.
    else if (op.op === 'clear' && ended.has(op.id)) clears.push(line('clear', clearReasons[op.reason]))
  }
  return [...levels, ...marks, ...sources, ...clears]
}

async function writeLines(client: pg.ClientBase, lines: readonly Line[]): Promise<void> {
  // Lines of an alarm deleted meanwhile are dropped. Only live alarms produce outbox events, not those found in late readings.
  await client.query(
    `with l as (select * from jsonb_to_recordset($1::jsonb) as l(n int, id text, alarm text, at text, event text, text text)),
     log as (insert into alarm_log (id, alarm_id, project_code, at, event, text)
       select l.id, a.id, a.project_code, l.at::timestamptz, l.event, l.text from l join alarm a on a.id = l.alarm)
     insert into alarm_outbox (alarm_id, project_code, event, level, at, detail)
     select a.id, a.project_code, l.event, a.level, l.at::timestamptz, jsonb_build_object('text', l.text, 'reason', a.clear_reason)
     from l join alarm a on a.id = l.alarm where not a.historical and l.event <> 'source' order by l.n`,
    [JSON.stringify(lines.map((l, n) => ({ ...l, n, id: newId(), at: iso(l.at) })))],
  )
  // Wakes the notification workers on commit.
  await client.query(`select pg_notify('zg_alarm', $1)`, [String(lines.length)])
}

async function insertOpens(client: pg.ClientBase, opens: readonly OpenAlarm[], adopted: Map<string, string>): Promise<void> {
  const { rows } = await client.query<{ id: string }>(
    `insert into alarm (id, project_code, device_id, device_name, point, family, alarm_key, label, level, max_level, start_time, fire_time,
       peak_value, peak_time, metric, threshold_text, rule_id, rule_version, sources, values_used, historical, reopened, active, state, clear_time)
     select id, project_code, device_id, device_name, point, family, alarm_key, label, level, level, start_time, fire_time,
       value, case when value is null then null else fire_time end, metric, threshold_text, rule_id, rule_version, array[source], values_used, historical,
       coalesce(reopened, 0), not historical, case when historical then 'closed' else 'open' end, case when historical then start_time end
     from jsonb_to_recordset($1::jsonb) as o(id text, project_code text, device_id text, device_name text, point text, family text,
       alarm_key text, label text, level smallint, start_time timestamptz, fire_time timestamptz, value float8, metric text,
       threshold_text text, rule_id text, rule_version int, source text, values_used jsonb, historical boolean, reopened int)
     -- What was found late may have been found in time.
     where not (o.historical and exists (select 1 from alarm a where a.device_id = o.device_id and a.point = o.point and a.alarm_key = o.alarm_key
       and not a.simulated and a.start_time <= o.start_time and coalesce(a.clear_time, 'infinity') >= o.start_time))
     on conflict do nothing returning id`,
    [
      JSON.stringify(
        opens.map((o) => ({
          ...pick(o, 'id', 'point', 'family', 'label', 'level', 'value', 'metric', 'source'),
          project_code: o.projectCode,
          device_id: o.deviceId,
          device_name: o.deviceName,
          alarm_key: o.alarmKey,
          start_time: iso(o.startTime),
          fire_time: iso(o.fireTime),
          threshold_text: o.thresholdText,
          rule_id: o.ruleId,
          rule_version: o.ruleVersion,
          values_used: o.values,
          historical: o.historical ?? false,
          reopened: o.reopened ?? 0,
        })),
      ),
    ],
  )
  const written = new Set(rows.map((r) => r.id))
  for (const open of opens) {
    if (written.has(open.id) || open.historical) continue
    const existing = await client.query<{ id: string }>(
      `update alarm set sources = case when $4 = any (sources) then sources else sources || $4 end
       where device_id = $1 and point = $2 and alarm_key = $3 and active and not simulated and not historical returning id`,
      [open.deviceId, open.point, open.alarmKey, open.source],
    )
    const id = existing.rows[0]?.id
    if (id) adopted.set(open.id, id)
  }
}
