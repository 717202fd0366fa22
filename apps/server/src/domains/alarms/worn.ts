import { onGround, siteOf, whereabouts } from '@zhugong/contract/monitoring/site'
import { sql } from 'kysely'
import type { Context } from '#kit/context'
import type { Db } from '#kit/db'
import { type Veil, veilFor } from '../readings/public.ts'

/** The wearer behind an alarm of a wearable device, with the position, for rescue. */
export interface WornRecord {
  name: string | null
  team: string | null
  /** Where it opened. */
  lng: number | null
  lat: number | null
}
const wornFamilies = ['smartHelmet', 'baseStationHelmet']
const numberAt = (key: string) =>
  sql`case when jsonb_typeof(a.values_used -> ${sql.lit(key)}) = 'number' then (a.values_used ->> ${sql.lit(key)})::float8 end`

/** The wearer at this site, including people who have left. */
export const wornColumn = sql`case when a.family = any (${wornFamilies}) then (select jsonb_build_object('name', w.worker_name, 'team', w.team_name,
    'lng', ${numberAt('longitude')}, 'lat', ${numberAt('latitude')})
  from device wd left join lateral (select pw.worker_name, t.team_name from project_worker pw left join team t on t.id = pw.team_id
    where pw.project_code = a.project_code and pw.worker_id = wd.params ->> 'workerId' order by pw.exit_time is not null, pw.entry_time desc limit 1) w on true
  where wd.id = a.device_id) end as worn`

interface WornAlarm {
  deviceId: string
  family: string
  projectCode: string
  worn: WornRecord | null
}

const wornAs = (row: WornAlarm) => ({ id: row.deviceId, family: row.family, projectCode: row.projectCode })
type Place = readonly [lng: number, lat: number]

const placeIn = ({ longitude, latitude }: Record<string, unknown>): Place | undefined =>
  typeof longitude === 'number' && typeof latitude === 'number' ? [longitude, latitude] : undefined

/** Position at which each alarm opened, if the caller may see it. */
const seenAt = (veil: Veil, row: WornAlarm): Place | undefined =>
  row.worn === null
    ? undefined
    : placeIn(veil.values<Record<string, unknown>>(wornAs(row), { longitude: row.worn.lng, latitude: row.worn.lat }, 'now'))

async function sitesOf(db: Db, projects: readonly string[]): Promise<Map<string, ReturnType<typeof siteOf>>> {
  if (projects.length === 0) return new Map()
  const { rows } = await sql<{ projectCode: string; sitePlan: unknown; areaRule: unknown; lng: number; lat: number }>`
    select project_code, site_plan, area_rule, lng, lat from project where project_code = any (${[...projects]})`.execute(db)
  return new Map(rows.map(({ projectCode, ...plan }) => [projectCode, siteOf(plan)]))
}

/** Places of alarms in words, in the order of the rows. */
export async function placesOf(db: Db, veil: Veil, rows: readonly WornAlarm[]): Promise<(string | null)[]> {
  const places = rows.map((row) => seenAt(veil, row))
  const sites = await sitesOf(db, [...new Set(rows.filter((_, i) => places[i]).map((row) => row.projectCode))])
  return rows.map((row, i) => {
    const [at, site] = [places[i], sites.get(row.projectCode)]
    return at && site ? whereabouts(site, onGround(site.origin, at)).words : null
  })
}

const helpers = 3
/** The people on site with an online wearable who are nearest to where an alarm opened. */
export async function nearTo(
  ctx: Pick<Context, 'db' | 'group' | 'codes' | 'scope'>,
  veil: Veil,
  row: WornAlarm,
): Promise<{ name: string; metres: number }[]> {
  const at = seenAt(veil, row)
  const site = at && (await sitesOf(ctx.db, [row.projectCode])).get(row.projectCode)
  if (!at || !site) return []
  const { rows } = await sql<{
    id: string
    family: string
    projectCode: string
    name: string
    workerName: string | null
    v: Record<string, unknown> | null
  }>`
    select d.id, d.family, d.project_code, d.name, l.v, (select pw.worker_name from project_worker pw where pw.project_code = d.project_code
      and pw.worker_id = d.params ->> 'workerId' and pw.exit_time is null order by pw.entry_time desc limit 1) as worker_name
    from device d join device_latest l on l.device_id = d.id
    where d.project_code = ${row.projectCode} and d.family = any (${wornFamilies}) and d.id <> ${row.deviceId} and l.online limit 2000`.execute(
    ctx.db,
  )
  const others = await veilFor(ctx, rows)
  const here = onGround(site.origin, at)
  return rows
    .flatMap((one) => {
      const place = one.v && others.seesPerson(one) ? placeIn(others.values(one, one.v, 'now')) : undefined
      if (!place) return []
      const [x, y] = onGround(site.origin, place)
      return [{ name: one.workerName ?? one.name, metres: Math.round(Math.hypot(x - here[0], y - here[1])) }]
    })
    .sort((a, b) => a.metres - b.metres)
    .slice(0, helpers)
}
