import { metersOutside, ringsOf } from '@zhugong/contract/organisation/fence'
import { familyOf } from '@zhugong/contract/telemetry/families'
import { sql } from 'kysely'
import { formatInstant } from '#kit/clock'
import type { Context } from '#kit/context'
import { pick } from '#kit/pick'
import { findChanges } from './change-log.ts'
import { standardCodes } from './station-codes.ts'
import { getStationRow, toStation } from './station-store.ts'

interface SeenCode {
  code: string
  lastValue: string | null
  count: number
  lastTime: number | null
}

/** Codes in the readings of the last day: known ones by metric, unknown ones as sent. */
async function findSeen(ctx: Context, id: string): Promise<{ metrics: Map<string, SeenCode>; unknown: SeenCode[] }> {
  const since = new Date(ctx.clock.now() - 86_400_000)
  const unknown = await sql<{ code: string; lastValue: string | null; count: number; lastTime: Date }>`
    select regexp_replace(k.key, '-[A-Za-z]+$', '') as code, (array_agg(k.value order by t.ts desc))[1] as last_value, count(*)::int as count, max(t.ts) as last_time
    from (select ts, extra from telemetry where device_id = ${id} and ts > ${since} and extra is not null order by ts desc limit 5000) t
    cross join lateral jsonb_each_text(t.extra) k where k.key ~ '-(Rtd|Avg|Data)$' group by 1 order by 1 limit 100`.execute(ctx.db)
  const latest = await sql<{ v: Record<string, unknown>; ts: Date; n: number }>`
    select l.v, l.ts, (select count(*)::int from telemetry t where t.device_id = ${id} and t.ts > ${since}) as n from device_latest l where l.device_id = ${id}`.execute(
    ctx.db,
  )
  const now = latest.rows[0]
  const metrics = new Map<string, SeenCode>()
  for (const [key, value] of Object.entries(now?.v ?? {}))
    metrics.set(key, {
      code: key,
      lastValue: value === null ? null : String(value),
      count: now?.n ?? 0,
      lastTime: now?.ts.getTime() ?? null,
    })
  return { metrics, unknown: unknown.rows.map((r) => ({ ...r, lastTime: r.lastTime.getTime() })) }
}

export async function findStation(ctx: Context, id: string) {
  const row = await getStationRow(ctx, id)
  const family = familyOf(row.family)
  const { metrics, unknown } = await findSeen(ctx, id)
  const own = row.access.codes ?? {}
  const listed = new Set<string>()
  const codes = [
    ...unknown.map((u) => ({
      ...u,
      metric: own[u.code]?.metric ?? null,
      factor: own[u.code]?.factor ?? 1,
      by: own[u.code] ? 'own' : 'none',
    })),
    ...Object.entries(own)
      .filter(([code]) => !unknown.some((u) => u.code === code))
      .map(([code, { metric, factor }]) => ({
        ...(metrics.get(metric) ?? { lastValue: null, count: 0, lastTime: null }),
        code,
        metric,
        factor,
        by: 'own',
      })),
    ...standardCodes.flatMap(({ code, metric }) => {
      const seen = metrics.get(metric)
      if (!seen || own[code] || listed.has(metric) || Object.values(own).some((o) => o.metric === metric)) return []
      listed.add(metric)
      return [{ ...seen, code, metric, factor: 1, by: 'standard' }]
    }),
  ].sort((a, b) => Number(a.metric !== null) - Number(b.metric !== null) || a.code.localeCompare(b.code))
  const moves = await sql<{ projectName: string | null; since: Date; byName: string; reason: string }>`
    select b.name as project_name, m.since, m.by_name, m.reason from device_move m left join project b on b.project_code = m.to_project where m.device_id = ${id} order by m.since`.execute(
    ctx.db,
  )
  const first = await sql<{
    name: string | null
  }>`select p.name from device_move m left join project p on p.project_code = m.from_project where m.device_id = ${id} order by m.since limit 1`.execute(
    ctx.db,
  )
  const stays = [
    {
      projectName: moves.rows.length ? (first.rows[0]?.name ?? '其他项目') : row.projectName,
      since: row.createTime,
      byName: '',
      reason: '',
    },
    ...moves.rows.map((m) => ({ ...m, projectName: m.projectName ?? '其他项目' })),
  ]
  const rings = ringsOf(row.areaRule)
  const off = row.lng !== null && row.lat !== null ? metersOutside([row.lng, row.lat], rings) : null
  return {
    ...toStation(row, codes.filter((c) => c.by === 'none').length),
    clientId: row.accessKey,
    topics: { up: '', down: '' },
    deviceList: [
      { id: row.id, name: row.name, deviceSn: row.accessKey, family: row.family, online: row.online, lastTime: row.ts?.getTime() ?? null },
    ],
    poll: null,
    hours: [],
    changes: await findChanges(ctx.db, 'device', id),
    match: {
      codes,
      since: row.access.codesSince ?? null,
      metrics: (family?.metrics ?? [])
        .filter((m) => m.type === 'number' || m.type === 'integer')
        .map((m) => ({ key: m.key, label: m.label, unit: m.unit, min: m.min ?? null, max: m.max ?? null })),
      ...pick(row, 'lng', 'lat', 'projectLng', 'projectLat', 'hasKey'),
      fence: rings.map((ring) => ring.map(([lng, lat]): [number, number] => [lng, lat])),
      outsideMeters: off === null ? null : Math.round(off),
      moves: stays
        .map((s, i) => ({
          projectName: s.projectName,
          from: formatInstant(s.since),
          to: stays[i + 1] ? formatInstant(stays[i + 1]?.since ?? 0) : null,
          byName: s.byName,
          reason: s.reason,
        }))
        .reverse(),
      firstActions: row.firstActions ?? {},
    },
  }
}
