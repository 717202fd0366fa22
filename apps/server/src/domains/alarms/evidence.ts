import type { Condition } from '@zhugong/contract/telemetry/families'
import type { ReadingView } from '@zhugong/contract/telemetry/model'
import { sql } from 'kysely'
import type { Tx } from '#kit/db'
import { type ReadingRow, toReading } from '../readings/public.ts'
import type { AlarmDetailRecord } from './store.ts'

const beforeMs = 2 * 60_000
const afterMs = 60_000
const most = 2_000

/** Readings from two minutes before the breach to its end: the data the alarm was based on. */
export const evidenceOf = (db: Tx, alarm: AlarmDetailRecord, now: number): Promise<ReadingView[]> =>
  readingsAround(db, alarm, alarm.deviceId, now)

/** Readings of a device of the alarm's family in that period. */
export async function readingsAround(db: Tx, alarm: AlarmDetailRecord, deviceId: string, now: number): Promise<ReadingView[]> {
  const from = new Date(alarm.startTime.getTime() - beforeMs)
  const to = new Date((alarm.clearTime?.getTime() ?? now) + afterMs)
  const { rows } = await sql<Omit<ReadingRow, 'deviceId' | 'seq'>>`
    select ts, received_at, schema_ver, v, w, extra, quality, flag from telemetry
    where device_id = ${deviceId} and ts >= ${from} and ts <= ${to} order by ts limit ${most}`.execute(db)
  return rows.map((row) => toReading(alarm.family, row))
}

/** Threshold and clear value of the rule, for the chart. */
export async function thresholdOf(db: Tx, alarm: AlarmDetailRecord): Promise<{ limitValue: number | null; clearValue: number | null }> {
  const used = alarm.valuesUsed.limit
  const { rows } = await sql<{
    levels: { level: number; condition: Condition }[]
  }>`select levels from rule_trigger where id = ${alarm.ruleId}`.execute(db)
  const condition = rows[0]?.levels.find((l) => l.level === alarm.level)?.condition
  return {
    limitValue: typeof used === 'number' ? used : (condition?.value ?? null),
    clearValue: typeof condition?.clearValue === 'number' ? condition.clearValue : null,
  }
}
