import { ringsOf } from '@zhugong/contract/organisation/fence'
import { isInside } from '@zhugong/contract/rules/polygon'
import { metersApart } from '@zhugong/contract/tracks/track'
import type { City } from '@zhugong/simulator/city-types'
import { idOf, stream } from '@zhugong/simulator/random'
import { type Insertable, sql } from 'kysely'
import { addDays, formatDay, startOfDay } from '#kit/clock'
import type { Tables, Tx } from '#kit/db'
import { insertAll } from './seed-trade.ts'

const minute = 60_000
const stepMs = 2 * minute
/** Minutes at each site, and of the way between two. */
const [stayMinutes, wayMinutes] = [55, 24]
const accuracy = 12

interface At {
  lng: number
  lat: number
  projectCode: string
}
type PlaceRow = Insertable<Tables['officerPlace']>

/** Officers of the district on duty: two on sites, one silent, and the day of 监督员赵启明 with the sites of his notices. */
export async function seedTracks(tx: Tx, city: City, now: number): Promise<void> {
  const { rows: officers } = await sql<{
    account: string
    id: string
    groupId: string
  }>`select u.account, u.id, m.group_id from app_user u join member m on m.user_id = u.id
    where u.account in ('bj-zhao', 'bj-qian', 'bj-sun', 'bj-zheng', 'bj-wu') and m.is_default order by u.account`.execute(tx)
  const groupId = officers[0]?.groupId
  if (!groupId) return
  await insertAll(tx, 'officerSetting', [
    { groupId, beginAt: '00:00', endAt: '24:00', weekdays: [1, 2, 3, 4, 5, 6, 7], keepDays: 90, updateBy: null },
  ])
  const sites = await sitesOf(tx)
  const random = stream(city.seed, 'tracks')
  const places: PlaceRow[] = []
  const shifts: Insertable<Tables['officerShift']>[] = []
  const put = (userId: string, at: number, { lng, lat }: Pick<At, 'lng' | 'lat'>, projectCode: string | null) =>
    places.push({ id: idOf(userId, 'place', String(at)), groupId, userId, at: new Date(at), lng, lat, accuracy, projectCode })
  const jitter = () => (random.next() - 0.5) * 0.0004
  const todayStart = startOfDay(formatDay(now))
  for (const [no, { account, id }] of officers.entries()) {
    const silent = account === 'bj-zheng'
    const onSite = account === 'bj-zhao' || account === 'bj-sun'
    const end = now - (silent ? 47 : 1) * minute
    const begin = Math.max(todayStart + minute, end - 70 * minute)
    shifts.push({ id: idOf(id, 'shift'), groupId, userId: id, beginTime: new Date(begin - minute), endTime: null })
    const site = sites[no % sites.length]
    if (!site) continue
    for (let at = begin; at <= end; at += stepMs) {
      const far = onSite ? 0 : 0.01 + ((end - at) / (70 * minute)) * 0.02
      put(
        id,
        at,
        { lng: site.lng + far + jitter(), lat: site.lat + far / 2 + jitter() },
        far === 0 && site.inFence ? site.projectCode : null,
      )
    }
  }
  const zhao = officers.find((one) => one.account === 'bj-zhao')
  if (zhao) {
    const { day, stops } = await pastDay(tx, zhao.id, groupId, sites, now)
    shifts.push({
      id: idOf(zhao.id, 'past shift'),
      groupId,
      userId: zhao.id,
      beginTime: new Date(startOfDay(day) + 8 * 60 * minute),
      endTime: new Date(startOfDay(day) + 18 * 60 * minute),
    })
    let before: (typeof stops)[number] | undefined
    for (const stop of stops) {
      if (before) way(put, zhao.id, before, stop)
      for (let at = stop.from; at <= stop.to; at += stepMs)
        put(zhao.id, at, { lng: stop.lng + jitter(), lat: stop.lat + jitter() }, stop.projectCode)
      before = stop
    }
    // One position that nobody can have reached.
    if (before) put(zhao.id, before.to - minute / 2, { lng: before.lng + 0.9, lat: before.lat }, null)
    await insertAll(tx, 'officerLook', [
      {
        id: idOf(zhao.id, 'look'),
        groupId,
        userId: zhao.id,
        lookerId: officers.find((one) => one.account === 'bj-wu')?.id ?? '',
        lookerName: '吴静',
        kind: 'day',
        day,
        purpose: null,
        at: new Date(now - 26 * 60 * minute),
      },
    ])
  }
  await insertAll(tx, 'officerShift', shifts)
  await insertAll(tx, 'officerPlace', [...new Map(places.map((one) => [one.id, one])).values()])
}

