import { minuteMs } from '@zhugong/contract/kit/time'
import type { Database } from '#kit/db'
import { newId } from '#kit/ids'
import { inTransaction } from '#kit/transaction'
import { type AlarmOp, writeAlarmOps } from './ops.ts'

/** A machine that has finished no working cycle for this long has stopped. */
export const quietMs = 30 * minuteMs

/** A machine that works although it must stand. */
export interface WorkingMachine {
  deviceId: string
  name: string
  family: string
  projectCode: string
  /** The end of its last working cycle. */
  at: Date
  why: string
}

/** Opens an alarm of level 2 on every machine of `working` and ends those of `resting`. Machines are not commanded. Returns their number. */
export async function turnWorkAlarms(
  database: Database,
  now: number,
  kind: { key: string; label: string },
  working: readonly WorkingMachine[],
  resting: readonly { id: string }[],
): Promise<number> {
  const opened = working.map(
    ({ deviceId, name, family, projectCode, at, why }): AlarmOp => ({
      op: 'open',
      id: newId(now),
      projectCode,
      deviceId,
      deviceName: name,
      point: '',
      family,
      alarmKey: kind.key,
      label: kind.label,
      level: 2,
      startTime: at.getTime(),
      fireTime: now,
      metric: null,
      value: null,
      thresholdText: why,
      ruleId: null,
      ruleVersion: null,
      source: 'platform',
      values: {},
    }),
  )
  const ended = resting.map(({ id }): AlarmOp => ({ op: 'clear', id, time: now, reason: 'recovered' }))
  const ops = [...opened, ...ended]
  if (ops.length === 0) return 0
  await inTransaction(database.pool, async (client) => {
    const adopted = await writeAlarmOps(client, ops)
    for (const op of ops) await client.query(`select pg_notify('zg_fleet', $1)`, [`alarm:${adopted.get(op.id) ?? op.id}`])
  })
  return ops.length
}
