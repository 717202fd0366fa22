import type { getAlarm } from '@zhugong/contract/alarms/endpoints'
import type { OutputFor } from '@zhugong/contract/kit/endpoint'
import type { Condition } from '@zhugong/contract/telemetry/families'
import type { ReadingView } from '@zhugong/contract/telemetry/model'
import { sql } from 'kysely'
import type { Tx } from '#kit/db'
import { CraneSite } from '../clearance/public.ts'
import { readingsAround } from './evidence.ts'
import type { AlarmDetailRecord } from './store.ts'

type Approach = OutputFor<typeof getAlarm>['approach']

/** Seconds the rule looks ahead; undefined if it does not test the clearance of two cranes. */
function secondsAhead(condition: Condition): number | undefined {
  if (condition.type === 'craneClearance') return Number(condition.predictSeconds ?? 0)
  return condition.of?.map(secondsAhead).find((seconds) => seconds !== undefined)
}

/**
 * Clearance between the two cranes of a collision alarm over time. It is not stored, but computed from both cranes' stored readings in
 * the same way as by the rule.
 */
export async function approachOf(db: Tx, alarm: AlarmDetailRecord, own: readonly ReadingView[], now: number): Promise<Approach> {
  const { otherCrane } = alarm.valuesUsed
  if (typeof otherCrane !== 'string') return null
  const { rows } = await sql<{ id: string; name: string; params: Record<string, unknown>; levels: { condition: Condition }[] }>`
    select d.id, d.name, d.params, t.levels from device d join rule_trigger t on t.id = ${alarm.ruleId}
    where d.project_code = ${alarm.projectCode} and d.family = ${alarm.family} and (d.id = ${alarm.deviceId} or d.name = ${otherCrane})`.execute(
    db,
  )
  const other = rows.find((one) => one.id !== alarm.deviceId)
  const seconds = rows[0]?.levels.map((level) => secondsAhead(level.condition)).find((one) => one !== undefined)
  if (!other || seconds === undefined) return null
  const theirs = await readingsAround(db, alarm, other.id, now)
  const site = new CraneSite()
  for (const one of rows) site.setCrane(one.id, one.params)
  const points = [...theirs.map((reading) => ({ id: other.id, reading })), ...own.map((reading) => ({ id: alarm.deviceId, reading }))]
    .sort((a, b) => a.reading.time - b.reading.time)
    .flatMap(({ id, reading: { time, values } }): { time: number; meters: number }[] => {
      site.take(id, time, values)
      const found = id === alarm.deviceId ? site.clearanceAt(id, time, seconds) : undefined
      return found?.complete ? [{ time, meters: Math.round(found.meters * 100) / 100 }] : []
    })
  return { otherCrane: other.name, seconds, points }
}