interface Site extends At {
  inFence: boolean
}
/** Sites of the district; positions are laid at their marks where these lie in the fence. */
async function sitesOf(tx: Tx): Promise<Site[]> {
  const { rows } = await sql<At & { areaRule: unknown }>`select project_code, lng::float8 as lng, lat::float8 as lat, area_rule from project
    where area_code like '420202%' and lng is not null and lat is not null order by project_code`.execute(tx)
  return rows.map(({ areaRule, ...site }) => ({ ...site, inFence: ringsOf(areaRule).some((ring) => isInside([site.lng, site.lat], ring)) }))
}

interface Stop extends At {
  from: number
  to: number
}
const mostStops = 3
/** The latest past day on which the officer worked on sites, with his stays around that work. */
async function pastDay(
  tx: Tx,
  userId: string,
  groupId: string,
  sites: readonly Site[],
  now: number,
): Promise<{ day: string; stops: Stop[] }> {
  const { rows } = await sql<{
    day: string
    projectCode: string
    at: Date
  }>`select (l.at at time zone 'Asia/Shanghai')::date::text as day, r.project_code, min(l.at) as at
    from process_log l join rectify r on r.id = l.object_id where l.kind = 'rectify' and l.by_id = ${userId} and r.issuer_group = ${groupId}
      and l.action in ('issue', 'recheckPass', 'recheckFail') and l.at < ${new Date(startOfDay(formatDay(now)))} and l.at > ${new Date(now - 80 * 24 * 60 * minute)}
    group by 1, 2 order by 1 desc, 3`.execute(tx)
  const byDay = Map.groupBy(rows, (one) => one.day)
  const [day = addDays(formatDay(now), -1), work = []] = [...byDay].sort((a, b) => b[1].length - a[1].length)[0] ?? []
  const stops: Stop[] = []
  for (const { projectCode, at } of work.slice(0, mostStops)) {
    const site = sites.find((one) => one.projectCode === projectCode)
    const last = stops.at(-1)
    const from = Math.max(at.getTime() - 20 * minute, last ? last.to + wayMinutes * minute : 0)
    if (site) stops.push({ ...site, from, to: from + stayMinutes * minute })
  }
  const others = sites.filter((one) => one.inFence && !stops.some((stop) => stop.projectCode === one.projectCode))
  for (const site of others.slice(0, mostStops - stops.length)) {
    const last = stops.at(-1)
    const from = last ? last.to + wayMinutes * minute : startOfDay(day) + 9 * 60 * minute
    stops.push({ ...site, from, to: from + stayMinutes * minute })
  }
  return { day, stops }
}

/** Positions on the way; the network was away for a part of a long one. */
function way(
  put: (userId: string, at: number, place: { lng: number; lat: number }, projectCode: null) => void,
  userId: string,
  from: Stop,
  to: Stop,
): void {
  const away = metersApart(from, to) > 4_000
  for (let at = from.to + stepMs; at < to.from; at += stepMs) {
    const share = (at - from.to) / (to.from - from.to)
    if (away && share > 0.25 && share < 0.85) continue
    put(
      userId,
      at,
      { lng: from.lng + (to.lng - from.lng) * share, lat: from.lat + (to.lat - from.lat) * share + Math.sin(share * Math.PI) * 0.004 },
      null,
    )
  }
}
