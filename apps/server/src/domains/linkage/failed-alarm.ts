import { sql } from 'kysely'
import type { Database } from '#kit/db'
import { newId } from '#kit/ids'
import { pick } from '#kit/pick'
import { writeAlarmOps } from '../alarms/public.ts'
import { failedKey } from './happenings.ts'
import type { Run } from './run.ts'

/** Opens an alarm of level 4 on the device unless one is open already. Drills open none. */
export async function raiseFailed(database: Database, run: Run, text: string, now: number): Promise<void> {
  if (run.simulated) return
  await write(database, [
    {
      op: 'open',
      id: newId(now),
      ...pick(run, 'projectCode', 'deviceId', 'deviceName', 'family'),
      point: '',
      alarmKey: failedKey,
      label: '联动失败',
      level: 4,
      startTime: now,
      fireTime: now,
      metric: null,
      value: null,
      thresholdText: text,
      ruleId: null,
      ruleVersion: null,
      source: 'platform',
      values: { runId: run.id, command: run.command },
    },
  ])
}

/** Ends the failure alarm after the device has obeyed. */
export async function clearFailed(database: Database, run: Run, now: number): Promise<void> {
  const { rows } = await sql<{
    id: string
  }>`select id from alarm where device_id = ${run.deviceId} and alarm_key = ${failedKey} and active
    and not simulated and not historical`.execute(database.kysely)
  if (rows[0]) await write(database, [{ op: 'clear', id: rows[0].id, time: now, reason: 'recovered' }])
}

async function write(database: Database, ops: Parameters<typeof writeAlarmOps>[1]): Promise<void> {
  const client = await database.pool.connect()
  try {
    await client.query('begin')
    const adopted = await writeAlarmOps(client, ops)
    for (const op of ops) await client.query(`select pg_notify('zg_fleet', $1)`, [`alarm:${adopted.get(op.id) ?? op.id}`])
    await client.query('commit')
  } catch (error) {
    await client.query('rollback').catch(() => undefined)
    throw error
  } finally {
    client.release()
  }
}
