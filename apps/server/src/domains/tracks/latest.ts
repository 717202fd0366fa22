import { type DutySite, type Officer, silentMinutes } from '@zhugong/contract/tracks/calls'
import { gapMs } from '@zhugong/contract/tracks/track'
import { sql } from 'kysely'
import { formatDay, startOfDay } from '#kit/clock'
import type { Context } from '#kit/context'
import { recordsOf, type SiteRecord } from './records.ts'

interface Raw {
  userId: string
  name: string
  since: Date | null
  at: Date | null
  lng: number | null
  lat: number | null
  projectCode: string | null
  projectName: string | null
  arrived: Date | null
}

/** Officers of the caller's institution who had the position on today, with the latest one; the silent and those on sites first. */
export async function latestOf(ctx: Context, only?: string): Promise<{ officers: Officer[]; sites: DutySite[] }> {
  const now = ctx.clock.now()
  const today = `${formatDay(now)} 00:00:00+08`
  const dayRecords = await recordsOf(ctx, undefined, new Date(startOfDay(formatDay(now))), new Date(now + 1))
  // The stay reaches back to the last position elsewhere; a longer silence than a gap ends it.
  const { rows } = await sql<Raw>`select u.id as user_id, u.name, s.since, l.at, l.lng, l.lat, l.project_code, p.name as project_name,
      (select min(x.at) from officer_place x where x.group_id = ${ctx.group.id} and x.user_id = u.id and x.project_code = l.project_code and x.at >= ${today}::timestamptz
        and x.at > coalesce((select max(y.at) from officer_place y where y.group_id = ${ctx.group.id} and y.user_id = u.id and y.at < l.at
          and y.at >= ${today}::timestamptz and y.project_code is distinct from l.project_code), '-infinity'::timestamptz)) as arrived
    from (select user_id, max(begin_time) filter (where end_time is null) as since from officer_shift
        where group_id = ${ctx.group.id} and (end_time is null or end_time >= ${today}::timestamptz) group by user_id) s
      join app_user u on u.id = s.user_id
      left join lateral (select at, lng, lat, project_code from officer_place o where o.group_id = ${ctx.group.id} and o.user_id = u.id and o.at >= ${today}::timestamptz
        order by o.at desc limit 1) l on true
      left join project p on p.project_code = l.project_code
    where ${only ?? null}::text is null or u.id = ${only ?? null} order by u.name, u.id`.execute(ctx.db)
  const officers = rows.map(({ at, since, arrived, ...one }): Officer => {
    const age = at === null ? Number.POSITIVE_INFINITY : now - at.getTime()
    const state = since === null ? 'off' : age > silentMinutes * 60_000 ? 'silent' : 'duty'
    const here = state === 'duty' && one.projectCode !== null && arrived !== null && age <= gapMs * 3
    return {
      ...one,
      state,
      since: since?.getTime() ?? null,
      time: at?.getTime() ?? null,
      projectCode: here ? one.projectCode : null,
      projectName: here ? one.projectName : null,
      stayMinutes: here && at ? Math.round((at.getTime() - arrived.getTime()) / 60_000) : null,
      checked: dayRecords.filter((record) => record.byId === one.userId).length,
    }
  })
  return { officers: officers.sort((a, b) => rank(a) - rank(b)), sites: only ? [] : await sitesOf(ctx, dayRecords) }
}

const rank = ({ state, projectCode }: Officer): number => (state === 'silent' ? 0 : state === 'off' ? 3 : projectCode ? 1 : 2)

/** Sites of the area that are marked on the map, with the checks of today. */
async function sitesOf(ctx: Pick<Context, 'db'>, held: readonly SiteRecord[]): Promise<DutySite[]> {
  const { rows } = await sql<
    Omit<DutySite, 'checks'>
  >`select project_code, coalesce(short_name, name) as name, lng::float8 as lng, lat::float8 as lat from project
    where lng is not null and lat is not null and prj_status in ('003', '005') order by project_code`.execute(ctx.db)
  return rows.map((site) => ({
    ...site,
    checks: held.filter((one) => one.projectCode === site.projectCode).length,
  }))
}
