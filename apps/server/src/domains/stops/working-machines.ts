import { minuteMs } from '@zhugong/contract/kit/time'
import { sql } from 'kysely'
import type { Database } from '#kit/db'
import { newId } from '#kit/ids'
import { inTransaction } from '#kit/transaction'
import { type AlarmOp, stoppedKey, writeAlarmOps } from '../alarms/public.ts'

/** A machine that has finished no working cycle for this long has stopped. */
const quietMs = 30 * minuteMs

/**
 * Opens an alarm of level 2 on every crane and lift that works while its project is stopped, and ends it when the machine rests or the
 * project resumes. Machines are not commanded. Returns the number of alarms opened and ended.
 */
export async function watchStopped(database: Database, now: number): Promise<number> {
  const since = new Date(now - quietMs)
  const { rows: working } = await sql<{
    deviceId: string
    name: string
    family: string
    projectCode: string
    at: Date
    code: string | null
  }>`select d.id as device_id, d.name, d.family, d.project_code, r.at, s.code
    from (select distinct on (project_code) * from project_stop where begun and until_day is null order by project_code, from_day) s
      join device d on d.project_code = s.project_code and d.status = '1' and d.family in ('towerCrane', 'lifter')
      join lateral (select max(r.ts) as at from device_record r where r.device_id = d.id and r.record = 'workingCycle'
        and r.ts > ${since}::timestamptz and r.ts >= (s.from_day + 1)::timestamp at time zone 'Asia/Shanghai') r on r.at is not null
    where not exists (select from alarm a where a.device_id = d.id and a.alarm_key = ${stoppedKey} and a.active and not a.simulated and not a.historical)`.execute(
    database.kysely,
  )
  const { rows: resting } = await sql<{
    id: string
  }>`select a.id from alarm a where a.alarm_key = ${stoppedKey} and a.active and not a.simulated
    and not a.historical and (not exists (select from project_stop s where s.project_code = a.project_code and s.begun and s.until_day is null)
      or not exists (select from device_record r where r.device_id = a.device_id and r.record = 'workingCycle' and r.ts > ${since}::timestamptz))`.execute(
    database.kysely,
  )
  const opened = working.map(
    ({ deviceId, name, family, projectCode, at, code }): AlarmOp => ({
      op: 'open',
      id: newId(now),
      projectCode,
      deviceId,
      deviceName: name,
      point: '',
      family,
      alarmKey: stoppedKey,
      label: '停工期间作业',
      level: 2,
      startTime: at.getTime(),
      fireTime: now,
      metric: null,
      value: null,
      thresholdText: `项目停工中（${code ?? '停工'}），设备仍有作业循环`,
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
