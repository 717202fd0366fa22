import { dayMs } from '@zhugong/contract/kit/time'
import { placeDaysRange } from '@zhugong/contract/monitoring/helmet/helmet-care'
import { type Family, familyOf } from '@zhugong/contract/telemetry/families'
import { sql } from 'kysely'
import { addDays, type Clock, formatDay, startOfDay } from '#kit/clock'
import type { Db } from '#kit/db'
import { forgetPlaces } from '../../telemetry/public.ts'
import { helmetFamilies } from './helmet-store.ts'

/** Each run covers this many days again, for readings that arrived late. */
const lateDays = 7
/** One day per update: an update over months would double the table's space. */
const stepMs = dayMs

interface Site {
  projectCode: string
  days: number | null
  until: Date | null
}

/** Start of the retention period of a site, in calendar days. */
export const keptSince = (now: number, days: number): number => startOfDay(addDays(formatDay(now), -days))

/** Deletes positions older than the retention period of each site, once a day per site. */
export async function forgetHelmetPlaces(db: Db, clock: Clock): Promise<void> {
  const now = clock.now()
  const { rows } = await sql<Site>`
    select p.project_code, s.place_days as days, f.until from project p left join helmet_setting s using (project_code) left join helmet_forgotten f using (project_code)
    where exists (select 1 from device d where d.project_code = p.project_code and d.family = any (${helmetFamilies})) order by 1`.execute(
    db,
  )
  for (const site of rows) {
    const before = keptSince(now, site.days ?? placeDaysRange.usual)
    if (site.until && site.until.getTime() >= before) continue
    await forgetSite(db, site, before)
    await sql`insert into helmet_forgotten (project_code, until) values (${site.projectCode}, ${new Date(before)})
      on conflict (project_code) do update set until = excluded.until`.execute(db)
  }
}

async function forgetSite(db: Db, { projectCode, until }: Site, before: number): Promise<void> {
  const { rows } = await sql<{ family: string; ids: string[] }>`
    select family, array_agg(id) as ids from device where project_code = ${projectCode} and family = any (${helmetFamilies}) group by 1`.execute(
    db,
  )
  for (const { family: key, ids } of rows) {
    const family = familyOf(key)
    if (!family) continue
    const from = until ? until.getTime() - lateDays * dayMs : await oldest(db, ids)
    if (from !== undefined) await forgetSpan(db, family, ids, from, before)
  }
}

async function forgetSpan(db: Db, family: Family, ids: readonly string[], from: number, before: number): Promise<void> {
  for (let at = from; at < before; at += stepMs) await forgetPlaces(db, family, ids, at, Math.min(before, at + stepMs))
}

/** Time of the oldest position; undefined if there is none. */
async function oldest(db: Db, ids: readonly string[]): Promise<number | undefined> {
  const { rows } = await sql<{ at: Date | null }>`
    select least((select min(ts) from telemetry where device_id = any (${[...ids]})), (select min(ts) from telemetry_5m where device_id = any (${[...ids]})),
      (select min(ts) from device_latest where device_id = any (${[...ids]}))) as at`.execute(db)
  return rows[0]?.at?.getTime()
}
