import { onGround, siteOf, whereabouts } from '@zhugong/contract/monitoring/site'
import { sql } from 'kysely'
import { type Context, projectsFor } from '#kit/context'
import { pick } from '#kit/pick'
import { veilFor } from '../../readings/public.ts'
import { numberOr, textOr } from '../shared/family.ts'
import { familyOfCategory, findHelmets, type HelmetRow, seesPersons } from './helmet-store.ts'
import { stationsOf } from './helmet-track.ts'

/** Start of each tag's stay at its current station, searched within the last hours. */
export async function areaSince(ctx: Context, rows: readonly HelmetRow[], now: number): Promise<Map<string, number>> {
  const { rows: found } = await sql<{ deviceId: string; since: Date | null }>`
    select u.id as device_id, (select min(t.ts) from telemetry t where t.device_id = u.id and t.ts > coalesce(
        (select max(o.ts) from telemetry o where o.device_id = u.id and o.ts > ${new Date(now - areaLookBackMs)} and o.extra ->> 'stationId' is distinct from u.station),
        ${new Date(now - areaLookBackMs)})) as since
    from unnest(${rows.map((r) => r.id)}::text[], ${rows.map((r) => textOr(r.v?.stationId))}::text[]) u(id, station) where u.station is not null`.execute(
    ctx.db,
  )
  return new Map(found.flatMap((r) => (r.since ? [[r.deviceId, r.since.getTime()]] : [])))
}

/** Number of online helmets by place on their sites' plans. */
async function placesOf(ctx: Context, rows: readonly HelmetRow[]) {
  const placed = rows.filter((row) => row.online && isPositioned(row))
  const codes = [...new Set(placed.map((row) => row.projectCode))]
  const { rows: plans } = await sql<{ projectCode: string; sitePlan: unknown; areaRule: unknown; lng: number | null; lat: number | null }>`
    select project_code, site_plan, area_rule, lng, lat from project where project_code = any (${codes})`.execute(ctx.db)
  const sites = new Map(plans.map((plan) => [plan.projectCode, siteOf({ ...plan, lng: plan.lng ?? 0, lat: plan.lat ?? 0 })]))
  const found = placed.flatMap((row) => {
    const site = sites.get(row.projectCode)
    const [lng, lat] = [numberOr(row.v?.longitude), numberOr(row.v?.latitude)]
    if (!site || lng === null || lat === null) return []
    const { kind, words: name } = whereabouts(site, onGround(site.origin, [lng, lat]))
    return [{ projectCode: row.projectCode, name, kind, isAlarming: row.openLevel !== null }]
  })
  return [...Map.groupBy(found, (one) => `${one.projectCode}/${one.kind}/${one.name}`).values()].flatMap((own) =>
    own.slice(0, 1).map(({ projectCode, name, kind }) => ({
      projectCode,
      name,
      kind,
      count: own.length,
      alarming: own.filter((one) => one.isAlarming).length,
    })),
  )
}

const isPositioned = (row: HelmetRow): boolean => row.v?.positioned !== false && numberOr(row.v?.longitude) !== null

export const areaLookBackMs = 12 * 3_600_000

export async function positions(
  ctx: Context,
  query: { projectCode?: string | undefined; category: '700' | '701'; groupId?: string | undefined },
) {
  const projects = projectsFor(ctx, query.projectCode)
  const rows = await findHelmets(ctx, { families: [familyOfCategory(query.category)], projects, groupId: query.groupId })
  const stations = query.category === '701' ? await stationsOf(ctx, projects) : undefined
  const veil = await veilFor(ctx, rows)
  const now = ctx.clock.now()
  const areaOf = (row: HelmetRow) => {
    const stationId = textOr(row.v?.stationId)
    return stations && stationId ? stations.of(row.projectCode, stationId) : undefined
  }
  const list = rows.map((row) => {
    const shown = veil.values(row, row.v ?? {}, 'now')
    const stationId = textOr(row.v?.stationId)
    const area = shown.stationId === undefined ? undefined : areaOf(row)
    const positioned = query.category === '701' ? stationId !== null : isPositioned(row)
    return {
      deviceId: row.id,
      deviceName: row.name,
      ...pick(row, 'projectCode', 'teamName', 'groupId', 'openLevel'),
      workerName: veil.seesPerson(row) && ctx.codes.has('helmet.location') ? row.workerName : null,
      lng: numberOr(shown.longitude),
      lat: numberOr(shown.latitude),
      stationId: textOr(shown.stationId),
      areaName: area?.areaName ?? null,
      floorName: area?.floorName ?? null,
      x: numberOr(shown.x),
      y: numberOr(shown.y),
      positioned,
      online: row.online ?? false,
      time: row.ts?.getTime() ?? null,
    }
  })
  // The number of people in an area is visible to everybody.
  const heard = Map.groupBy(
    rows.filter((row) => row.online && areaOf(row)),
    (row) => `${row.projectCode}/${areaOf(row)?.areaName}`,
  )
  const since = stations ? await areaSince(ctx, rows, now) : new Map<string, number>()
  const areas = [...Map.groupBy(stations?.all ?? [], (s) => `${s.projectCode}/${s.areaName}`)].flatMap(([key, own]) => {
    const [first] = own
    if (!first) return []
    const inside = heard.get(key) ?? []
    // A silent station makes its area unknown, never empty: vital in an emergency.
    const isKnown = own.some((s) => s.online)
    return [
      {
        ...pick(first, 'projectCode', 'areaName', 'floorName'),
        count: isKnown || inside.length ? inside.length : null,
        limit: own.reduce<number | null>((most, s) => (s.areaLimit === null ? most : Math.round(s.areaLimit)), null),
        longestSeconds: inside.reduce((most, p) => Math.max(most, Math.round((now - (since.get(p.id) ?? now)) / 1000)), 0),
        known: isKnown,
        alarming: inside.filter((p) => p.openLevel !== null).length,
      },
    ]
  })
  return {
    // Counts are visible to everybody, persons are not.
    list: seesPersons(ctx) ? list : [],
    total: list.length,
    online: list.filter((p) => p.online).length,
    unpositioned: list.filter((p) => p.online && !p.positioned).length,
    alarming: rows.filter((row) => row.openLevel !== null).length,
    places: query.category === '700' ? await placesOf(ctx, rows) : [],
    areas,
  }
}
