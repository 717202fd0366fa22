import type pg from 'pg'
import { newId } from '#kit/ids'

/** What the rules want done to alarms. Written in the transaction of the reading that caused it. */
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
export type AlarmOp = OpenAlarm | ChangeLevel | ClearAlarm | RaisePeak

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
    'select id, device_id, point, alarm_key, level, max_level, peak_value, rule_id, start_time from alarm where active and not simulated and not historical',
  )
  return rows.map((r) => ({
    id: r.id,
    deviceId: r.device_id,
    point: r.point,
    alarmKey: r.alarm_key,
    level: r.level,
    maxLevel: r.max_level,
    peakValue: r.peak_value,
    ruleId: r.rule_id,
    startTime: r.start_time.getTime(),
  }))
}

const iso = (ms: number) => new Date(ms).toISOString()

/**
 * Writes alarms and their log lines. An alarm that another writer has opened meanwhile is adopted and not doubled: the answer says
 * which id stands for which.
 */
export async function writeAlarmOps(client: pg.ClientBase, ops: readonly AlarmOp[]): Promise<Map<string, string>> {
  const adopted = new Map<string, string>()
  if (ops.length === 0) return adopted
  const opens = ops.filter((o): o is OpenAlarm => o.op === 'open')
  if (opens.length) await insertOpens(client, opens, adopted)
  const realId = (id: string) => adopted.get(id) ?? id
  const levels = ops.filter((o): o is ChangeLevel => o.op === 'upgrade' || o.op === 'downgrade')
  for (const one of levels) {
    await client.query('update alarm set level = $2, max_level = least(max_level, $2) where id = $1 and active', [
      realId(one.id),
      one.level,
    ])
  }
  const peaks = ops.filter((o): o is RaisePeak => o.op === 'peak')
  if (peaks.length) {
    await client.query(
      `update alarm a set peak_value = p.value, peak_time = p.at::timestamptz
       from jsonb_to_recordset($1::jsonb) as p(id text, value float8, at text) where a.id = p.id`,
      [JSON.stringify(peaks.map((p) => ({ id: realId(p.id), value: p.value, at: iso(p.time) })))],
    )
  }
  const clears = ops.filter((o): o is ClearAlarm => o.op === 'clear')
  if (clears.length) {
    // Recovery alone closes the two lower levels, when nobody has taken them up.
    await client.query(
      `update alarm a set active = false, stale = false, clear_time = greatest(c.at::timestamptz, a.start_time), clear_reason = c.reason,
         state = case when a.state = 'open' and a.max_level >= 3 then 'closed' else a.state end
       from jsonb_to_recordset($1::jsonb) as c(id text, at text, reason text) where a.id = c.id and a.active`,
      [JSON.stringify(clears.map((c) => ({ id: realId(c.id), at: iso(c.time), reason: c.reason })))],
    )
  }
  const lines = [
    ...opens
      .filter((o) => !adopted.has(o.id))
      .map((o) => ({
        alarm: o.id,
        at: o.fireTime,
        event: 'open',
        text: `${o.label}：${o.thresholdText}${o.value === null ? '' : `，当前 ${o.value}`}`,
      })),
    ...levels.map((l) => ({ alarm: realId(l.id), at: l.time, event: l.op, text: l.text })),
    ...clears.map((c) => ({ alarm: realId(c.id), at: c.time, event: 'clear', text: clearReasons[c.reason] })),
  ]
  if (lines.length) {
    await client.query(
      `insert into alarm_log (id, alarm_id, project_code, at, event, text)
       select l.id, a.id, a.project_code, l.at::timestamptz, l.event, l.text
       from jsonb_to_recordset($1::jsonb) as l(id text, alarm text, at text, event text, text text) join alarm a on a.id = l.alarm`,
      [JSON.stringify(lines.map((l) => ({ ...l, id: newId(), at: iso(l.at) })))],
    )
    // Whoever sends messages hears of it when this transaction is committed.
    await client.query(`select pg_notify('zg_alarm', $1)`, [String(lines.length)])
  }
  return adopted
}

async function insertOpens(client: pg.ClientBase, opens: readonly OpenAlarm[], adopted: Map<string, string>): Promise<void> {
  const { rows } = await client.query<{ id: string }>(
    `insert into alarm (id, project_code, device_id, device_name, point, family, alarm_key, label, level, max_level, start_time, fire_time,
       peak_value, peak_time, metric, threshold_text, rule_id, rule_version, sources, values_used, historical)
     select id, project_code, device_id, device_name, point, family, alarm_key, label, level, level, start_time, fire_time,
       value, case when value is null then null else fire_time end, metric, threshold_text, rule_id, rule_version, array[source], values_used, historical
     from jsonb_to_recordset($1::jsonb) as o(id text, project_code text, device_id text, device_name text, point text, family text,
       alarm_key text, label text, level smallint, start_time timestamptz, fire_time timestamptz, value float8, metric text,
       threshold_text text, rule_id text, rule_version int, source text, values_used jsonb, historical boolean)
     on conflict do nothing returning id`,
    [
      JSON.stringify(
        opens.map((o) => ({
          id: o.id,
          project_code: o.projectCode,
          device_id: o.deviceId,
          device_name: o.deviceName,
          point: o.point,
          family: o.family,
          alarm_key: o.alarmKey,
          label: o.label,
          level: o.level,
          start_time: iso(o.startTime),
          fire_time: iso(o.fireTime),
          value: o.value,
          metric: o.metric,
          threshold_text: o.thresholdText,
          rule_id: o.ruleId,
          rule_version: o.ruleVersion,
          source: o.source,
          values_used: o.values,
          historical: o.historical ?? false,
        })),
      ),
    ],
  )
  const written = new Set(rows.map((r) => r.id))
  for (const open of opens) {
    if (written.has(open.id)) continue
    const existing = await client.query<{ id: string }>(
      `update alarm set sources = case when $4 = any (sources) then sources else sources || $4 end
       where device_id = $1 and point = $2 and alarm_key = $3 and active and not simulated and not historical returning id`,
      [open.deviceId, open.point, open.alarmKey, open.source],
    )
    const id = existing.rows[0]?.id
    if (id) adopted.set(open.id, id)
  }
}
