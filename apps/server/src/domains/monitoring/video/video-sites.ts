import { keySpots, placePatterns } from '@zhugong/contract/monitoring/video/camera-places'
import { leastOnline, listVideoSites, type VideoSite, videoSiteList } from '@zhugong/contract/monitoring/video/video-sites'
import { areaName } from '@zhugong/contract/settings/dictionaries'
import { sql } from 'kysely'
import { formatInstant } from '#kit/clock'
import { projectsFor } from '#kit/context'
import { allOf, between, condition, contains, inAreas, inProjects, instantsBetween, orderBy, pageSlice } from '#kit/list'
import type { Serve } from '#kit/serve'
import { byPages, exportOf, type ListContext } from '../../exports/registry.ts'
import { todayStart } from '../shared/family.ts'

/** Sites for bodies that patrol many of them: computed in the database, shown page by page. */
export function videoSiteRoutes(serve: Serve): void {
  serve(listVideoSites, ({ query }, ctx) => sitePage(ctx, query))
}

type Query = NonNullable<(typeof listVideoSites)['types']>['parsed']['query']
interface Row extends Omit<VideoSite, 'areaName' | 'hitsToday' | 'keyCamera' | 'lastOffline' | 'lastPatrol'> {
  lastOffline: Date | null
  lastPatrol: Date | null
}

const place = sql`case ${sql.join(
  placePatterns.map(([name, pattern]) => sql`when d.name ~ ${sql.lit(pattern)} then ${sql.lit(name)}`),
  sql` `,
)} end`
const cameras = (projects: readonly string[] | undefined) => sql`
  select d.id, d.name, d.project_code, ${place} as place, coalesce(l.online, false) and coalesce(l.v ->> 'online', '1') <> '0' as up, l.ts,
    case when d.params ->> 'storageDays' ~ '^[0-9]{1,4}$' then (d.params ->> 'storageDays')::int end as days
  from device d left join device_latest l on l.device_id = d.id
  where ${allOf(...inProjects('d.project_code', projects))} and d.family = 'videoAi' and d.status = '1'`
const missing = sql`array_remove(array[${sql.join(
  keySpots.map((spot) => sql`case when not coalesce(bool_or(c.place = ${sql.lit(spot)}), false) then ${sql.lit(spot)} end`),
)}]::text[], null)`
const sitesOf = (projects: readonly string[] | undefined) => sql`
  select s.*, p.name as project_name, p.area_code, v.at as last_patrol, v.by_name as last_patrol_by from (
    select c.project_code, count(*)::int as cameras, count(*) filter (where c.up)::int as online,
      round(100.0 * count(*) filter (where c.up) / count(*))::int as online_percent, ${missing} as key_spot_missing, min(c.days) as storage_days,
      max(c.ts) filter (where not c.up) as last_offline
    from (${cameras(projects)}) c group by c.project_code) s
  join project p on p.project_code = s.project_code
  left join lateral (select at, by_name from video_patrol where project_code = s.project_code order by at desc limit 1) v on true`

const filtersOf = (query: Query) =>
  allOf(
    ...contains('t.projectName', query.projectName),
    ...inAreas('t.areaCode', query.areaCode),
    ...between('t.onlinePercent', query.onlinePercent),
    ...(query.keySpotMissing?.length ? [condition(sql`t.key_spot_missing && ${[...query.keySpotMissing]}::text[]`)] : []),
    ...between('t.storageDays', query.storageDays),
    ...instantsBetween('t.lastPatrol', query.lastPatrol),
  )
const order = (query: Query) =>
  orderBy(
    query.sort,
    {
      onlinePercent: 't.onlinePercent',
      cameras: 't.cameras',
      storageDays: 't.storageDays',
      lastPatrol: 't.lastPatrol',
      lastOffline: 't.lastOffline',
    },
    'onlinePercent',
    't.projectCode',
  )

async function sitePage(ctx: ListContext, query: Query) {
  const projects = projectsFor(ctx, query.projectCode)
  const { limit, offset } = pageSlice(query)
  const { rows: sums } = await sql<{ total: number; sites: number; cameras: number; online: number; low: number; missing: number }>`
    select count(*) filter (where ${filtersOf(query)})::int as total, count(*)::int as sites, coalesce(sum(t.cameras), 0)::int as cameras,
      coalesce(sum(t.online), 0)::int as online, count(*) filter (where t.online_percent < ${leastOnline})::int as low,
      count(*) filter (where cardinality(t.key_spot_missing) > 0)::int as missing from (${sitesOf(projects)}) t`.execute(ctx.db)
  const { total = 0, ...counts } = sums[0] ?? { sites: 0, cameras: 0, online: 0, low: 0, missing: 0 }
  const { rows } = await sql<Row>`select t.* from (${sitesOf(projects)}) t where ${filtersOf(query)}
    order by ${order(query)} limit ${limit} offset ${offset}`.execute(ctx.db)
  return { list: await withPictures(ctx, rows), total, counts }
}

/** Adds today's AI events and a representative camera, preferably of a key spot. Only for the sites of the page. */
async function withPictures(ctx: ListContext, rows: readonly Row[]): Promise<VideoSite[]> {
  const shown = rows.map((one) => one.projectCode)
  if (shown.length === 0) return []
  const { rows: keys } = await sql<{ projectCode: string; deviceId: string; name: string }>`
    select distinct on (c.project_code) c.project_code, c.id as device_id, c.name from (${cameras(shown)}) c where c.up
    order by c.project_code, array_position(${[...keySpots]}::text[], c.place) nulls last, c.name, c.id`.execute(ctx.db)
  const { rows: hits } = await sql<{ projectCode: string; n: number }>`select r.project_code, count(*)::int as n from device_record r
    where r.project_code = any (${shown}) and r.record = 'aiEvent' and r.ts >= ${new Date(todayStart(ctx.clock.now()))} group by 1`.execute(
    ctx.db,
  )
  const keyOf = new Map(keys.map(({ projectCode, ...key }) => [projectCode, key]))
  const hitsOf = new Map(hits.map((one) => [one.projectCode, one.n]))
  return rows.map((row) => ({
    ...row,
    areaName: areaName(row.areaCode) ?? null,
    lastOffline: row.lastOffline?.getTime() ?? null,
    lastPatrol: row.lastPatrol?.getTime() ?? null,
    hitsToday: hitsOf.get(row.projectCode) ?? 0,
    keyCamera: keyOf.get(row.projectCode) ?? null,
  }))
}

const reported = (at: number | null) => (at === null ? null : formatInstant(at))

export function registerVideoSiteExport(): void {
  exportOf(
    videoSiteList,
    {
      title: '视频监控汇总',
      widths: { projectName: 28, lastOffline: 20, lastPatrol: 20, keySpotMissing: 24 },
      ...byPages(sitePage),
    },
    {
      areaCode: (r) => r.areaName,
      keySpotMissing: (r) => r.keySpotMissing.join('、') || null,
      lastOffline: (r) => reported(r.lastOffline),
      lastPatrol: (r) => reported(r.lastPatrol),
    },
  )
}
