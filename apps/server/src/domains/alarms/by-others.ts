import { sql } from 'kysely'
import type pg from 'pg'
import type { Db } from '#kit/db'
import { newId } from '#kit/ids'

/** Writes to alarms on behalf of other domains, each in the caller's transaction. */

/** Adds a line to the log of alarms; `at` in epoch milliseconds. Alarms that do not exist or are not visible are ignored. */
export async function logAlarms(
  db: Db,
  alarmIds: readonly string[],
  line: { at: number; event: string; text: string; byName?: string | undefined },
): Promise<void> {
  await sql`insert into alarm_log (id, alarm_id, project_code, at, event, text, by_name)
    select md5(${newId(line.at)} || a.id), a.id, a.project_code, ${new Date(line.at)}, ${line.event}, ${line.text}, ${line.byName ?? null}
    from alarm a where a.id = any (${[...alarmIds]})`.execute(db)
}

export interface Drill {
  id: string
  device: { id: string; name: string; projectCode: string; family: string }
  alarmKey: string
  label: string
  level: number
  /** Epoch milliseconds. */
  at: number
  metric: string | null
  thresholdText: string
  ruleId: string | null
  ruleVersion: number | null
  values: Record<string, unknown>
  byName: string
}

/** Opens a drill alarm like the rule under test would, and logs that it is a drill. */
export async function openDrill(db: Db, drill: Drill): Promise<void> {
  const { device, level } = drill
  const at = new Date(drill.at)
  await sql`insert into alarm (id, project_code, device_id, device_name, family, alarm_key, label, level, max_level, start_time, fire_time, metric, threshold_text,
      rule_id, rule_version, sources, values_used, simulated)
    values (${drill.id}, ${device.projectCode}, ${device.id}, ${device.name}, ${device.family}, ${drill.alarmKey}, ${drill.label}, ${level}, ${level}, ${at}, ${at}, ${drill.metric},
      ${drill.thresholdText}, ${drill.ruleId}, ${drill.ruleVersion}, array['drill'], ${JSON.stringify(drill.values)}::jsonb, true)`.execute(
    db,
  )
  await logAlarms(db, [drill.id], { at: drill.at, event: 'open', text: `演练：${drill.label}`, byName: drill.byName })
}

/** Marks open alarms of offline devices as stale: their state is that of the last contact. The offline alarm itself is not affected. */
export async function markStale(client: pg.ClientBase, deviceIds: readonly string[]): Promise<void> {
  await client.query(`update alarm set stale = true where device_id = any ($1) and active and alarm_key <> 'offline'`, [deviceIds])
}
export async function markHeardAgain(client: pg.ClientBase, deviceIds: readonly string[]): Promise<void> {
  await client.query('update alarm set stale = false where device_id = any ($1) and active and stale', [deviceIds])
}
