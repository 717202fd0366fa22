import { sql } from 'kysely'
import type { Database } from '#kit/db'
import type { Claimed } from './claims.ts'
import type { Facts } from './decide.ts'
import { holdingText, judgeInterlocks, readSite, type SiteReading, type Verdict } from './interlocks.ts'
import { stillOpen } from './run.ts'
import { blockOf, cooldownOf } from './world.ts'

/** A claimed run with the facts needed to decide. */
export interface Seen extends Claimed {
  facts: Facts
  alarmIds: string[]
  alarmDevices: string[]
  site: SiteReading[]
  verdicts: Verdict[]
  now: number
}

/** Reads the facts of a run: alarms, device, site readings and manual stops. Changes nothing. */
export async function lookAround(db: Database['kysely'], { run, claim }: Claimed, now: number): Promise<Seen> {
  const { rows: joined } = await sql<{ id: string; deviceId: string; open: boolean }>`
    select a.id, a.device_id, ${stillOpen(new Date(now))} as open from linkage_run_alarm j join alarm a on a.id = j.alarm_id
    where j.run_id = ${run.id} order by j.joined_at, a.id`.execute(db)
  const { rows: aside } = await sql<{ enabled: boolean; inService: boolean; heard: string | null }>`
    select exists (select 1 from rule_exec where id = ${run.execId} and kind = 'linkage' and enabled) as enabled,
      exists (select 1 from device where id = ${run.deviceId} and status = '1' and project_code = ${run.projectCode}) as in_service,
      (select id from device_command where id = any (${[run.cmdId, run.stopCmdId]}) and result = 0 order by (id = ${run.stopCmdId}) desc limit 1) as heard`.execute(
    db,
  )
  const site = await readSite(db, run.projectCode, run.deviceId)
  const verdicts = judgeInterlocks(run.definition.interlocks, site, run.deviceId, now)
  const heard = aside[0]?.heard
  const facts: Facts = {
    now,
    open: joined.filter((a) => a.open).length,
    enabled: aside[0]?.enabled ?? false,
    inService: aside[0]?.inService ?? false,
    cooldownUntil: await cooldownOf(db, run.deviceId, run.command, now),
    block: await blockOf(db, run.deviceId, run.definition.stopCommand, now),
    holding: holdingText(verdicts),
    heard: heard === undefined || heard === null ? undefined : heard === run.stopCmdId ? 'stop' : 'start',
  }
  return { run, claim, facts, site, verdicts, now, alarmIds: joined.map((a) => a.id), alarmDevices: joined.map((a) => a.deviceId) }
}
